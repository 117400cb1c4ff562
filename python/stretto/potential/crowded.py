# SPDX-License-Identifier: BSD-3-Clause
"""Whether a trace's ranks had a core each: on a crowded host, every time contains waiting for a core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.data.trace import TraceFile
from stretto.errors import UserError


@dataclass(frozen=True)
class Crowd:
    """The host with the most ranks per core, and all hosts with more ranks than cores."""

    host: str
    ranks: int
    cores: int
    hosts: frozenset[str]

    def __str__(self) -> str:
        cores = "1 core" if self.cores == 1 else f"{self.cores} cores"
        return (
            f"{self.ranks} ranks shared {cores} of {self.host}: all times contain waiting for a core; "
            f"record with at most {self.cores} ranks a host"
        )


def crowd_document(crowd: Crowd | None) -> dict[str, str | int] | None:
    """The member `crowded` of documents."""
    return None if crowd is None else {"host": crowd.host, "ranks": crowd.ranks, "cores": crowd.cores}


def crowd_in(directory: Path) -> Crowd | None:
    """The same of a trace's directory; None of anything else, and of a trace that cannot be read."""
    if not directory.is_dir():
        return None
    try:
        return crowd_of([TraceFile(path) for path in sorted(directory.glob("rank-*.trace"))])
    except UserError:
        return None


def crowd_of(traces: Sequence[TraceFile]) -> Crowd | None:
    """The hosts with more ranks than cores; None where there are none, or the trace does not say."""
    ranks = Counter(one.header.host for one in traces)
    cores = {one.header.host: one.header.cores for one in traces}
    crowded = [host for host, count in ranks.items() if 0 < cores[host] < count]
    if not crowded:
        return None
    worst = max(crowded, key=lambda host: ranks[host] / cores[host])
    return Crowd(worst, ranks[worst], cores[worst], frozenset(crowded))
