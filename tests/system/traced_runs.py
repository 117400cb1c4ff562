# SPDX-License-Identifier: BSD-3-Clause
"""Starts `stretto` on programs of each built MPI."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from processes import completed

from stretto.data.trace import TraceFile
from stretto.data.trace_records import Event
from stretto.data.trace_walk import MessageEnd, walk
from tests.standard.mpis import AS_ROOT, LAUNCHERS, ROOT
from tests.standard.mpis import COMPILERS as COMPILERS  # for tests that compile their own program

EMBEDDED = ("mpich", "mpi-abi")
"""The presets whose MPI comes along."""


def marks_of(preset: str) -> tuple[pytest.MarkDecorator, ...]:
    """The marks of a test under this preset: other MPIs than the embedded one are built later."""
    if preset in EMBEDDED:
        return ()
    return (pytest.mark.every_mpi, pytest.mark.matrix) if preset == "openmpi4" else (pytest.mark.every_mpi,)


def parameters(presets: Sequence[str]) -> list[ParameterSet]:
    """The presets as parameters of tests, with their marks."""
    return [pytest.param(name, marks=marks_of(name)) for name in presets]


def recorder_of(preset: str) -> Path:
    """The recorder's library in the build of a preset."""
    return ROOT / "build" / preset / "lib" / "libstretto_trace.so"


def environment(preset: str, **variables: str) -> dict[str, str]:
    """Just what a run with the build of a preset needs, and `variables`."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(Path.home()),  # Open MPI does not start without one
        "STRETTO_BUILD": str(ROOT / "build" / preset),
        **AS_ROOT,
        **variables,
    }


def stretto(
    preset: str, *arguments: str, timeout_s: float = 120, **variables: str
) -> subprocess.CompletedProcess[str]:
    """`stretto ARGUMENTS` with the build of a preset."""
    command = [str(Path(sys.executable).parent / "stretto"), *arguments]
    return completed(command, timeout=timeout_s, env=environment(preset, **variables))


def launch(preset: str, *program: str, ranks: int) -> list[str]:
    """The command that starts a program on so many ranks, more than there are cores if need be."""
    oversubscribe = [] if preset == "mpich" else ["--oversubscribe"]
    return [str(LAUNCHERS[preset]), *oversubscribe, "-n", str(ranks), *program]


def spawn_failed(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether MPICH could not connect spawned processes: 13 of 120 plain runs ended so on busy cores, where a
    peer's shared memory was gone.
    """
    text = done.stdout + done.stderr
    return done.returncode != 0 and ("MPID_Comm_connect" in text or "MPID_Comm_accept" in text)


def events_of(file: TraceFile) -> list[Event]:
    return [event for block in file.blocks() for event in file.events(block.records)]


def message_ends(files: Iterable[TraceFile]) -> dict[tuple[object, int], list[MessageEnd]]:
    """The ends of each message in the traces of all ranks, by its channel and number."""
    ends = defaultdict(list)
    for file in files:
        for item in walk(file):
            if isinstance(item, MessageEnd):
                ends[item.channel, item.number].append(item)
    return ends


def messages(files: Iterable[TraceFile]) -> Counter[int]:
    """The numbers of messages with one end and with two ends in the traces of all ranks."""
    return Counter(map(len, message_ends(files).values()))
