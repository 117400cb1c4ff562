# SPDX-License-Identifier: BSD-3-Clause
"""Preloads stretto's libraries, in the build for the program's MPI, into an MPI program."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from stretto.errors import RunError, UserError
from stretto.launch.linux import end_with_parent
from stretto.launch.mpi import Family, MpiLibrary, find_mpi, identify, installed_mpis
from stretto.launch.mpiexec import Launch, rank_variables
from stretto.native.programs import native_library
from stretto.options.launchers import (
    BATCH_LAUNCHERS,
    LAUNCHERS,
    is_launcher,
    launcher_name,
    refuse_launcher,
)

# MPI family by the name of its library: MPICH, its ABI-compatible MPIs and the standard ABI, which only
# MPICH has; Open MPI since 1.7.
_LINKED: Mapping[Family, str] = {
    "mpich": r"libmpi(?:(?:ch)?\.so\.12|_abi\.so\.\d+)",
    "openmpi": r"libmpi\.so\.[1-9]0",
}


def preloaded(
    libraries: Sequence[str], command: Sequence[str], mpi_name: str | None, env: Mapping[str, str]
) -> Launch:
    """Adds each `libstretto_LIBRARY.so` as preloaded library, and `env`, to every rank of `command`.

    The first library gets the program's calls first. The MPI is `mpi_name` if given, else that of the
    launcher in the command, else that of the program.

    Raises:
        UserError: there is no such command, its MPI is unknown, or the library is not built for that MPI.
    """
    mpi = mpi_of_command(command, mpi_name)
    return command_launch(command, mpi, {**env, **preload_variables(libraries, mpi)})


def preload_variables(libraries: Sequence[str], mpi: MpiLibrary) -> dict[str, str]:
    """The variables that preload each `libstretto_LIBRARY.so` of this MPI; none for no library.

    Raises:
        UserError: a library is not built for that MPI.
    """
    if not libraries:
        return {}
    paths = [str(native_library(_file_of(name, mpi), mpi.family, mpi.mpiexec)) for name in libraries]
    before = os.environ.get("LD_PRELOAD", "")
    return {"LD_PRELOAD": ":".join([*paths, before] if before else paths)}


def _file_of(library: str, mpi: MpiLibrary) -> str:
    return f"libstretto_{library}{'_abi' if mpi.standard_abi else ''}.so"


def command_launch(command: Sequence[str], mpi: MpiLibrary, variables: Mapping[str, str]) -> Launch:
    """The command with these variables on every rank."""
    if launcher_name(command[0]) in BATCH_LAUNCHERS:
        return batch_launch(command, variables)
    if not is_launcher(command[0]):
        return Launch(tuple(command), variables)
    # The launcher is not an MPI program: it only passes the variables on.
    return Launch((command[0], *rank_variables(mpi, variables), *command[1:]), {})


def batch_launch(command: Sequence[str], variables: Mapping[str, str]) -> Launch:
    """A launch line of srun, flux, jsrun or aprun with these variables on every rank."""
    launcher = launcher_name(command[0])
    pairs = [f"{name}={value}" for name, value in variables.items()]
    if not pairs:
        return Launch(tuple(command), {})
    if launcher == "srun":
        return Launch(_exported(command, pairs), {})
    if launcher == "flux":  # flux run OPTIONS PROGRAM
        return Launch((*command[:2], *(f"--env={pair}" for pair in pairs), *command[2:]), {})
    flag = "-E" if launcher == "jsrun" else "-e"
    return Launch((command[0], *(word for pair in pairs for word in (flag, pair)), *command[1:]), {})


def _exported(command: Sequence[str], pairs: Sequence[str]) -> tuple[str, ...]:
    """The srun command that exports `pairs`, too. Its last --export counts, so the user's is extended."""
    for index, word in enumerate(command):
        if word.startswith("--export="):
            return (*command[:index], ",".join([word, *pairs]), *command[index + 1 :])
    before = os.environ.get("SLURM_EXPORT_ENV", "ALL")
    return (command[0], "--export=" + ",".join([before, *pairs]), *command[1:])


def mpi_of_command(command: Sequence[str], name: str | None) -> MpiLibrary:
    """The MPI that is named, else that of the launcher in the command, else that of the program.

    Raises:
        UserError: there is no such command, its MPI is unknown, or the program is linked with another one.
    """
    found, linked = _command(command), _linked(command)
    if name is not None:
        return _named(name, linked)
    if launcher_name(found) in LAUNCHERS:
        library = identify(_output([found, "--version"]), Path(found).absolute())
        if library is not None:
            return _checked(library, linked)
    if len(linked) == 1:
        return _installed_with(next(iter(linked.values())))
    raise UserError(
        f"{found}: neither an MPI launcher nor a program that is linked with MPICH or Open MPI; "
        "name the MPI with --mpi"
    )


def mpi_of_program(command: Sequence[str], name: str | None) -> MpiLibrary:
    """The MPI to start a program with: the named one, that of the program, else the first that is found.

    Raises:
        UserError: there is no such program or MPI, it is itself a launcher, or it is linked with another MPI.
    """
    refuse_launcher(command[0])
    _command(command)
    linked = _linked(command)
    if name is None and len(linked) == 1:
        return _installed_with(next(iter(linked.values())))
    return _named(name, linked)


def _command(command: Sequence[str]) -> str:
    found = shutil.which(command[0])
    if found is None:
        raise UserError(f"{command[0]}: no such command; check what stands after --")
    return found


def run_preloaded(run: Launch, timeout_s: float | None = None) -> int:
    """Runs the program with this process's input and output.

    The kernel ends the program when this process ends, so that none is left behind.

    Returns:
        The exit status; 128 + N when signal N ended the program.

    Raises:
        RunError: it took longer than `timeout_s`.
    """
    bound = partial(end_with_parent, signal.SIGTERM, os.getpid())
    try:
        process = subprocess.Popen(run.argv, env=run.environment(), preexec_fn=bound)
    except OSError as error:
        raise UserError(f"{run.argv[0]}: cannot be run ({error.strerror})") from None
    # A terminal sends its interrupt to the program, too, which decides how to end.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        status = process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        process.terminate()
        process.wait()
        raise RunError(f"the run was ended after --timeout {timeout_s:g} s") from None
    finally:
        signal.signal(signal.SIGINT, before)
    return status if status >= 0 else 128 - status


@dataclass(frozen=True)
class _Linked:
    """The MPI that a program is linked with, and the file of its library."""

    family: Family
    library: str
    standard_abi: bool


def _linked(command: Sequence[str]) -> dict[Family, _Linked]:
    """The MPIs of the programs among the words of a command, by family."""
    return {found.family: found for word in command if (found := _linked_with(shutil.which(word)))}


def _named(name: str | None, linked: Mapping[Family, _Linked]) -> MpiLibrary:
    """The MPI that an option names: of several of one family, that of the program. None: the first found."""
    for own in linked.values():
        if own.family == name:
            return _installed_with(own)
    return _checked(find_mpi(name), linked)


def _checked(mpi: MpiLibrary, linked: Mapping[Family, _Linked]) -> MpiLibrary:
    if linked and mpi.family not in linked:
        other = ", ".join(sorted(linked))
        own = [_installed_with(one).mpiexec for one in linked.values()]
        raise UserError(
            f"{mpi.mpiexec} is of {mpi.family}, and the program is linked with {other}; use {own[0]}"
        )
    return replace(mpi, standard_abi=any(one.standard_abi for one in linked.values()))


def _installed_with(linked: _Linked) -> MpiLibrary:
    """The MPI of a library's family that has it below its own prefix; else the first one of the family."""
    library = os.path.realpath(linked.library)
    fitting = [
        mpi
        for mpi in installed_mpis()
        if mpi.family == linked.family and library.startswith(f"{os.path.realpath(mpi.bin.parent)}/")
    ]
    nearest = max(fitting, key=lambda mpi: len(os.path.realpath(mpi.bin.parent)), default=None)
    return replace(nearest or find_mpi(linked.family), standard_abi=linked.standard_abi)


def _linked_with(program: str | None) -> _Linked | None:
    """The MPI that a program is linked with, from the names of its libraries."""
    if program is None or not _is_elf(program):
        return None
    libraries = _output(["ldd", program])
    for family, name in _LINKED.items():
        if found := re.search(rf"^\s*{name}(?: => (\S+))?", libraries, re.MULTILINE):
            return _Linked(family, found[1] or "", "_abi" in found[0].split()[0])
    return None


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
