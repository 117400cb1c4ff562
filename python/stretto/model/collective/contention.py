# SPDX-License-Identifier: BSD-3-Clause
"""How long an operation's messages take on a network's links, in times that one message takes.

The paper's functions hold for concurrent groups only if those don't interfere (section 3). On a torus they
do; but which links a message takes is known there and, of the reference algorithms (LAM's), who sends what
when. Messages share links fairly. Knows no seconds: those are in the coefficients (decision 0080).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

ROOTED = ("broadcast", "gather", "scatter", "reduce")  # whose messages are known; others are made of these
_MOST_LINEAR = 4  # LAM: linear up to four ranks
_DONE = 1e-9  # of a message
Torus = tuple[int, ...]
Link = tuple[int, int, int]


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


class Message(NamedTuple):
    """From one member of a group to another, once messages `after` (by their place in the list) are there."""

    sender: int
    receiver: int
    after: tuple[int, ...]


def messages(operation: str, members: int, in_turn: bool) -> list[Message]:
    """Those of a reference algorithm with root 0, the message of member i at place i - 1.

    Args:
        operation: One of ROOTED.
        members: p.
        in_turn: Whether a rank's messages wait for each other, as those do that meet their receiver
            (rendezvous); eager ones are all handed over at once.
    """
    if operation in ("gather", "scatter"):
        chain = [(i - 1,) if in_turn and i > 0 else () for i in range(members - 1)]
        pairs = [(0, i) if operation == "scatter" else (i, 0) for i in range(1, members)]
        return [Message(*pair, after) for pair, after in zip(pairs, chain, strict=True)]
    if members <= _MOST_LINEAR:
        if operation == "broadcast":
            return [Message(0, i, ()) for i in range(1, members)]
        last = members - 2  # received from the last to the first
        return [Message(i + 1, 0, (i + 1,) if in_turn and i < last else ()) for i in range(last + 1)]
    tree = _broadcast_message if operation == "broadcast" else _reduce_message
    return [tree(i, members, in_turn) for i in range(1, members)]


def _broadcast_message(receiver: int, members: int, in_turn: bool) -> Message:
    """In stage 2^k the first 2^k ranks send to the next 2^k."""
    stage = 1 << (receiver.bit_length() - 1)
    sender = receiver - stage
    after = [sender - 1] if sender > 0 else []
    if in_turn and sender < stage // 2:  # which it sent to in the stage before
        after.append(sender + stage // 2 - 1)
    return Message(sender, receiver, tuple(after))


def _reduce_message(sender: int, members: int, in_turn: bool) -> Message:
    """The lowest bit of a rank is the stage in which it sends, when it has all of its subtree."""
    stage = sender & -sender
    receiver = sender - stage
    after = [sender + below - 1 for below in _powers_below(stage) if sender + below < members]
    if in_turn and stage > 1:
        after.append(receiver + stage // 2 - 1)
    return Message(sender, receiver, tuple(after))


def _powers_below(stage: int) -> list[int]:
    return [1 << k for k in range(stage.bit_length() - 1)]


def route(torus: Torus, sender: int, receiver: int) -> list[Link]:
    """The links from node to node, first along the first dimension, the shorter way round.

    Without a torus nodes hang on a switch by a link each way.
    """
    if not torus:
        return [(sender, 0, 1), (receiver, 0, -1)]
    links, stride, here = [], 1, sender
    for dimension, width in enumerate(torus):
        at, to = (node // stride % width for node in (here, receiver))
        ahead = (to - at) % width
        # Half way round it goes up, except from the middle down to 0 (SimGrid's TorusZone).
        up = ahead < width - ahead or (2 * ahead == width and (to > at or at > width // 2))
        for _ in range(min(ahead, width - ahead)):
            links.append((here, dimension, 1 if up else -1))
            step = (at + (1 if up else -1)) % width
            here += (step - at) * stride
            at = step
        stride *= width
    return links or [(sender, -1, receiver)]  # on one node


@lru_cache(maxsize=4096)
def link_time(operation: str, members: int, placement: Placement, torus: Torus, in_turn: bool) -> float:
    """Until the last message is there, in times that one message alone takes on a link."""
    paths: list[list[Link]] = []
    after: list[list[int]] = []
    for group in range(placement.groups):
        first = len(paths)
        for sender, receiver, before in messages(operation, members, in_turn):
            ends = (placement.rank(group, member, members) for member in (sender, receiver))
            paths.append(route(torus, *ends))
            after.append([first + place for place in before])
    return _makespan(paths, after)


def _makespan(paths: Sequence[Sequence[Link]], after: Sequence[Sequence[int]]) -> float:
    missing = [len(before) for before in after]
    next_of: list[list[int]] = [[] for _ in paths]
    for place, before in enumerate(after):
        for one in before:
            next_of[one].append(place)
    left = {place: 1.0 for place, count in enumerate(missing) if count == 0}
    time = 0.0
    while left:
        rates = _fair_rates({place: paths[place] for place in left})
        step = min(left[place] / rates[place] for place in left)
        time += step
        for place in list(left):
            left[place] -= step * rates[place]
            if left[place] > _DONE:
                continue
            del left[place]
            for later in next_of[place]:
                missing[later] -= 1
                if missing[later] == 0:
                    left[later] = 1.0
    return time


def _fair_rates(paths: dict[int, Sequence[Link]]) -> dict[int, float]:
    """The share of a link that each message gets, when none can have more without another's having less."""
    free = dict.fromkeys((link for path in paths.values() for link in path), 1.0)
    rates: dict[int, float] = {}
    while len(rates) < len(paths):
        users = Counter(link for place, path in paths.items() if place not in rates for link in path)
        least = min(free[link] / count for link, count in users.items())
        full = {link for link, count in users.items() if free[link] / count <= least * (1 + _DONE)}
        for place, path in paths.items():
            if place not in rates and not full.isdisjoint(path):
                rates[place] = least
                for link in path:
                    free[link] -= least
    return rates


def sends_on_the_path(members: int) -> list[int]:
    """How many sends each rank has on a broadcast's longest path, 0 - 1 - 3 - 7 - ..., without the root's."""
    senders = Counter(message.sender for message in messages("broadcast", members, False))
    path = [(1 << k) - 1 for k in range(1, members.bit_length() + 1)]
    return [senders[rank] for rank in path if senders[rank] > 0]


@lru_cache(maxsize=4096)
def overheads(operation: str, members: int) -> int:
    """Sends and receives, one after the other, until the last rank is done: LogP with o alone."""
    busy_until = [0] * members
    ordered = messages(operation, members, False)
    if operation == "reduce":  # a rank receives by stages, up to four ranks the last first
        by_stage = sorted(ordered, key=lambda m: (m.sender & -m.sender, m.sender))
        ordered = ordered[::-1] if members <= _MOST_LINEAR else by_stage
    for sender, receiver, _ in ordered:
        busy_until[sender] += 1
        busy_until[receiver] = max(busy_until[receiver], busy_until[sender]) + 1
    return max(busy_until)
