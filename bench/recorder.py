# SPDX-License-Identifier: BSD-3-Clause
"""Measures the cost of the recorder: processor time of a halo code with and without the preloaded library.

One rank exchanges halos with itself and never spins in a wait, so its processor time is computation, MPI and
the recorder. `--long RECORDS` also records a trace of about RECORDS records on two ranks, and reads it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.harness.builds import build, launcher
from bench.harness.checks import Check, Checks, Result, Table, median_of
from bench.harness.preload import recorded
from bench.harness.processes import used_by, used_table
from bench.harness.runner import Context
from stretto.data.trace_names import traces_in
from stretto.native.programs import native_program

MESSAGES_PER_S = 10_000
STEPS = 5_000
RECORDS_A_STEP = 9  # five calls, and four operations that the wait completed
REPETITIONS = 9


def run(context: Context) -> Iterator[Result]:
    """The overhead, and on request a long trace."""
    program = (
        build(context.build, "recorder_halo", "stretto_trace_preload", "stretto-replay") / "recorder_halo"
    )
    with TemporaryDirectory() as made:
        yield from _overhead(
            launcher(context.build, 1), program, context.repetitions(REPETITIONS), Path(made)
        )
        if context.options.long:
            yield _long_trace(launcher(context.build, 2), program, context.options.long, Path(made))


def step_s(command: list[str], trace: Path | None) -> float:
    """Processor time of one step, averaged over ranks; recorded where `trace` is given."""
    environment = dict(os.environ)
    if trace is not None:
        run = recorded(command, {"STRETTO_TRACE_DIR": str(trace)})
        command, environment = list(run.argv), run.environment()
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    if trace is not None:
        for file in traces_in(trace):
            file.unlink()
    result: float = json.loads(done.stdout.splitlines()[-1])["step_s"]
    return result


def compared(command: list[str], turns: int, directory: Path) -> tuple[list[float], list[float]]:
    """Steps without and with the recorder, interleaved."""
    plain, recorded = [], []
    for _ in range(turns):
        plain.append(step_s(command, None))
        recorded.append(step_s(command, directory))
    return plain, recorded


def computation_count(start: list[str], program: Path) -> int:
    """Units of computation with which a rank sends 10,000 messages a second."""
    tried = 4_000
    without = step_s([*start, str(program), str(STEPS), "0"], None)
    computing = step_s([*start, str(program), str(STEPS), str(tried)], None)
    target_s = 2 / MESSAGES_PER_S - without
    return max(round(tried * target_s / (computing - without)), 1)


def _overhead(start: list[str], program: Path, turns: int, directory: Path) -> Iterator[Result]:
    """The relative overhead at a given message rate, and the time per call."""
    count = computation_count(start, program)
    plain, recorded = map(
        np.array, compared([*start, str(program), str(STEPS), str(count)], turns, directory)
    )
    bare, noted = map(np.array, compared([*start, str(program), str(20 * STEPS), "0"], turns, directory))
    without_ns, with_ns = (f"{1e9 * np.median(turns_s) / 5:.0f}" for turns_s in (bare, noted))
    rows = [
        ("a step, us", f"{1e6 * np.median(plain):.1f}", f"{1e6 * np.median(recorded):.1f}"),
        ("a call, ns", without_ns, with_ns),
    ]
    title = f"Processor time, {count} units of computation in a step"
    yield Table(title, ("of", "not recorded", "recorded"), rows)
    yield Checks(
        "The recorder",
        [
            Check("halo at 10,000 messages/s, time", "not recorded", median_of(recorded / plain), 1.02),
            Check("a call, ns more", "not recorded", median_of(1e9 * (noted - bare) / 5), 200),
        ],
    )


def _long_trace(start: list[str], program: Path, records: int, directory: Path) -> Table:
    """Records a long trace, and reads it by the replay and by the analysis by call site."""
    ranks = int(start[-1])
    steps = records // ranks // RECORDS_A_STEP
    run = recorded([*start, str(program), str(steps), "0"], {"STRETTO_TRACE_DIR": str(directory)})
    begin = time.monotonic()
    subprocess.run(run.argv, check=True, stdout=subprocess.DEVNULL, env=run.environment())
    elapsed_s = time.monotonic() - begin
    size = sum(file.stat().st_size for file in traces_in(directory))
    stretto = str(Path(sys.executable).parent / "stretto")
    replay = str(native_program("stretto-replay", "none"))
    commands = [
        used_by("stretto potential", [stretto, "potential", str(directory)]),
        used_by("stretto report", [stretto, "report", str(directory), "-o", str(directory / "report.html")]),
        used_by("stretto-replay", [replay, str(directory), "--loggp=L=2us,G=0.1ns"]),
    ]
    written = steps * ranks * RECORDS_A_STEP
    title = f"{ranks} ranks, {written} records, {size / 1e9:.2f} GB, recorded in {elapsed_s:.0f} s"
    return used_table(title, commands)
