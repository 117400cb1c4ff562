# SPDX-License-Identifier: BSD-3-Clause
"""Preloads stretto's libraries, in the build for the program's MPI, into an MPI program."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from stretto.errors import UserError
from stretto.launch.linux import end_with_parent
from stretto.launch.mpi import Family, MpiLibrary, find_mpi, identify
from stretto.native.programs import native_library

_LAUNCHERS = ("mpiexec", "mpirun", "orterun", "prterun")
# MPI family by the version in the name of libmpi.so: MPICH and its ABI-compatible MPIs; Open MPI since 1.7.
_LINKED: Mapping[Family, str] = {"mpich": r"\blibmpi(?:ch)?\.so\.12\b", "openmpi": r"\blibmpi\.so\.[1-9]0\b"}


@dataclass(frozen=True)
class Preloaded:
    """A command line, and the variables that are added to its environment."""

    argv: tuple[str, ...]
    env: Mapping[str, str]


def preloaded(
    libraries: Sequence[str], command: Sequence[str], mpi_name: str | None, env: Mapping[str, str]
) -> Preloaded:
    """Adds each `libstretto_LIBRARY.so` as preloaded library, and `env`, to every rank of `command`.

    The first library gets the program's calls first. The MPI is `mpi_name` if given, else that of the
    launcher in the command, else that of the program.

    Raises:
        UserError: there is no such command, its MPI is unknown, or the library is not built for that MPI.
    """
    result = shutil.which(command[0])
    if result is None:
        raise UserError(f"{command[0]}: no such command; check what stands after --")
    linked = {family for word in command if (family := _family_of(shutil.which(word)))}
    mpi = _mpi_of(result, mpi_name, linked)
    if linked and mpi.family not in linked:
        other = ", ".join(sorted(linked))
        raise UserError(
            f"{mpi.mpiexec} is of {mpi.family}, and the program is linked with {other}; use its own mpiexec"
        )
    paths = [str(native_library(f"libstretto_{name}.so", mpi.family, mpi.mpiexec)) for name in libraries]
    before = os.environ.get("LD_PRELOAD", "")
    variables = {**env, "LD_PRELOAD": ":".join([*paths, before] if before else paths)}
    if not _is_launcher(result):
        return Preloaded(tuple(command), variables)
    # The launcher is not an MPI program: it only passes the variables on.
    options = [
        ("-x", f"{k}={v}") if mpi.family == "openmpi" else ("-genv", k, v) for k, v in variables.items()
    ]
    return Preloaded((command[0], *(word for option in options for word in option), *command[1:]), {})


def run_preloaded(run: Preloaded) -> int:
    """Runs the program with this process's input and output.

    The kernel ends the program when this process ends, so that none is left behind.

    Returns:
        The exit status; 128 + N when signal N ended the program.
    """
    bound = partial(end_with_parent, signal.SIGTERM, os.getpid())
    try:
        process = subprocess.Popen(run.argv, env={**os.environ, **run.env}, preexec_fn=bound)
    except OSError as error:
        raise UserError(f"{run.argv[0]}: cannot be run ({error.strerror})") from None
    # A terminal sends its interrupt to the program, too, which decides how to end.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        status = process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return status if status >= 0 else 128 - status


def _mpi_of(program: str, name: str | None, linked: set[Family]) -> MpiLibrary:
    if name is not None:
        return find_mpi(name)
    if _is_launcher(program):
        library = identify(_output([program, "--version"]), Path(program).absolute())
        if library is not None:
            return library
    if len(linked) == 1:
        return find_mpi(next(iter(linked)))
    raise UserError(
        f"{program}: neither an MPI launcher nor a program that is linked with MPICH or Open MPI; "
        "name the MPI with --mpi"
    )


def _is_launcher(path: str) -> bool:
    return Path(path).name.split(".")[0] in _LAUNCHERS


def _family_of(program: str | None) -> Family | None:
    """The MPI that a program is linked with, from the names of its libraries."""
    if program is None or not _is_elf(program):
        return None
    libraries = _output(["ldd", program])
    return next((family for family, name in _LINKED.items() if re.search(name, libraries)), None)


def _is_elf(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=20, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
