# SPDX-License-Identifier: BSD-3-Clause
"""Which links a message takes, on a torus or through a switch, and the share of them that each one has."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

Torus = tuple[int, ...]
Link = tuple[int, int, int]
_SAME = 1e-9  # shares that differ by less are alike


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


class Links:
    """The messages that are on links now, by their number."""

    def __init__(self) -> None:
        self._on_link: dict[Link, set[int]] = defaultdict(set)
        self._path: dict[int, Sequence[Link]] = {}

    def add(self, message: int, path: Sequence[Link]) -> None:
        """From now on it shares the links of its path."""
        self._path[message] = path
        for link in path:
            self._on_link[link].add(message)

    def remove(self, message: int) -> Sequence[Link]:
        """It has arrived; returns the links that it leaves."""
        path = self._path.pop(message)
        for link in path:
            self._on_link[link].discard(message)
        return path

    def shares(self, links: Iterable[Link]) -> dict[int, float]:
        """The shares of all messages that depend on what happens on these links, of a link that is one.

        Such that none can have more without another's having less, where one that takes k links counts 1/k of
        one that takes one: round trips over more links let less be under way (SimGrid's CM02, as TCP).
        """
        touched = self._touched(links)
        free = {link: 1.0 for message in touched for link in self._path[message]}
        weight = {message: 1 / len(self._path[message]) for message in touched}
        wanted = {link: sum(weight[one] for one in self._on_link[link]) for link in free}
        left = {link: len(self._on_link[link]) for link in free}
        found: dict[int, float] = {}
        while len(found) < len(touched):
            least = min(free[link] / wanted[link] for link, count in left.items() if count)
            full = [
                link for link, n in left.items() if n and free[link] / wanted[link] <= least * (1 + _SAME)
            ]
            for message in {one for link in full for one in self._on_link[link]} - found.keys():
                found[message] = least * weight[message]
                for link in self._path[message]:
                    free[link] -= found[message]
                    wanted[link] -= weight[message]
                    left[link] -= 1
        return found

    def _touched(self, links: Iterable[Link]) -> set[int]:
        """Messages on these links, on the other links of those, and so on."""
        todo = list(links)
        seen = set(todo)
        touched: set[int] = set()
        while todo:
            for message in self._on_link[todo.pop()] - touched:
                touched.add(message)
                fresh = [link for link in self._path[message] if link not in seen]
                seen.update(fresh)
                todo += fresh
        return touched
