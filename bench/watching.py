# SPDX-License-Identifier: BSD-3-Clause
"""Measures the cost of recording data accesses: processor time of two loops with and without it.

One rank sends messages to itself (watched_loops.cpp). The MPI's compiler wrapper and `stretto-cxx` compile
it with `-O2`; MPICH_CXX=clang++ changes the compiler of both.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.harness.builds import build, cached, launcher
from bench.harness.checks import Check, Checks, Result, Table, median_of
from bench.harness.preload import printed
from bench.harness.runner import Context

STEPS = {"stencil": 150, "spmv": 150}
MAX_FOLLOWED = {"stencil": 8.0, "spmv": 10.0}
MAX_BY_BYTE = {"stencil": 5.0, "spmv": 8.0}
MAX_BY_PAGE = 1.10
UNFOLLOWED = {"STRETTO_TRACE_FOLLOW": "0"}
"""The recorder's switch for data times alone, without what depends on received data."""
OPTIONS = ("-std=c++17", "-O2")
REPETITIONS = 11


def run(context: Context) -> Iterator[Result]:
    """Measures both loops."""
    build(context.build, "stretto_trace_preload", "stretto_memory_runtime")
    with TemporaryDirectory() as made:
        programs = _compiled(context.build, Path(made))
        start = launcher(context.build, 1)
        for loop in STEPS:
            yield from _compared(start, programs, loop, context.repetitions(REPETITIONS), Path(made))


def _compiled(directory: Path, into: Path) -> tuple[Path, Path]:
    """Compiles the program without and with instrumentation."""
    compiler = os.environ["STRETTO_CXX"] = cached(directory, "MPI_CXX_COMPILER")
    source = str(Path(__file__).with_name("watched_loops.cpp"))
    plain, instrumented = into / "plain", into / "instrumented"
    subprocess.run([compiler, *OPTIONS, source, "-o", str(plain)], check=True)
    wrapper = str(Path(sys.executable).parent / "stretto-cxx")
    subprocess.run([wrapper, *OPTIONS, source, "-o", str(instrumented)], check=True)
    return plain, instrumented


def _step_s(command: list[str], memory: str | None, more: Mapping[str, str], into: Path) -> float:
    """Processor time of one step; with a level, data accesses are recorded."""
    if memory is None:
        return float(printed(command, None))
    return float(printed(command, into, {"STRETTO_TRACE_MEMORY": memory, **more}))


def _compared(
    start: list[str], programs: tuple[Path, Path], loop: str, repetitions: int, into: Path
) -> Iterator[Result]:
    """Compares recording by byte and by page with the uninstrumented program."""
    plain, instrumented = ([*start, str(program), loop, str(STEPS[loop])] for program in programs)
    variants: tuple[tuple[list[str], str | None, Mapping[str, str]], ...] = (
        (plain, None, {}),
        (instrumented, "byte", {}),
        (instrumented, "byte", UNFOLLOWED),
        (plain, "page", {}),
    )
    times = np.array([[_step_s(*variant, into) for variant in variants] for _ in range(repetitions)])
    medians = [f"{one:.2f}" for one in 1e3 * np.median(times, axis=0)]
    columns = ("as it is", "by byte, data followed", "by byte", "by page")
    yield Table(f"{loop}: ms a step", columns, [medians])
    followed, by_byte, by_page = (median_of(times[:, i] / times[:, 0]) for i in (1, 2, 3))
    yield Checks(
        f"{loop}, watched",
        [
            Check(f"{loop}, watched by byte, data followed", "as it is", followed, MAX_FOLLOWED[loop]),
            Check(f"{loop}, watched by byte", "as it is", by_byte, MAX_BY_BYTE[loop]),
            Check(f"{loop}, watched by page", "as it is", by_page, MAX_BY_PAGE),
        ],
    )
