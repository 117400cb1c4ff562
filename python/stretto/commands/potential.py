# SPDX-License-Identifier: BSD-3-Clause
"""`stretto potential`: shows the overlap that each call site of a traced program leaves unused."""

from __future__ import annotations

import sys

from stretto.commands.potential_entries import entries_by
from stretto.commands.potential_patch import write_patch
from stretto.commands.trace_analysis import analyse
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.launch.dividing import divided
from stretto.launch.progress import record_progress
from stretto.launch.trace_source import trace_directory
from stretto.native.document import launched
from stretto.options.traces import PotentialRequest
from stretto.potential.levels import levels_of
from stretto.report.screen import show, show_json
from stretto.report.views.potential import PotentialResult, potential_document, potential_view


def potential(request: PotentialRequest) -> None:
    """How much of its communication could this program hide, and where?

    First where the run's time goes, and the three changes that gain most. Then per call site: how often, how
    much, how long it blocked, how much computation lies between start and wait, and that against the cost of
    its messages on a network: the one it was recorded on, or the one that options name. Of a trace that was
    recorded with --memory also the work that its data leaves outside of the calls.
    """
    traces = open_trace(trace_directory(request.directory))
    with launched(divided(traces)):
        _potential(request, traces)


def _potential(request: PotentialRequest, traces: list[TraceFile]) -> None:
    with record_progress("reading the trace"):
        analysis = analyse(traces, request)
    for text in analysis.modules.sentences():
        print(f"stretto: warning: {text}", file=sys.stderr)
    if request.patch:
        write_patch(request, traces, analysis)
        return
    shown = entries_by(request.by, traces, analysis)
    result = PotentialResult(
        analysis.network.cost,
        analysis.network.name,
        analysis.summary,
        analysis.changes,
        shown.sites,
        shown.names,
        levels_of(analysis.found.sites),
        analysis.movable,
        shown.ordering,
        analysis.names,
    )
    if request.as_json:
        show_json(potential_document(result))
    else:
        show(potential_view(result))
