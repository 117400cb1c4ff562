# SPDX-License-Identifier: BSD-3-Clause
"""Reads the measurements of `stretto probe hosts` (`hosts.json`): computation of ranks, links of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stretto.data.fields import LARGEST_INTEGER, LONGEST_TIME_S, Members, Place, number
from stretto.data.files import minor_version, read_json_object

Matrix = tuple[tuple[float | None, ...], ...]
"""A value for each pair of ranks, by first and second rank; None on the diagonal and where there is none."""
SCHEMA_MAJOR = 1
_FASTEST_BYTES_PER_S = 1e18


@dataclass(frozen=True)
class HostsRun:
    """A measurement of all pairs of ranks.

    Attributes:
        created_utc: When it was measured.
        mpi: The MPI library.
        cluster: The cluster and its partition; empty elsewhere.
        hosts: The host of each rank.
        size_bytes: The size of the messages with which bandwidth was measured.
        compute_s: The time of a fixed computation on each rank.
        latency_s: The latency of each pair, equal in both directions.
        bandwidth_bytes_per_s: The bandwidth of each pair, from the first rank to the second.
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
    """Reads and checks the file.

    Raises:
        UserError: It violates docs/formats.md; the message names the file and the member.
    """
    top = Members(read_json_object(path), Place(path))
    minor_version(top.members.get("schema"), "hosts", SCHEMA_MAJOR, top.place)
    hosts = top.texts("hosts")
    ranks = len(hosts)
    return HostsRun(
        created_utc=top.text("created_utc", ""),
        mpi=top.text("mpi", ""),
        cluster="/".join(filter(None, [top.text("cluster", ""), top.text("partition", "")])),
        hosts=hosts,
        size_bytes=top.integer("size_bytes", 1, LARGEST_INTEGER),
        compute_s=_compute_times(top, ranks),
        latency_s=_matrix(top, "latency_s", ranks, LONGEST_TIME_S),
        bandwidth_bytes_per_s=_matrix(top, "bandwidth_bytes_per_s", ranks, _FASTEST_BYTES_PER_S),
    )


def _compute_times(top: Members, ranks: int) -> tuple[float, ...]:
    """The only number of each rank's row; every rank has computed, so that none is null."""
    rows = _matrix(top, "compute_s", ranks, LONGEST_TIME_S, columns=1)
    times = tuple(row[0] for row in rows if row[0] is not None)
    if len(times) != ranks:
        raise top.place.member("compute_s").error("has null for a rank; measure again")
    return times


def _matrix(top: Members, name: str, ranks: int, most: float, columns: int | None = None) -> Matrix:
    """A member with `ranks` rows of `columns` numbers from 0 to `most`, by default `ranks`; null is None."""
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
