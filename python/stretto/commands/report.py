# SPDX-License-Identifier: BSD-3-Clause
"""`stretto report`: the figures of a run directory, or a trace, as one HTML page."""

from __future__ import annotations

from pathlib import Path

from stretto.commands.artefacts import read_document
from stretto.commands.trace_report import is_trace_directory, report_trace
from stretto.data.files import write_atomically
from stretto.errors import UserError
from stretto.launch.directory import REPORT
from stretto.launch.trace_source import trace_directory
from stretto.options.files import ReportRequest
from stretto.report.html import render


def report(request: ReportRequest) -> None:
    """Make one self-contained HTML page of a run or a trace: it works offline, and needs no second file."""
    directory, output = request.directory, request.output
    target = output or (directory.with_suffix(".html") if directory.suffix == ".otf2" else directory / REPORT)
    # DIR's report derives from DIR's other files and may be overwritten; any other file may be the user's.
    if output is not None and not request.force:
        _refuse_existing(output)
    if is_trace_directory(source := trace_directory(directory)):
        report_trace(source, target)
    elif target.suffix == ".json":
        raise UserError(f"-o {target}: only a trace becomes Chrome's trace events; name a page, FILE.html")
    else:
        write_atomically(target, render(read_document(directory)))
    print(target)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise UserError(f"{path} exists: choose another with -o, or overwrite it with --force")
