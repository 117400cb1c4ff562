# SPDX-License-Identifier: BSD-3-Clause
"""Any artefact as text, one fact per line, in an order that depends on the file's content only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stretto.data.files import artefact_kind
from stretto.data.profile_file import read_profile
from stretto.data.results import read_results
from stretto.data.samples import read_samples
from stretto.data.trace import TraceFile, is_trace
from stretto.report.views.dump import profile_lines, results_lines, samples_lines, trace_lines


def artefact_lines(path: Path) -> Iterator[str]:
    """The lines of an artefact. UserError when it is none, or not as docs/formats.md says."""
    if is_trace(path):
        yield from trace_lines(TraceFile(path))
        return
    kind = artefact_kind(path)
    if kind == "samples":
        yield from samples_lines(read_samples(path))
    elif kind == "results":
        yield from results_lines(read_results(path))
    else:
        yield from profile_lines(read_profile(path))
