# SPDX-License-Identifier: BSD-3-Clause
"""Converts a Paraver trace (`.prv` with `.pcf`) to traces of stretto's format.

The file is read twice: first the messages and the roots of collectives, then the calls. A communication says
where its receive was posted and ended, but no record says where sends and nonblocking collectives ended: an
MPI_Waitall ends all that are open, an MPI_Wait that ends no receive the oldest of them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from stretto.data.foreign_calls import (
    COLLECTIVE,
    RECEIVE,
    SEND,
    Comm,
    ForeignCall,
    ForeignRank,
    NoMpiError,
    Transfer,
    foreign_ranks,
)
from stretto.data.paraver_file import (
    CALLER,
    CALLER_LINE,
    CALLS,
    COLLECTIVE_CALL,
    COMMUNICATOR,
    IS_ROOT,
    POINT_TO_POINT,
    RECEIVED,
    SENT,
    ParaverHeader,
    ParaverNames,
    read_chunks,
    read_header,
    read_names,
)
from stretto.data.paraver_messages import Message, Messages, Queue
from stretto.data.trace_records import NO_PEER

_WORLD = 0
_ROOTED = ("bcast", "reduce", "gather", "gatherv", "scatter", "scatterv")
_VECTORS = ("bcast", "reduce", "allreduce", "scan", "exscan")
_PER_PEER = ("allgather", "alltoall")
"""Collectives whose size is the block for or from one member."""
_MANY = 1 << 31
_STARTS = ("MPI_I", "MPI_Start")
"""How the names begin of calls whose messages end in another one."""
_PROBES = ("MPI_Probe", "MPI_Mprobe")


@dataclass
class _Call:
    """A call that has begun, and the events at its begin."""

    kind: int
    value: int
    begin: int
    about: dict[int, int] = field(default_factory=dict)  # values by type


@dataclass(frozen=True)
class _First:
    """What the first reading finds: an application with MPI, its messages and the roots of collectives."""

    application: int
    messages: Messages
    roots: Mapping[tuple[int, int], int]  # ranks by communicator and number of the call on it
    other_calls: int  # of MPI, in other applications


class _Rank:
    """One task: its threads' calls, and its open requests."""

    def __init__(
        self, header: ParaverHeader, names: ParaverNames, first: _First, written: ForeignRank
    ) -> None:
        self.header, self.names, self.first, self.written = header, names, first, written
        self.number, self.left_out = written.number, written.left_out
        self.world = Comm(_WORLD, tuple(range(header.tasks[first.application - 1])))
        self.calls: dict[int, _Call | None] = {}  # by thread
        self.receives: dict[int, int] = {}  # requests by message
        self.others: deque[int] = deque()  # requests of sends and collectives
        self.collectives: Counter[int] = Counter()  # by communicator
        self.queues: dict[int, tuple[Queue, Queue, Queue]] = {}  # by thread
        self.comms: dict[int, Comm | None] = {}  # by number; None: it has no such members

    def take(self, thread: int, time: int, kind: int, value: int) -> None:
        call = self.calls.get(thread)
        if kind not in CALLS:
            if call is not None and call.begin == time:
                call.about[kind] = value
            return
        if call is not None:
            if value:
                self.left_out["call without an end"] += 1
            self._end(thread, call, time)
            self.calls[thread] = None
        elif not value:
            self.left_out["end of a call without its begin"] += 1
        if value:
            self.calls[thread] = _Call(kind, value, time)

    def open_calls(self) -> int:
        return sum(one is not None for one in self.calls.values())

    def _end(self, thread: int, call: _Call, end: int) -> None:
        name = self.names.call(call.kind, call.value)
        if not name.startswith("MPI_"):
            self.left_out[f"call {call.kind}:{call.value} without a name of MPI"] += 1
            name = f"MPI call {call.kind}:{call.value}"
        where = self.names.place(call.about.get(CALLER, 0), call.about.get(CALLER_LINE, 0))
        written = ForeignCall(name, call.begin * self.header.ns, where)
        if call.kind == COLLECTIVE_CALL:
            self._collective(call, written)
        self._messages(thread, call, end, written)
        if name in _PROBES:
            self.left_out[f"{name} without its message"] += 1
        if call.kind == POINT_TO_POINT and any(_messages_of(name)) and not (written.done or written.started):
            self.left_out[f"{name} without a message"] += 1
        self.written.add(thread - 1, written, end * self.header.ns)

    def _messages(self, thread: int, call: _Call, end: int, written: ForeignCall) -> None:
        """The messages that a call sends, posts and ends.

        A send's time is the begin of its call, a receive's that of a blocking call, but the end of MPI_Irecv.
        """
        if thread not in self.queues:
            self.queues[thread] = self.first.messages.queues((self.number + 1, thread))
        *begun, received = self.queues[thread]
        messages, name = self.first.messages, written.name
        own: list[tuple[int, Message]] = []
        for what, queue, most in zip((SEND, RECEIVE), begun, _messages_of(name)):
            if most:
                own += [(what, messages[one]) for one in queue.take(call.begin, end, most)]
        for what, message in own:
            peer = message.receiver if what == SEND else message.sender
            transfer = Transfer(what, self.world, peer, message.tag, message.size_bytes)
            if not name.startswith(_STARTS):
                written.done.append(transfer)
                continue
            request = self.written.new_request()
            written.started.append((request, transfer))
            if what == SEND:
                self.others.append(request)
            else:
                self.receives[message.number] = request
        ended = received.take(call.begin, end)
        written.completed += [self.receives.pop(one) for one in ended if one in self.receives]
        if name == "MPI_Waitall":
            written.completed += self.others
            self.others.clear()
        elif name == "MPI_Wait" and not written.completed and self.others:
            written.completed.append(self.others.popleft())

    def _comm(self, number: int) -> Comm | None:
        if number not in self.comms:
            members = self.header.members.get((self.first.application, number), ())
            known = self.number in members and set(members) <= set(self.world.members)
            self.comms[number] = Comm(number + 1, members) if known else None
        return self.comms[number]

    def _collective(self, call: _Call, written: ForeignCall) -> None:
        number = call.about.get(COMMUNICATOR, -1)
        comm = self._comm(number)
        if comm is None:
            self.left_out[f"{written.name} of an unknown communicator"] += 1
            return
        at = self.collectives[number]
        self.collectives[number] += 1
        operation = written.name.removeprefix("MPI_").lower()
        nonblocking = operation.startswith("i")
        operation = operation.removeprefix("i")
        root = NO_PEER
        if operation in _ROOTED:
            root = self.first.roots.get((number, at), NO_PEER)
            if root == NO_PEER:
                self.left_out[f"{written.name} without a root"] += 1
        sent, received = call.about.get(SENT, 0), call.about.get(RECEIVED, 0)
        if operation in _VECTORS:
            sent, received = sent or received, 0
        elif operation in _PER_PEER:
            sent, received = (
                sent * (len(comm.members) if operation == "alltoall" else 1),
                sent * len(comm.members),
            )
        elif operation == "reduce_scatter_block":
            sent, received = received or sent, 0
        transfer = Transfer(COLLECTIVE, comm, root, 0, sent, received)
        if nonblocking:
            request = self.written.new_request()
            written.started.append((request, transfer))
            self.others.append(request)
        else:
            written.done.append(transfer)


@cache
def _messages_of(name: str) -> tuple[int, int]:
    """How many messages a call sends and receives at most."""
    if name.startswith("MPI_Start"):
        most = _MANY if name == "MPI_Startall" else 1
        return most, most
    moves = "" if name.endswith("_init") else name.lower()
    return int("send" in moves), int("recv" in moves)


def convert_paraver(path: Path, directory: Path) -> Counter[str]:
    """Writes a trace of `path`, a `.prv` file, to `directory`; counts what the trace leaves out.

    Raises:
        NoMpiError: No application calls MPI.
        ValueError: The file is none of Paraver's, or is cut off.
    """
    header = read_header(path)
    names = read_names(path)
    first = _first_reading(path, header)
    left_out: Counter[str] = Counter()
    tasks = header.tasks[first.application - 1]
    with foreign_ranks(directory, range(tasks), path.name, "Paraver trace", left_out) as written:
        ranks = [_Rank(header, names, first, written[task]) for task in range(tasks)]
        for chunk in read_chunks(path):
            events = chunk.events[chunk.events[:, 0] == first.application]
            for _, task, thread, time, kind, value in events.tolist():
                if not 1 <= task <= tasks or not 1 <= thread <= 1 << 31 or time < 0:
                    raise ValueError(f"an event of thread {thread} of task {task} of {tasks} at {time}")
                ranks[task - 1].take(thread, time, kind, value)
    open_requests = sum(len(one.receives) + len(one.others) for one in ranks)
    for count, what in (
        (sum(one.open_calls() for one in ranks), "call without an end"),
        (open_requests, "request without an end"),
        (first.messages.untaken(), "send or receive outside of a call"),
        (first.messages.between_applications, "message between applications"),
        (first.messages.overtaking(), "message that overtakes another of its ranks and tag"),
        (first.other_calls, "call of another application"),
    ):
        left_out[what] += count
    return +left_out


def _first_reading(path: Path, header: ParaverHeader) -> _First:
    tables, calls = [], Counter[int]()
    roots: dict[tuple[int, int, int], int] = {}  # by application, too
    numbers: Counter[tuple[int, int, int]] = Counter()  # of collectives by application, task and communicator
    roots_at: dict[tuple[int, int, int], int] = {}  # times by application, task and thread
    for chunk in read_chunks(path):
        tables.append(chunk.messages)
        kinds, values = chunk.events[:, 4], chunk.events[:, 5]
        begins = chunk.events[(kinds <= CALLS[-1]) & (values != 0), 0]
        calls.update(begins.tolist())
        for application, task, thread, time, kind, value in chunk.events[
            (kinds == IS_ROOT) | (kinds == COMMUNICATOR)
        ].tolist():
            if kind == IS_ROOT:
                if value:
                    roots_at[application, task, thread] = time
                continue
            number = numbers[application, task, value]
            numbers[application, task, value] += 1
            if roots_at.get((application, task, thread)) == time:
                roots[application, value, number] = task - 1
    known = [one for one in range(1, len(header.tasks) + 1) if calls[one]]
    if not known:
        raise NoMpiError("no MPI call is in it")
    own = known[0]
    of_own = {(comm, at): root for (application, comm, at), root in roots.items() if application == own}
    messages = Messages(tables, own, header.tasks[own - 1])
    return _First(own, messages, of_own, calls.total() - calls[own])
