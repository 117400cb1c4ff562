# SPDX-License-Identifier: BSD-3-Clause
"""A variant of a kernel as a sequence of schedules, and how the steps of such a schedule are written down.

What is waited for depends on the transport (`src/kernel/mover*.cpp`): of `stretto` the flag that travels with
a put, in one message; of `mpi-two-sided` the send and the message that comes the same way; of `mpi-rma` all
puts and a barrier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from stretto.model.schedule import Await, Compute, Finish, Operation, Schedule, Start, Step

TRANSPORTS: Mapping[str, Operation] = {"mpi-two-sided": "send", "stretto": "put", "mpi-rma": "put"}
"""Whose parameters of the profile the blocks of a kernel travel by; the simplest first."""


@dataclass(frozen=True)
class Phase:
    """A schedule that a rank goes through `times` times; `flops` are its computation in one of them."""

    schedule: Schedule
    times: int
    flops: float


@dataclass(frozen=True)
class KernelVariant:
    """A variant over a transport. `overlapped`: whether it computes while messages are under way.

    Attributes:
        settings: Options of the kernel that belong to it (`--set`).
    """

    variant: str
    transport: str
    overlapped: bool
    phases: tuple[Phase, ...]
    settings: tuple[str, ...] = ()

    @property
    def messages(self) -> int:
        """Messages with data that a rank starts, in all phases."""
        starts = ((phase.times, step) for phase in self.phases for step in phase.schedule.steps)
        return sum(times for times, step in starts if isinstance(step, Start) and step.size_bytes > 0)


def exchanges(variant: Callable[[str, str], KernelVariant]) -> list[KernelVariant]:
    """All that a profile could carry of a kernel that exchanges with few others, the simplest first.

    Args:
        variant: Of the kernel, by name and transport.
    """
    plain = [("two-sided", "mpi-two-sided"), ("blocking", "stretto"), ("blocking", "mpi-rma")]
    return [variant(*one) for one in (*plain, *(("nonblocking", over) for over in TRANSPORTS))]


@dataclass
class Program:
    """The steps of a rank under construction, for one transport.

    Attributes:
        blocking: Every put to a window is complete before the next step. Those of `stretto` leave as messages
            whose source may be changed at once.
    """

    transport: str
    blocking: bool = False
    steps: list[Step] = field(default_factory=list)
    started: int = 0

    def compute(self, share: float) -> None:
        """So much of the schedule's computation."""
        if share > 0:
            self.steps.append(Compute(share, "work"))

    def start(self, hop: int, size_bytes: int) -> int:
        """A message to the rank `hop` further on; its number."""
        message = self.started
        self.started += 1
        operation: Operation = "put" if self.transport == "mpi-rma" else "send"
        self.steps.append(Start(message, hop, size_bytes, operation, "init"))
        if self.blocking and self.transport == "mpi-rma":
            self.steps.append(Finish(message))
        return message

    def arrive(self, messages: Iterable[int]) -> None:
        """Waits for what reaches this rank as these messages leave it."""
        wait = Await if self.transport == "stretto" else Finish
        self.steps.extend(wait(message) for message in messages)

    def release(self, hops: Iterable[int]) -> None:
        """Tells these ranks that their landings were read: over `stretto` a flag without data, to each."""
        if self.transport == "stretto":
            for hop in hops:
                self.start(hop, 0)

    def phase(self, name: str, ranks: int, times: int, flops: float) -> Phase:
        """What was written down; its computation is one part."""
        return Phase(Schedule(name, ranks, 1, tuple(self.steps)), times, flops)
