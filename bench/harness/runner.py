# SPDX-License-Identifier: BSD-3-Clause
"""The runner: lists entries, runs the named ones, and prints one table of all checks at the end.

The exit status is 0, or 3 where a check is below its target, 1 where an entry failed, and 2 for wrong input.
A failing entry does not stop the others.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.harness.builds import ROOT, default_build
from bench.harness.checks import BELOW_TARGET, HEAD, Check, Checks, Result
from bench.harness.show import as_text, load, machine, result_text, with_section
from stretto.errors import RunError, UserError

RESULTS = ROOT / "docs" / "results"


class NotHereError(Exception):
    """An entry cannot be measured on this machine, which is not an error."""


@dataclass(frozen=True)
class Context:
    """The options of an entry, the build, and a directory for its samples."""

    options: argparse.Namespace
    build: Path
    output: Path

    def repetitions(self, usual: int) -> int:
        """Repetitions, unless `--turns` gives another number."""
        return int(self.options.turns or usual)


@dataclass(frozen=True)
class Entry:
    """One measurement, or a family of measurements.

    Attributes:
        what: One line for `--list`.
        run: Yields results. Raises NotHereError where this machine cannot measure it.
        named: Whether it runs only if named.
    """

    name: str
    what: str
    run: Callable[[Context], Iterable[Result]]
    named: bool = False


@dataclass
class _Ended:
    results: list[Result] = field(default_factory=list)
    status: int = 0
    reason: str = ""

    @property
    def checks(self) -> list[Check]:
        return [check for result in self.results if isinstance(result, Checks) for check in result.checks]


def main(
    command: str,
    about: str,
    entries: Sequence[Entry],
    output: Path,
    add_options: Callable[[argparse.ArgumentParser], None],
) -> int:
    """Runs the command line of a runner; users start it with `command`. Returns the exit status."""
    known = {entry.name: entry for entry in entries}
    parser = argparse.ArgumentParser(
        prog=command, description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="entries (--list); default: the usual ones")
    parser.add_argument("--list", action="store_true", help="list the entries, one line each")
    parser.add_argument("--write", action="store_true", help="add the results to docs/results/")
    parser.add_argument("--turns", type=int, help="repetitions, instead of each entry's own number")
    add_options(parser)
    options = parser.parse_args()
    if options.list:
        width = max(map(len, known))
        for entry in entries:
            print(f"{entry.name:{width}}  {entry.what}{' (only when named)' if entry.named else ''}")
        return 0
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"unknown {', '.join(unknown)}; choose from {', '.join(known)}")
    chosen = [known[name] for name in options.names] or [entry for entry in entries if not entry.named]
    print(f"# {machine()}; load {load()}", flush=True)
    ended = {}
    for entry in chosen:
        directory = output / entry.name
        directory.mkdir(parents=True, exist_ok=True)
        one = ended[entry.name] = _run(entry, Context(options, default_build(), directory))
        if options.write and one.status == 0 and one.results:
            _write(entry, _as_typed(command), one.results)
    return _summary(ended)


def _as_typed(command: str) -> str:
    """The command of this run, with its MPI unless that is the embedded one."""
    words = shlex.join(word for word in sys.argv[1:] if word != "--write")
    mpi = os.environ.get("MPI", "mpich")
    if mpi != "mpich":
        command = f"MPI={mpi} {command}"
    if not words:
        return command
    return f'{command} ARGS="{words}"' if "make " in command else f"{command} {words}"


def _write(entry: Entry, command: str, results: Sequence[Result]) -> None:
    page = RESULTS / f"{entry.name}.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    page.write_text(with_section(text, entry.name, entry.what, command, results), encoding="utf-8")


def _run(entry: Entry, context: Context) -> _Ended:
    print(f"\n# {entry.name}: {entry.what}", flush=True)
    ended = _Ended()
    try:
        for result in entry.run(context):
            ended.results.append(result)
            print(result_text(result), flush=True)
    except NotHereError as error:
        ended.reason = f"not measured: {error}"
    except (RunError, UserError) as error:
        ended.status = 2 if isinstance(error, UserError) else 1
        ended.reason = f"failed: {str(error).splitlines()[-1]}"
        print(f"{entry.name}: {error}", file=sys.stderr)
    return ended


def _summary(ended: dict[str, _Ended]) -> int:
    rows = []
    for name, one in ended.items():
        rows += [(name, *check.cells) for check in one.checks]
        if one.reason:
            rows.append((name, one.reason, *[""] * (len(HEAD) - 1)))
    print(as_text(f"Results; load {load()}", ("entry", *HEAD), rows))
    if any(check.verdict == BELOW_TARGET for one in ended.values() for check in one.checks):
        return 3
    return max((one.status for one in ended.values()), default=0)
