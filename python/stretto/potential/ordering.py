# SPDX-License-Identifier: BSD-3-Clause
"""What limits moving work around a program's messages: its own exchange, and branches on what arrives."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from stretto.potential.regions import Place, WorkSite
from stretto.potential.sites import SitePotential

_STEERS_BYTES = 64
"""The recorder takes results of collectives up to this size for what steers a program, too."""

STREAM = (
    "its messages come one after another from one side, as in a pipeline or a wavefront: the work after one "
    "needs those before it"
)
STEERS = (
    f"at most {_STEERS_BYTES} bytes come: such a result may decide whether the work after it runs at all, as "
    "a test of convergence does, and a trace shows no branches"
)
TOO_LONG = "the trace has more of it than the run took: record it again"
NO_LINES = (
    "the work has no lines, so that a loop that also makes the data cannot be distinguished: compile "
    "with -g, and keep the program where it was"
)


@dataclass(frozen=True)
class Ordering:
    """What limits moving work.

    Attributes:
        streams: Places whose messages come one after another from one side, none going back between.
        steers: Places at which no more bytes arrive than a result has that steers a program.
        longest_s: The time of the run; no work takes longer.
        most_s: What moving work around a call site can gain at most.
    """

    streams: frozenset[Place] = frozenset()
    steers: frozenset[Place] = frozenset()
    longest_s: float = float("inf")
    most_s: Callable[[Place, WorkSite], float] = lambda _, __: float("inf")

    def orders(self, place: Place) -> bool:
        """Whether work around the place's messages has an order that moving it would break, or might."""
        return place in self.streams or place in self.steers

    def refusal(self, place: Place, side: Literal["arrival", "send"], work_s: float, has_lines: bool) -> str:
        """Why work around a site is not offered to be moved; empty: it is."""
        if work_s > self.longest_s:
            return TOO_LONG
        if side == "arrival" and place in self.steers:
            return STEERS
        if side == "arrival" and place in self.streams:
            return STREAM
        return "" if has_lines else NO_LINES


def steering(sites: Iterable[SitePotential]) -> frozenset[Place]:
    """The places of blocking calls at which so little arrives that it may steer the program."""
    return frozenset(
        (one.module, one.address)
        for one in sites
        if one.side in ("receive", "collective")
        and not one.nonblocking
        and one.size_bytes <= _STEERS_BYTES * one.count
    )
