# SPDX-License-Identifier: BSD-3-Clause
"""`stretto report`: runs, runs of kernels and traces as one HTML page."""

from __future__ import annotations

from pathlib import Path

from stretto.commands.page_sources import page_of
from stretto.commands.trace_report import export_trace, is_trace_directory
from stretto.data.files import write_atomically
from stretto.data.run_directory import REPORT, TRACE_EVENTS
from stretto.errors import UserError
from stretto.launch.directory import check_output, files_in
from stretto.launch.trace_source import trace_directory
from stretto.options.files import ReportRequest


def report(request: ReportRequest) -> None:
    """Make one self-contained HTML page; it works offline, and needs no second file.

    Several runs stand side by side. Traces of applications and runs of kernels (files of `stretto run
    KERNEL --json`, or a directory of such files) join the same page.
    """
    first, output = request.sources[0], request.output
    target = output or _default_target(first, request.trace_events)
    # DIR's report derives from DIR's other files and may be overwritten; any other file may be the user's.
    derived = output is None and first.is_dir() and not request.trace_events
    check_output(
        target, derived or request.force, [file for one in request.sources for file in files_in(one)]
    )
    if request.trace_events:
        _export(request.sources, target)
    else:
        write_atomically(target, page_of(request.sources))
    print(target)


def _default_target(first: Path, trace_events: bool) -> Path:
    if first.is_dir():
        return first / (TRACE_EVENTS if trace_events else REPORT)
    return first.with_suffix(".json" if trace_events else ".html")


def _export(sources: tuple[Path, ...], target: Path) -> None:
    traces = [found for source in sources if is_trace_directory(found := trace_directory(source))]
    if len(sources) != 1 or not traces:
        raise UserError("--trace-events: only one trace becomes Chrome's trace events; name one")
    export_trace(traces[0], target)
