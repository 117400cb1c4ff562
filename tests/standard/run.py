# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.standard.run -o docs/results/standard.md`: every case under every library, as a table of calls.

Status 3 where a library differs from plain. `--again` looks for the cases that an MPI itself does not run.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from stretto.data.groups import grouped
from tests.standard.fortran_program import FORMS
from tests.standard.mpis import COMPILERS
from tests.standard.suite import (
    FAILURES,
    FORTRAN_COMPILERS,
    LIBRARIES,
    WATCHED,
    Suite,
    library,
    read_failures,
)


def built() -> list[str]:
    """The MPIs whose compiler and libraries are here."""
    return [
        preset
        for preset, compiler in COMPILERS.items()
        if compiler.is_file() and all(library(preset, name).is_file() for name in LIBRARIES)
    ]


def with_fortran() -> list[str]:
    """Those of them that have a compiler for Fortran."""
    return [
        preset for preset in built() if preset in FORTRAN_COMPILERS and FORTRAN_COMPILERS[preset].is_file()
    ]


class Result:
    """The cases of an MPI that ran plain, those that it refuses, and what differed."""

    def __init__(self, suite: Suite, again: bool, libraries: Sequence[str]) -> None:
        self.suite = suite
        plain = suite.plain(range(len(suite.program.cases)), again)
        self.cases = sorted(plain.values)
        self.refused = plain.refused
        self.differences = [one for name in libraries for one in suite.differing(name, plain)]

    def name_of(self, number: int) -> str:
        return self.suite.program.cases[number].name

    def call_of(self, number: int) -> str:
        return self.name_of(number).partition(":")[0]

    def cell(self, call: str) -> str:
        """What a call's cases came to: their number, and the libraries that differ."""
        number = sum(self.call_of(case) == call for case in self.cases)
        if number == 0:
            return "-"
        wrong = [
            one.library for one in self.differences if one.case is not None and self.call_of(one.case) == call
        ]
        return f"{number}" + "".join(f", {name} differs" for name in sorted(set(wrong)))


def page(c: dict[str, Result], fortran: dict[str, Result], libraries: Sequence[str]) -> str:
    """The tables as a page of docs/results."""
    lines = [
        "# The standard's edge cases under the preloaded libraries",
        "",
        f"`python -m tests.standard.run -o docs/results/standard.md`, {date.today()}, {platform.system()} on "
        f"{platform.machine()}. Four ranks. Each number is that of cases which the MPI runs plain: under "
        f"{_listed(libraries)} every rank sees the same, and the program ends with the same status"
        + (", and the trace replays." if {"trace", *WATCHED} & set(libraries) else ".")
        + " Cases which the MPI itself does not run stand below.",
        "",
    ]
    for title, results in (("## C", c), ("## Fortran", fortran)):
        lines += [title, "", *_table(results), ""] if results else []
    both = {**c, **fortran}
    lines += ["## Differences", ""]
    lines += _difference_lines(both) or ["None."]
    lines += ["", "## No cases: the plain run fails", ""]
    for name, result in both.items():
        lines += [f"- {name}: {result.name_of(number)} ({why})" for number, why in result.refused.items()]
    return "\n".join([*lines, ""])


def _table(results: dict[str, Result]) -> list[str]:
    calls: dict[str, None] = {}
    for result in results.values():
        calls.update(
            dict.fromkeys(result.call_of(number) for number in range(len(result.suite.program.cases)))
        )
    lines = ["| calls, each | " + " | ".join(results) + " |", "|---|" + "--:|" * len(results)]
    lines += joined((call, " | ".join(result.cell(call) for result in results.values())) for call in calls)
    total = " | ".join(str(len(result.cases)) for result in results.values())
    return [*lines, f"| all | {total} |"]


def joined(rows: Iterable[tuple[str, str]]) -> list[str]:
    """A line for all calls with the same cells."""
    calls = grouped(rows, lambda row: row[1])
    return [f"| {', '.join(call for call, _ in of)} | {cells} |" for cells, of in calls.items()]


def _listed(libraries: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in libraries)


def _difference_lines(results: dict[str, Result]) -> list[str]:
    return [
        f"- {name}, {one.library}: {'the whole run' if one.case is None else result.name_of(one.case)}: {one.what}"
        for name, result in results.items()
        for one in result.differences
    ]


def _keep_failures(results: dict[str, Result]) -> None:
    """Writes the cases that fail plain to the list of known ones. Other MPIs keep theirs, and an MPI those that fail
    with another thread level, which this run does not find.
    """
    text = FAILURES.read_text(encoding="utf-8").splitlines()
    comments = [line for line in text if line.startswith("#")]
    rows = [row for row in read_failures() if row[0] not in results or "MULTIPLE" in row[2]]
    for name, result in results.items():
        rows += [(name, result.name_of(number), why) for number, why in result.refused.items()]
    FAILURES.write_text("\n".join([*comments, *failure_lines(rows), ""]), encoding="utf-8")


def failure_lines(rows: Iterable[tuple[str, str, str]]) -> list[str]:
    """A line for all MPIs in which a case fails alike."""
    alike = grouped(sorted(rows, key=lambda row: (row[1:], row[0])), lambda row: row[1:])
    return [" | ".join(("; ".join(mpi for mpi, *_ in each), *failure)) for failure, each in alike.items()]


def _found(preset: str, fortran: str | None, given: argparse.Namespace) -> Result:
    with tempfile.TemporaryDirectory(prefix="stretto-standard-") as directory:
        suite = Suite(preset, Path(directory), fortran=fortran)
        result = Result(suite, given.again, given.library.split(","))
    print(f"{suite.name}: {len(result.cases)} cases", file=sys.stderr)
    return result


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.standard.run", description=__doc__)
    parser.add_argument(
        "--mpi", default=",".join(built()), help="mpich, openmpi, openmpi4; default: all built"
    )
    parser.add_argument(
        "--library",
        default=",".join(LIBRARIES),
        help=f"default: all; also {', '.join(WATCHED)}: the recorder with --memory",
    )
    parser.add_argument("--language", default="C,Fortran", help="C, Fortran; default: both")
    parser.add_argument("--again", action="store_true", help="find again what the MPI does not run")
    parser.add_argument("-o", dest="output", type=Path, help="the page to write; default: stdout")
    given = parser.parse_args(arguments)
    presets, languages = given.mpi.split(","), given.language.split(",")
    c = {preset: _found(preset, None, given) for preset in presets if "C" in languages}
    fortran = {
        f"{preset}, {form}": _found(preset, form, given)
        for preset in presets
        if "Fortran" in languages and preset in with_fortran()
        for form in FORMS
    }
    results = {**c, **fortran}
    if given.again:
        _keep_failures(results)
    text = page(c, fortran, given.library.split(","))
    if given.output is None:
        print(text)
    else:
        given.output.write_text(text, encoding="utf-8")
    return 3 if any(result.differences for result in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
