# SPDX-License-Identifier: BSD-3-Clause
"""MPI programs with a library of stretto preloaded, without the command that prepares it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from stretto.data.trace_names import traces_in
from stretto.launch.mpi_command import mpi_command
from stretto.launch.mpiexec import Launch
from stretto.launch.preload import command_launch, preload_variables

_REPLAY_S = 300


def recorded(command: Sequence[str], variables: Mapping[str, str]) -> Launch:
    """The command with the recorder, and these variables, on every rank.

    Raises:
        UserError: there is no such command, its MPI is unknown, or the recorder is not built for that MPI.
    """
    found = mpi_command(command, None, None)
    return command_launch(found.line, found.mpi, {**variables, **preload_variables(["trace"], found.mpi)})


def printed(command: Sequence[str], trace: Path | None, variables: Mapping[str, str] | None = None) -> str:
    """The last line that a command prints; its ranks are recorded where `trace` is given.

    Args:
        command: A launcher with its program.
        trace: A directory for the traces, which are removed.
        variables: More of the recorder's.
    """
    if trace is None:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    else:
        run = recorded(command, {"STRETTO_TRACE_DIR": str(trace), **(variables or {})})
        done = subprocess.run(run.argv, check=True, capture_output=True, text=True, env=run.environment())
        for file in traces_in(trace):
            file.unlink()
    return done.stdout.splitlines()[-1]


def busy_settings(library: str, trace: Path) -> Mapping[str, str]:
    """Variables with which a preloaded library has something to do in a small program.

    Args:
        library: trace, page or byte (the recorder without and with watched memory), progress, or collectives.
        trace: Where the recorder writes.
    """
    match library:
        case "trace":
            return {"STRETTO_TRACE_DIR": str(trace)}
        case "page" | "byte":
            return {"STRETTO_TRACE_DIR": str(trace), "STRETTO_TRACE_MEMORY": library}
        case "progress":
            return {"STRETTO_POLL_INTERVAL_S": "0.001"}
        case _:
            return {"STRETTO_GRIDS": "2x2", "STRETTO_PROFILE": ""}


def replay_problem(build: Path, trace: Path) -> str | None:
    """What the replay of a trace reports, by a build's program; none where it replays."""
    command = [str(build / "bin" / "stretto-replay"), "--loggp", "L=1us,o=1us,g=1us,G=1ns", str(trace)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_REPLAY_S, check=False)
    except subprocess.TimeoutExpired:
        return f"replay does not end in {_REPLAY_S} s"
    said = (done.stderr.strip().splitlines() or [""])[-1]
    return None if done.returncode == 0 else f"replay ends with {done.returncode}: {said}"
