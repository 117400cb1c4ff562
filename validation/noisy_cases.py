# SPDX-License-Identifier: BSD-3-Clause
"""Cases of probes on a machine whose parameters are known up to the noise, for the coverage of fits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from stretto.data.sample_columns import SEGMENTS
from stretto.model.cases import Case, Quantity
from stretto.model.collective.forms import fit_form, intervals
from stretto.model.collective.measured import PROBE, calls_of, with_times
from stretto.model.collective.points import Points, Terms
from stretto.model.findings import Finding
from stretto.model.loggp import SPACED_TRAINS, fit_loggp
from stretto.model.overlap import Overlapped, knee_overlap, overlapped
from stretto.model.rates import bandwidth, latency
from stretto.model.statistics import Estimate, Floats, median
from stretto.model.trains import trains_of
from validation.noise import ROUND_NOISES, RUN_S

LOGGP = {"L": 4e-6, "o_s": 5e-7, "o_r": 6e-7, "g": 1.5e-6, "G": 1e-9}
"""Seconds, and of G seconds a byte. A gap is longer than the overheads, so that it shows."""
_SIZES = (1, 8, 64, 512, 4096, 16384, 65536)
_MESSAGES = 16
T_C_S, T_W_S, T_T_S, ETA, DISTURBED = 1e-3, 1.2e-3, 1.6e-3, 0.6, 1.25
"""Of an overlap of ETA, whose computation takes DISTURBED times as long under way."""
SIZE_BYTES = 1 << 20
KNEE = 0.8
_RATIOS = (0.25, 0.5, 0.75, 1.0, 1.5)
STARTUP_S, PER_BYTE_S = 5e-6, 1e-9
_FORM: Terms = (("ceil-log2-p", "1"), ("ceil-log2-p", "b"))


class Noisy:
    """Times of rounds in the order in which a probe takes them: each quantity of a round after the other."""

    def __init__(self, noise: str, rounds: int, seed: int) -> None:
        self.rounds = rounds
        self._noise, self._random = noise, np.random.default_rng((seed, rounds))

    def case(self, probe: str, axes: Mapping[str, str | int], times: Mapping[str, _Time]) -> Case:
        """A case with these times, whose noise is that of consecutive intervals."""
        factors = ROUND_NOISES[self._noise](self._random, len(times) * self.rounds) / RUN_S
        by_quantity = factors.reshape(self.rounds, len(times)).T
        return Case(
            probe,
            axes,
            {name: time.quantity(each) for (name, time), each in zip(times.items(), by_quantity)},
            self.rounds,
        )


class _Time:
    """A quantity's time without noise, and its segments. `fixed` is a computation that has no noise."""

    def __init__(self, time_s: float, messages: int = 1, **segments_s: float) -> None:
        self._time_s, self._messages, self._segments_s = time_s, messages, segments_s

    def quantity(self, factors: Floats) -> Quantity:
        """The rows of rounds whose noise multiplies all times but the fixed one, which is added to them."""
        fixed_s = self._segments_s.get("fixed", 0.0)
        nothing = np.zeros(len(factors))
        segments = {
            name: self._segments_s[name] * factors if name in self._segments_s else nothing
            for name in SEGMENTS
        }
        if fixed_s:
            segments["work"] = nothing + fixed_s
        return Quantity(self._time_s * factors + fixed_s, nothing + self._messages, segments)


@cache
def factor(noise: str) -> float:
    """The smoothed median of the noise: what all times are multiplied by in very many rounds."""
    return float(median(ROUND_NOISES[noise](np.random.default_rng(0), 300_000) / RUN_S))


def _train_case(noisy: Noisy, size: int) -> Case:
    """A size of the loggp probe, between two ranks that send; the answer has 8 bytes."""
    sent_s, answer_s = (
        LOGGP["o_s"] + LOGGP["L"] + (bytes_ - 1) * LOGGP["G"] + LOGGP["o_r"] for bytes_ in (size, 8)
    )
    once_s, others = sent_s + answer_s, _MESSAGES - 1
    gap_s = max(LOGGP["o_s"], LOGGP["o_r"], LOGGP["g"] + (size - 1) * LOGGP["G"])
    times = {
        "prtt_1": _Time(once_s),
        "prtt_n": _Time(once_s + others * gap_s, _MESSAGES),
        "prtt_n_spaced": _Time(once_s + others * LOGGP["o_s"], _MESSAGES, fixed=1.25 * once_s * others),
        "receive_late": _Time(3 * once_s, sync=LOGGP["o_r"]),
    }
    return noisy.case("loggp", {"operation": "send", "size_bytes": size, "ranks": 2}, times)


def loggp(noise: str, rounds: int, seed: int) -> dict[str, Finding]:
    """The parameters of spaced trains; none where the noise shows a second range of sizes."""
    noisy = Noisy(noise, rounds, seed)
    trains = trains_of([_train_case(noisy, size) for size in _SIZES], seed)
    ranges = [] if trains is None else fit_loggp(trains, one_sided=False)
    if len(ranges) != 1:
        return {}
    return {name: ranges[0].findings[SPACED_TRAINS, name] for name in LOGGP}


def _overlap_case(noisy: Noisy, work_s: float, both_s: float) -> Case:
    times = {
        "T_c": _Time(T_C_S),
        "T_w": _Time(work_s, work=work_s),
        "T_t": _Time(both_s, work=DISTURBED * work_s),
    }
    axes: dict[str, str | int] = {"operation": "send", "size_bytes": SIZE_BYTES, "ranks": 2}
    return noisy.case("overlap", axes, times)


def overlap(noise: str, rounds: int, seed: int) -> Overlapped:
    """A case of the probe `overlap`."""
    return overlapped(_overlap_case(Noisy(noise, rounds, seed), T_W_S, T_T_S), 0.0, seed)


def knee(noise: str, rounds: int, seed: int) -> Finding:
    """Of a sweep whose runs take no longer than the communication up to KNEE, and then with the work."""
    noisy = Noisy(noise, rounds, seed)
    cases = [_overlap_case(noisy, ratio * T_C_S, T_C_S * (1 + max(0.0, ratio - KNEE))) for ratio in _RATIOS]
    return knee_overlap([overlapped(case, 0.0, seed + place) for place, case in enumerate(cases)])


def rates(noise: str, rounds: int, seed: int) -> tuple[Finding, Finding]:
    """Latency and bandwidth of a case."""
    case = _overlap_case(Noisy(noise, rounds, seed), T_W_S, T_T_S)
    return latency(case, 0.0, seed), bandwidth(case, 0.0, seed)


@cache
def _places(grid: tuple[tuple[int, int], ...]) -> Points:
    members, sizes = zip(*grid)
    return Points.flat(members, sizes, [1.0] * len(grid))


def coefficients(
    noise: str, rounds: int, seed: int, grid: tuple[tuple[int, int], ...]
) -> tuple[Estimate | None, Estimate | None]:
    """Start-up and time of a byte of a stage, fitted to collectives on `grid`, pairs of ranks and bytes."""
    noisy, places = Noisy(noise, rounds, seed), _places(grid)
    exact_s = places.design(_FORM) @ np.array([STARTUP_S, PER_BYTE_S])
    cases = [
        noisy.case(
            PROBE,
            {"operation": "broadcast", "ranks": members, "size_bytes": size},
            {"total": _Time(float(time_s))},
        )
        for (members, size), time_s in zip(grid, exact_s, strict=True)
    ]
    points = with_times(places, calls_of(cases, seed))
    fitted = fit_form("staged", _FORM, points)
    startup, per_byte = (
        None if low is None or high is None else Estimate(float(value), low, high, len(points))
        for value, (low, high) in zip(fitted.coefficients, intervals(fitted, points), strict=True)
    )
    return startup, per_byte
