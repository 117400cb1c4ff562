# SPDX-License-Identifier: BSD-3-Clause
"""Starts `stretto` on programs of each built MPI."""

import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from processes import completed

from stretto.data.trace import TraceFile
from stretto.data.trace_records import Event
from stretto.data.trace_walk import MessageEnd, walk
from tests.standard.mpis import AS_ROOT, LAUNCHERS, ROOT
from tests.standard.mpis import COMPILERS as COMPILERS  # for tests that ask what an MPI has

PROGRAMS = ROOT / "tests" / "system" / "programs"

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


def preset_fixture(presets: Sequence[str]) -> Callable[..., str]:
    """The fixture `preset` of a module whose tests run under each of these."""

    @pytest.fixture(scope="module", params=parameters(presets))
    def preset(request: pytest.FixtureRequest) -> str:
        return str(request.param)

    return preset


def compiler_of(preset: str, source: Path) -> Path:
    """What the MPI of a preset compiles a source with."""
    wrapper = {".cpp": "mpicxx", ".f90": "mpifort"}.get(source.suffix, "mpicc")
    return COMPILERS[preset].with_name(COMPILERS[preset].name.replace("mpicc", wrapper))


def compiled(
    preset: str, source: str | Path, directory: Path, *options: str | Path, wrapper: Path | None = None
) -> Path:
    """The program in `directory` that the MPI of a preset makes of a source, or of one of PROGRAMS by its name.

    `wrapper` is used instead of the MPI's compiler, which it may call.
    """
    source = PROGRAMS / source
    compiler, target = compiler_of(preset, source), directory / source.stem
    directory.mkdir(exist_ok=True)
    standard = ["-std=c++17"] if source.suffix == ".cpp" else []
    command = [wrapper or compiler, *standard, "-O1", "-pthread", source, "-o", target, *options]
    done = completed(command, env=environment(preset, STRETTO_CXX=str(compiler)))
    assert done.returncode == 0, done.stderr
    return target


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


def traced(
    preset: str,
    directory: Path,
    program: Path,
    *arguments: object,
    ranks: int = 2,
    options: Sequence[str] = (),
    **more: Any,
) -> subprocess.CompletedProcess[str]:
    """`stretto trace` of a program on so many ranks, with `options` of the command; `more` as `stretto` takes it."""
    command = launch(preset, str(program), *map(str, arguments), ranks=ranks)
    return stretto(preset, "trace", *options, "-o", str(directory), "--", *command, **more)


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
