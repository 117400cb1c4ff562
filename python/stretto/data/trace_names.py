# SPDX-License-Identifier: BSD-3-Clause
"""The names of a trace's files, one for each rank."""

from __future__ import annotations

from pathlib import Path

from stretto.data.shell import quoted
from stretto.errors import UserError


def traces_in(directory: Path) -> list[Path]:
    """The files of a trace by rank; none where the directory has no trace, or there is no such directory."""
    return sorted(directory.glob("rank-*.trace"))


def refuse_trace(directory: Path) -> None:
    """Refuses a trace where a run is needed, and names the commands for traces.

    Raises:
        UserError: the directory has a trace.
    """
    if files := traces_in(directory):
        raise UserError(
            f"{directory}: is a trace; `stretto potential` and `stretto report` show it, and "
            f"`stretto show {quoted(str(files[0]))}` the records of a rank"
        )


def unfinished_in(directory: Path) -> list[Path]:
    """The files that a cut was writing when it was interrupted."""
    return sorted(directory.glob("rank-*.trace.part"))
