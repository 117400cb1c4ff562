# SPDX-License-Identifier: BSD-3-Clause
"""The command line: one file a subcommand. Here they become one program with one way to fail."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from stretto.commands.advise import advise
from stretto.commands.compare import compare
from stretto.commands.dump import dump
from stretto.commands.fit import fit
from stretto.commands.list import list_all
from stretto.commands.potential import potential
from stretto.commands.predict import predict
from stretto.commands.probe import probe
from stretto.commands.replay import replay
from stretto.commands.report import report
from stretto.commands.run import run as run_kernel
from stretto.commands.trace import preload, trace
from stretto.commands.verify import verify
from stretto.commands.version import installed_version
from stretto.commands.whatif import whatif
from stretto.errors import CheckError, RunError, UserError

DONE = 0

app = typer.Typer(
    name="stretto",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    """How much of the communication can run under the computation here, and what would that gain?

    `stretto probe` measures this machine and shows what it found.
    """
    if version:
        print(f"stretto {installed_version()}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


app.command("list")(list_all)
app.command("probe")(probe)
app.command("fit")(fit)
app.add_typer(predict, name="predict")
app.command("advise")(advise)
app.command("verify")(verify)
app.command("run")(run_kernel)
app.command("compare")(compare)
app.command("report")(report)
app.command("replay")(replay)
app.command("trace")(trace)
app.command("preload")(preload)
app.command("potential")(potential)
app.command("whatif")(whatif)
app.command("dump")(dump)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the program and ends the process: 0 done, 1 failed, 2 wrong input, 3 a check did not hold."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs the program. What goes wrong is one line on stderr."""
    try:
        status = app(args=arguments, standalone_mode=False, prog_name="stretto")
        sys.stdout.flush()
        return status if isinstance(status, int) else DONE
    except UserError as error:
        return _complain(str(error), error.status)
    except typer.exceptions.TyperException as error:
        return _complain(
            f"{error.format_message()} (see `stretto {_subcommand(error)}--help`)", UserError.status
        )
    except CheckError as error:
        return _complain(str(error), error.status)
    except RunError as error:
        return _complain(str(error), error.status)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", RunError.status)
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return RunError.status


def _subcommand(error: typer.exceptions.TyperException) -> str:
    path = getattr(getattr(error, "ctx", None), "command_path", "stretto")
    return f"{path.removeprefix('stretto').strip()} ".lstrip()


def _complain(message: str, status: int) -> int:
    first, *rest = message.splitlines() or [""]
    print(f"stretto: {first}", file=sys.stderr)
    for line in rest if status == RunError.status else []:  # what a run wrote before it failed
        print(f"  {line}", file=sys.stderr)
    return status
