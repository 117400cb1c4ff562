# SPDX-License-Identifier: BSD-3-Clause
"""Writes stretto.f90, the Fortran module of the runtime, from the C headers: stretto_fortran.py FILE."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from fortran_interfaces import (
    Function,
    constants,
    functions,
    interface,
    parameters,
    without_comments,
    write,
)

HEADERS = Path(__file__).resolve().parents[1] / "include" / "stretto"
NAMES = ("c/runtime.h", "c/transfers.h", "c/teams.h", "c/updates.h", "kernels.h")
# Of the pairs with a communicator of C, the function with its handle in Fortran has the name.
FORTRAN = "_fortran"

NUMBERS = {
    "int": "integer(c_int)",
    "int32_t": "integer(c_int32_t)",
    "uint32_t": "integer(c_int32_t)",
    "int64_t": "integer(c_int64_t)",
    "uint64_t": "integer(c_int64_t)",
    "size_t": "integer(c_size_t)",
    "double": "real(c_double)",
}
RESULTS = {"int": "integer(c_int)", "const char*": "type(c_ptr)"}
# Arguments that may be left out, for which C has NULL.
OPTIONAL = ("options", "settings", "seen", "factor", "fetched", "operand")
# Arguments of any type that are one number, not an array.
NUMBERS_OF_ANY_TYPE = ("factor", "operand", "expected", "fetched")

HEAD = """\
! SPDX-License-Identifier: BSD-3-Clause
! The one-sided runtime, transforms and sparse products for Fortran: every function of stretto/stretto.h and
! stretto/kernels.h by its name in C, and the constants. Written by scripts/stretto_fortran.py. Compile it
! with the program. A communicator is an integer: that of `use mpi`, or %MPI_VAL of one of mpi_f08, which
! stretto_f08.f90 takes as it is. Runtimes, regions, handles and so on are type(c_ptr), and c_null_ptr where
! there is none. Data are arrays of any type; those of nonblocking and implicit operations should be
! asynchronous. stretto_text makes a string of the result of stretto_error_message.
module stretto
  use, intrinsic :: iso_c_binding
  implicit none
  public

"""

TAIL = """\
  end interface

contains

  !> The string at an address that a function returns.
  function stretto_text(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: length
    text = ""
    if (.not. c_associated(address)) return
    call c_f_pointer(address, letters, [huge(1)])
    length = 0
    do while (letters(length + 1) /= c_null_char)
      length = length + 1
      text = text // letters(length)
    end do
  end function

end module
"""


def structs(header: str) -> Iterator[tuple[str, str]]:
    """The structs of a header, each with its name and its members as C declares them."""
    for members, name in re.findall(r"^typedef struct \{(.*?)\} (\w+);", header, flags=re.M | re.S):
        yield name, members


def derived_type(name: str, members: str, types: tuple[str, ...]) -> str:
    """A struct in Fortran. All is zero where the program gives nothing."""
    lines = [f"  type, bind(c) :: {name}"]
    for member in members.split(";"):
        found = re.fullmatch(r"\s*(?:const )?(\w+)(\*?) (.*)", member, flags=re.S)
        if found is None:
            continue
        names = re.sub(r"\[(\d+)\]", r"(\1)", found[3])
        if found[2]:
            lines.append(f"    type(c_ptr) :: {names} = c_null_ptr")
        elif found[1] in types:
            lines.append(f"    type({found[1]}) :: {names}")
        else:
            zero = "0.0_c_double" if found[1] == "double" else "0"
            lines.append(f"    {NUMBERS[found[1]]} :: {names} = {zero}")
    return "\n".join([*lines, "  end type", ""])


def declaration(parameter: str, types: tuple[str, ...], asynchronous: bool) -> tuple[str, str]:
    """The name of a parameter, and its declaration in Fortran."""
    found = re.fullmatch(r"(const )?(\w+)(\**) (\w+)(\[\])?", parameter.replace(" *", "*"))
    assert found, parameter
    constant, kind, stars, name, array = found.groups()
    intent = "intent(in)" if constant else "intent(inout)"
    optional = ", optional" if name in OPTIONAL and (constant or name in ("seen", "fetched")) else ""
    if kind in ("stretto_before_plane", "stretto_function", "stretto_wait_check"):
        return name, f"type(c_funptr), value :: {name}"
    if name == "context":
        return name, f"type(c_ptr), value :: {name}"
    if kind == "void" and stars == "*":
        more = ", asynchronous" if asynchronous else ""
        shape = "" if name in NUMBERS_OF_ANY_TYPE else "(*)"
        return name, f"type(*), {intent}{optional}{more} :: {name}{shape}"
    if kind == "char" and stars == "**":
        return name, f"type(c_ptr), intent(inout) :: {name}"
    if kind == "char":
        # A file's name, or c_null_char for none, is what stretto_fft_create_tuned takes.
        return name, f"type(c_ptr), value :: {name}"
    if kind in NUMBERS:
        if not stars and not array:
            return name, f"{NUMBERS[kind]}, value :: {name}"
        return name, f"{NUMBERS[kind]}, {intent}{optional} :: {name}{'(*)' if array else ''}"
    if kind in types:
        return name, f"type({kind}), {intent}{optional} :: {name}{'(*)' if array else ''}"
    if stars == "**" or array:  # what a function makes or frees
        return name, f"type(c_ptr), intent(inout) :: {name}{'(*)' if array else ''}"
    return name, f"type(c_ptr), value :: {name}"


def body(function: Function, types: tuple[str, ...]) -> str:
    """A function's interface body."""
    later = any(word in function.name for word in ("nonblocking_", "implicit_", "aggregate_"))
    return interface(
        function,
        lambda parameter: declaration(parameter, types, later),
        RESULTS,
        types=types,
        name=function.name.removesuffix(FORTRAN),
    )


def all_functions() -> list[Function]:
    """The functions that the module has, by their names in C."""
    texts = [(HEADERS / name).read_text(encoding="utf-8") for name in NAMES]
    found = [one for text in texts for one in functions(text)]
    return [one for one in found if not any("MPI_Comm" in parameter for parameter in one.parameters)]


def module() -> str:
    """The text of the module."""
    texts = [(HEADERS / name).read_text(encoding="utf-8") for name in NAMES]
    numbers = {name: value for text in texts for name, value in constants(text)}
    found = [one for text in texts for one in structs(without_comments(text))]
    types = tuple(name for name, _ in found)
    bodies = "\n".join(derived_type(name, members, types) for name, members in found)
    interfaces = "".join(body(one, types) for one in all_functions())
    return f"{HEAD}{parameters(numbers)}\n{bodies}\n  interface\n{interfaces}{TAIL}"


if __name__ == "__main__":
    write(Path(sys.argv[1]), module())
