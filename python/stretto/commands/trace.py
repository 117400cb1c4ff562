# SPDX-License-Identifier: BSD-3-Clause
"""`stretto trace` and `stretto preload`: run somebody's MPI program with one of our libraries in it."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from stretto.data.trace import TraceFile, open_trace, record_count, trace_files
from stretto.errors import RunError, UserError
from stretto.launch.directory import default_directory
from stretto.launch.preload import preloaded, run_preloaded
from stretto.launch.progress import record_progress
from stretto.options.choices import check_choice, choose
from stretto.potential.clean import take_durations

LIBRARIES = ("trace", "collectives", "progress")
MEMORY = ("off", "page", "byte")
_DIRECTORY = "STRETTO_TRACE_DIR"
_MEMORY = "STRETTO_TRACE_MEMORY"

Command = Annotated[list[str], typer.Argument(metavar="-- COMMAND...", help="What to run.")]
Mpi = Annotated[
    str | None, typer.Option("--mpi", metavar="NAME|PATH", help="mpich, openmpi, an mpiexec or its prefix.")
]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", help="Where the trace goes.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a trace that is there.")]


def trace(
    command: Command,
    output: Output = None,
    memory: Annotated[
        str,
        typer.Option("--memory", metavar="|".join(MEMORY), help="When data is produced and consumed."),
    ] = "off",
    clean: Annotated[
        Path | None,
        typer.Option("--clean", metavar="DIR", help="Durations of this trace, made without --memory."),
    ] = None,
    mpi: Mpi = None,
    force: Force = False,
) -> None:
    """Record what an MPI program communicates, and when; nothing is compiled anew.

    `stretto trace -o DIR -- mpiexec -n 4 ./app` leaves one file a rank in DIR, for `potential`, `whatif` and
    `dump`. `--memory byte` is for programs that `stretto-cc`, `stretto-cxx` or `stretto-fc` have compiled.
    """
    check_choice("--memory", memory, MEMORY)
    if clean is not None and memory == "off":
        raise UserError(
            "--clean: gives a trace with --memory its durations; say --memory byte, or leave it out"
        )
    clean_files = open_trace(clean) if clean is not None else []
    directory = output or default_directory(["trace"])
    variables = {_DIRECTORY: str(directory.absolute())}
    if memory != "off":
        variables[_MEMORY] = memory
    run = preloaded(["trace"], command, mpi, variables)
    _prepare(directory, force)
    status = run_preloaded(run)
    if not any(directory.glob("rank-*.trace")):
        with suppress(OSError):  # not empty: somebody's
            directory.rmdir()
        ended = f"; it ended with {status}" if status else ""
        raise RunError(
            f"nothing was recorded: {command[0]} started no program that called MPI_Init through "
            f"this MPI's shared library{ended}"
        )
    _tell(directory)
    if status:
        raise RunError(f"{command[0]} ended with {status}; what was recorded until then is in {directory}")
    if clean is not None:
        with record_progress("taking durations"):
            take_durations(open_trace(directory), clean_files)
        print(f"stretto: durations are those of {clean}", file=sys.stderr)


def preload(
    libraries: Annotated[
        str,
        typer.Argument(
            metavar="trace|collectives|trace,collectives", help="Which; the first is called first."
        ),
    ],
    command: Command,
    mpi: Mpi = None,
) -> int:
    """Run an MPI program with stretto's libraries preloaded: those for its MPI, or none.

    Its variables (STRETTO_TRACE_DIR, ...) are for you to set, and its exit status is passed on.
    """
    return run_preloaded(preloaded(choose("preload", libraries, LIBRARIES), command, mpi, {}))


def _prepare(directory: Path, force: bool) -> None:
    """Makes the directory, or empties it of an earlier trace."""
    if directory.exists() and not force:
        raise UserError(f"{directory} exists: choose another with -o, or replace its trace with --force")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for old in directory.glob("rank-*.trace"):
            old.unlink()
    except OSError as error:
        raise UserError(f"{directory} cannot be written ({error.strerror}): choose another with -o") from None


def _tell(directory: Path) -> None:
    files = trace_files(directory)
    traces = [TraceFile(path) for path in files]
    size_mb = sum(path.stat().st_size for path in files) / 1e6
    incomplete = [str(one.header.rank) for one in traces if not one.complete]
    print(
        f"stretto: {record_count(traces)} records of {len(traces)} ranks, {size_mb:.1f} MB, in {directory}",
        file=sys.stderr,
    )
    if incomplete:
        print(
            f"stretto: warning: without MPI_Finalize: rank {', '.join(incomplete)}; what was recorded until "
            "then is there",
            file=sys.stderr,
        )
