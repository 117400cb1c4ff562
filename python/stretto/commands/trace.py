# SPDX-License-Identifier: BSD-3-Clause
"""`stretto trace`: records an MPI program."""

from __future__ import annotations

import sys

from stretto.data.shell import command_line, quoted
from stretto.data.trace_directory import open_trace
from stretto.errors import ProgramError, UserError
from stretto.launch.application import Application, placed
from stretto.launch.directory import default_directory, held_directory
from stretto.launch.limited_trace import check_kept, check_limit, cut, warn_of_size
from stretto.launch.progress import record_progress
from stretto.launch.recording import check_recorded, recorder_variables, remove_trace
from stretto.options.traces import TraceRequest
from stretto.potential.clean import take_durations
from stretto.potential.core_shortage import shortage_in


def trace(request: TraceRequest) -> None:
    """Record what an MPI program communicates, and when; nothing is recompiled.

    `stretto trace -o DIR -- mpiexec -n 4 ./app` leaves one file a rank in DIR, for `potential`, `whatif` and
    `show`. `--limit 2GiB` keeps the end of a long run. With `-n` or `--on` stretto starts the ranks of
    `./app` itself. `--memory byte` is for programs that `stretto-cc`, `stretto-cxx` or `stretto-fc` have
    compiled.
    """
    if request.limit is not None:
        check_limit(request.limit, request.launched_ranks)
    clean_files = open_trace(request.clean) if request.clean is not None else []
    directory = request.output or default_directory(["trace"])
    variables = recorder_variables(directory, request.memory, request.limit)
    with placed(Application.of(request)) as place:
        launch = place.launch(["trace"], variables)
        with held_directory(directory, request.force, remove_trace):
            status = place.run_shown(launch)
    if request.limit is not None:
        try:
            check_kept(directory, request.limit)
        except UserError as error:
            if status:
                raise ProgramError(f"{error}; {request.command[0]} ended with {status}", status) from None
            raise
        warn_of_size(directory, request.limit)
        cut(directory)
    if not check_recorded(directory, request.command[0], status):
        return
    if text := str(shortage_in(directory)):
        print(f"stretto: warning: {text}", file=sys.stderr)
    if request.clean is not None:
        with record_progress("taking durations"):
            take_durations(open_trace(directory), clean_files)
        print(f"stretto: durations are those of {quoted(str(request.clean))}", file=sys.stderr)
    print(f"next: {command_line(('stretto', 'potential', directory))}", file=sys.stderr)
