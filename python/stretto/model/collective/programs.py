# SPDX-License-Identifier: BSD-3-Clause
"""What each rank does in the reference algorithms (LAM's), in its order: who sends what to whom.

Operations follow each other on the same ranks, as the phases of a call on a grid do, the two halves of an
allreduce, and the iterations of an application. Knows no times: those are `flows`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

ROOTED = ("broadcast", "gather", "scatter", "reduce")  # whose messages are known; others are made of these
_MOST_LINEAR = 4  # LAM: linear up to four ranks


class Action(NamedTuple):
    """One thing that a rank does before it goes on.

    Attributes:
        kind: `send`, `receive` or `work`.
        peers: To or from whom; several where messages are handed over at once (MPI_Isend), all waited for.
        amount: Of each message, in bytes; of work, in seconds.
    """

    kind: str
    peers: tuple[int, ...]
    amount: float


# Of every rank, in its order.
Programs = list[list[Action]]


@dataclass(frozen=True)
class Placement:
    """Which ranks the groups of a phase have: `groups` of them at once, `stride` from one member to the next.

    Groups of neighbours (stride 1) lie one behind the other, others in between each other.
    """

    stride: int = 1
    groups: int = 1

    def rank(self, group: int, member: int, members: int) -> int:
        return group * (members if self.stride == 1 else 1) + member * self.stride


ALONE = Placement()


@dataclass(frozen=True)
class Part:
    """An operation of ROOTED in all of its groups, with messages of `size` (bytes, or times a b)."""

    operation: str
    members: int
    placement: Placement = ALONE
    size: float = 1.0


# Table 1: what the operations without a root are made of, and whether a part has p blocks in a message.
_MADE_OF: Mapping[str, tuple[tuple[str, bool], ...]] = {
    "allreduce": (("reduce", False), ("broadcast", False)),
    "allgather": (("gather", False), ("broadcast", True)),
}


def parts_of(operation: str, members: int, placement: Placement = ALONE, size: float = 1.0) -> list[Part]:
    """The parts of one operation, one after the other; none where its messages are not known."""
    if operation in ROOTED:
        return [Part(operation, members, placement, size)]
    return [
        Part(part, members, placement, size * (members if is_whole else 1))
        for part, is_whole in _MADE_OF.get(operation, ())
    ]


def programs_of(parts: Iterable[Part]) -> Programs:
    """What the ranks do when the parts follow each other, without a barrier in between."""
    programs: Programs = []
    for part in parts:
        append(programs, part)
    return programs


def append(programs: Programs, part: Part) -> None:
    """One more part, with new ranks where there were fewer."""
    for group in range(part.placement.groups):
        ranks = [part.placement.rank(group, member, part.members) for member in range(part.members)]
        programs += [[] for _ in range(ranks[-1] + 1 - len(programs))]
        _OPERATIONS[part.operation](programs, ranks, part.size)


def _exchange(programs: Programs, sender: int, receiver: int, size: float) -> None:
    programs[sender].append(Action("send", (receiver,), size))
    programs[receiver].append(Action("receive", (sender,), size))


def _gather(programs: Programs, ranks: Sequence[int], size: float) -> None:
    for member in ranks[1:]:
        _exchange(programs, member, ranks[0], size)


def _scatter(programs: Programs, ranks: Sequence[int], size: float) -> None:
    for member in ranks[1:]:
        _exchange(programs, ranks[0], member, size)


def _broadcast(programs: Programs, ranks: Sequence[int], size: float) -> None:
    """In stage 2^k the first 2^k ranks send to the next 2^k."""
    if 1 < len(ranks) <= _MOST_LINEAR:
        programs[ranks[0]].append(Action("send", tuple(ranks[1:]), size))
        for member in ranks[1:]:
            programs[member].append(Action("receive", (ranks[0],), size))
        return
    for receiver in range(1, len(ranks)):
        sender = receiver - (1 << (receiver.bit_length() - 1))
        _exchange(programs, ranks[sender], ranks[receiver], size)


def _reduce(programs: Programs, ranks: Sequence[int], size: float) -> None:
    """The lowest bit of a rank is the stage in which it sends; of up to four the last is received first."""
    if len(ranks) <= _MOST_LINEAR:
        for member in reversed(ranks[1:]):
            _exchange(programs, member, ranks[0], size)
        return
    for sender in sorted(range(1, len(ranks)), key=lambda member: (member & -member, member)):
        _exchange(programs, ranks[sender], ranks[sender - (sender & -sender)], size)


_OPERATIONS = {"broadcast": _broadcast, "gather": _gather, "scatter": _scatter, "reduce": _reduce}
