# SPDX-License-Identifier: BSD-3-Clause
"""Finds and loads the library of the C interface, for the MPI that this process has or the embedded one."""

from __future__ import annotations

import atexit
import functools
import os
import re
import sys
from pathlib import Path
from typing import Any, NoReturn

import cffi
from numpy.typing import NDArray

from stretto.errors import UserError
from stretto.native.mpi_families import FAMILIES, STANDARD_ABI, STANDARD_ABI_LIBRARY
from stretto.native.programs import interface_headers, interface_libraries
from stretto.rma.declarations import HEADERS, declarations
from stretto.rma.errors import BY_CODE, ArgumentError, Error
from stretto.rma.interrupts import ends_the_program, raised_in_wait

ffi: Any = cffi.FFI()
for _header in HEADERS:
    ffi.cdef(declarations((interface_headers() / _header).read_text(encoding="utf-8")))

_LIBRARIES = {STANDARD_ABI: STANDARD_ABI_LIBRARY} | {name: one.library for name, one in FAMILIES.items()}
"""The names of MPI's libraries, by what libstretto.so is built for."""


def raise_error(code: int) -> NoReturn:
    """Raises what a code stands for, with the message of this thread's last error."""
    if code == library().STRETTO_ERROR_INTERRUPTED and (raised := raised_in_wait()) is not None:
        raise raised
    message = ffi.string(library().stretto_error_message()).decode(errors="replace")
    raise (BY_CODE[code - 1] if 0 < code <= len(BY_CODE) else Error)(message)


def check(code: int) -> None:
    """Raises what a code stands for, unless it is success."""
    if code:
        raise_error(code)


def filled(call: Any, *arguments: Any) -> Any:
    """The cell that a function of C fills by its last parameter, whose type the header tells."""
    cell = ffi.new(ffi.typeof(call).args[-1])
    check(call(*arguments, cell))
    return cell


def address_of(array: NDArray[Any]) -> Any:
    """Where the first element of an array is, as C takes it."""
    return ffi.cast("void*", array.__array_interface__["data"][0])


def known(name: str, number: int) -> int:
    """A rank or a size that C has returned.

    Raises:
        ArgumentError: it is that of nothing.
    """
    if number < 0:
        raise ArgumentError(f"{name}: was freed")
    return int(number)


def loaded_mpi(maps: Path = Path("/proc/self/maps")) -> dict[str, str]:
    """The families of MPI whose library this process has loaded, each with the library's file."""
    files = {line.split()[-1] for line in maps.read_text(encoding="utf-8").splitlines() if "/libmpi" in line}
    return {
        family: file
        for family, pattern in _LIBRARIES.items()
        for file in sorted(files)
        if re.match(pattern, os.path.basename(file))
    }


@functools.cache
def library_file() -> Path:
    """The file of the library; with one MPI in the process at its first use, that of its family.

    Raises:
        UserError: the process has several MPI libraries, or stretto is not built for the one it has.
    """
    before = loaded_mpi()
    if len(before) > 1:
        raise UserError(f"this process has loaded several MPI libraries: {', '.join(before.values())}")
    wanted = next(iter(before), None)
    file = next(iter(interface_libraries(wanted)), None)
    if file is None:
        raise UserError(
            f"libstretto.so is not built{f' for {wanted}, the MPI that is loaded' if wanted else ''}: "
            "run `make setup` in the source tree, or `STRETTO_MPI=auto pip install . "
            "-Ccmake.define.MPI_CXX_COMPILER=mpicxx` with its mpicxx"
        )
    return file


@functools.cache
def library() -> Any:
    """The library.

    Raises:
        UserError: as `library_file`, or the library's MPI is not the one that mpi4py has loaded.
    """
    before, file = loaded_mpi(), library_file()
    loaded = ffi.dlopen(str(file), ffi.RTLD_GLOBAL | ffi.RTLD_NOW)  # Open MPI's components need its symbols
    after = loaded_mpi()
    if before and after != before:
        other = ", ".join(sorted(set(after.values()) - set(before.values())))
        raise UserError(
            f"{file} is built for {other}, but mpi4py has loaded {next(iter(before.values()))}: "
            "install stretto with that MPI's mpicxx (-Ccmake.define.MPI_CXX_COMPILER=...)"
        )
    return loaded


def world() -> int:
    """The handle in Fortran of MPI_COMM_WORLD. Initialises MPI where mpi4py has not; it then ends with the
    program.
    """
    module = sys.modules.get("mpi4py.MPI")
    if module is not None:
        handle: int = module.COMM_WORLD.py2f()
        return handle
    result = filled(library().stretto_mpi_start)
    _end_with_program()
    return int(result[0])


@functools.cache
def _end_with_program() -> None:
    """Finalizes MPI at the end of the program; a child that it has forked leaves MPI alone."""
    process = os.getpid()

    def end() -> None:
        if os.getpid() == process and not ends_the_program():
            library().stretto_mpi_end()

    atexit.register(end)
