# SPDX-License-Identifier: BSD-3-Clause
"""All cases of an MPI, plain and under each preloaded library: which differ, and how."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bench.harness.preload import busy_settings, replay_problem
from tests.standard.fortran_program import compiled
from tests.standard.mpis import AS_ROOT, BIN, COMPILERS, LAUNCHERS, ROOT
from tests.standard.program import RANKS, Program, Seen, run

FORTRAN_COMPILERS = {"openmpi4": Path("/usr/bin/mpifort.openmpi")}
"""MPIs with Fortran's bindings; the others here have none."""
LIBRARIES = ("trace", "progress", "collectives")
WATCHED = ("page", "byte")
"""The recorder with `--memory page` and `byte`; the program of `byte` is instrumented."""
STALL_S = 40.0
"""A run that writes nothing for so long hangs."""
KNOWN_DIFFERENCES = Path(__file__).with_name("known_differences.txt")
FAILURES = Path(__file__).with_name("plain_failures.txt")


def _rows(file: Path) -> Iterator[list[str]]:
    """The cells of a list's lines, which ` | ` separates, without its comments."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split(" | ")


def read_failures() -> Iterator[tuple[str, str, str]]:
    """MPI, case and reason of the plain runs that are known to fail: those are no cases there."""
    for presets, name, why in _rows(FAILURES):
        for preset in presets.split("; "):
            yield preset, name, why


def is_known(name: str, case: str) -> bool:
    """Whether the list of known differences has a case of a library: those are to be mended, and are left out."""
    return any(
        library == name and re.fullmatch(pattern, case) for library, pattern in _rows(KNOWN_DIFFERENCES)
    )


def library(preset: str, name: str) -> Path:
    if name in WATCHED:
        name = "trace"
    return ROOT / "build" / preset / "lib" / f"libstretto_{name}.so"


@dataclass(frozen=True)
class Difference:
    """What a library changed: of a case, or of the whole run where `case` is none."""

    library: str
    case: int | None
    what: str


@dataclass(frozen=True)
class Plain:
    """What the ranks saw in each case without a library, and the cases that the MPI itself does not run."""

    values: dict[int, list[str]]
    refused: dict[int, str]


def _broken(seen: Seen, numbers: Sequence[int]) -> int | None:
    """The case that ended a run early; none where it came to its end."""
    if seen.ended:
        return None
    broken = seen.last_begun
    if broken is None:  # all cases came to their ends, and the program did not
        return numbers[-1]
    if broken not in numbers:
        raise RuntimeError("the run failed before its first case")
    return broken


def _ending(seen: Seen) -> str:
    return "does not end" if seen.status is None else f"ends with {seen.status}"


class Suite:
    """The program of an MPI and the cases that run plain, in C or in a form of Fortran; `directory` keeps what runs
    leave.
    """

    def __init__(
        self, preset: str, directory: Path, stall_s: float = STALL_S, fortran: str | None = None
    ) -> None:
        self.preset = preset
        self.name = preset if fortran is None else f"{preset}, {fortran}"
        self.directory = directory
        self.stall_s = stall_s
        self.fortran = fortran
        if fortran is None:
            self.program = Program.compiled(COMPILERS[preset], directory)
        else:
            self.program = compiled(FORTRAN_COMPILERS[preset], directory, fortran)
        self.runs = 0

    @cached_property
    def instrumented(self) -> Program:
        """The same program from stretto's compilers, which call the MPI's."""
        directory = self.directory / "instrumented"
        directory.mkdir()
        build = {**os.environ, "STRETTO_BUILD": str(ROOT / "build" / self.preset)}
        if self.fortran is None:
            environment = {**build, "STRETTO_CC": str(COMPILERS[self.preset])}
            return Program.compiled(BIN / "stretto-cc", directory, environment)
        environment = {**build, "STRETTO_FC": str(FORTRAN_COMPILERS[self.preset])}
        return compiled(BIN / "stretto-fc", directory, self.fortran, environment)

    def environment(self, **variables: str) -> dict[str, str]:
        return {
            "PATH": f"{LAUNCHERS[self.preset].parent}:/usr/bin:/bin",
            "HOME": str(Path.home()),
            **AS_ROOT,
            "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
            **variables,
        }

    def command(self, prefix: Path, numbers: Sequence[int], variables: dict[str, str]) -> list[str]:
        """Variables are the ranks' alone: a launcher must not load a library of its ranks."""
        launcher = [str(LAUNCHERS[self.preset])]
        if self.preset == "mpich":
            launcher += [word for name, value in variables.items() for word in ("-genv", name, value)]
        else:
            launcher += ["--oversubscribe"]
            launcher += [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]
        watched = variables.get("STRETTO_TRACE_MEMORY")
        program = self.instrumented if watched == "byte" else self.program
        return [*launcher, "-n", str(RANKS), str(program.path), str(prefix), *map(str, numbers)]

    def seen(self, name: str, numbers: Sequence[int], **variables: str) -> Seen:
        self.runs += 1
        prefix = self.directory / f"{name}.{self.runs}"
        return run(self.command(prefix, numbers, variables), prefix, self.environment(), self.stall_s)

    def variables(self, name: str, trace: Path) -> dict[str, str]:
        """What preloads a library, so that it has something to do."""
        return {"LD_PRELOAD": str(library(self.preset, name)), **busy_settings(name, trace)}

    def refused_before(self) -> dict[int, str]:
        """The cases that the list of known failures has for this MPI, and why."""
        reasons = {name: why for preset, name, why in read_failures() if preset == self.name}
        return {
            number: reasons[case.name]
            for number, case in enumerate(self.program.cases)
            if case.name in reasons
        }

    def plain(self, numbers: Sequence[int], again: bool = False) -> Plain:
        """Runs the cases without a library, `again` those that are known to fail, too. After a case that ends the run,
        the next run begins behind it.
        """
        known = {} if again else self.refused_before()
        refused = {number: why for number, why in known.items() if number in set(numbers)}
        left = [number for number in numbers if number not in refused]
        values: dict[int, list[str]] = {}
        while left:
            seen = self.seen("plain", left)
            broken = _broken(seen, left)
            if broken is None:
                return Plain({**values, **seen.by_case}, refused)
            values.update((one, lines) for one, lines in seen.by_case.items() if one < broken)
            refused[broken] = _ending(seen)
            print(f"{self.name} | {self.program.cases[broken].name} | {refused[broken]}", file=sys.stderr)
            left = [number for number in left if number > broken]
        return Plain(values, refused)

    def differing(self, name: str, plain: Plain) -> Iterator[Difference]:
        """What differs from plain under a library. After a case that ends the run, the next one begins behind it."""
        left = [one for one in sorted(plain.values) if not is_known(name, self.program.cases[one].name)]
        while left:
            trace = self.directory / f"trace.{self.runs}"
            trace.mkdir(exist_ok=True)
            seen = self.seen(name, left, **self.variables(name, trace))
            broken = _broken(seen, left)
            for number in left:
                if broken is not None and number >= broken:
                    break
                if seen.by_case.get(number) != plain.values[number]:
                    yield Difference(name, number, "sees other values")
            if broken is None:
                if (
                    name in ("trace", *WATCHED)
                    and (problem := replay_problem(ROOT / "build" / self.preset, trace)) is not None
                ):
                    yield Difference(name, None, problem)
                return
            if not self.breaks_plain(left, broken):
                yield Difference(name, broken, _ending(seen))
            left = [number for number in left if number > broken]

    def breaks_plain(self, numbers: Sequence[int], broken: int) -> bool:
        """Whether a case ends the plain run, too, after the cases before it: what they leave may be what an MPI cannot
        bear, and the plain run may have begun behind them.
        """
        return (
            _broken(self.seen("plain", [number for number in numbers if number <= broken]), numbers) == broken
        )
