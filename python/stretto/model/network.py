# SPDX-License-Identifier: BSD-3-Clause
"""The network that the models of schedules see: LogGP parameters by message size, drawn from their intervals.

Knows no schedule. Where the parameters come from is `stretto.model.parameters`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from stretto.data.profile import Figure
from stretto.model.statistics import Floats

DRAWS = 200
_NORMAL_95 = 1.959964  # half of the 95 % interval of a normal distribution, in standard deviations


@dataclass(frozen=True)
class LogGp:
    """Parameters for messages of one size: arrays of shape (draws,), the believed value first.

    Attributes:
        latency_s: L.
        overhead_send_s: o_s, the processor's time to start a transfer.
        overhead_receive_s: o_r, the processor's time to complete a received message; zero for put and get.
        gap_s: g of LogGP: the card's time a message, apart from its bytes.
        gap_queue_s: g of the probes' paper (section 7.2): how long a start keeps the injection queue busy.
        gap_s_per_byte: G.
        overlap: The fraction of a transfer's wire time that passes while its origin is in no call, 0 to 1.
        steal: The fraction of the processor that messages under way take from work, 0 to 1.
        unattended_bytes: How many bytes pass by themselves at most before a call waits: what buffers hold.
    """

    latency_s: Floats
    overhead_send_s: Floats
    overhead_receive_s: Floats
    gap_s: Floats
    gap_queue_s: Floats
    gap_s_per_byte: Floats
    overlap: Floats
    steal: Floats
    unattended_bytes: Floats

    @staticmethod
    def of(
        L: float = 0.0,
        o: float = 0.0,
        o_r: float = 0.0,
        g: float = 0.0,
        g_queue: float = 0.0,
        G: float = 0.0,
        overlap: float = 1.0,
        steal: float = 0.0,
        unattended_bytes: float = np.inf,
    ) -> LogGp:
        """One draw, from plain numbers: seconds, G in seconds a byte. Offload unless told."""
        values = (L, o, o_r, g, g_queue, G, overlap, steal, unattended_bytes)
        return LogGp(*(np.array([value]) for value in values))

    @property
    def draws(self) -> int:
        return len(self.latency_s)

    def wire_s(self, size_bytes: int) -> Floats:
        """(s - 1) G: how long the bytes of a message are on the wire. Shape (draws,)."""
        return max(size_bytes - 1, 0) * self.gap_s_per_byte

    def with_byte_gap(self, gap_s_per_byte: Floats) -> LogGp:
        """The same network with another G (another bar: M, E)."""
        return replace(self, gap_s_per_byte=gap_s_per_byte)


@dataclass(frozen=True)
class Network:
    """Parameters by size: those of the largest size in `by_size` that is not above the message's."""

    by_size: Mapping[int, LogGp]

    @staticmethod
    def uniform(loggp: LogGp) -> Network:
        """The same parameters for all sizes."""
        return Network({0: loggp})

    @property
    def draws(self) -> int:
        return next(iter(self.by_size.values())).draws

    def at(self, size_bytes: int) -> LogGp:
        """The parameters for messages of `size_bytes`."""
        below = [size for size in self.by_size if size <= size_bytes]
        return self.by_size[max(below, default=min(self.by_size))]


def drawn(figure: Figure, rng: np.random.Generator, draws: int = DRAWS, most: float = np.inf) -> Floats:
    """Values that the figure's interval allows: shape (draws,), the believed value first.

    Two half normal distributions that meet at the value, each as wide as its side of the 95 % interval, cut
    at zero and at `most`. A figure without an interval is sure.
    """
    assert figure.value is not None
    value = figure.value
    low = value if figure.ci95_low is None else min(figure.ci95_low, value)
    high = value if figure.ci95_high is None else max(figure.ci95_high, value)
    normal = rng.standard_normal(draws)
    normal[0] = 0.0
    width = np.where(normal < 0, value - low, high - value) / _NORMAL_95
    clipped: Floats = np.clip(value + normal * width, 0.0, most)
    return clipped
