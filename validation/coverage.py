# SPDX-License-Identifier: BSD-3-Clause
"""How often the 95 % intervals that commands print cover the truth, simulated under three kinds of noise.

`make validation ARGS=coverage` renews the table. Nothing is measured: the machine's load does
not matter.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache

import numpy as np

from bench.harness.checks import Result, Table, median_of
from bench.harness.runner import Context
from stretto.data.groups import grouped
from stretto.data.pairs import FEWEST_PAIRS, MAX_PAIRS
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

_ALLOWED = (93.0, 98.0)
"""Percent of seeds in which an interval should cover."""
_REASONS = (
    (
        tuple(f"fit: {name}" for name in LOGGP),
        "bursts",
        "A resample may hold the rounds of a burst so often that they reach its middle third, although the "
        "sample has too few of them for that. The variance of the resamples is then larger than that of the "
        "median.",
    ),
    (
        ("probe: knee",),
        "",
        "The knee jumps to an earlier T_w / T_c where noise alone lengthens a run by five percent. A "
        "resample adds its noise to that of the sample, so that it jumps more often than samples do.",
    ),
)
"""Why the intervals of these figures cover too often under this noise, or under any."""

_Figures = Mapping[str, tuple[float, Estimate | None]]
"""The truth and the estimate of each figure of a case. There is no estimate where a command prints no
interval: the figure is unresolved, a bound, or of another protocol's range.
"""
_Case = Callable[[str, int, int], _Figures]
"""Of a noise, a number of samples and a seed."""


def run(context: Context) -> Iterator[Result]:
    """Yields a table of the share of covered truths; every row is an interval at a number of samples."""
    seeds = context.repetitions(_SEEDS)
    pairs = (FEWEST_PAIRS, 4, 5, GainRequest.runs, TuneRequest.runs, 12, MAX_PAIRS)
    cases: Sequence[tuple[_Case, Sequence[int]]] = (
        (_saved, pairs),
        (_better, (FEWEST_PAIRS, 5, TuneRequest.runs)),
        (_median, _TURNS),
        (_overlap, _ROUNDS),
        (_knee, _ROUNDS),
        (_rates, _ROUNDS),
        (_loggp, _FIT_ROUNDS),
        (_coefficients, tuple(_GRIDS)),
    )
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        by_case = [
            {
                number: [pool.submit(covered_shares, case, noise, number, seeds) for noise in NOISES]
                for number in numbers
            }
            for case, numbers in cases
        ]
        shares = [row for by_number in by_case for row in _rows(by_number)]
    error = 100 * math.sqrt(0.95 * 0.05 / seeds)
    columns = ("interval", "samples", *(f"{name}, %" for name in NOISES))
    title = f"Share of {seeds} seeds, standard error {error:.1f} points"
    rows = [(name, str(number), *(f"{one:.1f}" for one in found)) for name, number, found in shares]
    yield Table(title, columns, rows)
    columns = ("interval and samples, noise: %", "reason")
    yield Table("Outside {:.0f} to {:.0f} %".format(*_ALLOWED), columns, list(_outside(shares)))


def _rows(
    by_number: Mapping[int, Sequence[Future[Mapping[str, float]]]],
) -> Iterator[tuple[str, int, Sequence[float]]]:
    """The shares of a case under each noise, figure by figure."""
    shares = {number: [one.result() for one in of_noises] for number, of_noises in by_number.items()}
    for name in next(iter(shares.values()))[0]:
        for number, of_noises in shares.items():
            yield name, number, [one[name] for one in of_noises]


def _outside(shares: Sequence[tuple[str, int, Sequence[float]]]) -> Iterator[tuple[str, str]]:
    """The figures outside of what is allowed, and their reason, once for all of them."""
    low, high = _ALLOWED
    found = [
        (f"{name} {number}, {noise}: {share:.1f}", _reason(name, noise) if share > high else "-")
        for name, number, of_noises in shares
        for noise, share in zip(NOISES, of_noises, strict=True)
        if not low <= round(share, 1) <= high
    ]
    for reason, figures in grouped(found, lambda one: one[1]).items():
        yield "; ".join(figure for figure, _ in figures), reason


def _reason(name: str, noise: str) -> str:
    for names, only, reason in _REASONS:
        if name in names and only in ("", noise):
            return reason
    return "-"


def covered_shares(case: _Case, noise: str, number: int, seeds: int) -> Mapping[str, float]:
    """The percentage of seeds in which the interval of each figure of a case covers its truth."""
    found = [case(noise, number, seed) for seed in range(seeds)]
    return {name: _share([figures[name] for figures in found]) for name in found[0]}


def _share(found: Sequence[tuple[float, Estimate | None]]) -> float:
    known = [one.ci95_low <= true <= one.ci95_high for true, one in found if one is not None]
    return float(100 * np.mean(known)) if known else math.nan


def _saved(noise: str, number: int, seed: int) -> _Figures:
    return {"gain, tune: saved": (_SAVED, paired(_SAVED, noise, number, seed).saved())}


def _better(noise: str, number: int, seed: int) -> _Figures:
    """Of two changes that save nothing, in runs next to the same one as it is, the better one."""
    better = max(rounds_of(2, noise, number, seed), key=lambda one: one.promise)
    return {"tune: the better of two": (0.0, better.saved())}


def _overlap(noise: str, number: int, seed: int) -> _Figures:
    found = overlap(noise, number, seed)
    return {
        "probe, fit, compare: T_c": (T_C_S * factor(noise), found.times()["T_c"].estimate),
        "probe, fit, compare: eta": (ETA, found.eta().estimate),
        "probe: kappa": (DISTURBED, found.kappa().estimate),
        "probe: exposed": ((T_T_S - T_W_S) * factor(noise), found.exposed().estimate),
    }


def _knee(noise: str, number: int, seed: int) -> _Figures:
    return {"probe: knee": (KNEE, knee(noise, number, seed).estimate)}


def _rates(noise: str, number: int, seed: int) -> _Figures:
    latency, bandwidth = rates(noise, number, seed)
    return {
        "probe: latency": (T_C_S * factor(noise) / 2, latency.estimate),
        "probe: bandwidth": (SIZE_BYTES / (T_C_S * factor(noise)), bandwidth.estimate),
    }


def _loggp(noise: str, number: int, seed: int) -> _Figures:
    findings = loggp(noise, number, seed)
    figures: dict[str, tuple[float, Estimate | None]] = {}
    for name, time_s in LOGGP.items():
        found = findings.get(name)
        estimate = None if found is None or found.bound is not None else found.estimate
        figures[f"fit: {name}"] = time_s * factor(noise), estimate
    return figures


def _coefficients(noise: str, number: int, seed: int) -> _Figures:
    """Of calls with the default number of rounds."""
    found = coefficients(noise, 11, seed, _GRIDS[number])
    return {
        f"fit: runtime function, {name}": (time_s * factor(noise), estimate)
        for name, time_s, estimate in zip(("start-up", "byte"), (STARTUP_S, PER_BYTE_S), found, strict=True)
    }


def _median(noise: str, number: int, seed: int) -> _Figures:
    """Of turns of a bench, which do not follow one another."""
    values = ROUND_NOISES[noise](np.random.default_rng((seed, number)), 20 * number)[::20]
    return {"bench: median": (_true_median(noise), median_of(values / RUN_S))}


@cache
def _true_median(noise: str) -> float:
    return float(np.median(ROUND_NOISES[noise](np.random.default_rng(1), 200_000))) / RUN_S
