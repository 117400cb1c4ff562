# SPDX-License-Identifier: BSD-3-Clause
"""The content of the report on a trace. This module reads no files and derives no figures."""

from __future__ import annotations

from dataclasses import dataclass

from stretto.data.timeline import Timeline
from stretto.data.trace_records import TraceHeader
from stretto.potential.levels import LevelWork
from stretto.potential.whatif import WhatIf


@dataclass(frozen=True)
class SiteLine:
    """A call site that communicates: one row of the table. Times are in seconds, summed over all ranks.

    Attributes:
        where: The place of the call in the source.
        call: The MPI function.
        count: The number of operations.
        size_bytes: Their bytes in total.
        cost_s: The cost of their messages without overlap.
        window_s: The computation between start and completion of the operations.
        covered_s: The cost that this computation can hide.
        blocked_s: The time in the site's calls.
        advice: A sentence, in the table's last column.
    """

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
    """A trace, its call sites, and its what-if analysis.

    Attributes:
        records: The number of records.
        places: The places in the source of those of the timeline.
        sites: The rows of the table.
        costs: The costs of a message, in words; empty: not known.
        answer: The sentences on where its time goes, as `stretto potential` prints them.
        changes: The changes that gain most, in words.
        what_if: None where nothing could be replayed.
        levels: The work around data, by level of overlap.
        notes: Sentences about the limits of the analysis.
    """

    header: TraceHeader
    records: int
    timeline: Timeline
    places: tuple[str, ...]
    sites: tuple[SiteLine, ...]
    costs: str
    what_if: WhatIf | None
    levels: tuple[LevelWork, ...]
    notes: tuple[str, ...]
    answer: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
