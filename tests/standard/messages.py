# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of messages between two ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.standard.case import Case

IGNORED = "MPI_STATUS_IGNORE"
SEEN = "MPI_Status status; MPI_Status* const s = &status; memset(s, 0, sizeof *s);"
POST = "MPI_Irecv(in, 4, MPI_INT, left, 1, comm, &r[0]);"
SEND = "MPI_Isend(out, 2, MPI_INT, right, 1, comm, &r[1]);"
ALL = "MPI_Waitall(2, r, MPI_STATUSES_IGNORE);"
MEET = "MPI_Barrier(comm);"
BUFFER = "static char space[4 * (MPI_BSEND_OVERHEAD + 256)]; MPI_Buffer_attach(space, sizeof space);"
DETACH = (
    '{ void* given; COUNT_n size_n; MPI_Buffer_detach(&given, &size_n); say("buffer %d", given == space); }'
)
SENDS = {
    "ordinary": "out, 2, MPI_INT, right, 1, comm",
    "nothing of no type": "NULL, 0, MPI_DATATYPE_NULL, right, 1, comm",
    "elements without data": "NULL, 3, none, right, 1, comm",
    "from MPI_BOTTOM": "MPI_BOTTOM, 1, placed, right, 1, comm",
}
TO_NOBODY = {
    "to nobody": "out, 2, MPI_INT, MPI_PROC_NULL, 1, comm",
    "to nobody, nothing": "NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, comm",
}
FAILING = {
    "a rank that does not exist": "out, 2, MPI_INT, ranks + 5, 1, comm",
    "a negative tag": "out, 2, MPI_INT, right, -7, comm",
    "a null communicator": "out, 2, MPI_INT, right, 1, MPI_COMM_NULL",
    "a negative count": "out, -2, MPI_INT, right, 1, comm",
}
PLACED = "MPI_Datatype placed; MPI_Aint address; MPI_Get_address(out, &address); AINT_n place = address; MPI_Type_create_hindexed(1, twos_n, &place, MPI_INT, &placed); MPI_Type_commit(&placed);"
PLACED_IN = PLACED.replace("out", "in")
FREE_PLACED = "MPI_Type_free(&placed);"
RECEIVES = {
    "ordinary": "in, 2, MPI_INT, left, 1, comm",
    "of more than comes": "in, 9, MPI_INT, left, 1, comm",
    "from anybody": "in, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm",
    "into MPI_BOTTOM": "MPI_BOTTOM, 1, placed, left, 1, comm",
}


def sends(
    ways: Mapping[str, str], to_nobody: Mapping[str, str], failing: Mapping[str, str]
) -> Iterator[Case]:
    """Each send mode: blocking, nonblocking and persistent."""
    for mode in ("", "b", "s", "r"):
        name = f"{mode}send".capitalize()
        attach, detach = (BUFFER, DETACH) if mode == "b" else ("", "")
        for title, to in ways.items():
            before = (PLACED if "placed" in to else "") + attach
            after = (FREE_PLACED if "placed" in to else "") + detach
            wait = f"{SEEN} MPI_Wait(&r[0], s); say_status(s, MPI_INT);"
            yield Case(
                f"{name}: {title}", f'{before}{POST}{MEET} say_code("send", MPI_{name}({to}));{wait}{after}'
            )
            yield Case(
                f"I{mode}send: {title}",
                f'{before}{POST}{MEET} say_code("send", MPI_I{mode}send({to}, &r[1]));{wait} MPI_Wait(&r[1], {IGNORED});{after}',
            )
            once = f"{POST}{MEET} MPI_Start(&r[1]); {ALL}"
            yield Case(
                f"{name}_init: {title}",
                f'{before} say_code("init", MPI_{name}_init({to}, &r[1])); {once}{once} MPI_Request_free(&r[1]);{after}',
            )
        for title, to in to_nobody.items():
            yield Case(f"{name}: {title}", f'{attach} say_code("send", MPI_{name}({to}));{detach}')
            yield Case(
                f"I{mode}send: {title}",
                f'{attach}{SEEN} say_code("send", MPI_I{mode}send({to}, &r[1])); say_code("wait", MPI_Wait(&r[1], {IGNORED}));{detach}',
            )
            yield Case(
                f"{name}_init: {title}",
                f"{attach} MPI_{name}_init({to}, &r[1]); MPI_Start(&r[1]); MPI_Wait(&r[1], {IGNORED}); MPI_Request_free(&r[1]);{detach}",
            )
        yield Case(
            f"{name}_init: never started",
            f"{attach} MPI_{name}_init(out, 2, MPI_INT, right, 1, comm, &r[1]); MPI_Request_free(&r[1]);{detach}",
        )
        for title, to in failing.items():
            yield Case(f"{name}: {title}", f'say_code("send", MPI_{name}({to}));', fails=True)
            yield Case(
                f"I{mode}send: {title}",
                f'say_code("send", MPI_I{mode}send({to}, &r[1])); say("%d", is_null(r[1]));',
                fails=True,
            )
    yield Case(
        "Isend: freed before it ends",
        f"{POST}{SEND} MPI_Request_free(&r[1]); MPI_Wait(&r[0], {IGNORED}); {MEET}",
    )
    yield Case(
        "Isend: its type is freed before it ends",
        f"MPI_Datatype one; MPI_Type_dup(pair, &one); {POST} MPI_Isend(out, 1, one, right, 1, comm, &r[1]); MPI_Type_free(&one); {ALL}",
    )
    yield Case(
        "Isend: its communicator is freed before it ends",
        f"MPI_Comm one; MPI_Comm_dup(comm, &one); MPI_Irecv(in, 4, MPI_INT, left, 1, one, &r[0]); MPI_Isend(out, 2, MPI_INT, right, 1, one, &r[1]); MPI_Comm_free(&one); {ALL}",
    )
    yield Case(
        "Send: between groups",
        f"MPI_Irecv(in, 4, MPI_INT, MPI_ANY_SOURCE, 1, inter, &r[0]); {SEEN} int peer; MPI_Comm_rank(inter, &peer); MPI_Send(out, 2, MPI_INT, peer, 1, inter); MPI_Wait(&r[0], s); say_status(s, MPI_INT);",
    )


def receives(ways: Mapping[str, str]) -> Iterator[Case]:
    """Receives, alone and together with a send."""
    for title, what in ways.items():
        before, after = (PLACED_IN, FREE_PLACED) if "placed" in what else ("", "")
        yield Case(
            f"Recv: {title}",
            f'{before}{SEEN}{SEND} say_code("receive", MPI_Recv({what}, s)); say_status(s, MPI_INT); MPI_Wait(&r[1], {IGNORED}); {MEET}{after}',
        )
        yield Case(
            f"Recv: {title}, no status",
            f'{before}{SEND} say_code("receive", MPI_Recv({what}, {IGNORED})); MPI_Wait(&r[1], {IGNORED}); {MEET}{after}',
        )
        yield Case(
            f"Irecv: {title}",
            f"{before}{SEEN} MPI_Irecv({what}, &r[0]); {SEND} MPI_Wait(&r[0], s); say_status(s, MPI_INT); MPI_Wait(&r[1], {IGNORED}); {MEET}{after}",
        )
        twice = (
            2
            * f"MPI_Start(&r[0]); {SEND} MPI_Wait(&r[0], s); say_status(s, MPI_INT); MPI_Wait(&r[1], {IGNORED}); {MEET}"
        )
        yield Case(
            f"Recv_init: {title}",
            f"{before}{SEEN} MPI_Recv_init({what}, &r[0]); {twice} MPI_Request_free(&r[0]);{after}",
        )
    nothing = f"{SEEN} MPI_Isend(NULL, 0, MPI_DATATYPE_NULL, right, 1, comm, &r[1]);"
    yield Case(
        "Recv: nothing of no type",
        f'{nothing} say_code("receive", MPI_Recv(NULL, 0, MPI_DATATYPE_NULL, left, 1, comm, s)); say("%d", s->MPI_SOURCE == left); MPI_Wait(&r[1], {IGNORED});',
    )
    yield Case(
        "Irecv: nothing of no type",
        f"MPI_Irecv(NULL, 0, MPI_DATATYPE_NULL, left, 1, comm, &r[0]); {nothing} {ALL}",
    )
    yield Case(
        "Recv_init: nothing of no type",
        "MPI_Recv_init(NULL, 0, MPI_DATATYPE_NULL, left, 1, comm, &r[0]); MPI_Send_init(NULL, 0, MPI_DATATYPE_NULL, right, 1, comm, &r[1]);"
        + 2 * f"MPI_Startall(2, r); {ALL}"
        + "MPI_Request_free(&r[0]); MPI_Request_free(&r[1]);",
    )
    yield Case(
        "Recv: from nobody",
        f'{SEEN} say_code("receive", MPI_Recv(in, 2, MPI_INT, MPI_PROC_NULL, 1, comm, s)); say_status(s, MPI_INT);',
    )
    yield Case(
        "Recv: from nobody, nothing",
        f'{SEEN} say_code("receive", MPI_Recv(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, comm, s)); say_status(s, MPI_INT);',
    )
    yield Case(
        "Irecv: from nobody",
        f"{SEEN} MPI_Irecv(in, 2, MPI_INT, MPI_PROC_NULL, 1, comm, &r[0]); MPI_Wait(&r[0], s); say_status(s, MPI_INT);",
    )
    yield Case(
        "Recv_init: from nobody",
        f"{SEEN} MPI_Recv_init(in, 2, MPI_INT, MPI_PROC_NULL, 1, comm, &r[0]); MPI_Start(&r[0]); MPI_Wait(&r[0], s); say_status(s, MPI_INT); MPI_Request_free(&r[0]);",
    )
    yield Case(
        "Recv: truncated",
        f'{SEEN} MPI_Isend(out, 8, MPI_INT, right, 1, comm, &r[1]); say_code("receive", MPI_Recv(in, 1, MPI_INT, left, 1, comm, s)); MPI_Wait(&r[1], {IGNORED});',
        fails=True,
    )
    yield Case(
        "Irecv: truncated",
        f'MPI_Irecv(in, 1, MPI_INT, left, 1, comm, &r[0]); {MEET} MPI_Isend(out, 8, MPI_INT, right, 1, comm, &r[1]); say_code("wait", MPI_Wait(&r[0], {IGNORED})); MPI_Wait(&r[1], {IGNORED});',
        fails=True,
    )
    yield Case(
        "Sendrecv: truncated",
        f'say_code("exchange", MPI_Sendrecv(out, 8, MPI_INT, right, 1, in, 1, MPI_INT, left, 1, comm, {IGNORED}));',
        fails=True,
    )
    yield Case(
        "Recv: a rank that does not exist",
        f'say_code("receive", MPI_Recv(in, 2, MPI_INT, ranks + 5, 1, comm, {IGNORED}));',
        fails=True,
    )
    yield Case(
        "Irecv: a negative tag",
        'say_code("receive", MPI_Irecv(in, 2, MPI_INT, left, -7, comm, &r[0])); say("%d", is_null(r[0]));',
        fails=True,
    )
    yield from exchanges()
    yield from cancelled()


def exchanges() -> Iterator[Case]:
    # MPICH's MPI_Isendrecv has the status of whichever of its two operations ends last.
    seen = 'say("%d %d", s->MPI_SOURCE, s->MPI_TAG);'
    for name, tail, end in (("Sendrecv", "s", seen), ("Isendrecv", "&r[0]", "MPI_Wait(&r[0], s);")):

        def call(arguments: str, name: str = name, tail: str = tail, end: str = end) -> str:
            return f'{SEEN} say_code("exchange", MPI_{name}({arguments}, {tail})); {end} {MEET}'

        yield Case(f"{name}: ordinary", call("out, 2, MPI_INT, right, 2, in, 2, MPI_INT, left, 2, comm"))
        yield Case(
            f"{name}: from anybody",
            call("out, 2, MPI_INT, right, 2, in, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm"),
        )
        yield Case(
            f"{name}: nothing of no type",
            call("NULL, 0, MPI_DATATYPE_NULL, right, 2, NULL, 0, MPI_DATATYPE_NULL, left, 2, comm"),
        )
        yield Case(
            f"{name}: with nobody",
            call("out, 2, MPI_INT, MPI_PROC_NULL, 2, in, 2, MPI_INT, MPI_PROC_NULL, 2, comm"),
        )
        yield Case(
            f"{name}: to nobody at one end",
            call(
                "out, 2, MPI_INT, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, 2, in, 2, MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 2, comm"
            ),
        )
        yield Case(
            f"{name}_replace: ordinary",
            call("out, 2, MPI_INT, right, 2, left, 2, comm").replace(f"MPI_{name}(", f"MPI_{name}_replace("),
        )
        yield Case(
            f"{name}_replace: from anybody",
            call("out, 2, MPI_INT, right, 2, MPI_ANY_SOURCE, MPI_ANY_TAG, comm").replace(
                f"MPI_{name}(", f"MPI_{name}_replace("
            ),
        )
        yield Case(
            f"{name}_replace: nothing of no type",
            call("NULL, 0, MPI_DATATYPE_NULL, right, 2, left, 2, comm").replace(
                f"MPI_{name}(", f"MPI_{name}_replace("
            ),
        )
        yield Case(
            f"{name}_replace: with nobody",
            call("out, 2, MPI_INT, MPI_PROC_NULL, 2, MPI_PROC_NULL, 2, comm").replace(
                f"MPI_{name}(", f"MPI_{name}_replace("
            ),
        )


def cancelled() -> Iterator[Case]:
    started = "MPI_Irecv(in, 1, MPI_INT, left, 99, comm, &r[0]);"
    yield Case(
        "Cancel: a receive",
        f'{SEEN} {started} MPI_Cancel(&r[0]); MPI_Wait(&r[0], s); int gone; MPI_Test_cancelled(s, &gone); say("%d", gone);',
    )
    yield Case(
        "Cancel: a receive, then freed", f"{started} MPI_Cancel(&r[0]); MPI_Request_free(&r[0]); {MEET}"
    )
    yield Case(
        "Cancel: a receive of nothing of no type",
        f"MPI_Irecv(NULL, 0, MPI_DATATYPE_NULL, left, 99, comm, &r[0]); MPI_Cancel(&r[0]); MPI_Wait(&r[0], {IGNORED});",
    )
    yield Case(
        "Cancel: a persistent receive, started again",
        f"{SEEN} MPI_Recv_init(in, 4, MPI_INT, left, 1, comm, &r[0]); MPI_Start(&r[0]); MPI_Cancel(&r[0]); MPI_Wait(&r[0], s); {MEET} MPI_Start(&r[0]); {SEND} MPI_Wait(&r[0], s); say_status(s, MPI_INT); MPI_Wait(&r[1], {IGNORED}); MPI_Request_free(&r[0]);",
    )
    yield Case(
        "Cancel: a persistent receive, then freed",
        f"MPI_Recv_init(in, 4, MPI_INT, left, 1, comm, &r[0]); MPI_Start(&r[0]); MPI_Cancel(&r[0]); MPI_Request_free(&r[0]); {MEET}{POST}{SEND}{ALL}",
    )
    yield Case(
        "Cancel: one of two receives",
        f"{SEEN} {started} MPI_Irecv(in + 4, 4, MPI_INT, left, 1, comm, &r[2]); {SEND} MPI_Cancel(&r[0]); MPI_Waitall(3, r, MPI_STATUSES_IGNORE);",
    )
    yield Case(
        "Request_free: a persistent receive, never started",
        'MPI_Recv_init(in, 2, MPI_INT, left, 1, comm, &r[0]); MPI_Request_free(&r[0]); say("%d", is_null(r[0]));',
    )
    yield Case("Request_free: a null request", 'say_code("free", MPI_Request_free(&r[0]));', fails=True)


def partitioned() -> Iterator[Case]:
    def both(parts: int, what: str, to: str = "right", source: str = "left") -> str:
        buffers = ("out", "in") if "NULL" not in what else ("NULL", "NULL")
        return (
            f"MPI_Precv_init({buffers[1]}, {parts}, {what}, {source}, 3, comm, info, &r[0]);"
            f"MPI_Psend_init({buffers[0]}, {parts}, {what}, {to}, 3, comm, info, &r[1]);"
        )

    free = "MPI_Request_free(&r[0]); MPI_Request_free(&r[1]);"
    ready = f"MPI_Startall(2, r); MPI_Pready(1, r[1]); MPI_Pready(0, r[1]); {ALL}"
    yield Case("Psend_init: ordinary", both(2, "1, MPI_INT") + 2 * ready + free)
    yield Case("Precv_init: nothing of no type", both(2, "0, MPI_DATATYPE_NULL") + ready + free)
    yield Case(
        "Psend_init: with nobody", both(2, "1, MPI_INT", "MPI_PROC_NULL", "MPI_PROC_NULL") + ready + free
    )
    yield Case("Psend_init: never started", both(2, "1, MPI_INT") + free)
    yield Case(
        "Pready_range: all",
        both(2, "1, MPI_INT") + f"MPI_Startall(2, r); MPI_Pready_range(0, 1, r[1]); {ALL}" + free,
    )
    yield Case(
        "Pready_list: all and none",
        both(2, "1, MPI_INT")
        + f"MPI_Startall(2, r); int first[] = {{1, 0}}; MPI_Pready_list(0, first, r[1]); MPI_Pready_list(2, first, r[1]); {ALL}"
        + free,
    )
    yield Case(
        "Parrived: of one that is not started",
        both(2, "1, MPI_INT")
        + f'int came = 0; MPI_Startall(2, r); MPI_Pready_range(0, 1, r[1]); while (!came) MPI_Parrived(r[0], 1, &came); {ALL} came = 0; MPI_Parrived(r[0], 0, &came); say("%d", came);'
        + free,
    )


def message_cases() -> Iterator[Case]:
    yield from sends(SENDS, TO_NOBODY, FAILING)
    yield from receives(RECEIVES)
    yield from partitioned()
