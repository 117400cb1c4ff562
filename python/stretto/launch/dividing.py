# SPDX-License-Identifier: BSD-3-Clause
"""Several processes for the analysis of a long trace, in a batch job of several nodes."""

from __future__ import annotations

from collections.abc import Sequence

from stretto.data.trace import TraceFile
from stretto.errors import UserError
from stretto.launch.allocation import granted_nodes
from stretto.launch.cores import usable_cores
from stretto.launch.job import Job
from stretto.launch.local import launch_here
from stretto.launch.mpi import find_mpi
from stretto.native.document import Launched
from stretto.native.programs import native_program

PROGRAM = "stretto-analyse"
MIN_BYTES = 1 << 28
"""A shorter trace is read before the processes have started."""


def divided(traces: Sequence[TraceFile]) -> Launched | None:
    """How stretto-analyse is started for these traces, one per rank, on the nodes of this batch job.

    Returns:
        None: there are no several nodes, the trace is short, or stretto is not built for the job's MPI.
    """
    allocation = granted_nodes()
    if (
        allocation is None
        or len(allocation.nodes) < 2
        or sum(one.path.stat().st_size for one in traces) < MIN_BYTES
    ):
        return None
    try:
        mpi = find_mpi()
        native_program(f"{PROGRAM}-mpi", mpi.family, mpi.mpiexec)
        program = native_program(PROGRAM, mpi.family, mpi.mpiexec)
        ranks = min(len(traces), len(allocation.nodes) * len(usable_cores()))
        launch = launch_here(mpi, Job(program, (), ranks))
    except UserError:
        return None
    return Launched(PROGRAM, launch.argv, launch.environment())
