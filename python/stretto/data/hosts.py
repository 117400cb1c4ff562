# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto probe hosts` measured (`hosts.json`): each rank's computation, and the link of every pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from stretto.data.fields import LARGEST_INTEGER, LONGEST_TIME_S, Members, Place, number
from stretto.data.files import minor_version, read_json_object

Matrix = tuple[tuple[float | None, ...], ...]
SCHEMA_MAJOR = 1
_FASTEST_BYTES_PER_S = 1e18


@dataclass(frozen=True)
class HostsRun:
    """A measurement of all pairs of ranks.

    Attributes:
        hosts: The host of each rank.
        size_bytes: The size of the messages of the bandwidth.
        compute_s: The time of a fixed computation on each rank.
        latency_s: From each rank to each other one; None on the diagonal. Equal in both directions.
        bandwidth_bytes_per_s: The same from the first rank to the second one.
    """

    created_utc: str
    mpi: str
    cluster: str
    hosts: tuple[str, ...]
    size_bytes: int
    compute_s: tuple[float, ...]
    latency_s: Matrix
    bandwidth_bytes_per_s: Matrix

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each rank: its host, with the rank where several share one."""
        several = len(set(self.hosts)) < len(self.hosts)
        return tuple(f"{host}:{rank}" if several else host for rank, host in enumerate(self.hosts))


def read_hosts(path: Path) -> HostsRun:
    """Reads and checks the file. UserError where it violates docs/formats.md."""
    top = Members(read_json_object(path), Place(path))
    minor_version(top.members.get("schema"), "hosts", SCHEMA_MAJOR, top.place)
    hosts = top.texts("hosts")
    ranks = len(hosts)
    matrix: Callable[[str, float], Matrix] = lambda name, most: _matrix(top, name, ranks, most)  # noqa: E731
    compute = _matrix(top, "compute_s", ranks, LONGEST_TIME_S, columns=1)
    return HostsRun(
        created_utc=top.text("created_utc", ""),
        mpi=top.text("mpi", ""),
        cluster="/".join(filter(None, [top.text("cluster", ""), top.text("partition", "")])),
        hosts=hosts,
        size_bytes=top.integer("size_bytes", 1, LARGEST_INTEGER),
        compute_s=tuple(row[0] or 0.0 for row in compute),
        latency_s=matrix("latency_s", LONGEST_TIME_S),
        bandwidth_bytes_per_s=matrix("bandwidth_bytes_per_s", _FASTEST_BYTES_PER_S),
    )


def _matrix(top: Members, name: str, ranks: int, most: float, columns: int | None = None) -> Matrix:
    """A matrix of `ranks` rows; absent values are null."""
    rows = []
    for row, place in top.items(name):
        if not isinstance(row, list) or len(row) != (columns or ranks):
            raise place.error(f"is no list of {columns or ranks} numbers; correct it")
        rows.append(
            tuple(
                None if one is None else number(one, 0, most, place.item(index))
                for index, one in enumerate(row)
            )
        )
    if len(rows) != ranks:
        raise top.place.member(name).error(f"has {len(rows)} rows for {ranks} ranks; correct it")
    return tuple(rows)
