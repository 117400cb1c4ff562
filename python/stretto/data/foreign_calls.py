# SPDX-License-Identifier: BSD-3-Clause
"""MPI calls of traces that other tools wrote, and the records of stretto's traces that they become.

A reader makes a `ForeignCall` of each call and adds it to the `ForeignRank` of its process, those of a thread
in order of time. It counts what it does not understand in `left_out`.
"""

from __future__ import annotations

import re
import resource
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from stretto.data.trace_names import trace_name
from stretto.data.trace_records import CANCELLED, COMPLETION, NO_CONTEXT, RECEIVE_HALF, STARTED
from stretto.data.trace_writer import TraceRecord, TraceWriter

SEND, RECEIVE, COLLECTIVE = 0, 1, 2
NOT_UNDERSTOOD = "not understood: "
"""How the line begins that counts what a trace leaves out."""
_MAX_NAMED = 5
_OTHER_FILES = 64
_MAKES_CONTEXTS = ("MPI_Comm_create", "MPI_Comm_dup", "MPI_Comm_split", "MPI_Cart_create", "MPI_Graph_create")
_PROBES = {
    "MPI_Probe": "probe", "MPI_Iprobe": "iprobe", "MPI_Mprobe": "mprobe", "MPI_Improbe": "improbe",
}  # fmt: skip
_OF_MATCHED_PROBES = {"MPI_Mrecv": "mrecv", "MPI_Imrecv": "imrecv"}
"""Receives of probed messages. Some recorders write no event of them."""
_COMMUNICATES = re.compile(
    r"MPI_(I?[bsr]?send|I?m?recv|I?sendrecv(_replace)?|m?probe|Start(all)?"
    r"|I?(barrier|bcast|alltoall[vw]?|(all)?gatherv?|scatterv?|(all)?reduce|reduce_scatter(_block)?|(ex)?scan)"
    r"|I?neighbor_(allgatherv?|alltoall[vw]?)|R?(put|get|accumulate|get_accumulate)|Fetch_and_op"
    r"|Compare_and_swap|Win_(create(_dynamic)?|allocate(_shared)?|free|fence|start|complete|post|wait|sync)"
    r"|Win_(un)?lock(_all)?|Win_flush(_local)?(_all)?|Comm_(i?dup(_with_info)?|create(_group)?|split(_type)?)"
    r"|Comm_(free|disconnect)|Cart_(create|sub)|(Dist_)?graph_create(_adjacent)?|Intercomm_(create|merge))",
    re.IGNORECASE,
)
"""Calls whose time counts as communication also where the trace does not say what they moved."""
_BEFORE_INIT = ("MPI_Initialized", "MPI_Finalized", "MPI_Get_version", "MPI_Get_library_version")


class NoMpiError(ValueError):
    """A trace without a call of MPI."""


@dataclass(frozen=True)
class Comm:
    """A communicator: its number in the foreign trace and its members as ranks of the world."""

    number: int
    members: tuple[int, ...]


@dataclass(frozen=True)
class Transfer:
    """A message, or a call of a collective; `peer` is a rank of the world, for collectives the root."""

    what: int
    comm: Comm
    peer: int
    tag: int
    size_bytes: int
    extra: int = 0


@dataclass
class ForeignCall:
    """A call of an MPI function. `where` is its call site; empty where it is not known, then those of a name
    are taken together.
    """

    name: str
    begin_ns: int
    where: str = ""
    done: list[Transfer] = field(default_factory=list)
    started: list[tuple[int, Transfer]] = field(default_factory=list)  # requests and transfers
    completed: list[int] = field(default_factory=list)
    cancelled: list[int] = field(default_factory=list)
    probed: tuple[int, Transfer] | None = None  # the number of a matched message or 0, and the message
    taken: tuple[int, Transfer] | None = None


class ForeignRank:
    """Writes the trace of one process. `left_out` counts what is not understood."""

    def __init__(self, number: int, writer: TraceWriter, left_out: Counter[str]) -> None:
        self.number, self.left_out = number, left_out
        self.began = False
        self._writer = writer
        self._made = 0
        self._contexts: dict[int, int] = {}  # by communicator number

    def new_request(self) -> int:
        """The number of a request, or of a matched message."""
        self._made += 1
        return self._made

    def add(self, thread: int, call: ForeignCall, end_ns: int) -> None:
        """Writes the records of a call. The rank's time begins with MPI_Init."""
        if not self.began and call.name in _BEFORE_INIT:
            return
        if not self.began and not call.name.startswith("MPI_Init"):
            # MPI_Init was filtered out, so the rank's time begins after it.
            init = self._writer.call("MPI_Init", "plain")
            self._writer.add(thread, TraceRecord(init, call.begin_ns))
        self.began = True
        kind, records = self._records(thread, call)
        site = self._writer.site(thread, call.where or f"unknown caller of {call.name}", 0)
        first = {"duration_ns": max(end_ns - call.begin_ns, 0), "site": site}
        number = self._writer.call(call.name, kind)
        for own_call, members in records:
            about = members if own_call else members | first
            self._writer.add(thread, TraceRecord(own_call or number, call.begin_ns, **about))

    def _records(self, thread: int, call: ForeignCall) -> tuple[str, list[tuple[int | None, dict[str, int]]]]:
        """The kind and records of a call: the call itself (None), then the records that belong to it."""
        done = {one.what: self._members(thread, one) for one in call.done}
        if call.started and (len(call.started) > 1 or "Start" in call.name):
            started = [
                (STARTED, {**self._members(thread, one), "request": request, "count": one.what})
                for request, one in call.started
            ]
            return "startall", [(None, {"count": len(started)}), *started]
        if call.started:
            request, one = call.started[0]
            kind = ("isend", "irecv", "icollective")[one.what]
            return kind, [(None, {**self._members(thread, one), "request": request})]
        if call.probed is not None:
            number, one = call.probed
            members = {**self._members(thread, one), "request": number, "count": 1}
            return _PROBES.get(call.name, "probe"), [(None, members)]
        if call.taken is not None:
            number, one = call.taken
            kind = _OF_MATCHED_PROBES.get(call.name, "mrecv")
            return kind, [(None, {**self._members(thread, one), "request": number})]
        if COLLECTIVE in done:
            kind = "new_comm" if call.name.startswith(_MAKES_CONTEXTS) else "collective"
            return kind, [(None, done[COLLECTIVE])]
        if SEND in done and RECEIVE in done:
            return "sendrecv", [(None, done[SEND]), (RECEIVE_HALF, done[RECEIVE])]
        if done:
            ((what, members),) = done.items()
            return ("send" if what == SEND else "recv"), [(None, members)]
        if call.completed or call.cancelled or call.name.startswith(("MPI_Wait", "MPI_Test")):
            over = [(COMPLETION, {"request": request}) for request in call.completed]
            over += [(COMPLETION, {"request": request, "count": CANCELLED}) for request in call.cancelled]
            return "wait", [(None, {"count": len(over)}), *over]
        if call.name in _OF_MATCHED_PROBES:
            self.left_out[f"{call.name} without its message"] += 1
        return "without_message" if _COMMUNICATES.fullmatch(call.name) else "plain", [(None, {})]

    def _members(self, thread: int, one: Transfer) -> dict[str, int]:
        return {
            "context": self._context(thread, one.comm), "peer": one.peer, "tag": one.tag,
            "size_bytes": one.size_bytes, "extra": one.extra,
        }  # fmt: skip

    def _context(self, thread: int, comm: Comm) -> int:
        if self.number not in comm.members:
            return NO_CONTEXT
        if comm.number not in self._contexts:
            self._contexts[comm.number] = len(self._contexts)
            if len(self._contexts) > NO_CONTEXT:
                raise ValueError("more communicators than a trace has numbers for")
            number = self._contexts[comm.number]
            self._writer.communicator(thread, number, comm.number + 1, comm.members)
        return self._contexts[comm.number]


@contextmanager
def foreign_ranks(
    directory: Path, ranks: Iterable[int], command: str, library: str, left_out: Counter[str]
) -> Iterator[dict[int, ForeignRank]]:
    """The writers of the ranks' files in `directory`.

    Raises:
        NoMpiError: at the end, where no rank has a call.
    """
    about = {"host": "", "command": [command], "mpi": {"family": "", "library": library}}
    numbers = list(ranks)
    _allow_files(len(numbers))
    with ExitStack() as files:
        writers = (
            files.enter_context(TraceWriter(directory / trace_name(rank), rank, len(numbers), about))
            for rank in numbers
        )
        made = {rank: ForeignRank(rank, writer, left_out) for rank, writer in zip(numbers, writers)}
        yield made
        if not any(one.began for one in made.values()):
            raise NoMpiError("no MPI call is in it")


def _allow_files(count: int) -> None:
    """Lets the process open a file for each rank, as far as the system's limit admits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = count + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def counted(left_out: Counter[str]) -> str:
    """The most frequent of what a trace leaves out."""
    named = left_out.most_common(_MAX_NAMED)
    rest = left_out.total() - sum(count for _, count in named)
    return ", ".join([f"{count} {what}" for what, count in named] + ([f"{rest} others"] if rest else []))
