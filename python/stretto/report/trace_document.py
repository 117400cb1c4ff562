# SPDX-License-Identifier: BSD-3-Clause
"""The content of the report on a trace. Reads no files and derives no figures."""

from __future__ import annotations

from dataclasses import dataclass

from stretto.data.timeline import Timeline
from stretto.data.trace import TraceHeader


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
class WhatIfCurve:
    """Normalised times over bandwidths (bytes a second) at one latency; as traced, or `overlapped`."""

    latency_s: float
    overlapped: bool
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class TraceDocument:
    """A trace, its places and its what-if; `places` names a rank's call site by (rank, number).

    `time_parts` says what the time in calls was, in percent of the run.
    """

    header: TraceHeader
    records: int
    timeline: Timeline
    places: dict[tuple[int, int], str]
    sites: tuple[SiteLine, ...]
    costs: str
    curves: tuple[WhatIfCurve, ...]
    notes: tuple[str, ...]
    time_parts: tuple[str, ...] = ()
