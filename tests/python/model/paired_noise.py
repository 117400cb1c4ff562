# SPDX-License-Identifier: BSD-3-Clause
"""Seconds of consecutive runs of one program on machines with different noise, for the coverage of intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from stretto.model.paired_runs import PairedRuns
from stretto.model.statistics import Floats

RUN_S = 10.0


def normal(random: np.random.Generator, runs: int) -> Floats:
    """Two percent, as between runs of a quiet machine."""
    return RUN_S * random.normal(1, 0.02, runs)


def skewed(random: np.random.Generator, runs: int) -> Floats:
    """Every run is delayed by a time that is distributed exponentially: most little, some much."""
    return RUN_S * (1 + random.exponential(0.05, runs))


def bursts(random: np.random.Generator, runs: int) -> Floats:
    """Another program slows four runs in a row down on average, by 10 to 50 %, and rests for ten."""
    slower, now, times = 0.0, random.random() < 4 / 14, np.empty(runs)
    for run in range(runs):
        if now and slower == 0.0:
            slower = random.uniform(0.1, 0.5)
        times[run] = RUN_S * (1 + (slower if now else 0.0)) * random.normal(1, 0.01)
        if random.random() < (1 / 4 if now else 1 / 10):
            now, slower = not now, 0.0
    return times


NOISES: Mapping[str, Callable[[np.random.Generator, int], Floats]] = {
    "normal": normal,
    "skewed": skewed,
    "bursts": bursts,
}


def paired(saved: float, noise: str, pairs: int, seed: int, drift: float = 0.0) -> PairedRuns:
    """Pairs of a change that saves this part of the time. The order of every other pair is reversed.

    Args:
        drift: What the machine gets slower by from the first run to the last.
    """
    random = np.random.default_rng((seed, pairs))
    times = NOISES[noise](random, 2 * pairs) * np.linspace(1, 1 + drift, 2 * pairs)
    first, second = times.reshape(pairs, 2).T
    even = np.arange(pairs) % 2 == 0
    plain, changed = np.where(even, first, second), np.where(even, second, first)
    return PairedRuns(tuple(plain), tuple((1 - saved) * changed))
