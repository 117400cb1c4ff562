# SPDX-License-Identifier: BSD-3-Clause
"""The cases as C programs for an MPI, and their runs: plain, and with each preloaded library."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from calls import every_call

from tests.standard.case import Case
from tests.standard.collectives import collective_cases
from tests.standard.completions import completion_cases
from tests.standard.messages import message_cases
from tests.standard.objects import object_cases

HERE = Path(__file__).parent

RANKS = 4
COLLECTIVE = re.compile(r"(collective|gather|scatter|neighbor)")
NO_CASES = {
    **dict.fromkeys(("Init", "Init_thread", "Finalize", "Session_finalize"), "every program's begin and end"),
    "Abort": "a program does not go on after it",
    **dict.fromkeys(
        ("Comm_spawn", "Comm_spawn_multiple", "Comm_accept", "Comm_connect", "Comm_join"),
        "they need other processes: tests/system/test_remade_handles.py",
    ),
}
"""Calls of calls.txt without cases of their own, and why."""


def all_cases() -> Iterator[Case]:
    """All cases with functions of ordinary counts."""
    words = {
        call.name: call.words
        for call in every_call()
        if not call.large and COLLECTIVE.fullmatch(call.kind) and not call.name.startswith("I")
    }
    yield from message_cases()
    yield from completion_cases()
    yield from collective_cases(words)
    yield from object_cases()


def available(cases: Iterable[Case], here: set[str]) -> list[Case]:
    """The cases that an MPI with these functions has, also with large counts."""
    large = {call.name for call in every_call() if call.large} & here
    found = []
    for case in cases:
        if not case.calls <= here:
            continue
        found.append(case)
        if any(f"{call}_c" in large for call in case.calls):
            found.append(case.with_large_counts(large))
    return found


def cases_for(here: set[str]) -> list[Case]:
    """The cases that an MPI with these functions has, those that fail at the end."""
    return sorted(available(all_cases(), here), key=lambda case: case.fails)


def declared(compiler: Path, directory: Path, environment: Mapping[str, str] | None = None) -> set[str]:
    """The functions of an MPI's header, without `MPI_`."""
    source = directory / "header.c"
    source.write_text("#include <mpi.h>\n", encoding="utf-8")
    command = [str(compiler), "-E", str(source)]
    header = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return set(re.findall(r"\bMPI_(\w+)\s*\(", header.stdout))


def source_of(cases: Sequence[Case]) -> str:
    """The program that runs the cases whose numbers it is given."""
    lines = [f'#include "{HERE / "standard.h"}"']
    for number, case in enumerate(cases):
        lines.append(f"static void case_{number}(void) {{ {case.code} }}")
    table = ", ".join(
        f'{{"{case.name}", case_{number}, {int(case.is_between_groups)}, {int(case.fails)}}}'
        for number, case in enumerate(cases)
    )
    lines.append(f"static const struct Case all[] = {{{table}}};")
    lines.append("int main(int argc, char** argv) { return run_cases(argc, argv, all); }")
    return "\n".join([*lines, ""])


@dataclass(frozen=True)
class Program:
    """The compiled cases of an MPI."""

    path: Path
    cases: Sequence[Case]

    @classmethod
    def compiled(
        cls, compiler: Path, directory: Path, environment: Mapping[str, str] | None = None
    ) -> Program:
        cases = cases_for(declared(compiler, directory, environment))
        source = directory / "standard.c"
        source.write_text(source_of(cases), encoding="utf-8")
        target = directory / "standard"
        command = [str(compiler), "-g", "-w", str(source), "-o", str(target)]
        subprocess.run(command, env=environment, check=True)
        return cls(target, cases)


@dataclass(frozen=True)
class Seen:
    """What a run of cases left: its status (None: it did not end), and each rank's lines by case."""

    status: int | None
    lines: Sequence[Sequence[str]]

    @cached_property
    def by_case(self) -> dict[int, list[str]]:
        """All ranks' lines of each case that every rank began."""
        found: dict[int, list[str]] = {}
        for rank, lines in enumerate(self.lines):
            number = None
            for line in lines:
                if line.startswith("case "):
                    number = int(line.split()[1])
                    found.setdefault(number, [])
                elif number is not None:
                    found[number].append(f"{rank}: {line}")
        return found

    @property
    def ended(self) -> bool:
        return self.status == 0 and all(lines and lines[-1].startswith("end ") for lines in self.lines)

    @property
    def last_begun(self) -> int | None:
        """The last case that a rank began, where some rank did not come to the end. Ranks meet after each case, so
        that others have begun the same one, or are about to.
        """
        last = []
        for lines in self.lines:
            if lines and lines[-1].startswith("end "):
                continue
            begun = [int(line.split()[1]) for line in lines if line.startswith("case ")]
            last.append(begun[-1] if begun else -1)
        return max(last, default=None)


def run(command: Sequence[str], prefix: Path, environment: dict[str, str], stall_s: float) -> Seen:
    """Runs the program, and reads what its ranks wrote to files that begin with `prefix`. A run whose ranks write
    nothing for `stall_s` hangs.
    """
    files = [prefix.with_name(f"{prefix.name}.{rank}") for rank in range(RANKS)]
    with prefix.with_name(prefix.name + ".errors").open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(command, env=environment, stdout=errors, stderr=errors)
        written, since, status = -1, time.monotonic(), None
        while status is None and time.monotonic() - since < stall_s:
            try:
                status = process.wait(timeout=0.1)
            except subprocess.TimeoutExpired:
                now = sum(file.stat().st_size for file in files if file.is_file())
                if now != written:
                    written, since = now, time.monotonic()
        if status is None:
            _end(process)
    return Seen(status, [_lines(file) for file in files])


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()  # a launcher ends its ranks
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
