# SPDX-License-Identifier: BSD-3-Clause
"""The content of the report on a trace. Reads no files and derives no figures."""

from __future__ import annotations

from dataclasses import dataclass

from stretto.data.timeline import Timeline
from stretto.data.trace_records import TraceHeader
from stretto.potential.levels import LevelWork
from stretto.potential.whatif import WhatIf


@dataclass(frozen=True)
class SiteLine:
    """A call site that communicates: one row of the table. Times in seconds over all ranks."""

    where: str
    call: str
    count: int
    size_bytes: int
    cost_s: float
    window_s: float
    covered_s: float
    blocked_s: float
    advice: str


@dataclass(frozen=True)
class TraceDocument:
    """A trace, its places and its what-if; `places` names a rank's call site by (rank, number).

    `time_parts` says what the time in calls was, in percent of the run. `what_if` is None where nothing could
    be replayed.
    """

    header: TraceHeader
    records: int
    timeline: Timeline
    places: dict[tuple[int, int], str]
    sites: tuple[SiteLine, ...]
    costs: str
    what_if: WhatIf | None
    levels: tuple[LevelWork, ...]
    notes: tuple[str, ...]
    time_parts: tuple[str, ...] = ()
