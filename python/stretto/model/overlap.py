# SPDX-License-Identifier: BSD-3-Clause
"""Overlap of communication and work: eta, exposed time, kappa, and the knee of a sweep of T_w/T_c.

Values are not clamped: a negative eta is a result. docs/glossary.md has the formulas; the knee is that of
figure 6 of the ARMCI paper.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from stretto.data.sample_columns import SEGMENTS
from stretto.model.cases import Case, Floats
from stretto.model.findings import FLOORS, Finding, unresolved
from stretto.model.statistics import SHORTEST_S, Bootstrapped, Estimate, bootstrap_medians, interval

TIMES = ("T_c", "T_w", "T_t")
# A run counts as longer than its communication above 5 %, the difference that probes must resolve.
_LENGTHENED = 1.05


def largest_gain(work_s: npt.ArrayLike, communication_s: npt.ArrayLike) -> Floats:
    """(T_w + T_c) / max(T_w, T_c), from 1 to 2: the largest gain of overlap over one after the other."""
    work, communication = np.asarray(work_s, dtype=float), np.asarray(communication_s, dtype=float)
    result: Floats = (work + communication) / np.maximum(np.maximum(work, communication), SHORTEST_S)
    return result


def gain_fraction(gain: npt.ArrayLike, bound: npt.ArrayLike) -> Floats:
    """(gain - 1) / (bound - 1), the fraction of the largest gain; NaN where overlap gains nothing."""
    gained, possible = np.asarray(gain, dtype=float) - 1, np.asarray(bound, dtype=float) - 1
    result = np.full(np.broadcast(gained, possible).shape, np.nan)
    np.divide(gained, possible, out=result, where=possible > SHORTEST_S)
    return result


@dataclass(frozen=True)
class Overlapped:
    """The paired medians of one case: T_c, T_w, T_t, work alone, work during T_t, and SEGMENTS of T_t."""

    medians: Bootstrapped
    rounds: int
    noise_floor_s: float

    def estimate(self, row: int) -> Estimate:
        return interval(float(self.medians.value[row]), self.medians.replicates[row], self.rounds)

    def times(self) -> dict[str, Finding]:
        """T_c, T_w and T_t in seconds."""
        return {name: Finding(self.estimate(row)) for row, name in enumerate(TIMES)}

    def segments(self) -> dict[str, Finding]:
        """The segments of T_t in seconds, each the largest over the ranks."""
        return {name: Finding(self.estimate(5 + row)) for row, name in enumerate(SEGMENTS)}

    def exposed(self) -> Finding:
        """T_t - T_w in seconds: the communication that the work did not hide."""
        value, replicates = self.medians.value, self.medians.replicates
        return Finding(interval(float(value[2] - value[1]), replicates[2] - replicates[1], self.rounds))

    def eta(self) -> Finding:
        """`eta_of`; unresolved where the smaller of T_c and T_w is below ten noise floors."""
        smaller = _smaller(self.medians)
        smaller_s = self.medians.value[smaller]
        if smaller_s <= SHORTEST_S or smaller_s < FLOORS * self.noise_floor_s:
            return unresolved(_under(f"{TIMES[smaller]} of {smaller_s:.3g} s", self.noise_floor_s))
        return Finding(eta_of(self.medians))

    def osu(self) -> Finding:
        """The overlap of the OSU micro-benchmarks: max(0, 1 - (T_t - W) / T_c).

        W is the time of the computation during the communication. OSU bounds its computation by the clock,
        so neither W there nor here shows what communication takes from the processor.
        """
        return self._benchmarked(lambda t: 1 - _divided(t[2] - t[4], t[0]))

    def imb(self) -> Finding:
        """The overlap of the Intel MPI Benchmarks, IMB-NBC: (T_c + W - T_t) / max(T_c, W), cut to 0..1.

        The user guide divides by the minimum; the program divides by the maximum.
        """
        return self._benchmarked(lambda t: _divided(t[0] + t[4] - t[2], np.maximum(t[0], t[4])))

    def _benchmarked(self, formula: Callable[[Floats], Floats]) -> Finding:
        """A clipped formula of the rows T_c, T_w, T_t, work alone, work under way."""
        value, replicates = self.medians.value, self.medians.replicates
        if value[0] <= SHORTEST_S or value[0] < FLOORS * self.noise_floor_s:
            return unresolved(_under(f"T_c of {value[0]:.3g} s", self.noise_floor_s))
        if value[4] <= 0:
            return unresolved("the time of the work under communication was not measured")
        found = np.clip(formula(value[:, None]), 0, 1)
        result = interval(float(found[0]), np.clip(formula(replicates), 0, 1), self.rounds)
        return Finding(replace(result, ci95_high=min(result.ci95_high, 1.0)))

    def kappa(self) -> Finding:
        """The time of the same work with communication over that without; 1 where it is not disturbed."""
        value, replicates = self.medians.value, self.medians.replicates
        if value[4] <= 0 or value[3] <= SHORTEST_S:
            return unresolved("the time of the work under communication was not measured")
        if value[3] < FLOORS * self.noise_floor_s:
            what = f"T_w of {value[3]:.3g} s"
            return unresolved(_under(what, self.noise_floor_s))
        kappas = _divided(replicates[4], replicates[3])
        return Finding(interval(float(value[4] / value[3]), kappas, self.rounds))


def eta_of(medians: Bootstrapped) -> Estimate:
    """(T_c + T_w - T_t) / min(T_c, T_w) of medians whose first rows are T_c, T_w and T_t.

    The medians decide once which of the two is smaller. A minimum in every replicate is biased at
    T_w/T_c = 1, where the headline figure is, and its intervals cover too little.
    """
    value, replicates = medians.value, medians.replicates
    smaller = _smaller(medians)
    eta = float((value[0] + value[1] - value[2]) / value[smaller])
    etas = _divided(replicates[0] + replicates[1] - replicates[2], replicates[smaller])
    return interval(eta, etas, medians.n)


def _smaller(medians: Bootstrapped) -> int:
    """The row of the smaller of T_c and T_w."""
    return int(medians.value[1] < medians.value[0])


def overlapped(case: Case, noise_floor_s: float, seed: int) -> Overlapped:
    """The paired medians of a case that has T_c, T_w and T_t."""
    both, work = case.quantities["T_t"], case.quantities["T_w"]
    # Kappa compares equal intervals, so T_w is the work segment of the computing rank, if recorded.
    alone_s = np.where(work.segments_s["work"] > 0, work.segments_s["work"], work.time_s)
    rows = [case.quantities[name].time_s for name in TIMES]
    rows += [alone_s, both.segments_s["work"], *(both.segments_s[name] for name in SEGMENTS)]
    return Overlapped(bootstrap_medians(np.array(rows), seed), case.rounds, noise_floor_s)


def knee_overlap(sweep: Sequence[Overlapped]) -> Finding:
    """The largest T_w / T_c that does not lengthen the run.

    Beyond the knee, the run grows with the work. The knee is where a line of slope one through the first
    lengthened point reaches T_c, but not before the last point that is not lengthened.

    Args:
        sweep: At least two cases that differ only in T_w/T_c.
    """
    noise_floor_s = max(point.noise_floor_s for point in sweep)
    shortest_s = min(float(point.medians.value[0]) for point in sweep)
    if shortest_s <= SHORTEST_S or shortest_s < FLOORS * noise_floor_s:
        return unresolved(_under(f"T_c of {shortest_s:.3g} s", noise_floor_s))
    ordered = sorted(sweep, key=lambda point: float(point.medians.value[1] / point.medians.value[0]))
    values = np.array([point.medians.value[:3] for point in ordered])[:, :, None]
    replicates = np.array([point.medians.replicates[:3] for point in ordered])
    value, ended = _knees(values)
    knees, _ = _knees(replicates)
    result = interval(float(value[0]), knees, min(point.rounds for point in ordered))
    if not ended[0]:
        return Finding(result, "lower", "the largest T_w did not lengthen the run either")
    return Finding(result)


def _knees(times_s: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The knees of sweeps of shape (ratios, 3, replicates) and whether each was reached, (replicates,)."""
    work, total = _divided(times_s[:, 1], times_s[:, 0]), _divided(times_s[:, 2], times_s[:, 0])
    lengthened = total > _LENGTHENED
    reached = lengthened.any(axis=0)
    first = np.where(reached, np.argmax(lengthened, axis=0), len(work) - 1)
    column = np.arange(times_s.shape[2])
    before = np.where(first > 0, work[np.maximum(first - 1, 0), column], 0.0)
    at = work[first, column]
    knee = np.clip(at - (total[first, column] - 1), np.minimum(before, at), at)
    return np.where(reached, knee, work[-1]), np.asarray(reached)


def _under(what: str, noise_floor_s: float) -> str:
    return f"{what} is under {FLOORS} noise floors of {noise_floor_s:.3g} s"


def _divided(above: Floats, below: Floats) -> Floats:
    """Above / below per replicate; NaN where a resampled time is zero. Intervals ignore NaN."""
    result = np.full(above.shape, np.nan)
    np.divide(above, below, out=result, where=below > SHORTEST_S)
    return result
