# SPDX-License-Identifier: BSD-3-Clause
"""How often the 95 % intervals that commands print cover the truth, simulated under three kinds of noise.

`make validation ARGS="coverage --turns 1000"` renews the table. Nothing is measured: the machine's load does
not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from bench.harness.checks import Result, Table, median_of
from bench.harness.runner import Context
from stretto.data.pairs import FEWEST_PAIRS, MAX_PAIRS
from stretto.model.paired_runs import PairedRuns
from stretto.model.statistics import FEWEST_ROUNDS, Estimate
from stretto.options.gain import GainRequest
from stretto.options.tune import TuneRequest
from validation.noise import NOISES, ROUND_NOISES, RUN_S, Overlapping, paired, true_overlap

_SEEDS = 1000
_MANY, _FEWER = 100, 2
_SAVED = 0.2
_ROUNDS = (FEWEST_ROUNDS, 4, 11, 500)
"""Of a case: the fewest with an interval, and the fewest and most that a probe makes unless it is told
otherwise.
"""
_TURNS = (3, 5, 9, 30)

_Covered = Callable[[str, int, int], tuple[float, Estimate]]
"""The truth and its estimate, of a noise, a number of samples and a seed."""


def run(context: Context) -> Iterator[Result]:
    """Yields a table of the share of covered truths; every row is an interval at a number of samples."""
    seeds = context.repetitions(_SEEDS)
    pairs = (FEWEST_PAIRS, 5, GainRequest.runs, TuneRequest.runs, 12, MAX_PAIRS)
    rows = [
        *_rows("gain, tune: saved 20 %", pairs, NOISES, _saved, seeds),
        *_rows("gain, tune: nothing saved", pairs[:-1], NOISES, _nothing, seeds),
        *_rows("tune: the better of two", (FEWEST_PAIRS, TuneRequest.runs), NOISES, _better, seeds),
        *_rows("probe, fit, compare: T_c", _ROUNDS, ROUND_NOISES, _time, seeds),
        *_rows("probe, fit, compare: eta", _ROUNDS, ROUND_NOISES, _eta, seeds),
        *_rows("bench: median", _TURNS, ROUND_NOISES, _median, seeds),
    ]
    error, of_many = (100 * math.sqrt(0.95 * 0.05 / some) for some in (seeds, max(100, seeds // _FEWER)))
    columns = ("interval", "samples", *(f"{name}, %" for name in NOISES))
    title = f"Share of {seeds} seeds, standard error {error:.1f} points; {of_many:.1f} above {_MANY} samples"
    yield Table(title, columns, rows)


def _rows(
    name: str, samples: Sequence[int], noises: Mapping[str, object], covered: _Covered, seeds: int
) -> Iterator[Sequence[str]]:
    for number in samples:
        some = max(100, seeds // _FEWER) if number > _MANY else seeds  # many samples take long
        yield name, str(number), *(_share(covered, noise, number, some) for noise in noises)


def _share(covered: _Covered, noise: str, number: int, seeds: int) -> str:
    found = [covered(noise, number, seed) for seed in range(seeds)]
    return f"{100 * np.mean([one.ci95_low <= true <= one.ci95_high for true, one in found]):.1f}"


def _saved(noise: str, number: int, seed: int) -> tuple[float, Estimate]:
    return _SAVED, paired(_SAVED, noise, number, seed).saved()


def _nothing(noise: str, number: int, seed: int) -> tuple[float, Estimate]:
    return 0.0, paired(0.0, noise, number, seed).saved()


def _better(noise: str, number: int, seed: int) -> tuple[float, Estimate]:
    """Of two changes that save nothing the one that seems to save more."""
    runs = [paired(0.0, noise, number, 2 * seed + one) for one in range(2)]
    best = max(runs, key=lambda one: one.saved().value)
    return 0.0, PairedRuns(best.plain_s, best.changed_s, alternatives=2).saved()


def _time(noise: str, number: int, seed: int) -> tuple[float, Estimate]:
    return true_overlap(noise)[0], Overlapping.measured(noise, number, seed).time(seed)


def _eta(noise: str, number: int, seed: int) -> tuple[float, Estimate]:
    return true_overlap(noise)[1], Overlapping.measured(noise, number, seed).eta(seed)


def _median(noise: str, number: int, seed: int) -> tuple[float, Estimate]:
    """Of turns of a bench, which do not follow one another."""
    values = ROUND_NOISES[noise](np.random.default_rng((seed, number)), 20 * number)[::20]
    return _true_median(noise), median_of(values / RUN_S)


@cache
def _true_median(noise: str) -> float:
    return float(np.median(ROUND_NOISES[noise](np.random.default_rng(1), 200_000))) / RUN_S
