# SPDX-License-Identifier: BSD-3-Clause
"""What limits moving work around a program's messages: its own exchange, and branches on what arrives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from stretto.data.program import Place
from stretto.potential.regions import WorkSite
from stretto.potential.sites import SitePotential

STEERS_BYTES = 64
"""The recorder takes results of collectives up to this size for what steers a program, too."""

STREAM = (
    "its messages come one after another from one side, as in a pipeline or a wavefront: the work after one "
    "needs those before it"
)
STEERS = (
    f"at most {STEERS_BYTES} bytes come: such a result may decide whether the work after it runs at all, as "
    "a test of convergence does, and a trace shows no branches"
)
AFTER_USE = (
    "that work comes after the first use of what arrived, elsewhere: a branch on it may decide whether the "
    "work runs, and the work may overwrite what was read before. Where neither is so, it can move"
)
MAKES = "the loops before it also make what is sent"
RECEIVES = (
    "the call receives, too, and the work before it may read what that overwrites; with a call of its own, "
    "the send could start before that work"
)
TOO_LONG = "the trace has more such work than the run took, which cannot be: record it again"
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
        max_s: What moving work around a call site can gain at most.
        before_sends_s: Work between the last store to what a place sends and the calls, without copies into
            what is sent; None where the data was not followed.
        receives: Places whose calls receive, or start receives.
    """

    streams: frozenset[Place] = frozenset()
    steers: frozenset[Place] = frozenset()
    longest_s: float = float("inf")
    max_s: Callable[[Place, WorkSite], float] = lambda _, __: float("inf")
    before_sends_s: Mapping[Place, float] | None = None
    receives: frozenset[Place] = frozenset()

    def before_send_s(self, place: Place) -> float:
        """Work before the sends of a place behind which they could stand; infinite: not known."""
        return float("inf") if self.before_sends_s is None else self.before_sends_s.get(place, 0.0)

    def earlier_s(self, place: Place) -> float:
        """How much earlier, together, the sends of a place may start. A call that receives, too, may not
        start before work that may read what comes: `refusal` says the same of moving that work.
        """
        return 0.0 if place in self.receives else self.before_send_s(place)

    def refusal(self, place: Place, side: Literal["arrival", "send"], work_s: float, has_lines: bool) -> str:
        """Why work around a site is not offered to be moved; empty: it is."""
        if work_s > self.longest_s:
            return TOO_LONG
        if side == "arrival" and place in self.steers:
            return STEERS
        if side == "arrival" and place in self.streams:
            return STREAM
        if side == "send" and place in self.receives:
            return RECEIVES
        return "" if has_lines else NO_LINES


def before_sends_together(
    before_sends_s: Mapping[Place, float] | None, entries: Mapping[Place, Iterable[Place]]
) -> Mapping[Place, float] | None:
    """The same of entries that take places together, by the place of the entry."""
    if before_sends_s is None:
        return None
    return {entry: sum(before_sends_s.get(one, 0.0) for one in of) for entry, of in entries.items()}


def before_sends(sends: Mapping[Place, WorkSite]) -> Mapping[Place, float] | None:
    """Work before sends by place, for `Ordering`; None where the recorder has followed no data."""
    if not any(site.regions for site in sends.values()):
        return None
    return {place: site.independent_s for place, site in sends.items()}


def steering(sites: Iterable[SitePotential]) -> frozenset[Place]:
    """The places of blocking calls at which so little arrives that it may steer the program."""
    return frozenset(
        (one.module, one.address)
        for one in sites
        if one.side in ("receive", "collective") and not one.nonblocking and may_steer(one)
    )


def may_steer(site: SitePotential) -> bool:
    """Whether so little arrives that it may decide what the program does next."""
    return site.size_bytes <= STEERS_BYTES * site.count
