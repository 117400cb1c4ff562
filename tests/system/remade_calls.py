# SPDX-License-Identifier: BSD-3-Clause
"""C code for each call of src/interpose/calls.txt, with the handles of programs/remade_handles.h.

A block is a name and its code. `IN`, `MADE`, `ON` and `MADE_WINDOW` stand around each call that the recorder
records with a communicator or a window. Names that end with `_n` become `_c` in the variants for large counts.
"""

from collections.abc import Iterable, Iterator

Block = tuple[str, str]

IGNORED = "MPI_STATUS_IGNORE"
POST = "IN(comm, MPI_Irecv(in, 1, type, left, 1, comm, &r[0]));"
SEND = "IN(comm, MPI_Isend(out, 1, type, right, 1, comm, &r[1]));"
READY = "IN(comm, MPI_Barrier(comm));"  # a ready send needs its receive
ALL = "MPI_Waitall(2, r, MPI_STATUSES_IGNORE);"

ARGUMENTS = {
    "comm": "comm", "info": "info", "root": "0", "op": "op", "new_request": "&r[0]",
    "B": "shared, 1, type", "S": "out, 1, type", "R": "in, 1, type",
    "SB": "out, 1, type", "RB": "in, 1, type", "SBN": "out, 1, type", "RBN": "in, 1, type",
    "SV": "out, counts_n, displs_n, type", "RV": "in, counts_n, displs_n, type",
    "SVN": "out, counts_n, displs_n, type", "RVN": "in, counts_n, displs_n, type",
    "SW": "out, counts_n, bytes_n, types", "RW": "in, counts_n, bytes_n, types",
    "SXN": "out, counts_n, spaces, types", "RXN": "in, counts_n, spaces, types",
    "SR": "out, in, 1, type", "SRV": "out, in, counts_n, type",
    "rank": "right", "disp": "0", "T": "1, type", "window": "win",
    "F": "out, in, MPI_INT", "C": "out, shared, in, MPI_INT",
}  # fmt: skip
"""Arguments of collectives and one-sided operations by the words of calls.txt."""


def _arguments(words: Iterable[str], **others: str) -> str:
    known = ARGUMENTS | others
    return ", ".join(known[word] for word in words)


def collective(name: str, words: Iterable[str]) -> Block:
    """A collective, its nonblocking variant, or its persistent one, which starts twice."""
    on = "ring" if "eighbor" in name else "comm"
    call = f"IN({on}, MPI_{name}({_arguments(words, comm=on)}));"
    wait = f"MPI_Wait(&r[0], {IGNORED});"
    if name.endswith("_init"):
        return name, call + 2 * f"MPI_Start(&r[0]); {wait}" + "MPI_Request_free(&r[0]);"
    return name, call + (wait if "new_request" in words else "")


def one_sided(name: str, words: Iterable[str]) -> Block:
    """A one-sided operation: between fences, or with a request while all targets are locked."""
    call = f"ON(win, MPI_{name}({_arguments(words, op='MPI_SUM')}));"
    if "new_request" not in words:
        fence = "ON(win, MPI_Win_fence(0, win));"
        return name, fence + call + fence
    # The fences keep the operations of all ranks apart.
    return name, (
        f"ON(win, MPI_Win_lock_all(0, win)); {call} MPI_Wait(&r[0], {IGNORED}); ON(win, MPI_Win_unlock_all(win));{READY}"
    )


def sends() -> Iterator[Block]:
    for mode in ("", "b", "s", "r"):
        name = f"{mode}send".capitalize()
        to = "out, 1, type, right, 1, comm"
        yield name, f"{POST}{READY} IN(comm, MPI_{name}({to})); MPI_Wait(&r[0], {IGNORED});"
        yield f"I{mode}send", f"{POST}{READY} IN(comm, MPI_I{mode}send({to}, &r[1])); {ALL}"
        init = f"IN(comm, MPI_{name}_init({to}, &r[1]));"
        once = f"{POST}{READY} MPI_Start(&r[1]); {ALL}"
        yield f"{name}_init", f"{init}{once}{once} MPI_Request_free(&r[1]);"


MESSAGES: list[Block] = [
    ("Recv", f"{SEND} IN(comm, MPI_Recv(in, 1, type, left, 1, comm, {IGNORED})); MPI_Wait(&r[1], {IGNORED});"),
    (
        "Recv from any source",
        f"{SEND} IN(comm, MPI_Recv(in, 1, type, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, {IGNORED})); MPI_Wait(&r[1], {IGNORED});",
    ),
    (
        "Irecv from any source",
        f"IN(comm, MPI_Irecv(in, 4, type, MPI_ANY_SOURCE, 1, comm, &r[0])); {SEND} {ALL}",
    ),
    (
        "Recv_init",
        "IN(comm, MPI_Recv_init(in, 1, type, left, 1, comm, &r[0]));"
        + 2 * f"MPI_Start(&r[0]); {SEND} {ALL}"
        + "MPI_Request_free(&r[0]);",
    ),
    ("Sendrecv", f"IN(comm, MPI_Sendrecv(out, 1, type, right, 2, in, 1, type, left, 2, comm, {IGNORED}));"),
    ("Sendrecv_replace", f"IN(comm, MPI_Sendrecv_replace(out, 1, type, right, 2, left, 2, comm, {IGNORED}));"),
    ("Isendrecv", f"IN(comm, MPI_Isendrecv(out, 1, type, right, 2, in, 1, type, left, 2, comm, &r[0])); MPI_Wait(&r[0], {IGNORED});"),
    ("Isendrecv_replace", f"IN(comm, MPI_Isendrecv_replace(out, 1, type, right, 2, left, 2, comm, &r[0])); MPI_Wait(&r[0], {IGNORED});"),
    (
        "Psend_init",
        "IN(comm, MPI_Precv_init(in, 2, 1, type, left, 3, comm, info, &r[0]));"
        "IN(comm, MPI_Psend_init(out, 2, 1, type, right, 3, comm, info, &r[1]));"
        f"MPI_Startall(2, r); MPI_Pready(1, r[1]); MPI_Pready(0, r[1]); {ALL}"
        f"MPI_Startall(2, r); MPI_Pready_range(0, 1, r[1]); {ALL}"
        "MPI_Startall(2, r); MPI_Pready_list(2, (int[]){1, 0}, r[1]);"
        f"for (int came = 0; !came;) MPI_Parrived(r[0], 0, &came); {ALL}"
        "MPI_Request_free(&r[0]); MPI_Request_free(&r[1]);",
    ),
    (
        "Mprobe",
        f"MPI_Message message; int flag; {SEND}"
        f"IN(comm, MPI_Probe(left, 1, comm, {IGNORED})); IN(comm, MPI_Iprobe(left, 1, comm, &flag, {IGNORED}));"
        f"IN(comm, MPI_Mprobe(left, 1, comm, &message, {IGNORED}));"
        f"IN(comm, MPI_Mrecv(in, 1, type, &message, {IGNORED})); MPI_Wait(&r[1], {IGNORED});",
    ),
    (
        "Improbe",
        f"MPI_Message message; int flag = 0; {SEND} IN(comm, MPI_Probe(left, 1, comm, {IGNORED}));"
        f"while (!flag) IN(comm, MPI_Improbe(left, 1, comm, &flag, &message, {IGNORED}));"
        f"IN(comm, MPI_Imrecv(in, 1, type, &message, &r[0])); {ALL}",
    ),
]  # fmt: skip


def _tested(call: str) -> str:
    return f"both(); for (int done = 0; !done;) {call}"


COMPLETIONS: list[Block] = [
    ("Wait", f"both(); MPI_Wait(&r[1], {IGNORED}); MPI_Wait(&r[0], {IGNORED});"),
    ("Test", _tested(f"MPI_Test(&r[0], &done, {IGNORED});") + f"MPI_Wait(&r[1], {IGNORED});"),
    ("Waitall", f"both(); {ALL}"),
    ("Testall", _tested("MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);")),
    ("Waitany", f"int index; both(); MPI_Waitany(2, r, &index, {IGNORED}); MPI_Waitany(2, r, &index, {IGNORED});"),
    ("Testany", "int index;" + _tested(f"MPI_Testany(2, r, &index, &done, {IGNORED});") + ALL),
    ("Waitsome", f"int some, which[2]; both(); MPI_Waitsome(2, r, &some, which, MPI_STATUSES_IGNORE); {ALL}"),
    ("Testsome", "int which[2];" + _tested("MPI_Testsome(2, r, &done, which, MPI_STATUSES_IGNORE);") + ALL),
    ("Request_get_status", _tested(f"MPI_Request_get_status(r[0], &done, {IGNORED});") + ALL),
    ("Request_get_status_all", _tested("MPI_Request_get_status_all(2, r, &done, MPI_STATUSES_IGNORE);") + ALL),
    ("Request_get_status_any", "int index;" + _tested(f"MPI_Request_get_status_any(2, r, &index, &done, {IGNORED});") + ALL),
    ("Request_get_status_some", "int which[2];" + _tested("MPI_Request_get_status_some(2, r, &done, which, MPI_STATUSES_IGNORE);") + ALL),
    (
        "Start",
        "IN(comm, MPI_Recv_init(in, 1, type, left, 1, comm, &r[0]));"
        "IN(comm, MPI_Send_init(out, 1, type, right, 1, comm, &r[1]));"
        f"MPI_Start(&r[0]); MPI_Start(&r[1]); {ALL} MPI_Startall(2, r); {ALL}"
        "MPI_Request_free(&r[0]); MPI_Request_free(&r[1]);",
    ),
    ("Request_free", f"both(); MPI_Request_free(&r[1]); MPI_Wait(&r[0], {IGNORED}); {READY}"),
    (
        "Cancel",
        "MPI_Status status; int cancelled; IN(comm, MPI_Irecv(in, 1, type, left, 99, comm, &r[0]));"
        "MPI_Cancel(&r[0]); MPI_Wait(&r[0], &status); MPI_Test_cancelled(&status, &cancelled); in[0] = cancelled;",
    ),
    (
        "Buffer_detach",
        "void* given; MPI_Buffer_detach(&given, &detached_n); MPI_Buffer_attach(attached, sizeof attached / 2);",
    ),
    ("Buffer_flush", f"{POST} IN(comm, MPI_Bsend(out, 1, type, right, 1, comm)); MPI_Buffer_flush(); MPI_Wait(&r[0], {IGNORED});"),
    (
        "Comm_detach_buffer",
        "void* given; MPI_Comm_attach_buffer(comm, attached + sizeof attached / 2, sizeof attached / 2);"
        f"{POST} IN(comm, MPI_Bsend(out, 1, type, right, 1, comm)); MPI_Comm_flush_buffer(comm);"
        f"MPI_Comm_detach_buffer(comm, &given, &detached_n); MPI_Wait(&r[0], {IGNORED});",
    ),
]  # fmt: skip

# What is freed here is freed while an operation needs it, and made again before that operation is over.
OUTSTANDING: list[Block] = [
    (
        "a datatype of operations under way",
        "MPI_Datatype one; MPI_Type_contiguous(3, MPI_INT, &one); MPI_Type_commit(&one);"
        "IN(comm, MPI_Irecv(in, 1, one, left, 1, comm, &r[0])); IN(comm, MPI_Isend(out, 1, one, right, 1, comm, &r[1]));"
        f"MPI_Type_free(&one); MPI_Type_contiguous(5, MPI_INT, &one); {ALL} use_type(&one);",
    ),
    (
        "a communicator of operations under way",
        "MPI_Comm one; MADE(one, MPI_Comm_dup(comm, &one)); IN(one, MPI_Irecv(in, 1, type, left, 1, one, &r[0]));"
        "IN(one, MPI_Isend(out, 1, type, right, 1, one, &r[1])); IN(one, MPI_Comm_free(&one));"
        f"MADE(one, MPI_Comm_split(comm, 0, -me, &one)); use(one); {ALL} IN(one, MPI_Comm_free(&one));",
    ),
    (
        "requests of files",
        "MPI_File file; char name[256]; snprintf(name, sizeof name, \"%s.%d.data\", prefix, turn % 2 ? rank % 2 : 2);"
        "MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);"
        f"MPI_File_iwrite_at(file, 64 * me, out, 1, MPI_INT, &r[0]); MPI_Wait(&r[0], {IGNORED}); both(); {ALL} MPI_File_close(&file);",
    ),
]  # fmt: skip

_GROUP = (
    "MPI_Session session; MPI_Group all; MPI_Comm made;"
    "MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);"
    'MPI_Group_from_session_pset(session, "mpi://WORLD", &all);'
)
_HALVES = "MPI_Comm half, between; MADE(half, MPI_Comm_split(comm, me % 2, me, &half));"


def _communicator(name: str, arguments: str, before: str = "") -> Block:
    return name, f"{before} MPI_Comm made; MADE(made, MPI_{name}({arguments}, &made)); use_and_free(&made);"


_LATER = f"MPI_Wait(&r[0], {IGNORED}); use_and_free(&made);"
COMMUNICATORS: list[Block] = [
    _communicator("Comm_dup", "comm"),
    _communicator("Comm_dup_with_info", "comm, info"),
    # The variable has the value of a live handle until MPI stores the new one.
    ("Comm_idup", f"MPI_Comm made = ring; IN(comm, MPI_Comm_idup(comm, &made, &r[0])); {_LATER}"),
    ("Comm_idup_with_info", f"MPI_Comm made = ring; IN(comm, MPI_Comm_idup_with_info(comm, info, &made, &r[0])); {_LATER}"),
    _communicator("Comm_create", "comm, group"),
    _communicator("Comm_create_group", "comm, group, 3"),
    _communicator("Comm_split", "comm, me % 2, -me"),
    _communicator("Comm_split_type", "comm, MPI_COMM_TYPE_SHARED, -me, info"),
    _communicator("Cart_create", "comm, 1, &size, (int[]){1}, 0"),
    (
        "Cart_sub",
        "MPI_Comm made, plane; MADE(plane, MPI_Cart_create(comm, 2, (int[]){size, 1}, (int[]){1, 1}, 0, &plane));"
        "MADE(made, MPI_Cart_sub(plane, (int[]){0, 1}, &made)); use_and_free(&made); use_and_free(&plane);",
    ),
    _communicator("Graph_create", "comm, size, index, edges, 0", "int index[8], edges[8]; for (int i = 0; i < 8; ++i) index[i] = i + 1, edges[i] = (i + 1) % size;"),
    _communicator("Dist_graph_create", "comm, 1, &me, (int[]){1}, &right, MPI_UNWEIGHTED, info, 0"),
    _communicator("Dist_graph_create_adjacent", "comm, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, info, 0"),
    (
        "Intercomm_create",
        f"if (size > 1) {{ {_HALVES} MPI_Comm made;"
        "MADE(between, MPI_Intercomm_create(half, 0, comm, me % 2 ? 0 : 1, 5, &between)); use(between);"
        "MADE(made, MPI_Intercomm_merge(between, me % 2, &made)); use_and_free(&made);"
        "IN(between, MPI_Comm_free(&between)); IN(half, MPI_Comm_free(&half)); }",
    ),
    ("Comm_disconnect", "MPI_Comm made; MADE(made, MPI_Comm_dup(comm, &made)); use(made); IN(made, MPI_Comm_disconnect(&made));"),
    (
        "Comm_create_from_group",
        f"{_GROUP} MADE(made, MPI_Comm_create_from_group(all, \"remade\", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made));"
        "use_and_free(&made); MPI_Group_free(&all); MPI_Session_finalize(&session);",
    ),
    (
        "Intercomm_create_from_groups",
        f"{_GROUP} MPI_Group mine, others; const int odd = rank % 2;"
        "MPI_Group_range_incl(all, 1, (int[1][3]){{odd, odd ? ranks - 1 : ranks - 2, 2}}, &mine);"
        "MPI_Group_difference(all, mine, &others);"
        "MADE(made, MPI_Intercomm_create_from_groups(mine, 0, others, 0, \"two\", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made));"
        "use_and_free(&made); MPI_Group_free(&mine); MPI_Group_free(&others); MPI_Group_free(&all); MPI_Session_finalize(&session);",
    ),
]  # fmt: skip


def _window(name: str, arguments: str, before: str = "") -> Block:
    return (
        name,
        f"{before} MPI_Win made; MADE_WINDOW(made, MPI_{name}({arguments}, &made)); use_window(&made);",
    )


_DYNAMIC = "(MPI_Aint)(size_t)window_memory"
_ALL_TARGETS = "ON(win, MPI_Win_lock_all(0, win)); ON(win, MPI_Put(out, 1, type, right, 0, 1, type, win));"
_ONE_TARGET = "ON(win, MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win)); ON(win, MPI_Put(out, 1, type, right, 0, 1, type, win));"
_UNLOCK_ALL = f"ON(win, MPI_Win_unlock_all(win)); {READY}"
_UNLOCK = f"ON(win, MPI_Win_unlock(right, win)); {READY}"
_EXPOSE = (
    "ON(win, MPI_Win_post(previous, 0, win)); ON(win, MPI_Win_start(next, 0, win));"
    "ON(win, MPI_Put(out, 1, type, right, 0, 1, type, win)); ON(win, MPI_Win_complete(win));"
)
WINDOWS: list[Block] = [
    _window("Win_create", "window_memory, sizeof window_memory, 4, info, comm"),
    _window("Win_allocate", "512, 4, info, comm, &memory", "int* memory;"),
    _window("Win_allocate_shared", "512, 4, info, comm, &memory", "int* memory;"),
    (
        "Win_create_dynamic",
        "MPI_Win made; MADE_WINDOW(made, MPI_Win_create_dynamic(info, comm, &made));"
        "MPI_Win_attach(made, attached_window, sizeof attached_window); ON(made, MPI_Win_fence(0, made));"
        "ON(made, MPI_Win_fence(0, made)); MPI_Win_detach(made, attached_window); ON(made, MPI_Win_free(&made));",
    ),
    ("Win_wait", f"{_EXPOSE} ON(win, MPI_Win_wait(win));"),
    ("Win_test", f"int done = 0; {_EXPOSE} while (!done) ON(win, MPI_Win_test(win, &done));"),
    ("Win_flush", f"{_ONE_TARGET} ON(win, MPI_Win_flush(right, win)); {_UNLOCK}"),
    ("Win_flush_local", f"{_ONE_TARGET} ON(win, MPI_Win_flush_local(right, win)); {_UNLOCK}"),
    ("Win_flush_all", f"{_ALL_TARGETS} ON(win, MPI_Win_flush_all(win)); {_UNLOCK_ALL}"),
    ("Win_flush_local_all", f"{_ALL_TARGETS} ON(win, MPI_Win_flush_local_all(win)); {_UNLOCK_ALL}"),
    ("Win_sync", f"{_ALL_TARGETS} ON(win, MPI_Win_sync(win)); {_UNLOCK_ALL}"),
]  # fmt: skip


def _type(name: str, arguments: str) -> Block:
    return name, f"MPI_Datatype made; MPI_{name}({arguments}, &made); use_type(&made);"


DATATYPES: list[Block] = [
    _type("Type_contiguous", "2, type"),
    _type("Type_vector", "2, 1, 2, type"),
    _type("Type_create_hvector", "2, 1, 128, type"),
    _type("Type_indexed", "2, ones_n, steps_n, type"),
    _type("Type_create_indexed_block", "2, 1, steps_n, type"),
    _type("Type_create_hindexed", "2, ones_n, places_n, type"),
    _type("Type_create_hindexed_block", "2, 1, places_n, type"),
    _type("Type_create_struct", "2, ones_n, places_n, types"),
    _type("Type_create_subarray", "1, two_n, one_n, zero_n, MPI_ORDER_C, type"),
    _type(
        "Type_create_darray",
        "1, 0, 1, two_n, (int[]){MPI_DISTRIBUTE_BLOCK}, (int[]){MPI_DISTRIBUTE_DFLT_DARG}, (int[]){1}, MPI_ORDER_C, type",
    ),
    _type("Type_create_resized", "type, 0, 128"),
    _type("Type_dup", "type"),
    (
        "Pack",
        "position_n = 0; MPI_Pack(out, 1, type, packed, sizeof packed, &position_n, comm); position_n = 0;"
        "MPI_Unpack(packed, sizeof packed, &position_n, in, 1, type, comm);",
    ),
    (
        "Pack_external",
        'place_n = 0; MPI_Pack_external("external32", out, 1, type, packed, sizeof packed, &place_n); place_n = 0;'
        'MPI_Unpack_external("external32", packed, sizeof packed, &place_n, in, 1, type);',
    ),
]

FIXED = [*MESSAGES, *COMPLETIONS, *OUTSTANDING, *COMMUNICATORS, *WINDOWS, *DATATYPES]
