# SPDX-License-Identifier: BSD-3-Clause
"""A ratio that was promised, beside what was measured: one line each, with interval, peer and verdict."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import RunError, UserError
from stretto.model.statistics import Estimate


@dataclass(frozen=True)
class Check:
    """`what` of `ours` against `peer`; holds where the value is at most, or at least, `bound`."""

    what: str
    peer: str
    found: Estimate | None
    bound: float
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """`holds`, `MISSED`, or `noisy`: the value misses, but its interval does not."""
        if self.found is None:
            return "unresolved"
        sign = 1 if self.at_least else -1
        if sign * (self.found.value - self.bound) >= 0:
            return "holds"
        best = self.found.ci95_high if self.at_least else self.found.ci95_low
        return "noisy" if sign * (best - self.bound) >= 0 else "MISSED"


def quotient(above: Estimate, below: Estimate) -> Estimate:
    """A ratio of two estimates; its interval is the widest that their intervals allow."""
    return Estimate(
        above.value / below.value,
        above.ci95_low / below.ci95_high,
        above.ci95_high / below.ci95_low,
        min(above.n, below.n),
    )


def show(title: str, checks: Iterable[Check]) -> bool:
    """Prints a table; whether none is missed."""
    print(f"\n# {title}")
    print(f"# {'what':46s} {'against':30s} {'value':>8s} {'95 % interval':>17s} {'n':>4s}  {'asked':>9s}")
    good = True
    for check in checks:
        asked = f"{'>=' if check.at_least else '<='} {check.bound:g}"
        if check.found is None:
            figures = f"{'-':>8s} {'-':>17s} {'-':>4s}"
        else:
            found = check.found
            span = f"{found.ci95_low:.3f}..{found.ci95_high:.3f}"
            figures = f"{found.value:8.3f} {span:>17s} {found.n:4d}"
        print(f"{check.what:48s} {check.peer:30s} {figures}  {asked:>9s}  {check.verdict}")
        good = good and check.verdict != "MISSED"
    return good


def status_of(main: Callable[[], int]) -> int:
    """What `main` says; an error, such as a machine too busy for an emulated network, is a line."""
    try:
        return main()
    except (RunError, UserError) as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2 if isinstance(error, UserError) else 1
