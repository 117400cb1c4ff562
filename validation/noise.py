# SPDX-License-Identifier: BSD-3-Clause
"""Times of consecutive runs, or rounds, on machines with different noise, for the coverage of intervals."""

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


def bursts(random: np.random.Generator, runs: int, within: int = 4, between: int = 10) -> Floats:
    """Another program slows `within` runs in a row down on average, by 10 to 50 %, and rests `between`."""
    slower, now, times = 0.0, random.random() < within / (within + between), np.empty(runs)
    for run in range(runs):
        if now and slower == 0.0:
            slower = random.uniform(0.1, 0.5)
        times[run] = RUN_S * (1 + (slower if now else 0.0)) * random.normal(1, 0.01)
        if random.random() < (1 / within if now else 1 / between):
            now, slower = not now, 0.0
    return times


def seldom_bursts(random: np.random.Generator, rounds: int) -> Floats:
    """What is left where disturbed rounds are measured again: a tenth of the rounds, three in a row."""
    return bursts(random, rounds, 3, 27)


Noise = Callable[[np.random.Generator, int], Floats]
NOISES: Mapping[str, Noise] = {"normal": normal, "skewed": skewed, "bursts": bursts}
"""Of runs."""
ROUND_NOISES: Mapping[str, Noise] = {**NOISES, "bursts": seldom_bursts}
"""Of rounds of a probe."""


def paired(saved: float, noise: str, pairs: int, seed: int, drift: float = 0.0) -> PairedRuns:
    """Pairs of a change that saves this part of the time. Every other pair is reversed. `drift` is
    what the machine slows down by from the first run to the last.
    """
    random = np.random.default_rng((seed, pairs))
    times = NOISES[noise](random, 2 * pairs) * np.linspace(1, 1 + drift, 2 * pairs)
    first, second = times.reshape(pairs, 2).T
    even = np.arange(pairs) % 2 == 0
    plain, changed = np.where(even, first, second), np.where(even, second, first)
    return PairedRuns(tuple(plain), tuple((1 - saved) * changed))


def rounds_of(changes: int, noise: str, rounds: int, seed: int) -> list[PairedRuns]:
    """Rounds of a program as it is and with each of some changes that save nothing, in random order."""
    random = np.random.default_rng((seed, rounds))
    times = NOISES[noise](random, (1 + changes) * rounds).reshape(rounds, 1 + changes)
    plain, *changed = random.permuted(times, axis=1).T
    return [PairedRuns(tuple(plain), tuple(one)) for one in changed]
