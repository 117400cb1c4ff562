# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to watch the data of messages: processor time of two loops watched and not, run in turn.

Asked: by byte at most 5 times the time of a stencil and 8 times that of SpMV as they are, by page 1.10 times.
One rank with messages to itself (watched_loops.cpp), compiled with `-O2` by the MPI's compiler wrapper and by
`stretto-cxx`; another compiler below these: `MPICH_CXX=clang++ watching.py`.

Usage: `watching.py [TURNS [BUILD]]`; the recorder is built in BUILD (default: MPI's preset).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from builds import cached, default_build, launcher
from checks import Check, show
from recorder import estimate

from stretto.launch.preload import preloaded

STEPS = {"stencil": 150, "spmv": 150}
MOST = {"stencil": 5.0, "spmv": 8.0}
MOST_BY_PAGE = 1.10
OPTIONS = ("-std=c++17", "-O2")


def build(directory: Path, into: Path) -> tuple[Path, Path]:
    """The program as it is, and instrumented."""
    targets = ["stretto_trace_preload", "stretto_memory_runtime"]
    command = ["cmake", "--build", str(directory), "--target", *targets]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    os.environ["STRETTO_BUILD"] = str(directory)
    compiler = os.environ["STRETTO_CXX"] = cached(directory, "MPI_CXX_COMPILER")
    source = str(Path(__file__).with_name("watched_loops.cpp"))
    plain, instrumented = into / "plain", into / "instrumented"
    subprocess.run([compiler, *OPTIONS, source, "-o", str(plain)], check=True)
    wrapper = str(Path(sys.executable).parent / "stretto-cxx")
    subprocess.run([wrapper, *OPTIONS, source, "-o", str(instrumented)], check=True)
    return plain, instrumented


def step_s(command: list[str], memory: str | None, into: Path) -> float:
    """Processor time of one step; recorded and watched where a level is given."""
    environment = dict(os.environ)
    if memory is not None:
        variables = {"STRETTO_TRACE_DIR": str(into), "STRETTO_TRACE_MEMORY": memory}
        run = preloaded(["trace"], command, None, variables)
        command, environment = list(run.argv), environment | dict(run.env)
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    for file in into.glob("rank-*.trace"):
        file.unlink()
    return float(done.stdout)


def compared(start: list[str], programs: tuple[Path, Path], loop: str, turns: int, into: Path) -> list[Check]:
    """By byte and by page, against the program as it is."""
    plain, instrumented = ([*start, str(program), loop, str(STEPS[loop])] for program in programs)
    variants = ((plain, None), (instrumented, "byte"), (plain, "page"))
    times = np.array([[step_s(*variant, into) for variant in variants] for _ in range(turns)])
    medians = 1e3 * np.median(times, axis=0)
    print(
        f"# {loop}: {medians[0]:.2f} ms a step as it is, {medians[1]:.2f} by byte, {medians[2]:.2f} by page"
    )
    return [
        Check(f"{loop}, time watched by byte", "as it is", estimate(times[:, 1] / times[:, 0]), MOST[loop]),
        Check(f"{loop}, time watched by page", "as it is", estimate(times[:, 2] / times[:, 0]), MOST_BY_PAGE),
    ]


def main() -> int:
    """Prints the checks; 3 where one is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("turns", nargs="?", type=int, default=11)
    parser.add_argument("build", nargs="?", type=Path, default=default_build())
    options = parser.parse_args()
    print(
        f"# load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the beginning, {options.turns} turns"
    )
    with TemporaryDirectory() as made:
        programs = build(options.build, Path(made))
        start = launcher(options.build, 1)
        checks = [
            check for loop in STEPS for check in compared(start, programs, loop, options.turns, Path(made))
        ]
    return 0 if show("Watching", checks) else 3


if __name__ == "__main__":
    sys.exit(main())
