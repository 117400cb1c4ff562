# SPDX-License-Identifier: BSD-3-Clause
"""Writes armci.f90, the Fortran module of ARMCI, from the C headers: armci_fortran.py FILE."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from fortran_interfaces import Function, constants, functions, interface, parameters, write

HEADERS = Path(__file__).resolve().parents[1] / "include" / "armci"
NAMES = ("armci", "message", "armcix", "iterator")
# Fortran has no MPI_Comm. These take or return a handle, by functions of their own in src/armci/fortran.cpp.
BY_HANDLE = ("ARMCI_Init_mpi_comm", "ARMCI_Init_thread_comm", "armci_group_comm")
# A macro of C: the module has it itself.
OWN = ("ARMCI_INIT_HANDLE",)

NUMBERS = {
    "int": "integer(c_int)",
    "long": "integer(c_long)",
    "armci_size_t": "integer(c_long)",
    "unsigned long": "integer(c_long)",
    "size_t": "integer(c_size_t)",
    "long long": "integer(c_long_long)",
    "float": "real(c_float)",
    "double": "real(c_double)",
    "armci_domain_t": "integer(c_int)",
    "MPI_Comm": "integer(c_int)",
}
RESULTS = {**NUMBERS, "void*": "type(c_ptr)", "armcix_mutex_hdl_t": "type(c_ptr)"}
TYPES = ("armci_hdl_t", "armci_giov_t", "armci_meminfo_t", "stride_info_t")
ARRAYS = re.compile(r"x|pid_list|.*strides?_arr|.*count")

HEAD = """\
! SPDX-License-Identifier: BSD-3-Clause
! ARMCI for Fortran: every function of armci.h, message.h, armcix.h and iterator.h by its name in C, and the
! constants. Written by scripts/armci_fortran.py. Compile it with the program. Addresses are type(c_ptr): of
! one's own variables from c_loc, of others from ARMCI_Malloc. armci_at gives the address of an element behind
! one. A name of an operation ends with c_null_char. Without a handle an operation is implicit. A communicator
! is a handle of Fortran.
module armci
  use, intrinsic :: iso_c_binding
  implicit none
  public

"""

TYPES_TEXT = """\

  !> Zero, as it is here, is what ARMCI_INIT_HANDLE makes it.
  type, bind(c) :: armci_hdl_t
    integer(c_int) :: number = 0
  end type

  type, bind(c) :: armci_giov_t
    type(c_ptr) :: src_ptr_array = c_null_ptr, dst_ptr_array = c_null_ptr
    integer(c_int) :: ptr_array_len = 0, bytes = 0
  end type

  type, bind(c) :: armci_meminfo_t
    type(c_ptr) :: armci_addr = c_null_ptr, addr = c_null_ptr
    integer(c_size_t) :: size = 0
    integer(c_int) :: cpid = -1
    integer(c_long) :: idlist(128) = 0
  end type

  type, bind(c) :: stride_info_t
    type(c_ptr) :: base_ptr = c_null_ptr
    integer(c_int) :: stride_levels = 0, stride_arr(ARMCI_MAX_STRIDE_LEVEL) = 0
    integer(c_int) :: seg_count(ARMCI_MAX_STRIDE_LEVEL + 1) = 0
    integer(c_int) :: size = 0, pos = 0, itr(ARMCI_MAX_STRIDE_LEVEL) = 0
  end type

  interface
"""

TAIL = """\
  end interface

contains

  subroutine ARMCI_INIT_HANDLE(hdl)
    type(armci_hdl_t), intent(out) :: hdl
    hdl%number = 0
  end subroutine

  !> The address `bytes` behind another.
  pure function armci_at(base, bytes) result(address)
    type(c_ptr), intent(in) :: base
    integer(c_size_t), intent(in) :: bytes
    type(c_ptr) :: address
    address = transfer(transfer(base, 0_c_intptr_t) + int(bytes, c_intptr_t), c_null_ptr)
  end function

end module
"""


def declaration(parameter: str) -> tuple[str, str]:
    """The name of a parameter, and its declaration in Fortran."""
    text = parameter.replace(" *", "*")
    found = re.fullmatch(r"(?:const )?([\w ]+?)(\**) (\w+)(\[\])?", text)
    assert found, parameter
    kind, stars, name, array = found[1], found[2], found[3], found[4]
    if kind == "void" and (stars == "**" or array):
        return name, f"type(c_ptr), intent(inout) :: {name}(*)"
    if kind == "char" and name in ("op", "message", "device"):
        return name, f"character(kind=c_char), intent(in) :: {name}(*)"
    if kind in ("void", "char") or kind == "armcix_mutex_hdl_t" or name in ("flag", "argc"):
        return name, f"type(c_ptr), value :: {name}"
    if kind == "ARMCI_Group":
        return name, f"integer(c_int), intent(inout) :: {name}"
    if kind in TYPES:
        optional = ", optional" if kind == "armci_hdl_t" else ""
        return name, f"type({kind}), intent(inout){optional} :: {name}{'(*)' if array else ''}"
    number = NUMBERS[kind]
    if array or (stars and ARRAYS.fullmatch(name)):
        return name, f"{number}, intent(inout) :: {name}(*)"
    return name, f"{number}, intent(inout) :: {name}" if stars else f"{number}, value :: {name}"


def body(function: Function) -> str:
    """A function's interface body."""
    bound = function.name + ("_fortran" if function.name in BY_HANDLE else "")
    return interface(function, declaration, RESULTS, types=TYPES, bound=bound)


def module() -> str:
    """The text of the module."""
    texts = [(HEADERS / f"{name}.h").read_text(encoding="utf-8") for name in NAMES]
    numbers = {name: value for text in texts for name, value in constants(text) if name not in OWN}
    bodies = [body(one) for text in texts for one in functions(text) if one.name not in OWN]
    return HEAD + parameters(numbers) + TYPES_TEXT + "".join(bodies) + TAIL


if __name__ == "__main__":
    write(Path(sys.argv[1]), module())
