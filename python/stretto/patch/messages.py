# SPDX-License-Identifier: BSD-3-Clause
"""The calls of MPI that a patch may move, or that its statements stand for, by their arguments in C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stretto.patch.statements import Role


@dataclass(frozen=True)
class Message:
    """A call. `buffer`: the argument that points to the data; `written`: those that MPI stores to, of which
    the request is the first; none of a blocking call.
    """

    role: Role
    written: tuple[int, ...]
    buffer: int = 0
    is_sent: bool = False


_SENT = Message("start", (6,), is_sent=True)

MESSAGES: Mapping[str, Message] = {
    "MPI_Send": Message("start", (), is_sent=True),
    "MPI_Isend": _SENT,
    "MPI_Issend": _SENT,
    "MPI_Ibsend": _SENT,
    "MPI_Irsend": _SENT,
    "MPI_Irecv": Message("start", (6,)),
    "MPI_Wait": Message("wait", (0, 1)),
    "MPI_Waitall": Message("wait", (1, 2)),
}
