# SPDX-License-Identifier: BSD-3-Clause
"""What limits moving work around a program's messages: its own exchange, and branches on what arrives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from stretto.data.trace import OnRecords, TraceFile, ignore_count
from stretto.data.trace_records import NO_CALLS, Event
from stretto.data.trace_walk import MessageEnd, walk_ends
from stretto.potential.regions import Place, WorkSite
from stretto.potential.sites import SitePotential

_FEWEST = 3
"""Messages in one direction that make a stream."""
_STEERS_BYTES = 64
"""The recorder takes results of collectives up to this size for what steers a program, too."""
_OFTEN = 0.75
"""Share of a place's messages that follow another in the same direction. A periodic exchange between two
ranks, both of whose neighbours are the other one, has half of them."""

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


@dataclass
class _Seen:
    messages: int = 0
    streamed: int = 0


@dataclass
class _Peers:
    """Of a rank, where it last received from, or sent to, each peer while nothing went the other way."""

    received: dict[int, Place] = field(default_factory=dict)
    sent: dict[int, Place] = field(default_factory=dict)

    def take(self, place: Place, end: MessageEnd, seen: dict[Place, _Seen]) -> None:
        peer = end.channel[1 if end.sends else 0]
        (self.received if end.sends else self.sent).pop(peer, None)
        one = seen.setdefault(place, _Seen())
        one.messages += 1
        same = self.sent if end.sends else self.received
        one.streamed += same.get(peer) == place
        same[peer] = place


def streams_of(traces: Sequence[TraceFile], on_records: OnRecords = ignore_count) -> frozenset[Place]:
    """The places whose messages mostly go to, or come from, a rank without one in the other direction between
    two of them.

    Raises:
        UserError: a trace is damaged.
    """
    seen: dict[Place, _Seen] = {}
    for file in traces:
        peers, calls = _Peers(), dict[int, Event]()
        for thread, event, ends in walk_ends(file, on_records):
            if event.kind not in NO_CALLS:
                calls[thread] = event
            site = file.definitions.sites.get(calls.get(thread, event).site)
            for end in ends:
                if site is not None:
                    peers.take((site.module, site.address), end, seen)
    return frozenset(
        place
        for place, one in seen.items()
        if one.messages >= _FEWEST and one.streamed >= _OFTEN * one.messages
    )
