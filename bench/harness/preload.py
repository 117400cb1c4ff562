# SPDX-License-Identifier: BSD-3-Clause
"""An MPI program with the recorder preloaded, without the rest of `stretto trace`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stretto.launch.mpi_command import mpi_command
from stretto.launch.mpiexec import Launch
from stretto.launch.preload import command_launch, preload_variables


def recorded(command: Sequence[str], variables: Mapping[str, str]) -> Launch:
    """The command with the recorder, and these variables, on every rank.

    Raises:
        UserError: there is no such command, its MPI is unknown, or the recorder is not built for that MPI.
    """
    found = mpi_command(command, None, None)
    return command_launch(found.line, found.mpi, {**variables, **preload_variables(["trace"], found.mpi)})
