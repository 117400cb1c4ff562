# SPDX-License-Identifier: BSD-3-Clause
"""Measures the cost of the recorder: processor time of a halo code with and without the preloaded library.

One rank exchanges halos with itself and never spins in a wait, so its processor time is computation, MPI and
the recorder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.harness.builds import build, launcher
from bench.harness.checks import Check, Checks, Result, Table, median_of
from bench.harness.preload import printed
from bench.harness.runner import Context

MESSAGES_PER_S = 10_000
STEPS = 5_000
REPETITIONS = 9


def run(context: Context) -> Iterator[Result]:
    """The overhead of recording."""
    program = build(context.build, "recorder_halo", "stretto_trace_preload") / "recorder_halo"
    with TemporaryDirectory() as made:
        yield from _overhead(
            launcher(context.build, 1), program, context.repetitions(REPETITIONS), Path(made)
        )


def step_s(command: list[str], trace: Path | None) -> float:
    """Processor time of one step, averaged over ranks; recorded where `trace` is given."""
    result: float = json.loads(printed(command, trace))["step_s"]
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
