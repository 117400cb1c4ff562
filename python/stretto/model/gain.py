# SPDX-License-Identifier: BSD-3-Clause
"""Gain of a schedule over the bulk-synchronous one, its upper bound by overlap, and slowdown of computation.

Formulas: docs/formats.md. All values are medians of paired rounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stretto.model.cases import Floats
from stretto.model.findings import FLOORS, Finding, unless_below_floor, unresolved
from stretto.model.overlap import gain_fraction, largest_gain
from stretto.model.schedules import Problem
from stretto.model.statistics import SHORTEST_S, Estimate, bootstrap_medians, interval

_BOTH = ("T_w", "T_c")
_MIN_TO_GAIN = 0.02  # a smaller possible gain is mostly noise


@dataclass(frozen=True)
class _Median:
    """A median time and its replicates, shape (REPLICATES,), seconds."""

    value_s: float
    replicates_s: Floats


@dataclass(frozen=True)
class Gains:
    """The paired medians of one problem."""

    problem: Problem
    noise_floor_s: float
    times: dict[str, _Median]
    works: dict[str, _Median]
    segments: dict[tuple[str, str, str], _Median]

    def time(self, name: str) -> Finding:
        """The time of a quantity, seconds."""
        median = self.times[name]
        return unless_below_floor(median.value_s, self.noise_floor_s, self._estimate(median))

    def segment_rows(self, name: str) -> Iterator[tuple[str, str, Finding]]:
        """Segment, how over ranks, and its time in a quantity, seconds."""
        for (quantity, segment, over), median in self.segments.items():
            if quantity == name:
                yield segment, over, Finding(self._estimate(median))

    def gain(self, name: str) -> Finding:
        """Time of the bulk-synchronous schedule over that of `name`."""
        return self._ratio(self.times[self._reference], self.times[name])

    def bound(self) -> Finding:
        """The largest gain of overlap, from 1 to 2."""
        short = self._short([self.times[name] for name in _BOTH])
        if short is not None:
            return unresolved(short)
        value, replicates = self._bound()
        return Finding(interval(value, replicates, self.problem.rounds))

    def fraction(self, name: str) -> Finding:
        """The achieved fraction of the gain that overlap allows."""
        short = self._short([self.times[each] for each in (*_BOTH, self._reference, name)])
        if short is not None:
            return unresolved(short)
        bound, bounds = self._bound()
        if bound - 1 < _MIN_TO_GAIN:
            return unresolved(f"overlap could gain {bound:.3f} at best, too little to take a share of")
        reference, run = self.times[self._reference], self.times[name]
        value = gain_fraction(reference.value_s / run.value_s, bound)
        replicates = gain_fraction(_divided(reference.replicates_s, run.replicates_s), bounds)
        return Finding(interval(float(value), replicates, self.problem.rounds))

    def kappa(self, name: str) -> Finding:
        """The time of a schedule's computations over that without communication."""
        return self._ratio(self.works[name], self.works["T_w"])

    @property
    def has_bound(self) -> bool:
        return all(name in self.times for name in _BOTH)

    @property
    def has_reference(self) -> bool:
        return self._reference in self.times

    @property
    def _reference(self) -> str:
        result = self.problem.reference
        names = [name for name, run in self.problem.runs.items() if run is result]
        return names[0] if names else ""

    def _bound(self) -> tuple[float, Floats]:
        work, communication = (self.times[name] for name in _BOTH)
        # The larger one is chosen once, because a maximum in every replicate is biased upwards.
        larger = max(work, communication, key=lambda median: median.value_s)
        value = float(largest_gain(work.value_s, communication.value_s))
        return value, _divided(work.replicates_s + communication.replicates_s, larger.replicates_s)

    def _ratio(self, above: _Median, below: _Median) -> Finding:
        short = self._short([above, below])
        if short is not None:
            return unresolved(short)
        replicates = _divided(above.replicates_s, below.replicates_s)
        return Finding(interval(above.value_s / below.value_s, replicates, self.problem.rounds))

    def _short(self, medians: list[_Median]) -> str | None:
        """The reason why a ratio of these is meaningless; None if it is meaningful."""
        least = min(median.value_s for median in medians)
        if least > SHORTEST_S and least >= FLOORS * self.noise_floor_s:
            return None
        return f"{least:.3g} s is under {FLOORS} noise floors of {self.noise_floor_s:.3g} s"

    def _estimate(self, median: _Median) -> Estimate:
        return interval(median.value_s, median.replicates_s, self.problem.rounds)


def gains_of(problem: Problem, noise_floor_s: float, seed: int) -> Gains:
    """The paired medians of a problem; equal seeds give equal resamples."""
    rows: list[Floats] = []
    places: list[tuple[str, ...]] = []
    for name, run in problem.runs.items():
        rows += [run.time_s, run.work_s(problem.probe)]
        places += [("time", name), ("work", name)]
        for segment, by_ranks in run.segments_s.items():
            rows += by_ranks.values()
            places += [("segment", name, segment, over) for over in by_ranks]
    medians = bootstrap_medians(np.array(rows), seed)
    result = {
        place: _Median(float(value), replicates)
        for place, value, replicates in zip(places, medians.value, medians.replicates, strict=True)
    }
    return Gains(
        problem,
        noise_floor_s,
        {place[1]: median for place, median in result.items() if place[0] == "time"},
        {place[1]: median for place, median in result.items() if place[0] == "work"},
        {(p[1], p[2], p[3]): median for p, median in result.items() if p[0] == "segment"},
    )


def _divided(above: Floats, below: Floats) -> Floats:
    """Above / below per replicate; NaN, which intervals leave out, where the lower one is nothing."""
    result = np.full(above.shape, np.nan)
    np.divide(above, below, out=result, where=np.abs(below) > SHORTEST_S)
    return result
