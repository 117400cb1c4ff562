# SPDX-License-Identifier: BSD-3-Clause
"""Prepares the trace directory of a recorded run, and checks it afterwards."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from stretto.data.shell import quoted
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import record_count, trace_files
from stretto.data.trace_names import traces_in
from stretto.data.traced_part import part_of
from stretto.errors import ProgramError, UserError
from stretto.launch.limited_trace import LIMIT_VARIABLE, remove_unfinished

_VARIABLE = "STRETTO_TRACE_DIR"
_MEMORY = "STRETTO_TRACE_MEMORY"
_SPAWNED = "spawned-*"
"""Directories of the programs that a recorded program has started by MPI_Comm_spawn."""


def recorder_variables(directory: Path, memory: str, limit_bytes: int | None = None) -> dict[str, str]:
    """The environment of the preloaded recorder."""
    variables = {_VARIABLE: str(directory.absolute())}
    if memory != "off":
        variables[_MEMORY] = memory
    if limit_bytes is not None:
        variables[LIMIT_VARIABLE] = str(limit_bytes)
    return variables


def remove_trace(directory: Path) -> None:
    """Removes an earlier trace from its directory."""
    for old in traces_in(directory):
        old.unlink()
    remove_unfinished(directory)
    for spawned in directory.glob(_SPAWNED):
        for old in traces_in(spawned):
            old.unlink()
        spawned.rmdir()


def check_recorded(directory: Path, program: str, status: int) -> bool:
    """Describes the trace on stderr, and says whether there is one. A program without a trace has not failed.

    Raises:
        ProgramError: the program failed; with its exit status.
    """
    if not traces_in(directory):
        with suppress(OSError):  # not empty: it holds other files
            directory.rmdir()
        what = (
            f"nothing was recorded: {program} started no program that, through this MPI's shared library, "
            "called MPI_Init or made a communicator of all processes from a session's group"
        )
        if status:
            raise ProgramError(f"{what}; it ended with {status}", status)
        print(f"stretto: warning: {what}", file=sys.stderr)
        return False
    made = (directory, *sorted(directory.glob(_SPAWNED)))
    readable = [_is_readable(one) for one in made if traces_in(one)]
    if status:
        what = f"{program} ended with {status}; what was recorded until then is in {quoted(str(directory))}"
        raise ProgramError(what, status)
    return all(readable)


def _is_readable(directory: Path) -> bool:
    """Describes a trace. One that cannot be read is no failure of the program: its disk may be full."""
    try:
        _describe(directory)
    except UserError as error:
        print(f"stretto: warning: {error}", file=sys.stderr)
        return False
    return True


def _describe(directory: Path) -> None:
    files = trace_files(directory)
    traces = [TraceFile(path) for path in files]
    records = record_count(traces)
    size_bytes = sum(path.stat().st_size for path in files)
    size = f"{1e-6 * size_bytes:.1f} MB" if size_bytes >= 1e6 else f"{1e-3 * size_bytes:.0f} kB"
    ranks = f"{len(traces)} rank{'s' if len(traces) > 1 else ''}"
    print(f"stretto: {records} records of {ranks}, {size}, in {quoted(str(directory))}", file=sys.stderr)
    part = part_of(traces)
    if part.lost:
        print(f"stretto: warning: {part.lost}", file=sys.stderr)
    if part.cut:
        print(f"stretto: warning: {part.cut}", file=sys.stderr)
    if part.died:
        print(
            f"stretto: warning: without MPI_Finalize: {part.died}; what was recorded until then is there",
            file=sys.stderr,
        )
