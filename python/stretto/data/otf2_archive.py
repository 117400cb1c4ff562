# SPDX-License-Identifier: BSD-3-Clause
"""The ranks, clock, communicators and messages of an OTF2 archive in terms of stretto's traces."""

from __future__ import annotations

from collections import deque
from typing import Any

from stretto.data.foreign_calls import COLLECTIVE, RECEIVE, SEND, Comm, Transfer
from stretto.data.trace_records import NO_PEER

_VECTORS = ("bcast", "reduce", "allreduce", "scan", "exscan")


class World:
    """Data shared by all ranks: the clock, the rank numbers, and pending transfers."""

    def __init__(self, archive: Any) -> None:
        clock = archive.definitions.clock_properties
        self.offset, self.resolution = int(clock.global_offset), int(clock.timer_resolution)
        if self.resolution <= 0:
            raise ValueError("a clock that does not run")
        self.ranks = _processes(archive)
        self.comms: dict[int, Comm] = {}
        self.later: dict[tuple[int, int], deque[Transfer | None]] = {}
        self.probed_bytes: dict[tuple[int, int], deque[int]] = {}  # by rank and matched message

    def ns(self, ticks: int) -> int:
        return max(ticks - self.offset, 0) * 1_000_000_000 // self.resolution

    def comm(self, definition: Any, own: int) -> Comm:
        """A communicator; without members, it contains the process only."""
        number = definition._ref
        if not hasattr(definition, "group"):
            raise ValueError("a communicator between two groups, which stretto does not read")
        if number not in self.comms:
            result = (self.ranks.get(location.group, NO_PEER) for location in definition.group.members)
            self.comms[number] = Comm(number, tuple(result))
        known = self.comms[number]
        return known if known.members else Comm(number, (own,))

    def transfer(self, own: int, name: str, event: Any) -> Transfer:
        comm = self.comm(event.communicator, own)
        if name.endswith(("CollectiveEnd", "CollectiveComplete")):
            return self._collective(comm, event)
        sends = name in ("MpiSend", "MpiIsend")
        peer, what = (event.receiver, SEND) if sends else (event.sender, RECEIVE)
        return self.message(own, what, event.communicator, peer, event.msg_tag, event.msg_length)

    def message(
        self, own: int, what: int, communicator: Any, peer: int, tag: int, size_bytes: int
    ) -> Transfer:
        """A message with a rank of a communicator."""
        comm = self.comm(communicator, own)
        if not 0 <= peer < len(comm.members):
            raise ValueError(f"a message with rank {peer} of a communicator of {len(comm.members)}")
        return Transfer(what, comm, comm.members[peer], tag, size_bytes)

    def _collective(self, comm: Comm, event: Any) -> Transfer:
        rooted = isinstance(event.root, int) and 0 <= event.root < len(comm.members)
        sent, received = event.size_sent, event.size_received
        if _name(event.collective_op).lower().removeprefix("i") in _VECTORS:
            # Some recorders count the root's data once per member; the vector is one member's share.
            sent, received = received or sent, 0
        root = comm.members[event.root] if rooted else NO_PEER
        return Transfer(COLLECTIVE, comm, root, 0, sent, received)


def _processes(archive: Any) -> dict[Any, int]:
    """The rank of each process: its index among MPI's locations, or else among the processes.

    Raises:
        ValueError: A process appears twice.
    """
    for group in archive.definitions.groups:
        if _name(group.group_type) == "COMM_LOCATIONS" and _name(group.paradigm) == "MPI":
            ranks = {location.group: rank for rank, location in enumerate(group.members)}
            if len(ranks) != len(group.members):
                raise ValueError("two ranks in one process")
            return ranks
    groups = archive.definitions.location_groups
    processes = (group for group in groups if _name(group.location_group_type) == "PROCESS")
    return {group: rank for rank, group in enumerate(processes)}


def _name(value: Any) -> str:
    """The name of an enumeration's value."""
    return str(value).rpartition(".")[2]
