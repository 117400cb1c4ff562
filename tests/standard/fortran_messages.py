# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of messages, probes and completion in Fortran, for every way to MPI that Fortran has.

The error argument is always `code` and last, so that a program of mpi_f08 can leave it out.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.standard.case import Case

POST = "call MPI_Irecv(in, 4, MPI_INTEGER, left, 1, comm, r(1), code);"
SEND = "call MPI_Isend(out, 2, MPI_INTEGER, right, 1, comm, r(2), code);"
ALL = "call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, code);"
WAIT = "call MPI_Wait(r(1), status, code); call say_code('wait'); call say_status();"
LAST = "call MPI_Wait(r(2), MPI_STATUS_IGNORE, code);"
MEET = "call MPI_Barrier(comm, code);"
ANYBODY = "MPI_ANY_SOURCE, MPI_ANY_TAG, comm"
PLACED = (
    "block; TYPE_T :: placed; integer(address_kind) :: address(1);"
    "call MPI_Get_address({0}, address(1), code);"
    "call MPI_Type_create_hindexed(1, twos, address, MPI_INTEGER, placed, code); call MPI_Type_commit(placed, code);"
)
PLACED_END = "call MPI_Type_free(placed, code); end block;"
BUFFER = "block; integer, save :: space(2048), size; DETACHED_T :: given; call MPI_Buffer_attach(space, 8192, code);"
DETACH = "call MPI_Buffer_detach(given, size, code); call say('buffer', size); end block;"

SENDS = {
    "ordinary": "out, 2, MPI_INTEGER, right, 1, comm",
    "nothing": "nothing, 0, MPI_INTEGER, right, 1, comm",
    "elements without data": "nowhere, 3, none, right, 1, comm",
    "from MPI_BOTTOM": "MPI_BOTTOM, 1, placed, right, 1, comm",
    "a part of an array": "out(5:12), 3, MPI_INTEGER, right, 1, comm",
    "to nobody": "out, 2, MPI_INTEGER, MPI_PROC_NULL, 1, comm",
    "to nobody, nothing": "nothing, 0, MPI_INTEGER, MPI_PROC_NULL, 1, comm",
}
# Open MPI 4.1, which alone has Fortran here, reports the null type.
FAILING = {
    "nothing of no type": "nothing, 0, MPI_DATATYPE_NULL, right, 1, comm",
    "to nobody, nothing of no type": "nothing, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, comm",
    "a rank that does not exist": "out, 2, MPI_INTEGER, ranks + 5, 1, comm",
    "a negative tag": "out, 2, MPI_INTEGER, right, -7, comm",
    "a null communicator": "out, 2, MPI_INTEGER, right, 1, MPI_COMM_NULL",
    "a negative count": "out, -2, MPI_INTEGER, right, 1, comm",
}
RECEIVES = {
    "ordinary": "in, 2, MPI_INTEGER, left, 1, comm",
    "of more than comes": "in, 9, MPI_INTEGER, left, 1, comm",
    "from anybody": f"in, 2, MPI_INTEGER, {ANYBODY}",
    "into MPI_BOTTOM": "MPI_BOTTOM, 1, placed, left, 1, comm",
    "into a part of an array": "in(7:14), 3, MPI_INTEGER, left, 1, comm",
}


def _with_type(arguments: str, code: str) -> str:
    """The code, with the type of absolute addresses if the arguments name it."""
    buffer = "in" if "left" in arguments else "out"
    return PLACED.format(buffer) + code + PLACED_END if "placed" in arguments else code


def sends() -> Iterator[Case]:
    for mode in ("", "b", "s", "r"):
        name = f"{mode}send".capitalize()
        attach, detach = (BUFFER, DETACH) if mode == "b" else ("", "")
        for title, to in SENDS.items():
            post, wait = (POST, WAIT) if "NULL, 1" not in to else ("", "")
            blocking = f"{post}{MEET} call MPI_{name}({to}, code); call say_code('send'); {wait}"
            yield Case(f"{name}: {title}", _with_type(to, attach + blocking + detach))
            started = (
                f"{post}{MEET} call MPI_I{mode}send({to}, r(2), code); call say_code('send'); {wait}{LAST}"
            )
            yield Case(f"I{mode}send: {title}", _with_type(to, attach + started + detach))
            once = f"{post}{MEET} call MPI_Start(r(2), code); call say_code('start'); {wait}{LAST}"
            made = f"call MPI_{name}_init({to}, r(2), code); {once}{once} call MPI_Request_free(r(2), code);"
            yield Case(f"{name}_init: {title}", _with_type(to, attach + made + detach))
        for title, to in FAILING.items():
            yield Case(f"{name}: {title}", f"call MPI_{name}({to}, code); call say_code('send')", fails=True)
            yield Case(
                f"I{mode}send: {title}",
                f"call MPI_I{mode}send({to}, r(2), code); call say_code('send'); call say_flag('null', r(2) == MPI_REQUEST_NULL)",
                fails=True,
            )
    yield Case(
        "Send: every second element",
        f"{POST} call MPI_Send(out(1:8:2), 4, MPI_INTEGER, right, 1, comm, code); {WAIT}",
    )
    yield Case(
        "Send: characters",
        "block; character(8) :: word, came; word = 'standard';"
        "call MPI_Irecv(came, 8, MPI_CHARACTER, left, 1, comm, r(1), code);"
        f"call MPI_Send(word, 8, MPI_CHARACTER, right, 1, comm, code); {WAIT} call say(came); end block",
    )
    yield Case(
        "Isend: freed before it ends",
        f"{POST}{SEND} call MPI_Request_free(r(2), code); call MPI_Wait(r(1), MPI_STATUS_IGNORE, code); {MEET}",
    )
    yield Case(
        "Isend: its communicator is freed before it ends",
        "block; COMM_T :: one; call MPI_Comm_dup(comm, one, code);"
        "call MPI_Irecv(in, 4, MPI_INTEGER, left, 1, one, r(1), code);"
        "call MPI_Isend(out, 2, MPI_INTEGER, right, 1, one, r(2), code);"
        f"call MPI_Comm_free(one, code); {ALL} end block",
    )


def receives() -> Iterator[Case]:
    for title, what in RECEIVES.items():
        for ending, given in (("", "status"), (", no status", "MPI_STATUS_IGNORE")):
            said = "call say_status();" if not ending else ""
            yield Case(
                f"Recv: {title}{ending}",
                _with_type(
                    what,
                    f"{SEND} call MPI_Recv({what}, {given}, code); call say_code('receive'); {said}{LAST}",
                ),
            )
        yield Case(
            f"Irecv: {title}",
            _with_type(what, f"call MPI_Irecv({what}, r(1), code); {SEND}{WAIT}{LAST}{MEET}"),
        )
        once = f"call MPI_Start(r(1), code); {SEND}{WAIT}{LAST}{MEET}"
        made = f"call MPI_Recv_init({what}, r(1), code); {once}{once} call MPI_Request_free(r(1), code);"
        yield Case(f"Recv_init: {title}", _with_type(what, made))
    nobody = "MPI_PROC_NULL, MPI_ANY_TAG, comm"
    for title, buffer in (
        ("from nobody", "in, 2, MPI_INTEGER"),
        ("from nobody, nothing", "nothing, 0, MPI_INTEGER"),
    ):
        yield Case(f"Recv: {title}", f"call MPI_Recv({buffer}, {nobody}, status, code); call say_status()")
        yield Case(f"Irecv: {title}", f"call MPI_Irecv({buffer}, {nobody}, r(1), code); {WAIT}")
    yield Case(
        "Recv: nothing",
        "call MPI_Isend(nothing, 0, MPI_INTEGER, right, 1, comm, r(2), code);"
        f"call MPI_Recv(nothing, 0, MPI_INTEGER, left, 1, comm, status, code); call say_status(); {LAST}",
    )
    yield Case(
        "Recv: nothing of no type",
        "call MPI_Recv(nothing, 0, MPI_DATATYPE_NULL, left, 1, comm, status, code); call say_code('receive')",
        fails=True,
    )
    yield Case(
        "Recv: truncated",
        f"{SEND} call MPI_Recv(in, 1, MPI_INTEGER, left, 1, comm, MPI_STATUS_IGNORE, code); call say_code('receive'); {LAST}",
        fails=True,
    )
    yield Case(
        "Irecv: cancelled",
        "call MPI_Irecv(in, 2, MPI_INTEGER, left, 99, comm, r(1), code); call MPI_Cancel(r(1), code);"
        "call MPI_Wait(r(1), status, code); call MPI_Test_cancelled(status, flag, code); call say_flag('cancelled', flag)",
    )
    yield Case(
        "Irecv: cancelled and freed",
        "call MPI_Irecv(in, 2, MPI_INTEGER, left, 99, comm, r(1), code); call MPI_Cancel(r(1), code);"
        f"call MPI_Request_free(r(1), code); call say_flag('null', r(1) == MPI_REQUEST_NULL); {MEET}",
    )
    both = "out, 2, MPI_INTEGER, right, 1, in, 4, MPI_INTEGER"
    for title, arguments in (
        ("ordinary", f"{both}, left, 1, comm"),
        ("from anybody", f"{both}, {ANYBODY}"),
        ("a part of an array", "out(3:4), 2, MPI_INTEGER, right, 1, in(9:), 4, MPI_INTEGER, left, 1, comm"),
        ("with nobody", f"{both.replace('right', 'MPI_PROC_NULL')}, MPI_PROC_NULL, 1, comm"),
    ):
        yield Case(
            f"Sendrecv: {title}",
            f"call MPI_Sendrecv({arguments}, status, code); call say_code('call'); call say_status()",
        )
        yield Case(
            f"Sendrecv: {title}, no status", f"call MPI_Sendrecv({arguments}, MPI_STATUS_IGNORE, code)"
        )
    for title, peers in (
        ("ordinary", "right, 1, left, 1"),
        ("with nobody", "MPI_PROC_NULL, 1, MPI_PROC_NULL, 1"),
    ):
        yield Case(
            f"Sendrecv_replace: {title}",
            f"call MPI_Sendrecv_replace(shared, 3, MPI_INTEGER, {peers}, comm, status, code); call say_status()",
        )


def probes() -> Iterator[Case]:
    nobody = "MPI_PROC_NULL, 1, comm"
    message = "block; MESSAGE_T :: message; integer :: peer;"
    receive = "call MPI_Mrecv(in, 2, MPI_INTEGER, message, status, code); call say_status();"
    yield Case("Probe: from nobody", f"call MPI_Probe({nobody}, status, code); call say_status()")
    yield Case(
        "Iprobe: from nobody",
        f"call MPI_Iprobe({nobody}, flag, status, code); call say_flag('flag', flag); call say_status()",
    )
    yield Case(
        "Iprobe: nothing there, no status",
        f"flag = .true.; call MPI_Iprobe({ANYBODY}, flag, MPI_STATUS_IGNORE, code); call say_flag('flag', flag)",
    )
    yield Case(
        "Probe: from anybody",
        f"{SEND} call MPI_Probe({ANYBODY}, status, code); call say_status();"
        f"call MPI_Recv(in, 2, MPI_INTEGER, SOURCE_OF(status), TAG_OF(status), comm, MPI_STATUS_IGNORE, code); {LAST}",
    )
    yield Case(
        "Probe: no status",
        f"{SEND} call MPI_Probe(left, 1, comm, MPI_STATUS_IGNORE, code);"
        f"call MPI_Recv(in, 2, MPI_INTEGER, left, 1, comm, MPI_STATUS_IGNORE, code); {LAST}",
    )
    yield Case(
        "Mprobe: from nobody",
        f"{message} call MPI_Mprobe({nobody}, message, status, code); {receive} end block",
    )
    yield Case(
        "Mprobe: from anybody",
        f"{message}{SEND} call MPI_Mprobe({ANYBODY}, message, MPI_STATUS_IGNORE, code); {receive}{LAST} end block",
    )
    yield Case(
        "Improbe: nothing there",
        f"{message} flag = .true.; call MPI_Improbe({ANYBODY}, flag, message, status, code); call say_flag('flag', flag); end block",
    )
    yield Case(
        "Imrecv: what a probe found",
        f"{message}{SEND} do while (.not. flag); call MPI_Improbe({ANYBODY}, flag, message, MPI_STATUS_IGNORE, code); end do;"
        f"call MPI_Imrecv(in, 2, MPI_INTEGER, message, r(1), code); {WAIT}{LAST} end block",
    )
    yield Case(
        "Probe: a rank that does not exist",
        "call MPI_Probe(ranks + 5, 1, comm, MPI_STATUS_IGNORE, code); call say_code('probe')",
        fails=True,
    )


COMPLETIONS = {
    "Wait": "call MPI_Wait(r(1), status, code)", "Test": "call MPI_Test(r(1), flag, status, code)",
    "Waitall": "call MPI_Waitall({0}, {1}, statuses, code)",
    "Testall": "call MPI_Testall({0}, {1}, flag, statuses, code)",
    "Waitany": "call MPI_Waitany({0}, {1}, position, status, code)",
    "Testany": "call MPI_Testany({0}, {1}, position, flag, status, code)",
    "Waitsome": "call MPI_Waitsome({0}, {1}, flag_count, which, statuses, code)",
    "Testsome": "call MPI_Testsome({0}, {1}, flag_count, which, statuses, code)",
    "Request_get_status": "call MPI_Request_get_status(r(1), flag, status, code)",
}  # fmt: skip


def completions() -> Iterator[Case]:
    """Null, inactive and no requests, with and without statuses. Which of two ends first is left to the MPI, so that
    only what both leave is compared."""
    said = "call say_flag('flag', flag); call say('position', position); call say('some', flag_count);"
    pair = "call MPI_Recv_init(in, 2, MPI_INTEGER, left, 1, comm, r(1), code); call MPI_Send_init(out, 2, MPI_INTEGER, right, 1, comm, r(2), code);"
    freed = "call MPI_Request_free(r(1), code); call MPI_Request_free(r(2), code);"
    for name, call in COMPLETIONS.items():
        two, no_status = call.format(2, "r"), call.replace("statuses", "MPI_STATUSES_IGNORE")
        no_status = no_status.replace(" status,", " MPI_STATUS_IGNORE,").format(2, "r")
        yield Case(f"{name}: null requests", f"{two}; call say_code('call'); {said}")
        yield Case(f"{name}: null requests, no status", f"{no_status}; call say_code('call'); {said}")
        yield Case(f"{name}: inactive requests", f"{pair}{two}; call say_code('call'); {said}{freed}")
        if "{0}" in call:
            yield Case(
                f"{name}: no requests", f"{call.format(0, 'no_requests')}; call say_code('call'); {said}"
            )
        for title, one in (("both requests", two), ("both requests, no status", no_status)):
            until = "flag_count > 0" if "flag_count" in one else "flag"
            looped = one if name.startswith("Wait") else f"do while (.not. ({until})); {one}; end do"
            yield Case(f"{name}: {title}", f"{POST}{SEND} {looped}; {ALL}")
    yield Case(
        "Waitall: their statuses",
        f"{POST}{SEND} call MPI_Waitall(2, r, statuses, code); call say_one(ONE_OF(1)); call say_flag('null', r(1) == MPI_REQUEST_NULL)",
    )
    yield Case(
        "Start: both, twice",
        pair + 2 * f"call MPI_Start(r(1), code); call MPI_Start(r(2), code); {ALL}" + freed,
    )
    yield Case(
        "Start: in another order elsewhere",
        pair + 2 * f"call MPI_Start(r(1 + half), code); call MPI_Start(r(2 - half), code); {ALL}" + freed,
    )
    yield Case("Startall: both", pair + 2 * f"call MPI_Startall(2, r, code); {ALL}" + freed)
    yield Case("Startall: none", "call MPI_Startall(0, no_requests, code); call say_code('start')")
    yield Case("Start: a null request", "call MPI_Start(r(1), code); call say_code('start')", fails=True)
    yield Case(
        "Request_free: a null request", "call MPI_Request_free(r(1), code); call say_code('free')", fails=True
    )
    yield Case(
        "Waitall: one of two is truncated",
        f"call MPI_Irecv(in, 1, MPI_INTEGER, left, 1, comm, r(1), code); {MEET}"
        "call MPI_Isend(out, 8, MPI_INTEGER, right, 1, comm, r(2), code); call MPI_Waitall(2, r, statuses, code);"
        "call say_code('wait'); code = ERROR_OF(1); call say_code('first')",
        fails=True,
    )


def message_cases() -> Iterator[Case]:
    for part in (sends, receives, probes, completions):
        yield from part()
