# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of messages, probes and completion in Fortran, for every way to MPI that Fortran has: those of C, and
what only Fortran has.

The error argument is always `code` and last, so that a program of mpi_f08 can leave it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tests.standard.case import Case
from tests.standard.completions import completion_cases, without_statuses
from tests.standard.fortran_spelling import in_fortran
from tests.standard.messages import FAILING, RECEIVES, SENDS, TO_NOBODY, receives, sends

SEND = "call MPI_Isend(out, 2, MPI_INTEGER, right, 1, comm, r(2), code);"
WAIT = "call MPI_Wait(r(1), status, code); call say_code('wait'); call say_status();"
LAST = "call MPI_Wait(r(2), MPI_STATUS_IGNORE, code);"
NO_TYPE = "nothing of no type"
ONLY_C = re.compile(
    r"MPI_(Isendrecv|Buffer_flush|Comm_\w+_buffer|(Allreduce|Bcast)_init|Request_get_status_)|MPI_Wait\(NULL|given = NULL|s\[0\]"
)
"""Calls of MPI 4, which Fortran's bindings here do not have, and code that has another form in Fortran."""


def of_c() -> Iterator[Case]:
    """The cases of C. Open MPI 4.1, which alone has Fortran here, reports the null type."""
    to = {
        **{title: what for title, what in SENDS.items() if title != NO_TYPE},
        "nothing": "NULL, 0, MPI_INT, right, 1, comm",
        "a part of an array": "out(5:12), 3, MPI_INT, right, 1, comm",
    }
    nobody, no_type = TO_NOBODY["to nobody"], SENDS[NO_TYPE]
    to_nobody = {"to nobody": nobody, "to nobody, nothing": nobody.replace("out, 2", "NULL, 0")}
    failing = {**FAILING, NO_TYPE: no_type, f"to nobody, {NO_TYPE}": TO_NOBODY["to nobody, nothing"]}
    received = {**RECEIVES, "into a part of an array": "in(7:14), 3, MPI_INT, left, 1, comm"}
    for case in (*sends(to, to_nobody, failing), *receives(received), *completion_cases()):
        if ONLY_C.search(case.code) or ("MPI_DATATYPE_NULL" in case.code and not case.fails):
            continue
        yield in_fortran(case)
        if case.name.endswith((": null requests", ": until it is done")):
            code = without_statuses(case.name.partition(":")[0], case.code)
            yield in_fortran(replace(case, name=f"{case.name}, no status", code=code))


def of_fortran() -> Iterator[Case]:
    yield Case(
        "Send: every second element",
        f"call MPI_Irecv(in, 4, MPI_INTEGER, left, 1, comm, r(1), code); call MPI_Send(out(1:8:2), 4, MPI_INTEGER, right, 1, comm, code); {WAIT}",
    )
    yield Case(
        "Send: characters",
        "block; character(8) :: word, came; word = 'standard';"
        "call MPI_Irecv(came, 8, MPI_CHARACTER, left, 1, comm, r(1), code);"
        f"call MPI_Send(word, 8, MPI_CHARACTER, right, 1, comm, code); {WAIT} call say(came); end block",
    )
    nothing = "nothing, 0, MPI_INTEGER, MPI_PROC_NULL, MPI_ANY_TAG, comm"
    yield Case("Recv: from nobody, nothing", f"call MPI_Recv({nothing}, status, code); call say_status()")
    yield Case("Irecv: from nobody, nothing", f"call MPI_Irecv({nothing}, r(1), code); {WAIT}")
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
    part = "out(3:4), 2, MPI_INTEGER, right, 1, in(9:), 4, MPI_INTEGER, left, 1, comm"
    yield Case("Sendrecv: a part of an array", f"call MPI_Sendrecv({part}, status, code); call say_status()")
    yield Case(
        "Sendrecv: a part of an array, no status", f"call MPI_Sendrecv({part}, MPI_STATUS_IGNORE, code)"
    )
    yield Case(
        "Probe: no status",
        f"{SEND} call MPI_Probe(left, 1, comm, MPI_STATUS_IGNORE, code);"
        f"call MPI_Recv(in, 2, MPI_INTEGER, left, 1, comm, MPI_STATUS_IGNORE, code); {LAST}",
    )
    yield Case(
        "Imrecv: what a probe found",
        f"block; MESSAGE_T :: message; {SEND} do while (.not. flag);"
        "call MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, flag, message, MPI_STATUS_IGNORE, code); end do;"
        f"call MPI_Imrecv(in, 2, MPI_INTEGER, message, r(1), code); {WAIT}{LAST} end block",
    )
    both = "call MPI_Irecv(in, {0}, MPI_INTEGER, left, 1, comm, r(1), code);"
    yield Case(
        "Waitall: their statuses",
        f"{both.format(4)}{SEND} call MPI_Waitall(2, r, statuses, code); call say_one(ONE_OF(1)); call say_flag('null', r(1) == MPI_REQUEST_NULL)",
    )
    yield Case(
        "Waitall: one of two is truncated",
        f"{both.format(1)} call MPI_Barrier(comm, code);"
        "call MPI_Isend(out, 8, MPI_INTEGER, right, 1, comm, r(2), code); call MPI_Waitall(2, r, statuses, code);"
        "call say_code('wait'); code = ERROR_OF(1); call say_code('first')",
        fails=True,
    )


def message_cases() -> Iterator[Case]:
    yield from of_c()
    yield from of_fortran()
