# SPDX-License-Identifier: BSD-3-Clause
"""`stretto preload`: runs an MPI program with stretto's libraries preloaded."""

from __future__ import annotations

from stretto.launch.application import Application, run_application
from stretto.options.traces import PreloadRequest


def preload(request: PreloadRequest) -> int:
    """Run an MPI program with stretto's libraries preloaded: those for its MPI, or none.

    Its variables (STRETTO_TRACE_DIR, ...) are for you to set, and its exit status is passed on.
    """
    application = Application(request.command, mpi=request.mpi, program=request.program)
    return run_application(application, request.libraries)
