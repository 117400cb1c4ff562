# SPDX-License-Identifier: BSD-3-Clause
"""Work after the calls at which data arrives, and before those that send data: how much could change sides.

The terms are those of Sancho et al., slide 12: a region none of whose work depends on the data can be moved
before the wait as it is (code re-arrangement). One of which a part depends on the data must be split first
(loop distribution). Before a send the same holds of work that stores nothing of what is sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stretto.data.program import Place

RegionClass = Literal["re-arrangement", "loop distribution", "dependent"]

_NONE_INDEPENDENT = 0.02
"""Share of a region's work up to which independent work is the inaccuracy of samples."""


@dataclass
class Region:
    """Work whose results one instruction stores; seconds, over all calls at one call site."""

    independent_s: float = 0.0
    dependent_s: float = 0.0

    @property
    def work_s(self) -> float:
        return self.independent_s + self.dependent_s

    @property
    def kind(self) -> RegionClass:
        """The change that moves the region's independent work to the other side of the call.

        Dependent work is none only where none was seen: the edge of a large grid is little work, and a loop
        that stores to it may not move as it is.
        """
        if self.independent_s <= _NONE_INDEPENDENT * self.work_s:
            return "dependent"
        return "re-arrangement" if self.dependent_s == 0 else "loop distribution"


@dataclass
class WorkSite:
    """Sums over all calls at one call site in which data arrived, or which sent data. Seconds.

    Attributes:
        cost_s: Cost of the messages; those that arrive in one call share the latency.
        uncovered_s: Of the cost what no computation between start and wait covers.
        before_use_s: Work between the calls and the first load of what arrived in them: it needs none of it,
            and no branch on it decides whether it runs. Of `used` calls.
        size_bytes: Of the messages.
        accessed: The places that use first what arrived, or store last to what is sent; one may not be
            known. Empty: none is.
        hidden_s: Of `uncovered_s` what independent work would cover on the other side of the calls.
    """

    call: str
    count: int = 0
    messages: int = 0
    blocked_s: float = 0.0
    cost_s: float = 0.0
    uncovered_s: float = 0.0
    before_use_s: float = 0.0
    used: int = 0
    size_bytes: int = 0
    accessed: list[Place] = field(default_factory=list)
    regions: dict[Place, Region] = field(default_factory=dict)

    @property
    def independent_s(self) -> float:
        return sum(region.independent_s for region in self.regions.values())

    @property
    def work_s(self) -> float:
        return sum(region.work_s for region in self.regions.values())

    @property
    def hidden_s(self) -> float:
        return min(self.uncovered_s, self.independent_s)
