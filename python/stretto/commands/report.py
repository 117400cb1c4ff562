# SPDX-License-Identifier: BSD-3-Clause
"""`stretto report`: runs, runs of kernels and traces as one HTML page."""

from __future__ import annotations

from pathlib import Path

from stretto.commands.page_sources import page_of
from stretto.commands.trace_report import export_trace, is_trace_directory
from stretto.data.files import write_atomically
from stretto.data.run_directory import REPORT
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
    target = output or (first / REPORT if first.is_dir() else first.with_suffix(".html"))
    # DIR's report derives from DIR's other files and may be overwritten; any other file may be the user's.
    derived = output is None and first.is_dir()
    check_output(
        target, derived or request.force, [file for one in request.sources for file in files_in(one)]
    )
    if target.suffix == ".json":
        _export(request.sources, target)
    else:
        write_atomically(target, page_of(request.sources))
    print(target)


def _export(sources: tuple[Path, ...], target: Path) -> None:
    traces = [found for source in sources if is_trace_directory(found := trace_directory(source))]
    if len(sources) != 1 or not traces:
        raise UserError(f"-o {target}: only one trace becomes Chrome's trace events; name a page, FILE.html")
    export_trace(traces[0], target)
