# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of communicators, windows and datatypes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.standard.case import Case

IGNORED = "MPI_STATUS_IGNORE"


def _made(name: str, title: str, arguments: str, before: str = "", *, fails: bool = False) -> Case:
    return Case(
        f"{name}: {title}",
        f'{before} MPI_Comm made = MPI_COMM_NULL; say_code("call", MPI_{name}({arguments}, &made)); free_comm(made);',
        fails=fails,
    )


LATER = f'say_code("wait", MPI_Wait(&r[0], {IGNORED})); free_comm(made);'
GROUPS = "MPI_Group all, some; MPI_Comm_group({0}, &all); MPI_Group_incl(all, {1}, (int[]){{0, 1}}, &some);"
FREE_GROUPS = "MPI_Group_free(&all); if (some != MPI_GROUP_EMPTY) MPI_Group_free(&some);"
GRAPH = "int index[8], edges[8]; for (int i = 0; i < 8; ++i) index[i] = i + 1, edges[i] = 0;"


def communicators() -> Iterator[Case]:
    for name, of in (
        ("ordinary", "comm"),
        ("between groups", "inter"),
        ("of one rank", "lone"),
        ("of MPI_COMM_SELF", "MPI_COMM_SELF"),
    ):
        yield _made("Comm_dup", name, of)
        yield _made("Comm_dup_with_info", name, f"{of}, info")
        yield _made("Comm_split", name, f"{of}, half, -rank")
        yield _made(
            "Comm_split", f"{name}, undefined for some", f"{of}, half && rank > 1 ? MPI_UNDEFINED : 1, 0"
        )
        yield Case(
            f"Comm_idup: {name}", f"MPI_Comm made = MPI_COMM_NULL; MPI_Comm_idup({of}, &made, &r[0]); {LATER}"
        )
        yield Case(
            f"Comm_idup_with_info: {name}",
            f"MPI_Comm made = MPI_COMM_NULL; MPI_Comm_idup_with_info({of}, info, &made, &r[0]); {LATER}",
        )
    for name, number in (("the first two ranks", 2), ("an empty group", 0)):
        both = GROUPS.format("comm", number)
        yield Case(
            f"Comm_create: {name}",
            f"{both} MPI_Comm made; MPI_Comm_create(comm, some, &made); free_comm(made); {FREE_GROUPS}",
        )
    yield Case(
        "Comm_create: between groups",
        GROUPS.format("inter", 1)
        + f"MPI_Comm made; MPI_Comm_create(inter, some, &made); free_comm(made); {FREE_GROUPS}",
    )
    yield Case(
        "Comm_create_group: the first two ranks",
        GROUPS.format("comm", 2)
        + f"MPI_Comm made = MPI_COMM_NULL; if (rank < 2) MPI_Comm_create_group(comm, some, 3, &made); free_comm(made); {FREE_GROUPS}",
    )
    yield _made(
        "Comm_split_type",
        "undefined for some",
        "comm, half ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, rank, info",
    )
    yield Case(
        "Comm_free: of a duplicate",
        'MPI_Comm made; MPI_Comm_dup(comm, &made); MPI_Comm_free(&made); say("%d", made == MPI_COMM_NULL);',
    )
    yield Case(
        "Comm_free: a null communicator",
        'MPI_Comm made = MPI_COMM_NULL; say_code("free", MPI_Comm_free(&made));',
        fails=True,
    )
    yield Case(
        "Comm_free: nowhere",
        'say_code("free", MPI_Comm_free(NULL));',
        fails=True,
    )
    yield Case(
        "Barrier: a null communicator",
        'say_code("call", MPI_Barrier(MPI_COMM_NULL));',
        fails=True,
    )
    yield Case(
        "Comm_disconnect: of a duplicate",
        'MPI_Comm made; MPI_Comm_dup(inter, &made); MPI_Comm_disconnect(&made); say("%d", made == MPI_COMM_NULL);',
    )
    yield _made("Cart_create", "fewer ranks", "comm, 1, (int[]){2}, (int[]){1}, 0")
    yield _made("Cart_create", "no dimension", "comm, 0, NULL, NULL, 0")
    yield _made("Cart_create", "too many ranks", "comm, 1, (int[]){ranks + 1}, (int[]){1}, 0", fails=True)
    yield _made("Cart_sub", "no dimension left", "ring, (int[]){0}")
    yield _made("Cart_sub", "all dimensions", "ring, (int[]){1}")
    yield _made("Graph_create", "fewer ranks", "comm, 2, index, edges, 0", GRAPH)
    yield _made("Graph_create", "no node", "comm, 0, index, edges, 0", GRAPH)
    yield _made("Dist_graph_create", "no edge", "comm, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, info, 0")
    yield _made(
        "Dist_graph_create", "one edge, weighted", "comm, 1, &rank, (int[]){1}, &right, (int[]){3}, info, 0"
    )
    yield _made(
        "Dist_graph_create_adjacent",
        "no neighbour",
        "comm, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, info, 0",
    )
    yield _made(
        "Dist_graph_create_adjacent",
        "unweighted",
        "comm, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, info, 0",
    )
    yield Case(
        "Neighbor_allgather: no neighbour",
        'MPI_Comm made; MPI_Dist_graph_create_adjacent(comm, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, info, 0, &made); say_code("call", MPI_Neighbor_allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, made)); say_code("call", MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, made)); free_comm(made);',
    )
    yield Case(
        "Neighbor_alltoall: at the ends of a line",
        'MPI_Comm line; MPI_Cart_create(comm, 1, &ranks, (int[]){0}, 0, &line); say_code("call", MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, line)); MPI_Comm_free(&line);',
    )
    yield Case(
        "Neighbor_allgatherv: some ranks without a communicator",
        "MPI_Comm line; MPI_Cart_create(comm, 1, (int[]){2}, (int[]){0}, 0, &line); if (line != MPI_COMM_NULL) { MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, line); MPI_Comm_free(&line); }",
    )
    yield _made("Intercomm_merge", "the high group first", "inter, half")
    yield _made("Intercomm_merge", "the same for both", "inter, 0")
    yield Case(
        "Intercomm_create: the leaders alone know the bridge",
        "MPI_Comm mine, made; int own; MPI_Comm_split(comm, half, rank, &mine); MPI_Comm_rank(mine, &own); MPI_Intercomm_create(mine, 0, own == 0 ? comm : MPI_COMM_NULL, own == 0 ? !half : NEGATIVE, 9, &made); free_comm(made); MPI_Comm_free(&mine);",
    )
    session = 'MPI_Session session; MPI_Group all; MPI_Comm made; MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session); MPI_Group_from_session_pset(session, "mpi://WORLD", &all);'
    yield Case(
        "Comm_create_from_group: of a session",
        f'{session} MPI_Comm_create_from_group(all, "standard", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made); MPI_Barrier(made); free_comm(made); MPI_Group_free(&all); MPI_Session_finalize(&session);',
    )
    yield Case(
        "Intercomm_create_from_groups: of a session",
        f'{session} MPI_Group mine, theirs; MPI_Group_range_incl(all, 1, (int[1][3]){{{{half, half ? ranks - 1 : ranks - 2, 2}}}}, &mine); MPI_Group_difference(all, mine, &theirs); MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "two", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made); free_comm(made); MPI_Group_free(&mine); MPI_Group_free(&theirs); MPI_Group_free(&all); MPI_Session_finalize(&session);',
    )
    yield Case(
        "Session_init: without a communicator",
        "MPI_Session session; MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session); MPI_Session_finalize(&session);",
    )
    yield Case(
        "Init_thread: its level",
        'int level, is_main; char value[64] = ""; int flag = 0; MPI_Query_thread(&level); MPI_Is_thread_main(&is_main); MPI_Info_get(MPI_INFO_ENV, "thread_level", 63, value, &flag); say("%d %d %d %s", level, is_main, flag, flag ? value : "");'
        ' MPI_Info copy; int length = 0; MPI_Info_get_valuelen(MPI_INFO_ENV, "thread_level", &length, &flag); say("%d", flag ? length : 0);'
        ' MPI_Info_dup(MPI_INFO_ENV, &copy); MPI_Info_get(copy, "thread_level", 63, value, &flag); say("%s", flag ? value : ""); MPI_Info_free(&copy);',
    )


WINDOW = "static int memory[64]; MPI_Win win; for (int i = 0; i < 64; ++i) memory[i] = 7 * rank + i; MPI_Win_create(memory, sizeof memory, 4, info, comm, &win);"
FENCE = "MPI_Win_fence(0, win);"
CLOSE = "for (int i = 0; i < 64; ++i) shared[i] = memory[i]; MPI_Win_free(&win);"
ORIGINS = {
    "ordinary": ("out, 2, MPI_INT", "right, 4, 2, MPI_INT"),
    "nothing of no type": ("NULL, 0, MPI_DATATYPE_NULL", "right, 0, 0, MPI_DATATYPE_NULL"),
    "nothing": ("NULL, 0, MPI_INT", "right, 0, 0, MPI_INT"),
    "at nobody": ("out, 2, MPI_INT", "MPI_PROC_NULL, 0, 2, MPI_INT"),
    "at nobody, nothing of no type": ("NULL, 0, MPI_DATATYPE_NULL", "MPI_PROC_NULL, 0, 0, MPI_DATATYPE_NULL"),
}


def one_sided(origins: Mapping[str, tuple[str, str]] = ORIGINS) -> Iterator[Case]:
    for title, (origin, target) in origins.items():
        into = origin.replace("out", "in")
        calls = {
            "put": f"{origin}, {target}", "get": f"{into}, {target}", "accumulate": f"{origin}, {target}, MPI_SUM",
            "get_accumulate": f"{origin}, {into}, {target}, MPI_SUM",
        }  # fmt: skip
        fails = "no type" in title  # MPI reports a null type
        window = WINDOW + ("MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);" if fails else "")
        for name, arguments in calls.items():
            yield Case(
                f"{name.capitalize()}: {title}",
                f'{window}{FENCE} say_code("call", MPI_{name.capitalize()}({arguments}, win)); {FENCE}{CLOSE}',
                fails=fails,
            )
            yield Case(
                f"R{name}: {title}",
                f'{window} MPI_Win_lock_all(0, win); say_code("call", MPI_R{name}({arguments}, win, &r[0])); if (!is_null(r[0])) MPI_Wait(&r[0], {IGNORED}); MPI_Win_unlock_all(win); MPI_Barrier(comm); {CLOSE}',
                fails=fails,
            )
    yield Case(
        "Get_accumulate: no operation, with garbage as its source",
        f'{WINDOW}{FENCE} say_code("call", MPI_Get_accumulate(NOWHERE, HUGE_n, MPI_DATATYPE_NULL, in, 2, MPI_INT, right, 4, 2, MPI_INT, MPI_NO_OP, win)); {FENCE}{CLOSE}',
    )
    yield Case(
        "Fetch_and_op: ordinary",
        f'{WINDOW}{FENCE} say_code("call", MPI_Fetch_and_op(out, in, MPI_INT, right, 4, MPI_SUM, win)); {FENCE}{CLOSE}',
    )
    yield Case(
        "Fetch_and_op: no operation, with garbage as its source",
        f'{WINDOW}{FENCE} say_code("call", MPI_Fetch_and_op(NULL, in, MPI_INT, right, 4, MPI_NO_OP, win)); {FENCE}{CLOSE}',
    )
    yield Case(
        "Fetch_and_op: at nobody",
        f'{WINDOW}{FENCE} say_code("call", MPI_Fetch_and_op(out, in, MPI_INT, MPI_PROC_NULL, 4, MPI_SUM, win)); {FENCE}{CLOSE}',
    )
    yield Case(
        "Compare_and_swap: ordinary",
        f'{WINDOW}{FENCE} say_code("call", MPI_Compare_and_swap(out, shared, in, MPI_INT, right, 4, win)); {FENCE}{CLOSE}',
    )
    yield Case(
        "Compare_and_swap: at nobody",
        f'{WINDOW}{FENCE} say_code("call", MPI_Compare_and_swap(out, shared, in, MPI_INT, MPI_PROC_NULL, 4, win)); {FENCE}{CLOSE}',
    )
    yield Case(
        "Put: a rank that does not exist",
        f'{WINDOW} MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN); {FENCE} say_code("call", MPI_Put(out, 2, MPI_INT, ranks + 5, 0, 2, MPI_INT, win)); {FENCE}{CLOSE}',
        fails=True,
    )
    yield from windows()


def windows() -> Iterator[Case]:
    fences = f"{FENCE}{FENCE} MPI_Win_free(&win);"
    yield Case(
        "Win_create: no memory",
        f'MPI_Win win; say_code("call", MPI_Win_create(NULL, 0, 1, info, comm, &win)); {fences}',
    )
    yield Case(
        "Win_create: memory at some ranks",
        f"static int memory[8]; MPI_Win win; MPI_Win_create(half ? memory : NULL, half ? sizeof memory : 0, 4, info, comm, &win); {FENCE} if (!half) MPI_Put(out, 2, MPI_INT, right, 0, 2, MPI_INT, win); {FENCE} for (int i = 0; i < 8; ++i) shared[i] = memory[i]; MPI_Win_free(&win);",
    )
    yield Case(
        "Win_allocate: no memory",
        f"MPI_Win win; int* memory = NULL; MPI_Win_allocate(0, 1, info, comm, &memory, &win); {fences}",
    )
    yield Case(
        "Win_allocate_shared: no memory at some ranks",
        f"MPI_Win win; int* memory = NULL; MPI_Win_allocate_shared(half ? 64 : 0, 4, info, comm, &memory, &win); {fences}",
    )
    yield Case(
        "Win_create_dynamic: nothing attached",
        f"MPI_Win win; MPI_Win_create_dynamic(info, comm, &win); {fences}",
    )
    yield Case(
        "Win_attach: and detach",
        f"MPI_Win win; static int memory[64]; MPI_Win_create_dynamic(info, comm, &win); MPI_Win_attach(win, memory, sizeof memory); {FENCE}{FENCE} MPI_Win_detach(win, memory); MPI_Win_free(&win);",
    )
    yield Case(
        "Win_create: of one rank",
        f"static int memory[8]; MPI_Win win; MPI_Win_create(memory, sizeof memory, 4, info, lone, &win); {FENCE} MPI_Put(out, 2, MPI_INT, 0, 0, 2, MPI_INT, win); {fences}",
    )
    nobody = "MPI_PROC_NULL, win"
    yield Case(
        "Win_lock: nobody",
        f'{WINDOW} say_code("lock", MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win)); say_code("flush", MPI_Win_flush({nobody})); say_code("local", MPI_Win_flush_local({nobody})); say_code("unlock", MPI_Win_unlock({nobody})); MPI_Barrier(comm); {CLOSE}',
    )
    yield Case(
        "Win_lock: each kind",
        f"{WINDOW} MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win); MPI_Put(out, 2, MPI_INT, right, 0, 2, MPI_INT, win); MPI_Win_flush(right, win); MPI_Win_flush_local(right, win); MPI_Win_unlock(right, win); MPI_Barrier(comm); {CLOSE}",
    )
    yield Case(
        "Win_lock_all: and flush",
        f"{WINDOW} MPI_Win_lock_all(MPI_MODE_NOCHECK, win); MPI_Win_flush_all(win); MPI_Win_flush_local_all(win); MPI_Win_sync(win); MPI_Win_unlock_all(win); MPI_Barrier(comm); {CLOSE}",
    )
    yield Case(
        "Win_start: an empty group",
        f"{WINDOW} MPI_Win_post(MPI_GROUP_EMPTY, 0, win); MPI_Win_start(MPI_GROUP_EMPTY, 0, win); MPI_Win_complete(win); MPI_Win_wait(win); {CLOSE}",
    )
    yield Case(
        "Win_test: after an empty group",
        f"{WINDOW} int done = 0; MPI_Win_post(MPI_GROUP_EMPTY, 0, win); MPI_Win_start(MPI_GROUP_EMPTY, 0, win); MPI_Win_complete(win); while (!done) MPI_Win_test(win, &done); {CLOSE}",
    )
    yield Case(
        "Win_fence: without an epoch before or after",
        f"{WINDOW} MPI_Win_fence(MPI_MODE_NOPRECEDE, win); MPI_Put(out, 1, MPI_INT, right, 0, 1, MPI_INT, win); MPI_Win_fence(MPI_MODE_NOSUCCEED, win); {CLOSE}",
    )
    yield Case(
        "Win_free: a null window",
        'MPI_Win win = MPI_WIN_NULL; say_code("free", MPI_Win_free(&win));',
        fails=True,
    )


def _type(name: str, title: str, arguments: str) -> Case:
    return Case(
        f"{name}: {title}",
        f'MPI_Datatype made; say_code("call", MPI_{name}({arguments}, &made)); MPI_Type_commit(&made); MPI_Isend(out, 1, made, right, 1, comm, &r[1]); MPI_Irecv(in, 1, made, left, 1, comm, &r[0]); MPI_Waitall(2, r, MPI_STATUSES_IGNORE); say_type(made);',
    )


def datatypes() -> Iterator[Case]:
    yield _type("Type_contiguous", "no elements", "0, MPI_INT")
    yield _type("Type_contiguous", "ordinary", "2, MPI_INT")
    yield _type("Type_vector", "no blocks", "0, 1, 2, MPI_INT")
    yield _type("Type_vector", "blocks without elements", "2, 0, 2, MPI_INT")
    yield _type("Type_vector", "backwards", "2, 1, 1, MPI_INT")
    yield _type("Type_create_hvector", "no blocks", "0, 1, 8, MPI_INT")
    yield _type("Type_create_hvector", "ordinary", "2, 1, 12, MPI_INT")
    yield _type("Type_indexed", "no blocks", "0, counts_n, counts_n, MPI_INT")
    yield _type("Type_indexed", "blocks without elements", "2, zeros_n, counts_n, MPI_INT")
    yield _type("Type_create_indexed_block", "no blocks", "0, 1, counts_n, MPI_INT")
    yield _type("Type_create_indexed_block", "ordinary", "2, 1, counts_n, MPI_INT")
    for title, number in (("no blocks", 0), ("ordinary", 2)):
        yield _type("Type_create_hindexed", title, f"{number}, counts_n, spaces_n, MPI_INT")
        yield _type("Type_create_hindexed_block", title, f"{number}, 1, spaces_n, MPI_INT")
        yield _type("Type_create_struct", title, f"{number}, counts_n, spaces_n, types")
    yield _type(
        "Type_create_subarray",
        "a part without elements",
        "1, fours_n, zeros_n, zeros_n, MPI_ORDER_C, MPI_INT",
    )
    yield _type("Type_create_subarray", "ordinary", "1, fours_n, twos_n, zeros_n, MPI_ORDER_C, MPI_INT")
    yield _type(
        "Type_create_darray",
        "of one process",
        "1, 0, 1, fours_n, (int[]){MPI_DISTRIBUTE_BLOCK}, (int[]){MPI_DISTRIBUTE_DFLT_DARG}, (int[]){1}, MPI_ORDER_C, MPI_INT",
    )
    yield _type("Type_create_resized", "of no extent", "MPI_INT, 0, 0")
    yield _type("Type_create_resized", "of a negative bound", "MPI_INT, -4, 12")
    yield Case(
        "Type_dup: of a type without data", "MPI_Datatype made; MPI_Type_dup(none, &made); say_type(made);"
    )
    yield Case(
        "Type_commit: twice, of a predefined type too",
        'MPI_Datatype made = MPI_INT; say_code("commit", MPI_Type_commit(&made)); say_code("commit", MPI_Type_commit(&pair));',
    )
    yield Case(
        "Type_free: a null type",
        'MPI_Datatype made = MPI_DATATYPE_NULL; say_code("free", MPI_Type_free(&made));',
        fails=True,
    )
    position = "COUNT_n position_n = 0; AINT_n place_n = 0; char packed[256];"
    yield Case(
        "Pack: nothing",
        f'{position} say_code("pack", MPI_Pack(NULL, 0, MPI_INT, packed, 256, &position_n, comm)); say_code("unpack", MPI_Unpack(packed, 0, &position_n, NULL, 0, MPI_INT, comm)); say("%d", (int)position_n);',
    )
    yield Case(
        "Unpack: what is packed",
        f'{position} MPI_Pack(out, 2, MPI_INT, packed, 256, &position_n, comm); position_n = 0; MPI_Unpack(packed, 256, &position_n, in, 2, MPI_INT, comm); say("%d", (int)position_n);',
    )
    yield Case(
        "Pack_external: and unpack",
        f'{position} say_code("pack", MPI_Pack_external("external32", out, 2, MPI_INT, packed, 256, &place_n)); place_n = 0; say_code("unpack", MPI_Unpack_external("external32", packed, 256, &place_n, in, 2, MPI_INT)); say("%d", (int)place_n);',
    )


def operations() -> Iterator[Case]:
    """Functions of the program in reductions, which need much of the stack."""
    for commutes in (0, 1):
        made = f"MPI_Op op; MPI_Op_create(add_with_locals, {commutes}, &op);"
        for call in (
            "Allreduce(out, in, 3, MPI_INT, op, comm", "Reduce(out, in, 3, MPI_INT, op, 1, comm",
            "Scan(out, in, 3, MPI_INT, op, comm", "Exscan(out, in, 3, MPI_INT, op, comm",
            "Reduce_scatter(out, in, twos_n, MPI_INT, op, comm",
            "Reduce_scatter_block(out, in, 3, MPI_INT, op, comm",
        ):  # fmt: skip
            name = call.partition("(")[0]
            title = f"a function of the program that {'commutes' if commutes else 'does not commute'}"
            yield Case(f"{name}: {title}", f"{made} MPI_{call}); MPI_Op_free(&op);")
            yield Case(
                f"I{name.lower()}: {title}",
                f"{made} MPI_I{call[0].lower()}{call[1:]}, &r[0]); MPI_Wait(&r[0], {IGNORED}); MPI_Op_free(&op);",
            )


def object_cases() -> Iterator[Case]:
    for part in (communicators, one_sided, datatypes, operations):
        yield from part()
