# SPDX-License-Identifier: BSD-3-Clause
"""The report on a trace: its timeline, its places in a table that can be sorted, its what-if curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stretto.data.sizes import shown_duration
from stretto.data.timeline import Lane, Timeline
from stretto.data.trace_walk import category_of
from stretto.report.blocks import (
    Block,
    Column,
    Facts,
    Group,
    Headlines,
    Inline,
    Paragraph,
    Span,
    Table,
    TimelineView,
    Words,
)
from stretto.report.html import Part, page, stated
from stretto.report.prose import Strong
from stretto.report.trace_document import SiteLine, TraceDocument
from stretto.report.trace_levels import data_blocks, missing_levels, what_if_blocks
from stretto.report.units import size_label

_CATEGORIES = (
    ("wait", "waiting"),
    ("receive", "receiving"),
    ("send", "sending"),
    ("collective", "collectives"),
    ("start", "starting"),
    ("other", "other calls"),
)
_NANO = 1e9


def render_trace(document: TraceDocument) -> str:
    """The whole page as HTML text; all words of the trace are escaped in it."""
    header = document.header
    program, when = program_name(document), header.created_utc.replace("T", " ").replace("Z", " UTC")
    answer = Part("answer", "The answer", [Headlines([trace_sentence(document)]), *_facts(document)])
    return page(
        title=f"stretto: {program}",
        heading=f"What communication costs {program}, and how much of it could hide",
        dateline=f"{when}, {header.library or 'unknown MPI'}, {header.ranks} ranks",
        parts=[answer, *trace_parts(document)],
        script="timeline.js",
    )


def program_name(document: TraceDocument) -> str:
    """The traced program, without its path."""
    command = document.header.command
    return next((word.rpartition("/")[2] for word in command if word), "a program without a name")


def trace_parts(document: TraceDocument, prefix: str = "", folded: bool = False) -> list[Part]:
    """Timeline, call sites, data, other networks; `prefix` distinguishes the anchors of several traces."""
    conditions = f"Trace of {program_name(document)}, {document.header.ranks} ranks, replayed."
    parts = [
        Part(f"{prefix}timeline", "Where the time goes", _timeline(document), folded),
        Part(f"{prefix}places", "Where in the program", _places(document), folded),
    ]
    if drawn := data_blocks(document.timeline):
        parts.append(
            Part(f"{prefix}data", "When data is produced and consumed", stated(drawn, conditions), folded)
        )
    if document.what_if is not None:
        drawn = stated(what_if_blocks(document.what_if, document.levels), conditions)
        missing = missing_levels(document.what_if)
        drawn += [] if missing is None else [missing]
        parts.append(Part(f"{prefix}what-if", "On other networks", drawn, folded))
    return parts


def trace_sentence(document: TraceDocument) -> list[str]:
    """Where the program's time goes, in the words of `stretto potential`."""
    if not document.answer:
        return [f"How {program_name(document)} spends its time is not known."]
    share, rest = document.answer[0].split(" of the run time", 1)
    return [f"{program_name(document)}: ", Strong(share), f" of the run time{rest}"]


def _facts(document: TraceDocument) -> list[Block]:
    header, timeline = document.header, document.timeline
    shown: list[tuple[str, str | int]] = [
        ("Command", " ".join(header.command) or "unknown"),
        ("Ranks", header.ranks),
        ("Records", f"{document.records:,}".replace(",", "\u202f")),
        ("Shown", shown_duration(timeline.length / _NANO)),
        ("Messages shown", len(timeline.messages)),
    ]
    sentences = [*document.answer[1:], *document.changes]
    return [
        *(Paragraph(text, "aside") for text in sentences),
        Facts(shown),
        *(Paragraph(note, "callout") for note in document.notes),
    ]


def _timeline(document: TraceDocument) -> list[Block]:
    words = (
        "Blank is computation. Drag to move; click it, then turn the wheel (or press + and \u2212) to look "
        "closer. A column shows how its time divides. Lines are messages, from the sending call to the end "
        "of the call that completed the receive; point at one, or at a call, to read what it is. "
        "Where data accesses were recorded, small marks show when a message's parts were written and read. "
    )
    if not document.timeline.whole:
        words += (
            "Only the beginning is shown; `stretto report DIR --trace-events` writes all of it for Perfetto."
        )
    return [Paragraph(words, "aside"), TimelineView(_CATEGORIES, _drawn(document))]


def _drawn(document: TraceDocument) -> Mapping[str, Any]:
    """The timeline for the page's script: whole nanoseconds since its beginning, words by number."""
    timeline = document.timeline
    order = [name for name, _ in _CATEGORIES]
    return {
        "end": timeline.length,
        "categories": order,
        "names": [name for name, _ in timeline.calls],
        "category": [order.index(category_of(name, kind)) for name, kind in timeline.calls],
        "places": document.places,
        "lanes": [_lane(lane, timeline) for lane in timeline.lanes],
        "messages": timeline.messages,
    }


def _lane(lane: Lane, timeline: Timeline) -> Mapping[str, Any]:
    several = any(other.rank == lane.rank and other.thread != lane.thread for other in timeline.lanes)
    columns = ("begin", "length", "call", "place", "peer", "bytes")
    name = f"{lane.rank}.{lane.thread}" if several else str(lane.rank)
    return {"name": name, **{column: getattr(lane, column) for column in columns}}


def _places(document: TraceDocument) -> list[Block]:
    columns = [
        Column("Where", words=True),
        Column("Call", words=True),
        Column("Count"),
        Column("Data"),
        Column("Cost", "ms"),
        Column("Window", "ms"),
        Column("Covered", "%"),
        Column("Blocked", "ms"),
        Column("What would help", words=True),
    ]
    words = (
        f"Costs of a message: {document.costs or 'not known'}. The window is what is computed between "
        "starting an operation and waiting for it, covered the part of the cost that fits into it. A click "
        "on a head sorts."
    )
    rows = [_site(site, bool(document.costs)) for site in document.sites]
    shown = Table(columns, rows, "places of the program that communicate")
    return [Paragraph(words, "aside"), Group("sortable", [shown])]


def _site(site: SiteLine, has_costs: bool) -> list[Words]:
    covered = site.covered_s / site.cost_s if site.cost_s else 0.0
    return [
        site.where,
        site.call,
        site.count,
        _sorted_by(site.size_bytes, size_label(site.size_bytes)),
        f"{1e3 * site.cost_s:.3f}" if has_costs else "",
        f"{1e3 * site.window_s:.3f}",
        f"{100 * covered:.0f}" if has_costs else "",
        f"{1e3 * site.blocked_s:.3f}",
        site.advice,
    ]


def _sorted_by(value: float, shown: str) -> Inline:
    return Span(shown, sort_by=value)
