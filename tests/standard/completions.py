# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of probes, and of the completion of requests."""

from __future__ import annotations

from collections.abc import Iterator

from tests.standard.case import Case
from tests.standard.messages import ALL, BUFFER, DETACH, IGNORED, MEET, POST, SEEN, SEND

EMPTY = "MPI_Status status[4]; memset(status, 0, sizeof status); MPI_Status* const s = status; int flag = -5, index = -5, some = -5, which[4];"
SAID = 'say("%d %d %d", flag, index == MPI_UNDEFINED ? -1 : index, some == MPI_UNDEFINED ? -1 : some);'


def probes() -> Iterator[Case]:
    nobody = "MPI_PROC_NULL, 1, comm"
    yield Case(
        "Probe: from nobody", f'{SEEN} say_code("probe", MPI_Probe({nobody}, s)); say_status(s, MPI_INT);'
    )
    yield Case(
        "Iprobe: from nobody",
        f'{SEEN} int flag = 0; say_code("probe", MPI_Iprobe({nobody}, &flag, s)); say("%d", flag); say_status(s, MPI_INT);',
    )
    no_process = f"MPI_Message message; {SEEN} int flag = 1;"
    receive = 'say("%d", message == MPI_MESSAGE_NO_PROC); say_code("receive", MPI_Mrecv(in, 2, MPI_INT, &message, s)); say_status(s, MPI_INT); say("%d", message == MPI_MESSAGE_NULL);'
    yield Case("Mprobe: from nobody", f"{no_process} MPI_Mprobe({nobody}, &message, s); {receive}")
    yield Case(
        "Mrecv: from nobody, nothing of no type",
        f'{no_process} MPI_Mprobe({nobody}, &message, s); say_code("receive", MPI_Mrecv(NULL, 0, MPI_DATATYPE_NULL, &message, {IGNORED}));',
    )
    yield Case(
        "Improbe: from nobody",
        f'{no_process} MPI_Improbe({nobody}, &flag, &message, s); say("%d", flag); MPI_Imrecv(in, 2, MPI_INT, &message, &r[0]); MPI_Wait(&r[0], s); say_status(s, MPI_INT);',
    )
    anybody = "MPI_ANY_SOURCE, MPI_ANY_TAG, comm"
    yield Case(
        "Probe: from anybody",
        f"{SEEN}{SEND} MPI_Probe({anybody}, s); say_status(s, MPI_INT); MPI_Recv(in, 2, MPI_INT, s->MPI_SOURCE, s->MPI_TAG, comm, {IGNORED}); MPI_Wait(&r[1], {IGNORED});",
    )
    yield Case(
        "Mprobe: from anybody",
        f"{no_process}{SEND} MPI_Mprobe({anybody}, &message, {IGNORED}); MPI_Mrecv(in, 2, MPI_INT, &message, s); say_status(s, MPI_INT); MPI_Wait(&r[1], {IGNORED});",
    )
    yield Case(
        "Mprobe: of nothing of no type",
        f'{no_process} MPI_Isend(NULL, 0, MPI_DATATYPE_NULL, right, 1, comm, &r[1]); MPI_Mprobe(left, 1, comm, &message, s); say_code("receive", MPI_Mrecv(NULL, 0, MPI_DATATYPE_NULL, &message, s)); MPI_Wait(&r[1], {IGNORED});',
    )
    yield Case(
        "Improbe: nothing there", f'{no_process} MPI_Improbe({anybody}, &flag, &message, s); say("%d", flag);'
    )
    yield Case(
        "Imrecv: truncated",
        f'{no_process}{SEND} MPI_Mprobe(left, 1, comm, &message, s); MPI_Imrecv(in, 1, MPI_INT, &message, &r[0]); say_code("wait", MPI_Wait(&r[0], {IGNORED})); MPI_Wait(&r[1], {IGNORED});',
        fails=True,
    )
    yield Case(
        "Iprobe: nothing there", f'int flag = 1; MPI_Iprobe({anybody}, &flag, {IGNORED}); say("%d", flag);'
    )
    yield Case(
        "Probe: a rank that does not exist",
        f'say_code("probe", MPI_Probe(ranks + 5, 1, comm, {IGNORED}));',
        fails=True,
    )


def without_statuses(name: str, code: str) -> str:
    """The code of a call's case with no status where it has its own."""
    several = name.endswith(("all", "some"))
    return code.replace(", s)", ", MPI_STATUSES_IGNORE)" if several else ", MPI_STATUS_IGNORE)")


def completions() -> Iterator[Case]:
    """Null, inactive and no requests at all."""
    inactive = "MPI_Recv_init(in, 2, MPI_INT, left, 1, comm, &r[0]); MPI_Send_init(out, 2, MPI_INT, right, 1, comm, &r[1]);"
    freed = "MPI_Request_free(&r[0]); MPI_Request_free(&r[1]);"
    calls = {
        "Wait": "MPI_Wait(&r[0], s)", "Test": "MPI_Test(&r[0], &flag, s)",
        "Waitall": "MPI_Waitall({0}, r, s)", "Testall": "MPI_Testall({0}, r, &flag, s)",
        "Waitany": "MPI_Waitany({0}, r, &index, s)", "Testany": "MPI_Testany({0}, r, &index, &flag, s)",
        "Waitsome": "MPI_Waitsome({0}, r, &some, which, s)", "Testsome": "MPI_Testsome({0}, r, &some, which, s)",
        "Request_get_status": "MPI_Request_get_status(r[0], &flag, s)",
        "Request_get_status_all": "MPI_Request_get_status_all({0}, r, &flag, s)",
        "Request_get_status_any": "MPI_Request_get_status_any({0}, r, &index, &flag, s)",
        "Request_get_status_some": "MPI_Request_get_status_some({0}, r, &some, which, s)",
    }  # fmt: skip
    for name, call in calls.items():
        several = "{0}" in call
        yield Case(f"{name}: null requests", f'{EMPTY} say_code("call", {call.format(2)}); {SAID}')
        yield Case(
            f"{name}: inactive requests",
            f'{EMPTY}{inactive} say_code("call", {call.format(2)}); {SAID}{freed}',
        )
        if several:
            null = call.format(0).replace("r,", "NULL,")
            yield Case(f"{name}: no requests", f'{EMPTY} say_code("call", {null}); {SAID}')
        loop = f"{call.format(2)};" if name.startswith("Wait") else ""
        if loop:
            yield Case(f"{name}: both requests", f"{EMPTY}{POST}{SEND} {loop} {ALL}")
            yield Case(
                f"{name}: without statuses",
                without_statuses(name, f"{EMPTY}{POST}{SEND} {loop} {ALL}"),
            )
        else:
            until = "some > 0" if name.endswith("some") else "flag > 0"
            yield Case(
                f"{name}: until it is done", f"{EMPTY}{POST}{SEND} while (!({until})) {call.format(2)}; {ALL}"
            )
    yield Case("Start: both, twice", inactive + 2 * f"MPI_Start(&r[0]); MPI_Start(&r[1]); {ALL}" + freed)
    yield Case(
        "Start: in another order elsewhere",
        inactive + 2 * f"MPI_Start(&r[half]); MPI_Start(&r[!half]); {ALL}" + freed,
    )
    yield Case("Startall: none", 'say_code("start", MPI_Startall(0, NULL));')
    yield Case("Startall: both", inactive + 2 * f"MPI_Startall(2, r); {ALL}" + freed)
    yield Case("Wait: a request nowhere", f'say_code("wait", MPI_Wait(NULL, {IGNORED}));', fails=True)
    yield Case("Start: a null request", 'say_code("start", MPI_Start(&r[0]));', fails=True)
    yield Case(
        "Waitall: one of two is truncated",
        f'{EMPTY} MPI_Irecv(in, 1, MPI_INT, left, 1, comm, &r[0]); {MEET} MPI_Isend(out, 8, MPI_INT, right, 1, comm, &r[1]); say_code("wait", MPI_Waitall(2, r, s)); int class = 0; MPI_Error_class(s[0].MPI_ERROR, &class); say("%d %d", class, s[1].MPI_ERROR);',
        fails=True,
    )
    ordered = "MPI_Allreduce_init(out, in, 2, MPI_INT, MPI_SUM, comm, info, &r[0]); MPI_Bcast_init(shared, 2, MPI_INT, 1, comm, info, &r[1]);"
    yield Case(
        "Allreduce_init: started in another order elsewhere",
        ordered + 2 * f"MPI_Start(&r[half]); MPI_Start(&r[!half]); {ALL}" + freed,
    )
    yield Case("Bcast_init: started late elsewhere", ordered + f"MPI_Startall(2, r); {ALL}" + freed)
    size = "COUNT_n size_n = -1; void* given = NULL;"
    yield Case(
        "Buffer_detach: an empty buffer",
        f'{size} static char space[512]; MPI_Buffer_attach(space, sizeof space); MPI_Buffer_detach(&given, &size_n); say("%d %d", given == space, (int)size_n);',
    )
    yield Case("Buffer_flush: nothing in it", f"{BUFFER} MPI_Buffer_flush(); {DETACH}")
    yield Case(
        "Comm_detach_buffer: nothing in it",
        f'{size} static char space[512]; MPI_Comm_attach_buffer(comm, space, sizeof space); MPI_Comm_flush_buffer(comm); MPI_Comm_detach_buffer(comm, &given, &size_n); say("%d %d", given == space, (int)size_n);',
    )


def completion_cases() -> Iterator[Case]:
    for part in (probes, completions):
        yield from part()
