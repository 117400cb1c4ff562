# SPDX-License-Identifier: BSD-3-Clause
"""The result for one metric: an estimate, a bound, or the reason for neither; independent of probes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from stretto.data.results import AxisValue, ResultRow
from stretto.model.statistics import Estimate

FLOORS = 10  # times shorter than this many noise floors are unresolved


@dataclass(frozen=True)
class Finding:
    """`estimate` is None where unresolved; `bound` is `upper` or `lower` where it is only that."""

    estimate: Estimate | None
    bound: str | None = None
    reason: str | None = None

    def bounded(self, bound: str, reason: str) -> "Finding":
        """The same value as a bound only; what is unresolved stays so."""
        return self if self.estimate is None else replace(self, bound=bound, reason=reason)

    def divided(self, by: float) -> "Finding":
        """The figure of one of `by` equal parts."""
        found = self.estimate
        if found is None or by == 1:
            return self
        each = Estimate(found.value / by, found.ci95_low / by, found.ci95_high / by, found.n)
        return replace(self, estimate=each)


def unresolved(reason: str) -> Finding:
    return Finding(None, reason=reason)


def unless_below_floor(time_s: float, noise_floor_s: float, estimate: Estimate) -> Finding:
    """`estimate`, unless the shortest time that it rests on is under ten noise floors."""
    if time_s < FLOORS * noise_floor_s:
        return unresolved(f"{time_s:.3g} s is under {FLOORS} noise floors of {noise_floor_s:.3g} s")
    return Finding(estimate)


def result_row(
    axes: Mapping[str, AxisValue], metric: str, unit: str, finding: Finding, n: int = 0
) -> ResultRow:
    """The row of a finding; `n` is for an unresolved one, which has no estimate to say it."""
    result = finding.estimate
    return ResultRow(
        metric=metric,
        unit=unit,
        value=None if result is None else result.value,
        ci95_low=None if result is None else result.ci95_low,
        ci95_high=None if result is None else result.ci95_high,
        n=n if result is None else result.n,
        axes=axes,
        bound=finding.bound,
        reason=finding.reason,
    )
