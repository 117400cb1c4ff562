# SPDX-License-Identifier: BSD-3-Clause
"""The input of commands on traces: a directory that `stretto trace` wrote, or a trace of another tool."""

from __future__ import annotations

import atexit
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.data.trace_names import traces_in
from stretto.errors import UserError
from stretto.native.foreign import (
    convert_otf2,
    convert_paraver,
    convert_time_independent,
    is_time_independent,
)

_OTHERS = (
    ("*.dim", "Dimemas"),
    ("dumpi-*.bin", "DUMPI"),
    ("dumpi-*.meta", "DUMPI"),
    ("pmpi-trace-rank-*.txt", "liballprof"),
    ("*.slog2", "SLOG-2"),
)
"""Names of the files of other recorders."""
_MAX_NAMED = 5


def trace_directory(source: Path) -> Path:
    """The directory of a trace with the times of calls; that of another tool's is removed at exit.

    Raises:
        UserError: the trace cannot be read, has no times, or is of a recorder that stretto does not read.
    """
    _refuse_others(source)
    if source.suffix == ".otf2" and is_trace_file(source):
        return _converted(source, lambda made: convert_otf2(source, made))
    if is_trace_file(source):
        return _converted(source, lambda made: convert_paraver(source, made))
    if _is_time_independent(source):
        raise UserError(
            f"{source}: is a time-independent trace of SimGrid, without the times of calls; give it to "
            "`stretto whatif` or `replay`"
        )
    return source


def is_trace_file(source: Path) -> bool:
    """Whether the name is that of a file with a trace of another tool that has the times of calls."""
    return not source.is_dir() and source.name.endswith((".otf2", ".prv", ".prv.gz"))


def schedule_directory(source: Path, flops_rate: float | None) -> Path:
    """As `trace_directory`, for commands that replay: the trace may have no times of calls.

    Args:
        source: The trace, or a file that is none.
        flops_rate: How fast SimGrid's hosts compute, for a time-independent trace.

    Raises:
        UserError: as `trace_directory`, or the rate is missing.
    """
    _refuse_others(source)
    if not _is_time_independent(source):
        return trace_directory(source)
    if flops_rate is None:
        raise UserError(
            f"{source}: has its computation in flops; say how fast its hosts compute, with --flops-rate 1G"
        )
    return _converted(source, lambda made: convert_time_independent(source, made, flops_rate))


def _is_time_independent(source: Path) -> bool:
    return not traces_in(source) and is_time_independent(source)


def _converted(source: Path, convert: Callable[[Path], Counter[str]]) -> Path:
    """The directory of the trace that `convert` makes of a source. A warning says what that leaves out."""
    temporary = TemporaryDirectory(prefix="stretto-trace-")
    atexit.register(temporary.cleanup)
    made = Path(temporary.name)
    if left_out := convert(made):
        text = f"not understood: {_counted(left_out)}; what follows is without it"
        print(f"stretto: warning: {source}: {text}", file=sys.stderr)
    return made


def _counted(left_out: Counter[str]) -> str:
    """The most frequent of what a trace leaves out."""
    named = left_out.most_common(_MAX_NAMED)
    rest = left_out.total() - sum(count for _, count in named)
    return ", ".join([f"{count} {what}" for what, count in named] + ([f"{rest} others"] if rest else []))


def _refuse_others(source: Path) -> None:
    """Raises UserError where the names of files say that another recorder wrote them."""
    if source.is_dir():
        if traces_in(source):
            return
        if (anchor := source / "traces.otf2").is_file():
            raise UserError(f"{source}: is the directory of an OTF2 archive; name {anchor}")
        if paraver := sorted(source.glob("*.prv")):
            raise UserError(f"{source}: is the directory of a Paraver trace; name {paraver[0]}")
    for pattern, name in _OTHERS:
        if source.match(pattern) or (source.is_dir() and any(source.glob(pattern))):
            raise UserError(
                f"{source}: is a trace of {name}, which stretto does not read; record it with `stretto "
                "trace`, or as an OTF2 archive"
            )
