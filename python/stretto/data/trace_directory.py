# SPDX-License-Identifier: BSD-3-Clause
"""The traces of all ranks, in the directory that `stretto trace` wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stretto.data.trace import TraceFile
from stretto.data.trace_names import traces_in
from stretto.errors import UserError


def trace_files(directory: Path) -> list[Path]:
    """The files of a trace's directory by rank.

    Raises:
        UserError: There is no such directory, or no trace in it.
    """
    if not directory.is_dir():
        raise UserError(f"{directory}: is no directory; name one that `stretto trace` wrote")
    files = traces_in(directory)
    if not files:
        raise UserError(f"{directory}: has no rank-*.trace in it; name what `stretto trace` wrote")
    return files


def open_trace(directory: Path) -> list[TraceFile]:
    """The traces of all ranks, by rank.

    Raises:
        UserError: A file is invalid or of another run, or a rank has none.
    """
    traces = sorted((TraceFile(path) for path in trace_files(directory)), key=lambda one: one.header.rank)
    ranks = traces[0].header.ranks
    result = [one.header.rank for one in traces]
    if result != list(range(ranks)):
        missing = sorted(set(range(ranks)) - set(result))
        what = f"rank {missing[0]} of {ranks} is missing" if missing else "a rank is there twice"
        raise UserError(f"{directory}: {what}; record it again, all ranks into one directory")
    begins_ns = [one.header.epoch_ns - one.header.clock_offset_ns for one in traces]  # by rank 0's clock
    for one, begin_ns in zip(traces, begins_ns):
        if begin_ns != begins_ns[0]:
            raise UserError(
                f"{one.path}: is of another run than the file of rank 0; record it again, all ranks into one "
                "directory"
            )
    return traces


def record_count(traces: Sequence[TraceFile]) -> int:
    """The number of records without definitions.

    Raises:
        UserError: A file is damaged.
    """
    return sum(file.record_count for file in traces)
