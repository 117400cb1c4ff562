# SPDX-License-Identifier: BSD-3-Clause
"""Whether a trace's ranks had a core each; where they had not, every time contains waiting for a core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stretto.data.sizes import said_share
from stretto.data.trace import TraceFile
from stretto.data.trace_names import traces_in
from stretto.data.traced_part import TracedPart, part_of
from stretto.errors import UserError

_MIN_SHARE, _MIN_S = 0.05, 0.02
"""Of a rank's time, and in seconds: less waiting for a core is not mentioned."""
_MAX_SHARE = 0.25
"""Of all ranks' time: beyond it, also the fastest quarter of the messages waited for cores."""


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


@dataclass(frozen=True)
class Busy:
    """The rank that others kept from its core for the largest share of its time."""

    host: str
    rank: int
    share: float

    @property
    def fact(self) -> str:
        """What the trace says, without what follows from it."""
        percent = said_share(self.share)
        return f"{self.host} was busy: rank {self.rank} waited {percent} of its time for a core"

    def __str__(self) -> str:
        return (
            f"{self.fact}, and all times contain such waiting; record on a quiet machine, "
            "with a core for each rank"
        )


@dataclass(frozen=True)
class CoreShortage:
    """Why ranks waited for cores: too many of them, else others; neither where they did not. `share`: of all
    ranks' time, as far as the traces say.
    """

    crowd: Crowd | None = None
    busy: Busy | None = None
    share: float = 0.0

    @property
    def hides_network(self) -> bool:
        """Whether the times of messages are those of waiting for cores, and show no network."""
        return self.share > _MAX_SHARE

    def __str__(self) -> str:
        """The sentence that precedes all figures of the trace; empty where no rank waited."""
        return str(self.crowd or self.busy or "")

    def document(self) -> dict[str, Any]:
        """The members `crowded` and `busy` of documents."""
        crowd = self.crowd
        crowded = crowd and {"host": crowd.host, "ranks": crowd.ranks, "cores": crowd.cores}
        return {"crowded": crowded, "busy": self.busy and asdict(self.busy)}


def remarks(part: TracedPart, shortage: CoreShortage) -> list[str]:
    """The sentences that precede all figures of a trace."""
    return [*part.sentences(), *([str(shortage)] if str(shortage) else [])]


def part_and_shortage_in(directory: Path) -> tuple[TracedPart, CoreShortage]:
    """Those of a trace's directory; none of anything else, and of a trace that cannot be read."""
    if not directory.is_dir():
        return TracedPart(), CoreShortage()
    try:
        traces = [TraceFile(path) for path in traces_in(directory)]
        return part_of(traces), shortage_of(traces)
    except UserError:
        return TracedPart(), CoreShortage()


def shortage_in(directory: Path) -> CoreShortage:
    """The latter alone."""
    return part_and_shortage_in(directory)[1]


def shortage_of(traces: Sequence[TraceFile]) -> CoreShortage:
    """What the traces of all ranks say of cores."""
    crowd = _crowd(traces)
    return CoreShortage(crowd, None if crowd else _busy(traces), _waiting_share(traces))


def _waiting_share(traces: Sequence[TraceFile]) -> float:
    waits = [one.heads.core_wait for one in traces]
    of_s = sum(one.of_s for one in waits)
    return min(sum(one.waited_s for one in waits) / of_s, 1.0) if of_s > 0 else 0.0


def _crowd(traces: Sequence[TraceFile]) -> Crowd | None:
    ranks = Counter(one.header.host for one in traces)
    cores = {one.header.host: one.header.cores for one in traces}
    crowded = [host for host, count in ranks.items() if 0 < cores[host] < count]
    if not crowded:
        return None
    worst = max(crowded, key=lambda host: ranks[host] / cores[host])
    return Crowd(worst, ranks[worst], cores[worst], frozenset(crowded))


def _busy(traces: Sequence[TraceFile]) -> Busy | None:
    found = []
    for one in traces:
        wait = one.heads.core_wait
        if max(_MIN_SHARE * wait.of_s, _MIN_S) <= wait.waited_s <= wait.of_s:
            found.append(Busy(one.header.host, one.header.rank, wait.waited_s / wait.of_s))
    return max(found, key=lambda busy: busy.share, default=None)
