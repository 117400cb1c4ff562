# SPDX-License-Identifier: BSD-3-Clause
"""The command line: one file a subcommand. Here they become one program with one way to fail."""

from __future__ import annotations

import inspect
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated

import typer

from stretto.errors import INTERRUPTS, CheckError, Interrupted, RunError, UserError, interrupt
from stretto.options.command_line import command_of

DONE = 0

# The module and the function of each subcommand, in the order of the help. What is not asked for is not
# imported: all of them together take most of a second.
COMMANDS = {
    "list": "list:list_all",
    "probe": "probe:probe",
    "fit": "fit:fit",
    "predict": "predict:predict",
    "advise": "advise:advise",
    "verify": "verify:verify",
    "run": "run:run",
    "compare": "compare:compare",
    "report": "report:report",
    "replay": "replay:replay",
    "trace": "trace:trace",
    "preload": "trace:preload",
    "potential": "potential:potential",
    "whatif": "whatif:whatif",
    "dump": "dump:dump",
}


def options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    """How much of the communication can run under the computation here, and what would that gain?

    `stretto probe` measures this machine and shows what it found.
    """
    if version:
        from stretto.commands.version import installed_version

        print(f"stretto {installed_version()}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


def application(names: Iterable[str]) -> typer.Typer:
    """The program with these subcommands."""
    app = typer.Typer(
        name="stretto",
        add_completion=False,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(options)
    for name in names:
        module, function = COMMANDS[name].split(":")
        command = getattr(import_module(f"stretto.commands.{module}"), function)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            takes_request = "request" in inspect.signature(command).parameters
            app.command(name)(command_of(command) if takes_request else command)
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the program and ends the process: 0 done, 1 failed, 2 wrong input, 3 a check did not hold."""
    for signum in INTERRUPTS:
        if signal.getsignal(signum) is not signal.SIG_IGN:
            signal.signal(signum, interrupt)  # what is half made goes away on the way out
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs the program. What goes wrong is one line on stderr."""
    words = sys.argv[1:] if arguments is None else arguments
    app = application(_wanted(words))
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
    except (Interrupted, typer.Abort):
        return _complain("interrupted", Interrupted.status)
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return RunError.status


def _wanted(words: Sequence[str]) -> Iterable[str]:
    """The subcommands that a command line needs: the one it names; none; or all, to say what there is."""
    if not words or words[0] not in COMMANDS:
        return () if words == ["--version"] else COMMANDS
    return words[:1]


def _subcommand(error: typer.exceptions.TyperException) -> str:
    path = getattr(getattr(error, "ctx", None), "command_path", "stretto")
    return f"{path.removeprefix('stretto').strip()} ".lstrip()


def _complain(message: str, status: int) -> int:
    first, *rest = message.splitlines() or [""]
    print(f"stretto: {first}", file=sys.stderr)
    for line in rest if status == RunError.status else []:  # what a run wrote before it failed
        print(f"  {line}", file=sys.stderr)
    return status
