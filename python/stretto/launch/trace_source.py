# SPDX-License-Identifier: BSD-3-Clause
"""The input of commands on traces: a directory that `stretto trace` wrote, or an OTF2 archive."""

from __future__ import annotations

import atexit
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.errors import UserError
from stretto.launch.otf2 import convert_otf2

_OTHERS = (
    ("*.prv", "Paraver"),
    ("*.dim", "Dimemas"),
    ("dumpi-*.bin", "DUMPI"),
    ("dumpi-*.meta", "DUMPI"),
    ("pmpi-trace-rank-*.txt", "liballprof"),
    ("*.slog2", "SLOG-2"),
)
"""Names of the files of other recorders."""


def trace_directory(source: Path) -> Path:
    """The directory of the trace; for an archive (*.otf2) a temporary directory that is removed at exit.

    Raises:
        UserError: the archive cannot be read, or the source is of another recorder.
    """
    _refuse_others(source)
    if source.suffix != ".otf2" or source.is_dir():
        return source
    made = TemporaryDirectory(prefix="stretto-otf2-")
    atexit.register(made.cleanup)
    convert_otf2(source, Path(made.name))
    return Path(made.name)


def _refuse_others(source: Path) -> None:
    """Raises UserError where the names of files say that another recorder wrote them."""
    if source.is_dir():
        if any(source.glob("rank-*.trace")):
            return
        if (anchor := source / "traces.otf2").is_file():
            raise UserError(f"{source}: is the directory of an OTF2 archive; name {anchor}")
    for pattern, name in _OTHERS:
        if source.match(pattern) or (source.is_dir() and any(source.glob(pattern))):
            raise UserError(
                f"{source}: is a trace of {name}, which stretto does not read; record it with `stretto "
                "trace`, or as an OTF2 archive"
            )
