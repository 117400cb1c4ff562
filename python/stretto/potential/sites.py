# SPDX-License-Identifier: BSD-3-Clause
"""Sums over all operations of one call site, and their costs."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Literal

from stretto.potential.data_work import DataWork

Side = Literal["send", "receive", "collective", "one-sided"]
Verdict = Literal["blocking", "false overlap", "too short", "covered", "not known"]

AT_ONCE = 0.02
"""Share of a message's cost up to which a window counts as none."""


DEFAULT_EAGER_BYTES = 64 << 10
"""MPIs send longer messages when their receivers have called, by default settings: until both sides have, and
mostly while one of them is in a call.
"""
RESOLVED_S = 1e-6
"""Time that a trace resolves around a call: that of a wrapper of the program is shorter."""


@dataclass(frozen=True)
class Cost:
    """The cost of a message on a network without overlap: latency + (s - 1) G, plus both overheads.

    Attributes:
        latency_s: Of small messages.
        gap_s_per_byte: Of large messages.
        overhead_s: Both overheads of small messages.
        times: The cost by size where a machine was measured, (bytes, seconds) ascending; linear between these
            sizes, which are at least two and begin with 0.
    """

    latency_s: float
    gap_s_per_byte: float
    overhead_s: float = 0.0
    times: tuple[tuple[int, float], ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether there is a network; without one, no message costs anything."""
        return bool(self.latency_s or self.gap_s_per_byte or self.times)

    def of(self, size_bytes: int) -> float:
        """Seconds for one message."""
        if not self.times:
            return self.latency_s + self.overhead_s + max(size_bytes - 1, 0) * self.gap_s_per_byte
        above = bisect.bisect_right(self.times, size_bytes, key=itemgetter(0))
        (low, low_s), (high, high_s) = self.times[min(above, len(self.times) - 1) - 1 :][:2]
        return low_s + (size_bytes - low) / (high - low) * (high_s - low_s)


@dataclass(frozen=True)
class Network:
    """The cost of messages on a network, and its name in a sentence.

    Attributes:
        eager_bytes: Messages up to this size move without calls of MPI.
        replayed: The network as `stretto-replay` reads it; empty: it is not to be replayed.
    """

    cost: Cost
    name: str
    eager_bytes: int = DEFAULT_EAGER_BYTES
    replayed: str = ""


@dataclass
class SitePotential:
    """Sums over all operations that one call site started. Times in seconds.

    Attributes:
        starting_s: Time in the calls that start nonblocking operations.
        data: The work around the messages' data, in the order of the program.
        reordered: The same if work that needs nothing of what arrived were done first, where the recorder has
            followed the data; elsewhere as `data`.
    """

    module: str
    address: int
    call: str
    side: Side
    count: int = 0
    size_bytes: int = 0
    blocked_s: float = 0.0
    window_s: float = 0.0
    cost_s: float = 0.0
    covered_s: float = 0.0
    nonblocking: int = 0
    starting_s: float = 0.0
    at_once: int = 0
    data: DataWork = field(default_factory=DataWork)
    reordered: DataWork = field(default_factory=DataWork)
    data_cost_s: float = 0.0
    data_window_s: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """The verdict on this call site."""
        if not self.nonblocking:
            return "blocking"
        if self.at_once == self.count:
            return "false overlap"
        if not self.cost_s:
            return "not known"
        return "covered" if self.covered_s >= 0.9 * self.cost_s else "too short"
