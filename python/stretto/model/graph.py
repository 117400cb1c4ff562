# SPDX-License-Identifier: BSD-3-Clause
"""When a schedule ends on a LogGP network: its graph, step by step, for many draws of the parameters at once.

The network is that of the virtual machine (`src/exchange/virtual/run.hpp`) for ranks that all do the same,
shifted: the card takes messages one at a time, g + (s-1) G each; the injection queue takes a start every
g_queue; of a transfer the fraction `overlap` passes while its origin is in no call, the rest once it waits.
That ranks of a node share a card is in G, as it was measured with all of them (bar E).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from stretto.model.network import LogGp, Network
from stretto.model.schedule import Await, Compute, Finish, Schedule, Start
from stretto.model.statistics import Floats


@dataclass(frozen=True)
class Times:
    """How long a rank takes, and its segments; seconds, shape (draws,). Segments add up to `total_s`."""

    total_s: Floats
    segments_s: Mapping[str, Floats]

    def segment_s(self, *names: str) -> Floats:
        """The sum of some segments; those that a schedule does not have are zero."""
        zero = np.zeros_like(self.total_s)
        return sum((self.segments_s.get(name, zero) for name in names), zero)


def evaluate(schedule: Schedule, network: Network, work_s: Floats, barrier_s: Floats | None = None) -> Times:
    """The time of `schedule`, ended by a barrier, when all ranks begin together.

    Args:
        schedule: What every rank does.
        network: Parameters by message size; `draws` of them.
        work_s: A rank's whole computation alone, shape (draws,).
        barrier_s: What the barrier costs, shape (draws,); by dissemination on this network unless told.
    """
    rank = _Rank(network, work_s / schedule.parts)
    for step in schedule.steps:
        if isinstance(step, Compute):
            rank.compute(step)
        elif isinstance(step, Start):
            rank.start(step)
        elif isinstance(step, Finish):
            rank.finish(step.message)
        elif isinstance(step, Await):
            rank.await_signal(step.message)
    rank.barrier(schedule.ranks, barrier_s)
    return Times(rank.now_s, rank.segments_s)


@dataclass
class _Transfer:
    """A started transfer. `left_s`: when the last byte left the card, or the last that leaves by itself.

    `rest_s`: how long the rest is on the wire, once somebody waits.
    """

    start: Start
    loggp: LogGp
    left_s: Floats
    rest_s: Floats

    @property
    def over_s(self) -> Floats:
        """When its data is at the destination and, of a put, that is known here."""
        ways = 2 if self.start.operation == "put" else 1
        return self.left_s + ways * self.loggp.latency_s


@dataclass
class _Rank:
    """A rank under way: its clock, and the clocks of its injection queue and network card."""

    network: Network
    part_s: Floats
    now_s: Floats = field(init=False)
    segments_s: dict[str, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        draws = max(self.network.draws, len(self.part_s))
        self.now_s = np.zeros(draws)
        self.queue_free_s = np.zeros(draws)
        self.card_free_s = np.zeros(draws)
        self.moving_until_s = np.zeros(draws)
        self.buffered_s = np.zeros(draws)
        self.transfers: list[_Transfer] = []
        self.undriven: list[_Transfer] = []

    def pass_to(self, time_s: Floats, segment: str) -> None:
        self.segments_s[segment] = self.segments_s.get(segment, 0.0) + (time_s - self.now_s)
        self.now_s = time_s

    def compute(self, step: Compute) -> None:
        """While messages move, work proceeds at rate 1 - steal."""
        work_s = step.parts * self.part_s
        if self.transfers:
            steal = self.transfers[-1].loggp.steal
            moving_s = np.maximum(self.moving_until_s - self.now_s, 0.0)
            with np.errstate(divide="ignore"):
                work_s = work_s + steal * np.minimum(moving_s, _ratio(work_s, 1 - steal))
        self.pass_to(self.now_s + work_s, step.segment)

    def start(self, step: Start) -> None:
        """Waits for the queue, pays o_s; the card gets the message when the queue has taken it (eq. 4)."""
        loggp = self.network.at(step.size_bytes)
        begin_s = np.maximum(self.now_s, self.queue_free_s)
        self.queue_free_s = begin_s + loggp.gap_queue_s
        self.pass_to(begin_s + loggp.overhead_send_s, step.segment)
        ready_s = np.maximum(self.now_s, self.queue_free_s)
        if step.operation == "get":
            ready_s = ready_s + loggp.latency_s  # the request; the card there serves the same as ours does
        wire_s = loggp.wire_s(step.size_bytes)
        alone_s = self.unattended_s(loggp, wire_s)
        alone_until_s = np.maximum(ready_s, self.card_free_s) + alone_s
        transfer = _Transfer(step, loggp, alone_until_s, wire_s - alone_s)
        whole = transfer.rest_s <= 0
        self.card_free_s = alone_until_s + np.where(whole, loggp.gap_s, 0.0)
        moving_until_s = np.where(whole, transfer.over_s, alone_until_s)
        self.moving_until_s = np.maximum(self.moving_until_s, moving_until_s)
        self.transfers.append(transfer)
        if not whole.all():
            self.undriven.append(transfer)

    def unattended_s(self, loggp: LogGp, wire_s: Floats) -> Floats:
        """What of a transfer's wire time passes by itself, as far as buffers have room for it."""
        alone_s = loggp.overlap * wire_s
        if np.isinf(loggp.unattended_bytes).all():
            return alone_s
        room_s = np.maximum(loggp.unattended_bytes * loggp.gap_s_per_byte - self.buffered_s, 0.0)
        alone_s = np.minimum(alone_s, room_s)
        self.buffered_s = self.buffered_s + alone_s
        return alone_s

    def drive(self) -> None:
        """In a call that waits: what did not pass by itself goes out, in the order of starts."""
        for transfer in self.undriven:
            whole = transfer.rest_s <= 0
            ready_s = np.maximum(np.maximum(self.now_s, transfer.left_s), self.card_free_s)
            transfer.left_s = np.where(whole, transfer.left_s, ready_s + transfer.rest_s)
            after_s = transfer.left_s + transfer.loggp.gap_s
            self.card_free_s = np.where(whole, self.card_free_s, after_s)
            self.moving_until_s = np.maximum(self.moving_until_s, transfer.over_s)
        self.undriven.clear()
        self.buffered_s = np.zeros_like(self.now_s)

    def finish(self, message: int) -> None:
        self.drive()
        transfer = self.transfers[message]
        received_s = np.maximum(self.now_s, transfer.over_s) + transfer.loggp.overhead_receive_s
        self.pass_to(received_s, "sync")

    def await_signal(self, message: int) -> None:
        """A put's flag goes out once its data is acknowledged, and is seen one latency later."""
        self.drive()
        transfer = self.transfers[message]
        flag_s = 0.0 if transfer.start.operation == "send" else transfer.loggp.latency_s
        seen_s = np.maximum(self.now_s, transfer.over_s + flag_s)
        self.pass_to(seen_s + transfer.loggp.overhead_receive_s, "sync")

    def barrier(self, ranks: int, barrier_s: Floats | None) -> None:
        """By dissemination: ceil(log2 P) rounds of one small message each."""
        small = self.network.at(0)
        round_s = small.overhead_send_s + small.latency_s + small.overhead_receive_s
        cost_s = (ranks - 1).bit_length() * round_s if barrier_s is None else barrier_s
        self.pass_to(self.now_s + cost_s, "barrier")


def _ratio(above: Floats, below: Floats) -> Floats:
    """What `above` over `below` is, infinite where below is zero."""
    return np.where(below > 0, above / np.where(below > 0, below, 1.0), np.inf)
