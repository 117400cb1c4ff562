# SPDX-License-Identifier: BSD-3-Clause
"""Hosts and links that are slower than the others of the same measurement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from stretto.data.hosts import HostsRun, Matrix

SLOW = 1.2
"""A host or a link that takes so many times the time of the others is slow."""
_FEWEST = 3  # ranks among which one can be told to be slow


@dataclass(frozen=True)
class Slow:
    """A slow rank, or the slow link between two of them.

    Attributes:
        ranks: One rank, or the two of a link in the direction of its messages.
        what: computation, latency or bandwidth.
        factor: Its time over that of the others, above 1; of a bandwidth, the others' over its own.
    """

    ranks: tuple[int, ...]
    what: str
    factor: float


def slow_hosts_and_links(run: HostsRun) -> list[Slow]:
    """What is slow, the slowest first. Links of slow ranks are not named again.

    A rank is compared by the median of its links with the median of all links that are not its own. A link
    is compared with the other links of both of its ranks. Links within a host are left out where there are
    several hosts.
    """
    if len(run.hosts) < _FEWEST:
        return []
    found = [Slow((rank,), "computation", factor) for rank, factor in _slow_values(run.compute_s)]
    times = {
        "latency": _between_hosts(run, run.latency_s),
        "bandwidth": _between_hosts(run, _inverted(run.bandwidth_bytes_per_s)),
    }
    for what, matrix in times.items():
        ranks = list(_slow_ranks(matrix))
        found += [Slow((rank,), what, factor) for rank, factor in ranks]
        found += [
            Slow(pair, what, factor)
            for pair, factor in _slow_links(matrix, {rank for rank, _ in ranks})
            if what == "bandwidth" or pair[0] < pair[1]  # a latency is of both directions
        ]
    return sorted(found, key=lambda one: -one.factor)


def _slow_values(values: Sequence[float]) -> Iterable[tuple[int, float]]:
    for rank, value in enumerate(values):
        others = median([*values[:rank], *values[rank + 1 :]])
        if others > 0 and value > SLOW * others:
            yield rank, value / others


def _inverted(matrix: Matrix) -> Matrix:
    """The time per byte of each bandwidth."""
    return tuple(tuple(1 / one if one else None for one in row) for row in matrix)


def _between_hosts(run: HostsRun, matrix: Matrix) -> Matrix:
    """The links between hosts; all where there is one host. A latency stands in one direction only."""
    one_host = len(set(run.hosts)) == 1
    return tuple(
        tuple(one if one_host or run.hosts[a] != run.hosts[b] else None for b, one in enumerate(row))
        for a, row in enumerate(matrix)
    )


def _links(matrix: Matrix) -> list[tuple[int, int, float]]:
    return [(a, b, one) for a, row in enumerate(matrix) for b, one in enumerate(row) if one is not None]


def _slow_ranks(matrix: Matrix) -> Iterable[tuple[int, float]]:
    links = _links(matrix)
    for rank in range(len(matrix)):
        own = [time for a, b, time in links if rank in (a, b)]
        others = [time for a, b, time in links if rank not in (a, b)]
        if own and others and median(own) > SLOW * median(others):
            yield rank, median(own) / median(others)


def _slow_links(matrix: Matrix, slow: set[int]) -> Iterable[tuple[tuple[int, int], float]]:
    links = _links(matrix)
    for a, b, time in links:
        if slow & {a, b}:
            continue
        others = [[other for c, d, other in links if end in (c, d) and {c, d} != {a, b}] for end in (a, b)]
        usual = [median(one) for one in others if one]
        if usual and time > SLOW * max(usual):
            yield (a, b), time / max(usual)
