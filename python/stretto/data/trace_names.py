# SPDX-License-Identifier: BSD-3-Clause
"""The names of a trace's files, one for each rank."""

from __future__ import annotations

from pathlib import Path


def trace_name(rank: int) -> str:
    """The name of a rank's file."""
    return f"rank-{rank:06}.trace"


def traces_in(directory: Path) -> list[Path]:
    """The files of a trace by rank; none where the directory has no trace, or there is no such directory."""
    return sorted(directory.glob("rank-*.trace"))


def unfinished_in(directory: Path) -> list[Path]:
    """The files that a cut was writing when it was interrupted."""
    return sorted(directory.glob("rank-*.trace.part"))
