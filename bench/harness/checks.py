# SPDX-License-Identifier: BSD-3-Clause
"""Results: a figure with its interval, peer, target and verdict; a table of further figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import bdtr

from stretto.model.centre import centre
from stretto.model.statistics import (
    DEFAULT_SEED,
    REPLICATES,
    TAIL,
    Estimate,
    Floats,
    bootstrap_medians,
    interval,
)

BELOW_TARGET = "below target"
HEAD = ("what", "against", "value", "95 % interval", "n", "target", "verdict")


@dataclass(frozen=True)
class Check:
    """A comparison of `what` with `peer`; it holds where the value is at most, or at least, `target`.

    Attributes:
        measured: None where it is unresolved.
        target: None for a figure without a target.
        within: It holds where the value differs from `target` by at most this.
    """

    what: str
    peer: str
    measured: Estimate | None
    target: float | None
    at_least: bool = False
    within: float | None = None

    @property
    def verdict(self) -> str:
        """`holds`, `below target`, or `noisy`: the value is below its target, but its interval is not."""
        if self.measured is None:
            return "unresolved"
        if self.target is None:
            return "-"
        if self.within is not None:
            low, high = self.target - self.within, self.target + self.within
            if low <= self.measured.value <= high:
                return "holds"
            overlaps = self.measured.ci95_low <= high and self.measured.ci95_high >= low
            return "noisy" if overlaps else BELOW_TARGET
        sign = 1 if self.at_least else -1
        if sign * (self.measured.value - self.target) >= 0:
            return "holds"
        best = self.measured.ci95_high if self.at_least else self.measured.ci95_low
        return "noisy" if sign * (best - self.target) >= 0 else BELOW_TARGET

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of a row with the columns HEAD."""
        target = self._target()
        if self.measured is None:
            return self.what, self.peer, "-", "-", "-", target, self.verdict
        result = self.measured
        span = "-" if result.n < 2 else f"{result.ci95_low:.3f}..{result.ci95_high:.3f}"
        return self.what, self.peer, f"{result.value:.3f}", span, str(result.n), target, self.verdict

    def _target(self) -> str:
        if self.target is None:
            return "-"
        if self.within is not None:
            return f"{self.target - self.within:g} to {self.target + self.within:g}"
        return f"{'>=' if self.at_least else '<='} {self.target:g}"


@dataclass(frozen=True)
class Checks:
    """Checks of one setting, such as `One node, mpiexec -n 2`."""

    title: str
    checks: Sequence[Check]


@dataclass(frozen=True)
class Table:
    """Figures without a verdict. Every row has one cell per column."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


Result = Checks | Table


def exactly(value: float) -> Estimate:
    """A deterministic figure, such as a simulated time or a count."""
    return Estimate(value, value, value, 1)


def both_sides(what: str, peer: str, ratio: Estimate, tolerance: float) -> list[Check]:
    """A ratio that may differ from 1 by `tolerance`."""
    return [Check(what, peer, ratio, 1.0, within=tolerance)]


def yes_or_no(what: str, peer: str, holds: bool) -> Check:
    """A truth value as a figure: 1 or 0, with the target 1."""
    return Check(what, peer, exactly(float(holds)), 1.0, at_least=True)


def median_of(values: Floats | Sequence[float]) -> Estimate:
    """The median and the interval of order statistics, which covers it whatever the distribution is; of
    values too few for one that of `centre`, which holds all of them.
    """
    ordered = np.sort(np.asarray(values, dtype=float))
    n = len(ordered)
    outside = int(np.searchsorted(bdtr(np.arange(n), n, 0.5), TAIL, side="right"))
    if outside == 0:
        return replace(centre(ordered), value=float(np.median(ordered)))
    return Estimate(float(np.median(ordered)), float(ordered[outside - 1]), float(ordered[-outside]), n)


def ratio_of_medians(above: Floats | Sequence[float], below: Floats | Sequence[float]) -> Estimate:
    """The ratio of the medians of paired rounds, which are resampled as pairs."""
    result = bootstrap_medians(np.array([above, below]), DEFAULT_SEED)
    return interval(
        float(result.value[0] / result.value[1]), result.replicates[0] / result.replicates[1], len(above)
    )


def ratio_of_lower_quartiles(above: Floats, below: Floats) -> Estimate:
    """The ratio of the lower quartiles of paired runs, which are resampled as pairs."""
    runs = len(above)
    drawn = np.random.default_rng(DEFAULT_SEED).integers(runs, size=(REPLICATES, runs))
    ratios = np.quantile(above[drawn], 0.25, axis=1) / np.quantile(below[drawn], 0.25, axis=1)
    return interval(float(np.quantile(above, 0.25) / np.quantile(below, 0.25)), ratios, runs)


def quotient(above: Estimate, below: Estimate) -> Estimate:
    """A ratio of two estimates; its interval is the widest that their intervals allow."""
    return Estimate(
        above.value / below.value,
        above.ci95_low / below.ci95_high,
        above.ci95_high / below.ci95_low,
        min(above.n, below.n),
    )
