# SPDX-License-Identifier: BSD-3-Clause
"""`stretto report` for a trace: what a page shows of it, or Chrome's trace events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from stretto.binaries.build_ids import Modules, changed_modules
from stretto.binaries.symbols import name_sites
from stretto.commands.trace_analysis import Analysis, analyse
from stretto.data.files import write_atomically
from stretto.data.program import Place, Program
from stretto.data.sizes import shown_bandwidth, shown_duration
from stretto.data.sweep import SLIDES_BANDWIDTHS, SLIDES_LATENCIES_S, parse_bandwidths
from stretto.data.timeline import timeline_in
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.data.trace_names import traces_in
from stretto.data.traced_part import part_of
from stretto.errors import CheckError, RunError, UserError
from stretto.launch.progress import record_progress
from stretto.options.traces import PotentialRequest
from stretto.potential.advice import advice_at, regions_before
from stretto.potential.core_shortage import remarks, shortage_of
from stretto.potential.levels import levels_of
from stretto.potential.messages import analysed, program_of
from stretto.potential.sweep import Sweep, sweep_networks
from stretto.potential.whatif import REFERENCE_BANDWIDTH, NetworkPoint, WhatIf
from stretto.report.chrome_trace import chrome_trace
from stretto.report.time_sentences import change_sentence, how_sure, time_sentences
from stretto.report.trace_document import SiteLine, TraceDocument

MAX_CALLS = 60_000
"""In the timeline of a page; what a browser draws at once."""
MAX_LANES = 200
MAX_REPLAYED = 2_500_000
"""Records beyond which the page leaves out other networks, which take minutes: `stretto whatif` does it."""


def is_trace_directory(directory: Path) -> bool:
    """Whether `stretto trace` wrote the directory."""
    return bool(traces_in(directory))


def export_trace(directory: Path, target: Path) -> None:
    """Writes Chrome's trace events of the whole trace.

    Raises:
        UserError: the trace is damaged, or the target cannot be written.
    """
    traces = open_trace(directory)
    program = program_of(traces)
    names = _names(program, _changed(program, traces))
    with record_progress("exporting", program.records) as done:
        write_atomically(target, (f"{line}\n" for line in chrome_trace(traces, names, done)))


def trace_document(directory: Path) -> TraceDocument:
    """What a page shows of a trace.

    Raises:
        UserError: the trace is damaged.
    """
    traces = open_trace(directory)
    return _document(directory, traces, program_of(traces))


def _document(directory: Path, traces: Sequence[TraceFile], program: Program) -> TraceDocument:
    modules, records = _changed(program, traces), program.records
    notes = list(_notes(traces, modules))
    with record_progress("reading the trace"):
        found = analyse(list(traces), PotentialRequest(directory=directory))
    changes = tuple(
        f"{change_sentence(one, found.use.run_s, found.use.ranks)} ({how_sure(one)})."
        for one in found.changes
    )
    cost = found.network.cost
    bandwidth = f", {shown_bandwidth(1 / cost.gap_s_per_byte)}" if cost.gap_s_per_byte else ""
    what_if: WhatIf | None = None
    if records > MAX_REPLAYED:
        notes.append("A long trace: `stretto whatif` predicts other networks.")
    else:
        try:
            with record_progress("replaying"):
                what_if = _what_if(directory)
        except (UserError, RunError, CheckError) as error:
            notes.append(f"No other networks: {error}.")
    shown = traces[:MAX_LANES]
    if len(shown) < len(traces):
        notes.append(f"The timeline shows the first {len(shown)} ranks.")
    timeline = timeline_in(analysed(shown, "timeline", max_calls=MAX_CALLS))
    names = _names(program, modules)
    return TraceDocument(
        header=traces[0].header,
        records=records,
        timeline=timeline,
        places=tuple(names.get(place, "") for place in timeline.places),
        sites=_lines(found),
        costs=f"{shown_duration(cost.latency_s)}{bandwidth}, {found.network.name}" if cost.is_known else "",
        what_if=what_if,
        levels=tuple(levels_of(found.found.sites)),
        notes=tuple(notes),
        answer=tuple(time_sentences(found.summary)),
        changes=changes,
    )


def _notes(traces: Sequence[TraceFile], modules: Modules) -> Iterator[str]:
    for text in remarks(part_of(traces), shortage_of(traces)):
        yield f"{text}."
    for text in modules.sentences():
        yield f"{text}."


def _changed(program: Program, traces: Sequence[TraceFile]) -> Modules:
    return changed_modules(program.modules, traces[0].header.created_utc)


def _names(program: Program, modules: Modules) -> Mapping[Place, str]:
    """The names of the call sites."""
    return name_sites(program.call_sites, program.call_sites, modules.rebuilt)


def _lines(result: Analysis) -> tuple[SiteLine, ...]:
    before = regions_before(result.movable)
    return tuple(
        SiteLine(
            where=name,
            call=site.call,
            count=site.count,
            size_bytes=site.size_bytes,
            cost_s=site.cost_s,
            window_s=site.window_s,
            covered_s=site.covered_s,
            blocked_s=site.blocked_s,
            advice=advice_at(site, name, result.ordering, before, result.network.cost.is_known).text,
        )
        for site in result.found.sites
        for name in (result.names[site.module, site.address],)
    )


def _what_if(directory: Path) -> WhatIf | None:
    """The slides' sweep with full offload."""
    sweep = Sweep(
        directory,
        directory,
        SLIDES_LATENCIES_S,
        parse_bandwidths(SLIDES_BANDWIDTHS),
        ("offload",),
        None,
        None,
        NetworkPoint(0.0, REFERENCE_BANDWIDTH),
    )
    result = sweep_networks(sweep)
    return result if result.reference_s else None
