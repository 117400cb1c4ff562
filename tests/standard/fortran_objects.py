# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of communicators, windows, datatypes and callbacks in Fortran."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tests.standard import objects
from tests.standard.case import Case
from tests.standard.fortran_spelling import in_fortran
from tests.standard.objects import ORIGINS, WINDOW

ONLY_C = re.compile(
    r"Session|idup_with_info|NULL\)\)|NULL, NULL|Graph_create|Dist_graph|Neighbor|value|from_group|memory\[8\]|Win_attach|int\* memory|done"
)
"""Calls of MPI 4, which Fortran's bindings here do not have, and code that has another form in Fortran."""
MADE = "block; COMM_T :: made; made = MPI_COMM_NULL;"
FREED = "call free_comm(made); end block"


def _made(name: str, title: str, arguments: str, *, fails: bool = False) -> Case:
    code = f"{MADE} call MPI_{name}({arguments}, made, code); call say_code('call'); {FREED}"
    return Case(f"{name}: {title}", code, fails=fails)


def communicators() -> Iterator[Case]:
    yield _made("Comm_dup", "a null communicator", "MPI_COMM_NULL", fails=True)
    yield _made("Cart_create", "no dimensions", "comm, 0, zeros, [logical ::], .false.")
    yield _made("Graph_create", "fewer ranks", "comm, 2, [1, 2], [1, 0], .false.")
    adjacent = "comm, 1, [left], {0}, 1, [right], {0}, info, .false."
    yield _made("Dist_graph_create_adjacent", "without weights", adjacent.format("MPI_UNWEIGHTED"))
    yield _made("Dist_graph_create_adjacent", "with weights", adjacent.format("[3]"))
    empty = "comm, 0, zeros, MPI_WEIGHTS_EMPTY, 0, zeros, MPI_WEIGHTS_EMPTY, info, .false."
    yield _made("Dist_graph_create_adjacent", "no neighbours", empty)
    yield _made(
        "Dist_graph_create", "without weights", "comm, 1, [rank], [1], [right], MPI_UNWEIGHTED, info, .false."
    )
    yield _made(
        "Dist_graph_create", "no edges", "comm, 0, zeros, zeros, zeros, MPI_WEIGHTS_EMPTY, info, .false."
    )
    yield Case(
        "Neighbor_alltoall: with neighbours of a distributed graph",
        f"{MADE} call MPI_Dist_graph_create_adjacent({adjacent.format('MPI_UNWEIGHTED')}, made, code);"
        f"call MPI_Neighbor_alltoall(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, made, code); {FREED}",
    )
    yield Case(
        "Init_thread: its level",
        "block; integer :: level; call MPI_Query_thread(level, code); call say('level', level);"
        "call MPI_Is_thread_main(flag, code); call say_flag('main', flag); call MPI_Initialized(flag, code); call say_flag('begun', flag); end block",
    )
    for title, errors in (
        ("their errors are ignored", "MPI_ERRCODES_IGNORE"),
        ("their errors", "which(1:1)"),
    ):
        yield Case(
            f"Comm_spawn: {title}",
            f"block; character(1000) :: me; {MADE} call get_command_argument(0, me);"
            f"call MPI_Comm_spawn(me, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, comm, made, {errors}, code); call say_code('spawn');"
            "call MPI_Comm_disconnect(made, code); call say_code('disconnect'); end block; end block",
        )


def windows() -> Iterator[Case]:
    yield Case(
        "Win_allocate: ordinary",
        "block; WIN_T :: win; type(c_ptr) :: base; integer, pointer :: memory(:);"
        "call MPI_Win_allocate(int(64, address_kind), 4, info, comm, base, win, code); call c_f_pointer(base, memory, [16]);"
        "memory = rank; call MPI_Win_fence(0, win, code);"
        "call MPI_Put(out, 2, MPI_INTEGER, right, int(3, address_kind), 2, MPI_INTEGER, win, code); call MPI_Win_fence(0, win, code);"
        "shared(1:16) = memory; call MPI_Win_free(win, code); end block",
    )


TYPES = {
    "Type_contiguous: no elements": "0, MPI_INTEGER",
    "Type_vector: no blocks": "0, 1, 2, MPI_INTEGER",
    "Type_vector: of stride 0": "2, 1, 0, MPI_INTEGER",
    "Type_indexed: blocks without elements": "2, zeros, counts, MPI_INTEGER",
    "Type_create_indexed_block: no blocks": "0, 1, counts, MPI_INTEGER",
    "Type_create_hindexed: ordinary": "2, counts, spaces, MPI_INTEGER",
    "Type_create_struct: ordinary": "2, counts, spaces, types",
    "Type_create_struct: no blocks": "0, counts, spaces, types",
    "Type_create_subarray: in Fortran's order": "2, [4, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_INTEGER",
    "Type_create_resized: of a negative bound": "MPI_INTEGER, int(-4, address_kind), int(12, address_kind)",
    "Type_create_f90_integer: of nine digits": "9",
}


def datatypes() -> Iterator[Case]:
    for name, arguments in TYPES.items():
        call = name.partition(":")[0]
        predefined = "f90" in call
        # Into a type of stride 0, which element comes last is not defined.
        into = "in(5:8), 2, MPI_INTEGER" if "stride 0" in name else "in(9:), 1, made"
        commit, free = "call MPI_Type_commit(made, code);", "call MPI_Type_free(made, code);"
        yield Case(
            name,
            f"block; TYPE_T :: made; integer :: size; call MPI_{call}({arguments}, made, code);"
            f"{'' if predefined else commit} call MPI_Isend(out(9:), 1, made, right, 1, comm, r(2), code);"
            f"call MPI_Irecv({into}, left, 1, comm, r(1), code); call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, code);"
            f"call MPI_Type_size(made, size, code); call say('size', size); {'' if predefined else free} end block",
        )
    yield Case(
        "Type_free: a null type",
        "block; TYPE_T :: made; made = MPI_DATATYPE_NULL; call MPI_Type_free(made, code); call say_code('free'); end block",
        fails=True,
    )
    yield Case(
        "Pack: and unpack",
        "block; character :: packed(256); integer :: place; place = 0; call MPI_Pack(out, 2, MPI_INTEGER, packed, 256, place, comm, code);"
        "place = 0; call MPI_Unpack(packed, 256, place, in, 2, MPI_INTEGER, comm, code); call say('place', place); end block",
    )


def callbacks() -> Iterator[Case]:
    """Functions of Fortran that MPI calls."""
    yield Case(
        "Allreduce: a function of the program, in place",
        "block; OP_T :: op; call MPI_Op_create(add, .true., op, code);"
        "call MPI_Allreduce(MPI_IN_PLACE, in, 3, MPI_INTEGER, op, comm, code); call MPI_Op_free(op, code); end block",
    )
    yield Case(
        "Comm_dup: with an attribute",
        "block; COMM_T :: made; integer :: key; integer(address_kind) :: value; value = 42;"
        "call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, value, code); call MPI_Comm_set_attr(comm, key, value, code);"
        "call MPI_Comm_dup(comm, made, code); value = 0; call MPI_Comm_get_attr(made, key, value, flag, code); call say('value', int(value)); call say_flag('flag', flag);"
        "call MPI_Comm_delete_attr(comm, key, code); call MPI_Comm_free_keyval(key, code); call free_comm(made); end block",
    )
    yield Case(
        "Send: an error handler of the program",
        "block; ERRHANDLER_T :: handler; COMM_T :: made; call MPI_Comm_dup(comm, made, code);"
        "call MPI_Comm_create_errhandler(failed, handler, code); call MPI_Comm_set_errhandler(made, handler, code);"
        "call MPI_Send(out, 2, MPI_INTEGER, ranks + 5, 1, made, code); call say_code('send'); call MPI_Errhandler_free(handler, code); call free_comm(made); end block",
        fails=True,
    )


def of_c() -> Iterator[Case]:
    """The cases of C, and a part of an array at the origin of one-sided calls."""
    part = {"a part of an array": ("out(9:12), 3, MPI_INT", "right, 4, 3, MPI_INT")}
    of_windows = objects.one_sided({**ORIGINS, **part})
    for case in (*objects.communicators(), *of_windows, *objects.operations()):
        if ONLY_C.search(case.code.replace(WINDOW, "")):
            continue
        yield in_fortran(case)
        if "NOWHERE" in case.code:
            code = case.code.replace("NOWHERE, HUGE_n", "NULL, 0")
            yield in_fortran(replace(case, name=case.name.replace("garbage", "nothing"), code=code))


def object_cases() -> Iterator[Case]:
    for part in (of_c, communicators, windows, datatypes, callbacks):
        yield from part()
