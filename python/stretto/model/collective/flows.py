# SPDX-License-Identifier: BSD-3-Clause
"""Programs of ranks in time: overheads one after the other, and messages that share links fairly.

LogGP, with the links of the messages: one takes its sender o, is on its way L later, moves with its share of
its links, and takes its receiver o again. One up to the eager limit goes as soon as it is handed over; a
larger one when its receiver is there, too, and its sender waits for its arrival (rendezvous).
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from stretto.model.collective.links import Link, Links, Torus, route
from stretto.model.collective.programs import Programs


@dataclass(frozen=True)
class Machine:
    """What a message takes.

    Attributes:
        overhead_s: o of its sender, and of its receiver.
        latency_s: L.
        gap_s_per_byte: G of a link.
        eager_limit_bytes: The largest that does not wait for its receiver.
        torus: The network's widths, rank i at node i; none: a switch.
    """

    overhead_s: float
    latency_s: float
    gap_s_per_byte: float
    eager_limit_bytes: float
    torus: Torus = ()


@dataclass
class _Message:
    """`left_s`: what it would take if its links were its own; `arrival`: how often its date was moved."""

    sender: int
    receiver: int
    size_bytes: float
    is_eager: bool
    is_sent: bool = False
    is_awaited: bool = False
    is_there: bool = False
    left_s: float = 0.0
    share: float = 0.0
    since_s: float = 0.0
    arrival: int = 0


def makespan_s(programs: Programs, machine: Machine) -> float:
    """Until the last rank is done, all having begun at 0.

    Raises:
        ValueError: The ranks wait for each other for ever.
    """
    run = _Run(programs, machine)
    for rank in range(len(programs)):
        run.after(0.0, partial(run.go_on, rank))
    run.to_the_end()
    if any(at < len(program) for at, program in zip(run.at, programs, strict=True)):
        raise ValueError("the ranks wait for each other for ever")
    return run.end_s  # dates of arrivals that were moved forward may be left after that


class _Run:
    """The state of a run. Of events at one time the first planned is first: equal programs, equal times."""

    def __init__(self, programs: Programs, machine: Machine) -> None:
        self.programs, self.machine = programs, machine
        self.at = [0] * len(programs)  # the action that a rank is at
        self.to_arrive = [0] * len(programs)  # of the messages that a rank's send waits for
        self.messages: list[_Message] = []
        self.of_action = self._match()
        self.links = Links()
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        self.planned = 0
        self.now_s = self.end_s = 0.0

    def _match(self) -> list[list[list[int]]]:
        """The messages of every action of every rank: the n-th between two is the n-th that is received."""
        between: dict[tuple[int, int], list[int]] = defaultdict(list)
        found: list[list[list[int]]] = [[[] for _ in program] for program in self.programs]
        for rank, program in enumerate(self.programs):
            for place, action in enumerate(program):
                for peer in action.peers if action.kind == "send" else ():
                    found[rank][place].append(len(self.messages))
                    between[rank, peer].append(len(self.messages))
                    eager = action.amount <= self.machine.eager_limit_bytes
                    self.messages.append(_Message(rank, peer, action.amount, eager))
        taken: dict[tuple[int, int], int] = defaultdict(int)
        for rank, program in enumerate(self.programs):
            for place, action in enumerate(program):
                for peer in action.peers if action.kind == "receive" else ():
                    found[rank][place].append(between[peer, rank][taken[peer, rank]])
                    taken[peer, rank] += 1
        return found

    def after(self, delay_s: float, event: Callable[[], None]) -> None:
        self.planned += 1
        heapq.heappush(self.events, (self.now_s + delay_s, self.planned, event))

    def to_the_end(self) -> None:
        while self.events:
            self.now_s, _, event = heapq.heappop(self.events)
            event()

    def go_on(self, rank: int) -> None:
        """The rank begins its next action."""
        self.end_s = self.now_s
        if self.at[rank] == len(self.programs[rank]):
            return
        action = self.programs[rank][self.at[rank]]
        mine = self.of_action[rank][self.at[rank]]
        if action.kind == "work":
            self._done(rank, action.amount)
        elif action.kind == "send":
            self._send(rank, mine)
        else:
            self._receive(rank, mine[0])

    def _done(self, rank: int, delay_s: float) -> None:
        self.at[rank] += 1
        self.after(delay_s, partial(self.go_on, rank))

    def _send(self, rank: int, mine: list[int]) -> None:
        overhead_s = self.machine.overhead_s
        for place, number in enumerate(mine):
            self.after((place + 1) * overhead_s, partial(self._sent, number))
        self.to_arrive[rank] = sum(not self.messages[number].is_eager for number in mine)
        if self.to_arrive[rank] == 0:
            self._done(rank, len(mine) * overhead_s)

    def _sent(self, number: int) -> None:
        message = self.messages[number]
        message.is_sent = True
        if message.is_eager or message.is_awaited:
            self.after(self.machine.latency_s, partial(self._move, number))

    def _receive(self, rank: int, number: int) -> None:
        message = self.messages[number]
        message.is_awaited = True
        if message.is_there:
            self._done(rank, self.machine.overhead_s)
        elif message.is_sent and not message.is_eager:
            self.after(self.machine.latency_s, partial(self._move, number))

    def _move(self, number: int) -> None:
        message = self.messages[number]
        message.left_s = message.size_bytes * self.machine.gap_s_per_byte
        message.since_s = self.now_s
        if message.left_s == 0:
            self._arrive(number)
            return
        path = route(self.machine.torus, message.sender, message.receiver)
        self.links.add(number, path)
        self._share(path)

    def _share(self, links: Iterable[Link]) -> None:
        """New dates of arrival for all whose share has changed."""
        for number, share in self.links.shares(links).items():
            message = self.messages[number]
            if share == message.share:
                continue
            message.left_s -= message.share * (self.now_s - message.since_s)
            message.share, message.since_s = share, self.now_s
            message.arrival += 1
            left_s = max(0.0, message.left_s / share)
            self.after(left_s, partial(self._arrive_if, number, message.arrival))

    def _arrive_if(self, number: int, arrival: int) -> None:
        if arrival == self.messages[number].arrival:
            self._share(self.links.remove(number))
            self._arrive(number)

    def _arrive(self, number: int) -> None:
        message = self.messages[number]
        message.is_there = True
        if message.is_awaited:
            self._done(message.receiver, self.machine.overhead_s)
        if message.is_eager:
            return
        self.to_arrive[message.sender] -= 1
        if self.to_arrive[message.sender] == 0:
            self._done(message.sender, 0.0)
