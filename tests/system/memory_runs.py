# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the scripted program under `stretto trace --memory`, and what they recorded."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from processes import completed, needs_built
from traced_runs import PROGRAMS, ROOT, events_of, launch

from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import Event
from stretto.errors import UserError
from stretto.native.programs import native_library
from tests.standard.mpis import AS_ROOT

BIN = Path(sys.executable).parent
PARTS, ROUNDS = 8, 5
PERIOD_S, INDEPENDENT_S = 300e-6, 900e-6


def is_built(preset: str) -> bool:
    return all(
        (ROOT / "build" / preset / "lib" / f"libstretto_{name}.so").is_file() for name in ("memory", "trace")
    )


def has_no_memory_runtime() -> bool:
    try:
        native_library("libstretto_memory.so", "none")
    except UserError:
        return True
    return False


needs_runtime = needs_built(is_built("mpich") and not has_no_memory_runtime(), "LIBSTRETTO_MEMORY")
needs_memory = [
    pytest.mark.alone,  # what the programs do takes as long as they say only where they have a core
    needs_runtime,
]
needs_fortran = pytest.mark.skipif(
    not is_built("openmpi4") or shutil.which("gfortran") is None,
    reason="NO MPI WITH A FORTRAN BINDING, OR NO GFORTRAN: Fortran is not tested; apt-get install gfortran libopenmpi-dev, "
    "scripts/native openmpi4 tests",
)


def environment(preset: str) -> dict[str, str]:
    compilers = {"STRETTO_CC": str(BIN / "mpicc"), "STRETTO_CXX": str(BIN / "mpicxx")}
    if preset == "openmpi4":
        compilers = {"STRETTO_CC": "/usr/bin/mpicc.openmpi", "STRETTO_FC": "/usr/bin/mpifort.openmpi"}
    built = {"STRETTO_BUILD": str(ROOT / "build" / preset)}
    return {**os.environ, **built, **compilers, **AS_ROOT}


def run(*command: str | Path, preset: str = "mpich", status: int = 0) -> subprocess.CompletedProcess[str]:
    done = completed(command, timeout=60, env=environment(preset))
    assert done.returncode == status, done.stderr
    return done


def compile_instrumented(directory: Path) -> Path:
    """The scripted program with recorded accesses."""
    target = directory / "scripted"
    run(BIN / "stretto-cxx", "-std=c++17", "-O2", "-g", PROGRAMS / "scripted_pattern.cpp", "-o", target)
    return target


@dataclass(frozen=True)
class Traced:
    """Events of the sender and the receiver, and their logs: ns of the clock by event, round and part."""

    sender: list[Event]
    receiver: list[Event]
    epochs: tuple[int, int]
    printed_ns: dict[str, dict[tuple[int, int], int]]

    def times(self, what: str) -> dict[tuple[int, int], float]:
        """`produced` or `consumed` in the trace, in ns of the clock, by number of the message and part."""
        return {
            key: self.epochs[what == "consumed"] + 1e9 * event.begin_s
            for key, event in self.parts(what).items()
        }

    def parts(self, what: str) -> dict[tuple[int, int], Event]:
        """The records of `produced` or `consumed`, by number of the message and part."""
        produces = what == "produced"
        events = self.sender if produces else self.receiver
        calls = ("MPI_Send", "MPI_Isend") if produces else ("MPI_Recv", "MPI_Irecv")
        numbers = [event.request for event in events if event.name in calls]
        return {
            (numbers.index(event.request), event.count): event
            for event in events
            if event.name == what and event.begin_s > 0
        }

    def moved(self, what: str, turn: int) -> list[float]:
        """When the parts of a message are produced or consumed with independent work first, in s of the trace."""
        return [
            event.duration_s or event.begin_s for (one, _), event in self.parts(what).items() if one == turn
        ]

    def orders(self, what: str) -> Iterator[list[int]]:
        """The parts in the order of their accesses, message by message."""
        times = self.times(what)
        for turn in sorted({turn for turn, _ in times}):
            yield sorted((part for one, part in times if one == turn), key=lambda part: times[turn, part])


# All the time that watching by page needs, unless said: no message goes unwatched though the core was lost for a while.
def trace(
    program: Path,
    directory: Path,
    *words: str,
    level: str = "byte",
    preset: str = "mpich",
    per_part: int = 64,
    share: str = "1",
) -> Traced:
    script = [str(per_part), str(round(1e6 * PERIOD_S)), str(round(1e6 * INDEPENDENT_S)), *words]
    options = ("trace", "--memory", level, "-o", directory / "trace", "--")
    command = launch(preset, str(program), str(directory / "log"), *script, ranks=2)
    run("env", f"STRETTO_TRACE_SHARE={share}", BIN / "stretto", *options, *command, preset=preset)
    files = open_trace(directory / "trace")
    events = [events_of(file) for file in files]
    printed_ns: dict[str, dict[tuple[int, int], int]] = {}
    for rank in range(2):
        for line in Path(f"{directory / 'log'}.{rank}").read_text().splitlines():
            what, turn, part, ns = line.split()
            printed_ns.setdefault(what, {})[int(turn), int(part)] = int(ns)
    return Traced(events[0], events[1], (files[0].header.epoch_ns, files[1].header.epoch_ns), printed_ns)
