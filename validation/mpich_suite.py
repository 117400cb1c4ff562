# SPDX-License-Identifier: BSD-3-Clause
"""MPICH's own test suite plain, recorded, with progress and with collectives: the same output and status."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from bench.harness.builds import build, mpiexec_of
from bench.harness.checks import Checks, Result, Table, yes_or_no
from bench.harness.preload import busy_settings, replay_problem
from bench.harness.runner import Context
from stretto.data.trace_names import traces_in
from stretto.launch.job import Job
from stretto.launch.local import launch_here
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.launch.preload import preload_variables
from validation.mpich_suite_source import Case, built, cases_of, fetched

PARTS = (
    "attr",
    "coll",
    "comm",
    "datatype",
    "errhan",
    "errors",
    "group",
    "info",
    "init",
    "part",
    "pt2pt",
    "rma",
    "threads",
    "topo",
)
LIBRARIES = ("trace", "progress", "collectives")
_GRACE_S = 20.0
_PLAIN_AGAIN = 5
_SLOWER = 3
"""A library has so many times the limit of a plain run, which may end just within its own."""
_NOT_THE_PROGRAM = re.compile(r"^stretto\b|^MPICH: ")
"""What stretto says, and MPICH of references that are left, which are others in each run."""
_CHANGING = re.compile(r"0x[0-9a-f]+|\b\d+\.\d+(e[-+]?\d+)?\b|\bpid \d+")
"""Addresses, times and process numbers differ between any two runs."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended; `status` is none where it did not within its limit. Lines have no order."""

    status: int | None
    lines: tuple[str, ...] = ()

    @property
    def ending(self) -> str:
        """In words."""
        return "does not end" if self.status is None else f"ends with {self.status}"


def outcome(status: int | None, text: str) -> Outcome:
    """Without what stretto and MPICH say, and what differs between any two runs."""
    lines = (
        _CHANGING.sub("#", line.strip()) for line in text.splitlines() if not _NOT_THE_PROGRAM.match(line)
    )
    return Outcome(status, tuple(sorted(line for line in lines if line)))


def difference(plain: Outcome, other: Outcome) -> str | None:
    """What a library changed; none where a plain run does not end. Of a run that fails plain, the status
    counts: an MPI that aborts ends its ranks somewhere in their output.
    """
    if plain.status is None:
        return None
    if other.status != plain.status:
        return f"{other.ending}, plain {plain.ending}"
    if plain.status == 0 and other.lines != plain.lines:
        new = [line for line in other.lines if line not in plain.lines]
        return f"prints {new[0]!r}" if new else "prints less"
    return None


def steady_difference(run: Callable[[str | None], Outcome], library: str, plain: Outcome) -> str | None:
    """What a library changes in two runs of two; "unsteady" where a run differs from one of its own kind.

    A program that one of its own aborts may end with either of two statuses, half of the time each.
    """
    first = run(library)
    if difference(plain, first) is None:
        return None
    if any(difference(plain, run(None)) is not None for _ in range(_PLAIN_AGAIN)):
        return "unsteady"
    return difference(plain, run(library)) or "unsteady"


class Runs:
    """Runs cases of a suite that was built in a directory, with a build's libraries."""

    def __init__(self, mpi: MpiLibrary, suite: Path, build_directory: Path) -> None:
        self._mpi, self._suite, self._build = mpi, suite, build_directory
        self._trace = suite / "trace"

    def outcome(self, case: Case, library: str | None) -> Outcome:
        """Runs a case plain or under a library."""
        place = self._suite / case.directory
        variables = {**dict(case.environment), **self._variables(library)}
        limit_s = case.limit_s * (1 if library is None else _SLOWER)
        job = Job(place / case.program, case.arguments, case.ranks, variables)
        launch = launch_here(self._mpi, job)
        process = subprocess.Popen(
            launch.argv,
            env=launch.environment(),
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        try:
            text, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            process.terminate()  # a launcher ends its ranks
            try:
                process.communicate(timeout=_GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            return Outcome(None)
        return outcome(process.returncode, text)

    def replay_problem(self) -> str | None:
        """What the replay of the last trace reports; none where it replays, or where nothing was recorded."""
        return replay_problem(self._build, self._trace) if traces_in(self._trace) else None

    def _variables(self, library: str | None) -> Mapping[str, str]:
        if library is None:
            return {}
        if library == "trace":
            shutil.rmtree(self._trace, ignore_errors=True)
            self._trace.mkdir()
        return {**preload_variables([library], self._mpi), **busy_settings(library, self._trace)}


def run(context: Context) -> Iterator[Result]:
    """Cases on at most `--suite-most` ranks, plain and under each library, in turn from each part until
    `--suite-minutes` are over.
    """
    options = context.options
    build(context.build, "stretto_programs")
    mpi = find_mpi(mpiexec_of(context.build))
    source = fetched(context.output)
    suite = context.output / context.build.name
    parts = options.suite_parts or PARTS
    built(source, suite, Path(mpi.mpiexec).with_name("mpicc"), parts)
    runs = Runs(mpi, suite, context.build)
    known = {
        part: [one for one in cases_of(source, suite, part) if one.ranks <= options.suite_most]
        for part in parts
    }
    ends = time.monotonic() + 60 * options.suite_minutes
    found: dict[str, list[tuple[Case, Sequence[Finding]]]] = {part: [] for part in parts}
    kept = Kept(context.output / f"{context.build.name}.jsonl", options.keep)
    for part, case in in_turn(known):
        findings = kept.findings(case)
        if findings is None:
            if time.monotonic() > ends:
                continue
            findings = list(_compared(runs, case, options.suite_limit))
            kept.add(case, findings)
        found[part].append((case, findings))
    title = f"MPICH's test suite under the preloaded libraries: {mpi.family} {mpi.version}"
    yield Table(
        title, ("part", "cases", "run", *ENDS), [row(part, len(known[part]), found[part]) for part in parts]
    )
    differing = [
        (case.name, one.where, one.what)
        for of in found.values()
        for case, findings in of
        for one in findings
        if one.where != "not 0 plain"
    ]
    if differing:
        yield Table("What differs", ("run", "in", "what"), differing)
    alike = not any(map(_differs, found.values()))
    yield Checks(title, [yes_or_no("all as plain, and traces replay", "plain", alike)])


ENDS = ("not 0 plain", *LIBRARIES, "replay", "unsteady")
"""Where a finding is: the plain run, a library, the replay of a trace, or a run that differs from itself."""


@dataclass(frozen=True)
class Finding:
    """What was found in a case; `where` is one of ENDS."""

    where: str
    what: str


class Kept:
    """What was found in each case, one line of JSON for each, so that an ended run continues."""

    def __init__(self, file: Path, continues: bool) -> None:
        self._file = file
        if not continues:
            file.unlink(missing_ok=True)
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        self._found = {name: [Finding(*one) for one in of] for name, of in map(json.loads, lines)}

    def findings(self, case: Case) -> Sequence[Finding] | None:
        """None where the case did not run."""
        return self._found.get(case.name)

    def add(self, case: Case, findings: Sequence[Finding]) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps([case.name, [(one.where, one.what) for one in findings]]) + "\n")


def in_turn(cases: Mapping[str, Sequence[Case]]) -> Iterator[tuple[str, Case]]:
    """The first case of each part, the second of each, and so on."""
    for each in zip_longest(*cases.values()):
        yield from ((part, case) for part, case in zip(cases, each, strict=True) if case is not None)


def row(part: str, cases: int, found: Sequence[tuple[Case, Sequence[Finding]]]) -> tuple[str, ...]:
    """A part's cases, how many of them ran, and in how many of these there is a finding of each kind."""
    counts = (sum(any(one.where == end for one in of) for _, of in found) for end in ENDS)
    return part, str(cases), str(len(found)), *map(str, counts)


def _differs(found: Sequence[tuple[Case, Sequence[Finding]]]) -> bool:
    return any(one.where in (*LIBRARIES, "replay") for _, of in found for one in of)


def _compared(runs: Runs, case: Case, limit_s: float) -> Iterator[Finding]:
    """What a case shows."""
    case = replace(case, limit_s=min(case.limit_s, limit_s))
    plain = runs.outcome(case, None)
    print(f"{case.name}: {plain.ending}", file=sys.stderr, flush=True)
    if plain.status != 0:
        yield Finding("not 0 plain", plain.ending)
    if plain.status is None:
        return
    for library in LIBRARIES:
        what = steady_difference(lambda name: runs.outcome(case, name), library, plain)
        if what is None and library == "trace" and plain.status == 0 and (problem := runs.replay_problem()):
            print(f"  replay: {problem}", file=sys.stderr, flush=True)
            yield Finding("replay", problem)
        if what is not None:
            print(f"  {library}: {what}", file=sys.stderr, flush=True)
            yield Finding("unsteady" if what == "unsteady" else library, f"{library}: {what}")
