# SPDX-License-Identifier: BSD-3-Clause
"""How often the 95 % intervals that commands print cover the truth, simulated under three kinds of noise.

`make validation ARGS=coverage` renews the table. Nothing is measured: the machine's load does
not matter.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial

import numpy as np

from bench.harness.checks import Result, Table, median_of
from bench.harness.runner import Context
from stretto.data.pairs import FEWEST_PAIRS, MAX_PAIRS
from stretto.model.findings import Finding
from stretto.model.statistics import FEWEST_ROUNDS, Estimate
from stretto.options.gain import GainRequest
from stretto.options.tune import TuneRequest
from validation.noise import NOISES, ROUND_NOISES, RUN_S, paired, rounds_of
from validation.noisy_cases import (
    DISTURBED,
    ETA,
    KNEE,
    LOGGP,
    PER_BYTE_S,
    SIZE_BYTES,
    STARTUP_S,
    T_C_S,
    T_T_S,
    T_W_S,
    coefficients,
    factor,
    knee,
    loggp,
    overlap,
    rates,
)

_SEEDS = 2000
_MANY, _FEWER = 100, 8
_SAVED = 0.2
_ROUNDS = (FEWEST_ROUNDS, 4, 11, 500)
"""Of a case: the fewest with an interval, and the fewest and most that a probe makes unless it is told
otherwise.
"""
_TURNS = (3, 5, 9, 30)
_FIT_ROUNDS = (FEWEST_ROUNDS, 4, 11, 100)
_GRIDS = {
    number: tuple((p, b) for p in members for b in sizes)
    for number, members, sizes in (
        (3, (4,), (8, 4096, 65536)),
        (12, (2, 4, 8), (8, 1024, 16384, 262144)),
        (60, (2, 4, 8, 16, 32, 64), tuple(8 << 2 * power for power in range(10))),
    )
}
"""Ranks and bytes of the collectives that a function is fitted to, by their number."""

_Covered = Callable[[str, int, int], tuple[float, Estimate | None]]
"""The truth and its estimate, of a noise, a number of samples and a seed; none where a command prints no
interval: the figure is unresolved, a bound, or of another protocol's range.
"""


def run(context: Context) -> Iterator[Result]:
    """Yields a table of the share of covered truths; every row is an interval at a number of samples."""
    seeds = context.repetitions(_SEEDS)
    of_many = max(100, seeds // _FEWER)
    pairs = (FEWEST_PAIRS, 4, 5, GainRequest.runs, TuneRequest.runs, 12, MAX_PAIRS)
    of_better = (FEWEST_PAIRS, 5, TuneRequest.runs)
    intervals: Sequence[tuple[str, Sequence[int], _Covered]] = (
        ("gain, tune: saved", pairs, _saved),
        ("tune: the better of two", of_better, _better),
        ("bench: median", _TURNS, _median),
        *((name, _ROUNDS, partial(_figure, name)) for name in _FIGURES),
        *((f"fit: {name}", _FIT_ROUNDS, partial(_loggp, name)) for name in LOGGP),
        *(
            (f"fit: runtime function, {name}", tuple(_GRIDS), partial(_coefficient, place))
            for place, name in enumerate(("start-up", "byte"))
        ),
    )

    def is_long(name: str, number: int) -> bool:
        return number > _MANY or name.removeprefix("fit: ") in LOGGP

    cases = [(name, covered, number) for name, numbers, covered in intervals for number in numbers]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        shares = [
            [
                pool.submit(_share, covered, noise, number, of_many if is_long(name, number) else seeds)
                for noise in NOISES
            ]
            for name, covered, number in cases
        ]
        rows = [
            (name, str(number), *(f"{one.result():.1f}" for one in found))
            for (name, _, number), found in zip(cases, shares)
        ]
    error, of_fewer = (100 * math.sqrt(0.95 * 0.05 / some) for some in (seeds, of_many))
    columns = ("interval", "samples", *(f"{name}, %" for name in NOISES))
    title = (
        f"Share of {seeds} seeds, standard error {error:.1f} points; {of_fewer:.1f} of LogGP and above "
        f"{_MANY} samples"
    )
    yield Table(title, columns, rows)


def _share(covered: _Covered, noise: str, number: int, seeds: int) -> float:
    found = (covered(noise, number, seed) for seed in range(seeds))
    known = [one.ci95_low <= true <= one.ci95_high for true, one in found if one is not None]
    return float(100 * np.mean(known)) if known else math.nan


def _saved(noise: str, number: int, seed: int) -> tuple[float, Estimate]:
    return _SAVED, paired(_SAVED, noise, number, seed).saved()


def _better(noise: str, number: int, seed: int) -> tuple[float, Estimate]:
    """Of two changes that save nothing, in runs next to the same one as it is, the better one."""
    return 0.0, max(rounds_of(2, noise, number, seed), key=lambda one: one.promise).saved()


_FIGURES: Mapping[str, tuple[float, int, Callable[[str, int, int], Finding]]] = {
    "probe, fit, compare: T_c": (T_C_S, 1, lambda *given: overlap(*given).times()["T_c"]),
    "probe, fit, compare: eta": (ETA, 0, lambda *given: overlap(*given).eta()),
    "probe: kappa": (DISTURBED, 0, lambda *given: overlap(*given).kappa()),
    "probe: exposed": (T_T_S - T_W_S, 1, lambda *given: overlap(*given).exposed()),
    "probe: knee": (KNEE, 0, knee),
    "probe: latency": (T_C_S / 2, 1, lambda *given: rates(*given)[0]),
    "probe: bandwidth": (SIZE_BYTES / T_C_S, -1, lambda *given: rates(*given)[1]),
}
"""The truth without noise, the power of the noise's median in it (0: a ratio of times), and the figure of a
noise, a number of rounds and a seed.
"""


def _figure(name: str, noise: str, number: int, seed: int) -> tuple[float, Estimate | None]:
    true, power, found = _FIGURES[name]
    return true * factor(noise) ** power, found(noise, number, seed).estimate


def _loggp(name: str, noise: str, number: int, seed: int) -> tuple[float, Estimate | None]:
    found = loggp(noise, number, seed).get(name)
    estimate = None if found is None or found.bound is not None else found.estimate
    return LOGGP[name] * factor(noise), estimate


def _coefficient(place: int, noise: str, number: int, seed: int) -> tuple[float, Estimate | None]:
    """Of calls with the default number of rounds."""
    found = coefficients(noise, 11, seed, _GRIDS[number])
    return (STARTUP_S, PER_BYTE_S)[place] * factor(noise), found[place]


def _median(noise: str, number: int, seed: int) -> tuple[float, Estimate]:
    """Of turns of a bench, which do not follow one another."""
    values = ROUND_NOISES[noise](np.random.default_rng((seed, number)), 20 * number)[::20]
    return _true_median(noise), median_of(values / RUN_S)


@cache
def _true_median(noise: str) -> float:
    return float(np.median(ROUND_NOISES[noise](np.random.default_rng(1), 200_000))) / RUN_S
