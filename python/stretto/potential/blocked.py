# SPDX-License-Identifier: BSD-3-Clause
"""Where the time in MPI calls goes: transfer, late partners, a program's own progress, too few cores.

The native `stretto-analyse` reads the records (src/analysis/blocked_time.hpp).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from stretto.data.program import Place
from stretto.data.trace import TraceFile
from stretto.data.traced_part import TracedPart, part_of
from stretto.potential.core_shortage import CoreShortage


@dataclass
class BlockedTime:
    """Seconds in calls, summed over threads.

    Attributes:
        transfer_s: Messages were on their way.
        late_s: The partner, or the last rank of a collective operation, had not begun.
        progress_s: The message could have been there: MPI made no progress, or the calls took the time.
        cores_s: The same where more ranks than cores share a host.
        poll_s: Of `progress_s`, the partner computed outside of MPI, and the wait lasted until its next call.
        calls_s: Of `progress_s`, calls with nothing to wait for, as MPI_Isend or a receive whose
            message was there.
    """

    transfer_s: float = 0.0
    late_s: float = 0.0
    progress_s: float = 0.0
    cores_s: float = 0.0
    poll_s: float = 0.0
    calls_s: float = 0.0

    @property
    def all_s(self) -> float:
        return self.transfer_s + self.late_s + self.progress_s + self.cores_s

    @property
    def hideable_s(self) -> float:
        """What another order of the program could hide: no waits for partners or cores, no time of MPI's."""
        return self.transfer_s + self.progress_s - self.calls_s

    def add(self, other: BlockedTime) -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass
class TimeUse:
    """The time of a run: of all its ranks, and of each call site's calls. Seconds, over all ranks.

    Attributes:
        run_s: Of each rank from the end of its MPI_Init to the begin of its MPI_Finalize.
        calls: The name of each call site's calls.
        shortage: Why ranks waited for cores.
        streams: The places whose messages mostly go to, or come from, a rank without one in the other
            direction between two of them.
        part: The part of the run that the trace has.
    """

    ranks: int
    run_s: float
    all: BlockedTime
    by_place: dict[Place, BlockedTime]
    calls: dict[Place, str]
    shortage: CoreShortage
    streams: frozenset[Place] = field(default_factory=frozenset)
    part: TracedPart = field(default_factory=TracedPart)


def crowded_ranks(traces: Sequence[TraceFile], shortage: CoreShortage) -> list[int]:
    """The ranks on hosts with more ranks than cores."""
    hosts = shortage.crowd.hosts if shortage.crowd else frozenset[str]()
    return [number for number, one in enumerate(traces) if one.header.host in hosts]


def time_use_in(found: Mapping[str, Any], traces: Sequence[TraceFile], shortage: CoreShortage) -> TimeUse:
    """The use of time in an answer with the part `time`."""
    use = TimeUse(len(traces), found["run_s"], BlockedTime(), {}, {}, shortage, part=part_of(traces))
    for row in found["blocked"]:
        place = (row["module"], row["address"])
        use.by_place[place] = BlockedTime(**{one.name: row[one.name] for one in fields(BlockedTime)})
        use.calls[place] = row["call"]
        use.all.add(use.by_place[place])
    use.streams = frozenset((module, address) for module, address in found["streams"])
    return use
