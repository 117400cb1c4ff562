# SPDX-License-Identifier: BSD-3-Clause
"""The overhead of the runtime's get over MPI's get, at the smallest size measured for both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stretto.data.results import ResultRow
from stretto.report.select import Series, group, size_of, where

# MPI's own get, in the order of preference: one-sided, then by messages.
_PEERS = ("mpi-rma", "mpi-request")
_SAME = ("on", "ranks", "locality")


@dataclass(frozen=True)
class Overhead:
    """Medians of a get with its wait by the runtime, and by MPI on the same ranks."""

    series: Series
    peer: Series
    size_bytes: int
    time_s: float
    peer_s: float


def overheads(rows: Sequence[ResultRow]) -> list[Overhead]:
    """One item per path of the runtime with a peer."""
    gets = group(row for row in where(rows, "latency", operation="get") if row.value is not None)
    result = []
    for series, members in gets.items():
        peer = _peer_of(series, gets) if series.get("transport") == "stretto" else None
        if peer is None:
            continue
        theirs = {size_of(row): row.value for row in gets[peer]}
        both = [
            (size_of(row) or 0, row.value, theirs[size_of(row)]) for row in members if size_of(row) in theirs
        ]
        if both and both[0][1] is not None and both[0][2] is not None:
            result.append(Overhead(series, peer, both[0][0], both[0][1], both[0][2]))
    return result


def _peer_of(series: Series, among: Mapping[Series, Sequence[ResultRow]]) -> Series | None:
    similar = [one for one in among if all(one.get(name) == series.get(name) for name in _SAME)]
    return next((one for name in _PEERS for one in similar if one.get("transport") == name), None)
