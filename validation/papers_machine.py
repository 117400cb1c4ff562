# SPDX-License-Identifier: BSD-3-Clause
"""A profile from a platform's figures, for ranks that all communicate at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stretto.data.profile import Figure, LogGPEntry, LogGPRange, Profile
from stretto.launch.platforms import Platform
from stretto.model.kernels.choice import variants_s
from stretto.model.kernels.variants import TRANSPORTS, KernelVariant
from stretto.model.parameters import Source


@dataclass(frozen=True)
class Machine:
    """Ranks of a platform, one per node while there are free nodes; cores compute at their peak."""

    platform: Platform
    ranks: int

    @property
    def ranks_per_node(self) -> int:
        return -(-self.ranks // int(self.platform.figure("nodes", self.ranks)))

    @property
    def both_ways_bytes_per_s(self) -> float:
        """A rank's share of its node's bidirectional bandwidth."""
        one_way = self.platform.figure("bandwidth_bytes_per_s", 0)
        return self.platform.figure("bus_bandwidth_bytes_per_s", 2 * one_way) / self.ranks_per_node

    @property
    def seconds_per_flop(self) -> float:
        return 1 / self.platform.figure("core_flops_per_s", 1)

    @property
    def profile(self) -> Profile:
        """The profile: G of simultaneous sends and receives, and ideal overlap.

        Without progress threads, serving a message of `stretto` costs a rank as much as its own message.
        """
        figure = self.platform.figure
        one_way_s = self.ranks_per_node / figure("bandwidth_bytes_per_s", 1)
        gap = Figure(max(one_way_s, 2 / self.both_ways_bytes_per_s))
        latency, receive = Figure(figure("wire_latency_s", 0)), Figure(figure("overhead_receive_s", 0))
        entries = []
        for transport, operation in TRANSPORTS.items():
            served_s = figure("overhead_receive_s", 0) if transport == "stretto" else 0.0
            send = Figure(figure("overhead_send_s", 0) + served_s)
            received = receive if operation == "send" else None
            fitted = LogGPRange(0, 1 << 40, latency, send, received, gap_s_per_byte=gap)
            entries.append(LogGPEntry(transport, operation, "remote", "platform", (fitted,)))
        return Profile(tuple(entries))

    def modelled_s(self, variant: KernelVariant) -> float:
        """The modelled time of a run of the variant."""
        source = Source(self.profile, self.platform.name, draws=1)
        return float(variants_s(source, [variant], np.array([self.seconds_per_flop]))[0][0])
