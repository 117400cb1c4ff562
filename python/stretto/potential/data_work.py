# SPDX-License-Identifier: BSD-3-Clause
"""Independent and dependent work of messages' data, with their periods and orders.

The terms are those of Sancho et al., slides 6 to 12. Times are *computed* seconds: they exclude the time
that a thread spends in MPI calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

PARTS = 8
"""Number of parts into which the recorder divides a message."""


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
        untouched_parts: Parts of these messages that were not touched; at least one of each message was.
    """

    messages: int = 0
    independent_s: float = 0.0
    dependent_s: float = 0.0
    between_parts_s: float = 0.0
    rearrangement_s: float = 0.0
    untouched_parts: int = 0
    orders: dict[str, int] = field(default_factory=dict)

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

    @property
    def period_s(self) -> float:
        """The mean time between one touched part of a message and the next."""
        intervals = self.messages * (PARTS - 1) - self.untouched_parts
        return self.dependent_s / intervals if intervals > 0 else 0.0
