# SPDX-License-Identifier: BSD-3-Clause
"""Generates the wrappers of libstretto_collectives.so: for C, for counts beyond 2^31, and for Fortran.

Usage: `generate_wrappers.py MPI.H OUTPUT`, with the preprocessed header. A wrapper in C passes its arguments
to the operation's function of operations.hpp, followed by the application's own call. A wrapper in Fortran
calls the one in C.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from calls import Call, Parameters, declared_calls, every_call, write_wrappers

# The calls that are carried out in phases, each with its function of operations.hpp.
OPERATIONS = {
    "Bcast": "broadcast",
    "Gather": "gather",
    "Scatter": "scatter",
    "Reduce": "reduce",
    "Allreduce": "allreduce",
    "Allgather": "allgather",
    "Allgatherv": "allgatherv",
    "Reduce_scatter_block": "reduce_scatter",
    "Reduce_scatter": "reduce_scatterv",
    "Alltoall": "alltoall",
}

# The arguments of a C function from those of Fortran, where each is an address, by the type in C.
FROM_FORTRAN = {
    "int": "*fint({})",
    "const int*": "fint({})",
    "void*": "fortran_buffer({})",
    "const void*": "fortran_buffer({})",
    "MPI_Datatype": "MPI_Type_f2c(*fint({}))",
    "MPI_Op": "MPI_Op_f2c(*fint({}))",
    "MPI_Comm": "MPI_Comm_f2c(*fint({}))",
}


def operation_of(call: Call) -> str | None:
    """The function that carries the call out; None for a call that is left to MPI."""
    return OPERATIONS.get(call.name.removesuffix("_c") if call.large else call.name)


def c_wrapper(call: Call) -> str:
    wrapper = Parameters(call)
    passed = ", ".join(wrapper.names)
    return (
        f'extern "C" STRETTO_INTERPOSED int MPI_{call.name}({wrapper.declared_in_c()}) {{\n'
        f"  const auto pass_on = [&] {{ return NEXT(MPI_{call.name})({passed}); }};\n"
        f"  return interpose::{operation_of(call)}({passed}, pass_on);\n}}\n"
    )


def fortran_wrapper(call: Call) -> str:
    """The Fortran wrapper, under each of its names."""
    wrapper = Parameters(call)
    types = (re.sub(r"\b[ND]\b", "int", one) for word, _ in wrapper.words() for one in word.types)
    passed = (FROM_FORTRAN[one].format(name) for one, name in zip(types, wrapper.names, strict=True))
    lower, upper = call.name.lower(), call.name.upper()
    return (
        f'extern "C" void stretto_fortran_{lower}({wrapper.declared_in_fortran()}) {{\n'
        f"  answer(error, MPI_{call.name}({', '.join(passed)}));\n}}\n"
        f"STRETTO_FORTRAN({lower}, {upper});\n"
    )


def wrappers(header: str) -> Iterator[str]:
    declared = declared_calls(header)
    calls = [call for call in every_call() if operation_of(call) and call.name in declared]
    yield from map(c_wrapper, calls)
    # MPICH's Fortran library calls MPI's C functions, and so these wrappers; Open MPI's calls PMPI.
    if "ompi_communicator_t" in header:
        yield from (fortran_wrapper(call) for call in calls if call.has_fortran_wrapper)


def generate(header: str) -> str:
    """The C++ code of all wrappers."""
    return "\n".join(
        [
            "// Made by src/collective/interpose/generate_wrappers.py from src/interpose/calls.txt.",
            '#include "collective/interpose/operations.hpp"',
            '#include "collective/interpose/wrapping.hpp"',
            "",
            "using namespace stretto;",
            "using namespace stretto::interpose;",
            "",
            *wrappers(header),
        ]
    )


if __name__ == "__main__":
    write_wrappers(generate)
