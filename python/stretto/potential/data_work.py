# SPDX-License-Identifier: BSD-3-Clause
"""Independent and dependent work of messages' data, with their periods and orders.

The terms are those of Sancho et al., slides 6 to 12. Times are *computed* seconds: they exclude the time
that a thread spends in MPI calls.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

PARTS = 8
"""Number of parts into which the recorder divides a message."""
_MOST_CALLS = 1 << 17
"""Calls of a thread that are remembered. Older data counts as being as old as the first of them."""
_AT_ONCE = 0.02
"""Share of the independent work within which parts count as touched together."""


@dataclass
class History:
    """The computed time of a thread at times of its past; calls are added in their order."""

    begins: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    computed: list[float] = field(default_factory=list)

    def add_call(self, begin_s: float, end_s: float) -> None:
        """Adds a call, during which the thread computes nothing."""
        computed_s = self.at(begin_s) if self.begins else 0.0
        self.begins.append(begin_s)
        self.ends.append(max(end_s, self.ends[-1]) if self.ends else end_s)
        self.computed.append(computed_s)
        if len(self.begins) > 2 * _MOST_CALLS:
            for one in (self.begins, self.ends, self.computed):
                del one[:_MOST_CALLS]

    def at(self, time_s: float) -> float:
        """Seconds computed until `time_s`."""
        index = bisect_right(self.begins, time_s) - 1
        if index < 0:
            return self.computed[0] if self.computed else 0.0
        return self.computed[index] + max(time_s - self.ends[index], 0.0)

    def call_before(self, time_s: float) -> float:
        """Seconds computed until the end of the last call before `time_s`."""
        index = bisect_right(self.begins, time_s) - 1
        return self.computed[index] if index >= 0 else (self.computed[0] if self.computed else 0.0)


@dataclass(frozen=True)
class Touches:
    """Accesses of a rank to the parts of one message, in computed seconds, and the message's call.

    `parts` are (part, when, other end). On the producer these are the last store to the part and the earliest
    of the last stores to its bytes. On the consumer these are the first load and the latest first load of its
    bytes. `call_s` is the send, or the end of the call that received the message. `phase_s` is the end of the
    call before the first access.
    """

    parts: tuple[tuple[int, float, float], ...]
    call_s: float
    phase_s: float


@dataclass
class DataWork:
    """Sums over the messages of a call site with known data accesses. Seconds.

    Attributes:
        independent_s: Work between the data accesses and the call, which touches no part of the message.
        dependent_s: Work from the first part to the last.
        between_parts_s: The part of `dependent_s` between one part and the next. Loop indexing could move it
            to the end on the producer, or to the start on the consumer.
        rearrangement_s: On the producer, work between the last call before the data and the data: an upper
            bound of the gain of code re-arrangement.
    """

    messages: int = 0
    independent_s: float = 0.0
    dependent_s: float = 0.0
    between_parts_s: float = 0.0
    rearrangement_s: float = 0.0
    untouched_parts: int = 0
    orders: dict[str, int] = field(default_factory=dict)

    def add(self, touches: Touches, produces: bool, all_parts: int) -> tuple[float, float]:
        """Adds one message, and returns its independent and dependent work."""
        when = [time_s for _, time_s, _ in touches.parts]
        dependent_s = max(when) - min(when)
        near_s = max(when) if produces else min(when)
        independent_s = max(touches.call_s - near_s if produces else near_s - touches.call_s, 0.0)
        self.messages += 1
        self.independent_s += independent_s
        self.dependent_s += dependent_s
        self.between_parts_s += _between(touches.parts)
        if produces:
            self.rearrangement_s += max(min(end for _, _, end in touches.parts) - touches.phase_s, 0.0)
        self.untouched_parts += all_parts - len(touches.parts)
        order = _order(touches.parts, dependent_s, independent_s)
        self.orders[order] = self.orders.get(order, 0) + 1
        return independent_s, dependent_s

    def include(self, other: DataWork) -> None:
        """Adds the messages of another call site."""
        for one in fields(DataWork):
            if one.name != "orders":
                setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        for order, count in other.orders.items():
            self.orders[order] = self.orders.get(order, 0) + count

    @property
    def order(self) -> str:
        """The most frequent order of the messages."""
        return max(self.orders, key=self.orders.__getitem__) if self.orders else "unknown"

    def period_s(self, all_parts: int) -> float:
        """The mean time between one part and the next."""
        return self.dependent_s / (self.messages * (all_parts - 1)) if self.messages else 0.0


def _between(parts: Sequence[tuple[int, float, float]]) -> float:
    """The gaps between the parts' own intervals, which may overlap."""
    intervals = sorted((min(one, other), max(one, other)) for _, one, other in parts)
    gaps_s, end_s = 0.0, intervals[0][1]
    for begin_s, until_s in intervals[1:]:
        gaps_s += max(begin_s - end_s, 0.0)
        end_s = max(end_s, until_s)
    return gaps_s


def _order(parts: Sequence[tuple[int, float, float]], dependent_s: float, independent_s: float) -> str:
    if dependent_s <= _AT_ONCE * independent_s or dependent_s == 0:
        return "at once"
    order = [part for part, _, _ in sorted(parts, key=lambda one: one[1])]
    if order == sorted(order):
        return "in order"
    return "in reverse order" if order == sorted(order, reverse=True) else "in mixed order"
