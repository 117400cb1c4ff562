# SPDX-License-Identifier: BSD-3-Clause
"""The MPI of a command line: that of its launcher, or of the program that it starts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from stretto.binaries.elf import is_elf
from stretto.data.shell import quoted
from stretto.errors import UserError
from stretto.launch.command_line import CommandLine, find_launcher, read_command
from stretto.launch.mpi import MpiLibrary, find_mpi, identify, installed_mpis
from stretto.native.mpi_families import FAMILIES, STANDARD_ABI_LIBRARY, Family
from stretto.options.launchers import LAUNCHERS, SIMULATORS, launcher_name, refuse_launcher

_LINKED: tuple[tuple[Family, str, bool], ...] = (
    *((name, family.library, False) for name, family in FAMILIES.items()),
    ("mpich", rf"{STANDARD_ABI_LIBRARY}\.\d+", True),
)
"""The families by the names of libraries; whether the library is that of MPI's standard ABI."""


@dataclass(frozen=True)
class MpiCommand:
    """A command line, as it was read, and its MPI."""

    line: CommandLine
    mpi: MpiLibrary


def mpi_command(command: Sequence[str], name: str | None, program: str | None = None) -> MpiCommand:
    """A command that starts its own ranks. Its MPI is the one that is named, else that of its launcher, else
    that of its program.

    Raises:
        UserError: there is no such command, its MPI is unknown, or the program is linked with another one.
    """
    _check_found(command[0])
    launcher = find_launcher(command)
    starts = None if launcher is None else _check_found(command[launcher])
    if starts is not None and launcher_name(starts) in SIMULATORS:
        raise UserError(f"{starts}: starts simulated ranks; this is for ranks that MPICH or Open MPI starts")
    found = _of_launcher(starts, name)
    line = read_command(command, found, program)
    linked = _linked(line)
    if name is not None:
        return MpiCommand(line, _named(name, linked))
    if found is not None:
        return MpiCommand(line, _checked(found, linked))
    if len(linked) == 1:
        return MpiCommand(line, _installed_with(next(iter(linked.values()))))
    raise UserError(_not_known(line))


def mpi_program(command: Sequence[str], name: str | None, program: str | None = None) -> MpiCommand:
    """A program whose ranks stretto starts. Its MPI is the one that is named, else that of the program, else
    the first that is found.

    Raises:
        UserError: there is no such program or MPI, it is itself a launcher, or it is linked with another MPI.
    """
    if (launcher := find_launcher(command)) is not None:
        refuse_launcher(command[launcher])
    _check_found(command[0])
    line = read_command(command, None, program)
    for one in line.programs:
        _check_found(command[one.program])
    linked = _linked(line)
    if name is None and len(linked) == 1:
        return MpiCommand(line, _installed_with(next(iter(linked.values()))))
    return MpiCommand(line, _named(name, linked))


def _check_found(command: str) -> str:
    found = shutil.which(command)
    if found is None:
        what = "is not executable" if "/" in command and Path(command).is_file() else "no such command"
        raise UserError(f"{command or quoted(command)}: {what}; check what stands after --")
    return found


def _of_launcher(launcher: str | None, name: str | None) -> MpiLibrary | None:
    """The MPI of an MPI's launcher; None for one that tells nothing.

    Raises:
        UserError: it is of another MPI than the named one.
    """
    if launcher is None or launcher_name(launcher) not in LAUNCHERS:
        return None
    found = identify(_output([launcher, "--version"]), Path(launcher).absolute())
    if name is None or found is None:
        return found or (find_mpi(name) if name is not None else None)
    named = name if name in FAMILIES else find_mpi(name).family
    if found.family != named:
        raise UserError(f"--mpi {name}: {launcher} is of {found.family}; use its launcher")
    return found


def _not_known(line: CommandLine) -> str:
    words = line.words
    if line.unknown:
        return f"{line.unknown}; name the MPI with --mpi, or the program with --program"
    (first, *_) = [words[one.program] for one in line.programs]
    what = "no program that is linked with MPICH or Open MPI"
    if line.launcher is None:
        return (
            f"{first}: neither a launcher that is known here nor linked with MPICH or Open MPI; "
            "name the MPI with --mpi, or the program with --program"
        )
    return f"{first}: {what}; name the MPI with --mpi, or the program with --program"


@dataclass(frozen=True)
class _Linked:
    """The MPI that a program is linked with, and the file of its library."""

    family: Family
    library: str
    standard_abi: bool


def _linked(line: CommandLine) -> dict[Family, _Linked]:
    """The MPIs of the programs of a command line, by family; none where it is not understood."""
    programs = [shutil.which(line.words[one.program]) for one in line.programs]
    return {found.family: found for program in programs if (found := _linked_with(program))}


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
    if program is None or not is_elf(program):
        return None
    libraries = _output(["ldd", program])
    for family, name, standard_abi in _LINKED:
        if found := re.search(rf"^\s*{name}(?: => (\S+))?", libraries, re.MULTILINE):
            return _Linked(family, found[1] or "", standard_abi)
    return None


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=20, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
