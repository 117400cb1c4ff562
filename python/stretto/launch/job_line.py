# SPDX-License-Identifier: BSD-3-Clause
"""The command that runs an application as it was measured, for a job script."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence

from stretto.data.shell import command_line, quoted
from stretto.launch.application import Application
from stretto.launch.layout import HERE
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpi_command import mpi_command
from stretto.options.command_line import parsed
from stretto.options.traces import PreloadRequest

_FORWARDED_BY_OPEN_MPI = ("OMPI_MCA_", "PRTE_MCA_")


def job_line(
    application: Application,
    mpi: MpiLibrary,
    libraries: Sequence[str],
    variables: Mapping[str, str],
    exported: bool = False,
) -> str:
    """The command that starts the application with these libraries and variables on every rank.

    Where stretto has started the ranks it has their MPI's own launcher, or starts them on the same nodes
    again; it is checked as `stretto preload` checks it.

    Args:
        application: The application.
        mpi: The MPI that it ran with.
        libraries: What it preloads.
        variables: What it is told.
        exported: Whether the shell has exported the variables; else they stand before the command.

    Raises:
        UserError: stretto would refuse the command.
    """
    assigned = {} if exported else variables
    if application.layout != HERE and application.ranks is not None:
        return _assigned(assigned) + command_line(_with_layout(application, libraries))
    started = () if application.ranks is None else (own_launcher(mpi), "-n", str(application.ranks))
    found = mpi_command((*started, *application.command), application.mpi, application.program)
    words = found.line.words
    if found.mpi.family == "openmpi" and found.line.is_by_mpi:
        names = [name for name in variables if not name.startswith(_FORWARDED_BY_OPEN_MPI)]
        words = found.line.inserted([word for name in names for word in ("-x", name)], each=True)
    if libraries:
        arguments = (",".join(libraries), *_named(application), "--", *words)
        parsed(PreloadRequest, arguments)
        words = ("stretto", "preload", *arguments)
    return _assigned(assigned) + command_line(words)


def _named(application: Application) -> Iterator[str]:
    """The options that say which MPI and program these are, as the user gave them."""
    for flag, value in (("--mpi", application.mpi), ("--program", application.program)):
        if value is not None:
            yield from (flag, value)


def _with_layout(application: Application, libraries: Sequence[str]) -> Sequence[str]:
    """The command that lets stretto start the ranks on these nodes again."""
    layout = application.layout
    options = {
        "-n": application.ranks,
        "--hostfile": layout.hostfile,
        "--ranks-per-node": layout.ranks_per_node,
        "--launcher": layout.launcher,
        "--mpi": application.mpi,
        "--preload": ",".join(libraries) or None,
    }
    given = [str(word) for flag, value in options.items() if value is not None for word in (flag, value)]
    return "stretto", "run", *given, "--", *application.command


def _assigned(variables: Mapping[str, str]) -> str:
    return "".join(f"{name}={quoted(value)} " for name, value in variables.items())


def own_launcher(mpi: MpiLibrary) -> str:
    """The shortest name that starts this MPI's launcher here."""
    real = os.path.realpath(mpi.mpiexec)
    for name in dict.fromkeys(("mpiexec", "mpirun", mpi.mpiexec.name)):
        found = shutil.which(name)
        if found is not None and os.path.realpath(found) == real:
            return name
    return str(mpi.mpiexec)
