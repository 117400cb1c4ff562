# SPDX-License-Identifier: BSD-3-Clause
"""Compiles, records and times the programs: in C with the build's MPI, in Fortran with Debian's."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.harness.builds import ROOT, build, cached, mpiexec_of
from bench.harness.pair import EmulatedPair
from bench.harness.runner import Context
from stretto.errors import RunError, UserError
from stretto.launch.job import Job
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.launch.preload import preload_variables
from validation.advice.expectations import PROGRAMS, Program
from validation.commands import STRETTO

_DEBIAN = {"mpicxx": "/usr/bin/mpicxx.openmpi", "mpifort": "/usr/bin/mpifort.openmpi"}
_DEBIAN_MPIEXEC = "/usr/bin/mpiexec.openmpi"
_ROOT_MAY_RUN = dict.fromkeys(("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"), "1")
_PRINTED = re.compile(r"^seconds +(\S+) sum +(\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Toolchain:
    """The compilers and the MPI of a language. `recorder`: the build that has its recorder."""

    plain: str
    following: str
    variable: str
    mpi: MpiLibrary
    recorder: Path

    @property
    def environment(self) -> dict[str, str]:
        """The environment of stretto and of the compilers."""
        return {**os.environ, **_ROOT_MAY_RUN, "STRETTO_BUILD": str(self.recorder), self.variable: self.plain}

    def launch(self, program: Path, arguments: Sequence[str]) -> list[str]:
        """The command line of two ranks."""
        more = ["--oversubscribe"] if self.mpi.family == "openmpi" else []
        return [str(self.mpi.mpiexec), *more, "-n", "2", str(program), *arguments]


def toolchains(context: Context) -> dict[str, Toolchain]:
    """By language; Fortran is missing where Debian's Open MPI is.

    Raises:
        RunError: a recorder cannot be built.
    """
    build(context.build, "stretto_trace_preload", "stretto_memory_runtime", "stretto_progress_preload")
    compiler = Path(cached(context.build, "MPI_CXX_COMPILER")).with_name("mpicc")
    mpi = find_mpi(mpiexec_of(context.build))
    found = {"C": Toolchain(str(compiler), "stretto-cc", "STRETTO_CC", mpi, context.build)}
    if Path(_DEBIAN["mpifort"]).is_file():
        done = subprocess.run(
            ["scripts/native", "loaded", "recorder", f"-DMPI_CXX_COMPILER={_DEBIAN['mpicxx']}"], cwd=ROOT,
            check=False, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode != 0:
            raise RunError(f"the recorder for Open MPI: {done.stderr[-2000:]}")
        recorder = ROOT / "build" / f"recorder{_DEBIAN['mpicxx'].replace('/', '-')}"
        build(recorder, "stretto_progress_preload")
        build(context.build, "stretto_trace_preload")  # which commands then take
        found["Fortran"] = Toolchain(
            _DEBIAN["mpifort"],
            "stretto-fc",
            "STRETTO_FC",
            find_mpi(_DEBIAN_MPIEXEC),
            recorder,
        )
    return found


def compiled(tools: Toolchain, program: Program, form: str, directory: Path, follows: bool = False) -> Path:
    """A form of a program (`NAIVE`, `CHANGED`, `TEMPTING`), with the data followed or not."""
    target = directory / f"{program.name}-{form}{'-followed' if follows else ''}"
    compiler = str(STRETTO.with_name(tools.following)) if follows else tools.plain
    fortran = program.language == "Fortran"
    shared = [f"-J{directory}", str(PROGRAMS / "frame.f90")] if fortran else []
    options = ["-O2", "-g", f"-D{form}", *shared]
    command = [compiler, *options, str(program.source), "-o", str(target), "-lm"]
    _run(command, tools)
    return target


def recorded(tools: Toolchain, program: Program, directory: Path) -> Path:
    """A trace of the naive form: followed by byte, with the durations of a plain run."""
    arguments = tuple(map(str, program.size))
    plain = compiled(tools, program, "NAIVE", directory)
    followed = compiled(tools, program, "NAIVE", directory, follows=True)
    clean, trace = directory / f"{program.name}-clean", directory / f"{program.name}-trace"
    _run([str(STRETTO), "trace", "-o", str(clean), "--", *tools.launch(plain, arguments)], tools)
    memory = ["--memory", "byte", "--clean", str(clean), "-o", str(trace)]
    _run([str(STRETTO), "trace", *memory, "--", *tools.launch(followed, arguments)], tools)
    return trace


def result_of(tools: Toolchain, program: Program, form: str, directory: Path) -> str:
    """The sum that a form prints, on this machine."""
    target = compiled(tools, program, form, directory)
    return _printed(_run(tools.launch(target, tuple(map(str, program.size))), tools))[1]


def seconds_between_hosts(
    pair: EmulatedPair, tools: Toolchain, program: Program, target: Path, thread: bool = False
) -> float:
    """The time that a form prints, between the two hosts. `thread`: with the progress library."""
    variables = preload_variables(["progress"], tools.mpi) if thread else {}
    job = Job(target, tuple(map(str, program.size)), 2, {**_ROOT_MAY_RUN, **variables})
    ended = pair.cluster.run(tools.mpi, job)
    if ended.status != 0:
        raise RunError(f"{target.name} ended with {ended.status}:\n{ended.stderr[-2000:]}")
    return float(_printed(ended.stdout)[0])


def _printed(text: str) -> tuple[str, str]:
    match = _PRINTED.search(text)
    if match is None:
        raise UserError(f"a program of validation/advice printed no result: {text[-500:]}")
    return match[1], match[2]


def _run(command: Sequence[str], tools: Toolchain) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=tools.environment)
    if done.returncode != 0:
        raise RunError(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return done.stdout
