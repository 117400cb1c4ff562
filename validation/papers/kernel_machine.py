# SPDX-License-Identifier: BSD-3-Clause
"""A platform's figures as the costs of a kernel's messages, for ranks that all communicate at once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from stretto.launch.platforms import Platform
from stretto.model.network import LogGp, PathCosts
from validation.papers.kernel_plans import KernelVariant
from validation.papers.world import FABRIC, World


@dataclass(frozen=True)
class KernelMachine:
    """Ranks of a platform, one per node while there are free nodes.

    Attributes:
        efficiency: The share of its peak at which a core computes.
        handshake: Whether two-sided messages cost what the one-sided slides say of them: copies of small
            ones, and a handshake of large ones, which the host makes in calls, or the adapter by itself.
        world: What holds of the machine.
    """

    platform: Platform
    ranks: int
    efficiency: float = 1.0
    handshake: bool = False
    world: World = field(default_factory=World)

    @staticmethod
    def named(name: str, ranks: int, world: World, efficiency: str) -> KernelMachine:
        """A machine in a world, with two-sided costs as the slides describe them.

        Args:
            name: The platform.
            ranks: The number of ranks.
            world: The world.
            efficiency: The parameter with the share of its peak at which a core computes.
        """
        return KernelMachine(world.platform(name), ranks, world.value(efficiency), True, world)

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
        return 1 / (self.platform.figure("core_flops_per_s", 1) * self.efficiency)

    @property
    def byte_gap_s(self) -> float:
        """G of simultaneous sends and receives."""
        if not self.world.contention:
            return 1 / self.platform.figure("bandwidth_bytes_per_s", 1)
        one_way_s = self.ranks_per_node / self.platform.figure("bandwidth_bytes_per_s", 1)
        return max(one_way_s / self.platform.figure(FABRIC, 1), 2 / self.both_ways_bytes_per_s)

    def costs(self, transport: str) -> PathCosts:
        """The costs of a transport's messages.

        Without progress threads, serving a message of `stretto` costs a rank as much as its own message.
        """
        figure = self.platform.figure
        receive_s = figure("overhead_receive_s", 0)
        two_sided = transport == "mpi-two-sided" or not self.world.one_sided_differs
        overlap = self.world.eta(self.platform.name)
        loggp = LogGp.of(
            L=figure("wire_latency_s", 0),
            o=figure("overhead_send_s", 0) + (receive_s if transport == "stretto" and not two_sided else 0.0),
            o_r=receive_s if two_sided else 0.0,
            G=self.byte_gap_s,
            overlap=overlap,
        )
        costs = PathCosts.uniform(loggp)
        return self._with_handshake(loggp, costs) if two_sided and self.handshake else costs

    def _with_handshake(self, loggp: LogGp, costs: PathCosts) -> PathCosts:
        """Two-sided messages: copies of small ones, and the handshake of large ones, where there is one."""
        figure = self.platform.figure
        eager = max(int(figure("eager_limit_bytes", 65536)), 2)
        slower = figure("bandwidth_bytes_per_s", 1) / figure("eager_bytes_per_s", 1)
        small = loggp.with_byte_gap(loggp.gap_s_per_byte * slower)
        (of_small,) = PathCosts.uniform(small).ranges.values()
        (of_large,) = costs.ranges.values()
        handshake_s = 2 * loggp.latency_s + loggp.overhead_send_s + loggp.overhead_receive_s
        if not self.world.handshake:
            handshake_s = loggp.gap_s
        ranges = {0: of_small, eager: {**of_large, "gap_s": handshake_s}}
        # The nearest size counts, so that the limit lies between these two.
        by_itself = figure("rendezvous_overlap", 0.0) if self.world.handshake else 1.0
        offloaded = np.array([by_itself])
        offloaded, attended = offloaded * loggp.overlap, loggp.overlap
        overlap = {eager // 2: attended, 2 * eager: offloaded}
        return PathCosts(ranges, overlap=overlap, steal=costs.steal)

    def modelled_s(self, variant: KernelVariant) -> float:
        """The time of a run of the variant, by the graphs of its schedules."""
        return variant.run_s(self.costs(variant.transport).request, self.seconds_per_flop)

    def work_s(self, variant: KernelVariant) -> float:
        """A rank's computation in a run of the variant."""
        return variant.flops * self.seconds_per_flop
