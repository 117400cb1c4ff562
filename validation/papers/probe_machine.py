# SPDX-License-Identifier: BSD-3-Clause
"""The architectural probes' machines, simulated and for schedules' graphs: 32 ranks, two or eight on a node.

All costs come from the platform's figures. Transforms have one rate, the share of the peak that section 4.1
gives; that of products is the platform's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from stretto.data.results import ResultRow
from stretto.data.samples import Samples
from stretto.launch.platforms import Platform
from stretto.model.derive import derive_results
from stretto.model.evaluation import Question, Times, evaluate
from stretto.model.network import LogGp, PathCosts
from stretto.model.problem import FtProblem, SpmvProblem
from stretto.model.schedule import Schedule
from validation.papers.simulation import probe_samples
from validation.papers.world import FABRIC, Changes, World, altered

RANKS = 32
RANKS_PER_NODE = {"jacquard": 2, "bassi": 8}
SHAPES = tuple((8192 >> step, 512 << step) for step in range(8))
"""N and R of sections 6.2 and 6.3, at a constant volume of 64 MiB per rank."""
FEW_LARGE, MANY_SMALL = (32, 65536), (8192, 512)
"""N and R of sections 6.4 and 6.5."""
FRACTIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of a row that are transformed."""
RATIOS = (1e-6, 4e-6, 1e-5, 4e-5, 1e-4, 4e-4, 1e-3)
"""Ratios of nonzeros."""
DEPTHS = (1, 2, 4, 8, 12, 16, 20, 24, 31)


@dataclass(frozen=True)
class ProbeMachine:
    """One of the two machines."""

    platform: Platform
    world: World

    @staticmethod
    def named(name: str, world: World) -> ProbeMachine:
        """`jacquard` or `bassi`."""
        return ProbeMachine(world.platform(name), world)

    @property
    def ranks_per_node(self) -> int:
        return RANKS_PER_NODE[self.platform.name]

    @property
    def order(self) -> int:
        """The order of the matrix of products."""
        return round(self.world.value("spmv_order"))

    @property
    def two_ranks_gap_s(self) -> float:
        """G of streaming both ways between two ranks (bar M)."""
        one_way = self.platform.figure("bandwidth_bytes_per_s", 1)
        if not self.world.contention:
            return 1 / one_way
        return max(1 / one_way, 2 / self.platform.figure("bus_bandwidth_bytes_per_s", 2 * one_way))

    @property
    def all_ranks_gap_s(self) -> float:
        """G of all ranks at once (bar E): ranks of a node share its adapter, and all nodes the fabric."""
        if not self.world.contention:
            return self.two_ranks_gap_s
        outside = self.ranks_per_node * (RANKS - self.ranks_per_node) / (RANKS - 1)
        one_way_s = 1 / self.platform.figure("bandwidth_bytes_per_s", 1)
        return outside * max(self.two_ranks_gap_s, one_way_s / self.platform.figure(FABRIC, 1))

    def costs(
        self, gap_s: float | None = None, completion_s: float = 0.0, eta: float | None = None
    ) -> PathCosts:
        """The costs of puts and gets.

        Args:
            eta: The share of a message's time that may pass while its rank computes; None: the world's.
            gap_s: G of the paper's models, whose messages take bytes alone of the wire. None: the machine's
                costs with all ranks at once, and the adapter's time per message.
            completion_s: The time of the target's processor per message.
        """
        figure = self.platform.figure
        return PathCosts.uniform(
            LogGp.of(
                L=figure("wire_latency_s", 0),
                o=figure("overhead_send_s", 0),
                o_r=completion_s,
                g=figure("gap_wire_s", 0) if gap_s is None else 0.0,
                g_queue=figure("gap_queue_s", 0),
                G=self.all_ranks_gap_s if gap_s is None else gap_s,
                overlap=self.world.eta(self.platform.name) if eta is None else eta,
            )
        )

    def interrupt_s(self, size_bytes: int) -> float:
        """What the arrival of a put with a signal takes of the target's processor: the handler of an Active
        Message runs once the data is complete, and copies it where the adapter cannot place it itself.
        """
        handler_s = self.platform.figure("interrupt_s", 0)
        rate = self.platform.figure("handler_bytes_per_s", 0)
        return handler_s + (size_bytes / rate if rate else 0.0)

    def fft_s(self, rows: int, row_length: int, share: float = 1.0) -> float:
        """A rank's transforms of a share of each row."""
        flops = FtProblem(rows, row_length, RANKS).flops * share
        return flops / (self.world.value("fft_efficiency") * self.platform.figure("core_flops_per_s", 1))

    def spmv_s(self, nonzero_ratio: float) -> float:
        """A rank's products at the machine's share of its peak."""
        rate = self.platform.figure("core_flops_per_s", 1) * self.platform.figure("spmv_efficiency", 0.1)
        return SpmvProblem(self.order, nonzero_ratio, RANKS).flops / rate


@cache
def simulated_samples(name: str, probe: str, *words: str, changes: Changes = ()) -> Samples:
    """The samples of one round of a probe on a simulated machine, with one-sided puts and gets."""
    transport = ("--transport", "mpi-rma", "--progress", "none")
    machine, ranks_per_node = altered(name, changes), RANKS_PER_NODE[name]
    return probe_samples(machine, RANKS, probe, *transport, *words, ranks_per_node=ranks_per_node)


@cache
def simulated_rows(name: str, probe: str, *words: str, changes: Changes = ()) -> Sequence[ResultRow]:
    """The results of these samples."""
    return derive_results(simulated_samples(name, probe, *words, changes=changes)).rows


def ft_times(
    machine: ProbeMachine, shape: tuple[int, int], works_s: Sequence[float], gap_s: float | None = None
) -> list[dict[str, Times]]:
    """Exchange, slabs and pencils of N rows of R with each of the computations."""
    problem = FtProblem(*shape, RANKS)
    names = ("exchange", "slabs", "pencils")
    questions = [
        Question(problem.schedule(name), machine.costs(gap_s), np.array([work_s]))
        for work_s in works_s
        for name in names
    ]
    times = evaluate(questions)
    return [dict(zip(names, times[at : at + 3], strict=True)) for at in range(0, len(times), 3)]


def spmv_times(
    machine: ProbeMachine, depths: Sequence[int], work_s: float, gap_s: float | None = None
) -> dict[tuple[str, int], Times]:
    """Gather and scatter at each depth, and bulk (depth 0) of the one size.

    Scatter sends signalling puts: an Active Message carries data and signal (section 5.2). Messages pass
    under the share eta of the computation, and under none of the rest.
    """
    problem = SpmvProblem(machine.order, 1e-6, RANKS)
    plain = machine.costs(gap_s, eta=1.0)
    handled = machine.costs(gap_s, machine.interrupt_s(problem.block_bytes), eta=1.0)
    # Those of the barrier carry no block: they cost what they cost gather.
    signalled = dataclasses.replace(plain, ranges={**plain.ranges, problem.block_bytes: handled.ranges[0]})
    alone_s = (1 - machine.world.eta(machine.platform.name)) * work_s
    work = np.array([work_s - alone_s])
    asked: dict[tuple[str, int], Question] = {("bulk", 0): Question(problem.schedule("bulk"), plain, work)}
    for depth in depths:
        asked["gather", depth] = Question(problem.schedule("gather", depth), plain, work)
        asked["scatter", depth] = Question(_active_message(problem, depth), signalled, work)
    times = [_with_work(one, alone_s) for one in evaluate(list(asked.values()))]
    return dict(zip(asked, times, strict=True))


def _with_work(times: Times, work_s: float) -> Times:
    """The same with computation that no message passes under."""
    if not work_s:
        return times
    segments_s = {**times.segments_s, "local_work": times.segment_s("local_work") + work_s}
    return dataclasses.replace(times, total_s=times.total_s + work_s, segments_s=segments_s)


def _active_message(problem: SpmvProblem, depth: int) -> Schedule:
    """Scatter whose messages carry their signals: visible L after the last byte, and after the handler."""
    sizes = {"block_bytes": problem.block_bytes, "prefetch": depth}
    return Schedule("spmv", "scatter", problem.ranks, "send", sizes)


def total_s(times: Times) -> float:
    """The time of the only draw."""
    return float(times.total_s[0])


def segment_s(times: Times, *names: str) -> float:
    """The sum of some segments of the only draw."""
    return float(times.segment_s(*names)[0])
