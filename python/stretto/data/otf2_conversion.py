# SPDX-License-Identifier: BSD-3-Clause
"""Converts an OTF2 archive (Score-P, Extrae, ...) to traces of stretto's format.

`stretto.launch.otf2` runs it as a separate program, `python -m stretto.data.otf2_conversion ARCHIVE DIR`,
because a damaged archive may crash OTF2's native library. A wrong archive gives one line and exit status 2.
The archive is read twice, because the source of a receive is known only at its completion.
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stretto.data.otf2_archive import COLLECTIVE, RECEIVE, SEND, Comm, Transfer, World
from stretto.data.trace_records import CANCELLED, COMPLETION, NO_CONTEXT, RECEIVE_HALF, STARTED
from stretto.data.trace_writer import TraceRecord, TraceWriter

_INSTALL = "pip install otf2 (it is built for Python 3.10 and 3.11)"
_MAKES_CONTEXTS = ("MPI_Comm_create", "MPI_Comm_dup", "MPI_Comm_split", "MPI_Cart_create", "MPI_Graph_create")


_OF_MPI = ("Mpi", "NonBlocking", "Rma")
"""How the names of MPI's events begin."""
_WITHOUT_EFFECT = ("MpiCollectiveBegin", "MpiRequestTest")
_PROBES = {
    "MPI_Probe": "probe", "MPI_Iprobe": "iprobe", "MPI_Mprobe": "mprobe", "MPI_Improbe": "improbe",
}  # fmt: skip
_OF_MATCHED_PROBES = {"MPI_Mrecv": "mrecv", "MPI_Imrecv": "imrecv"}
"""Receives of probed messages. Some recorders write no event of them."""
NOT_UNDERSTOOD = "not understood: "
"""How the line begins that counts what a trace leaves out."""
_MAX_NAMED = 5
_BEFORE_INIT = ("MPI_Initialized", "MPI_Finalized", "MPI_Get_version", "MPI_Get_library_version")


class NoMpiError(ValueError):
    """An archive without a call of MPI."""


@dataclass
class _Call:
    """An MPI function during its leave event."""

    name: str
    begin_ns: int
    site: int
    done: list[Transfer] = field(default_factory=list)
    started: list[tuple[int, Transfer]] = field(default_factory=list)  # requests and transfers
    completed: list[int] = field(default_factory=list)
    cancelled: list[int] = field(default_factory=list)
    probed: tuple[int, Transfer] | None = None  # the number of a matched message or 0, and the message
    taken: tuple[int, Transfer] | None = None


@dataclass
class _Thread:
    number: int
    regions: list[Any] = field(default_factory=list)
    call: _Call | None = None
    depth: int = 0  # nesting depth of MPI functions


class _Rank:
    """One process: its transfers by request, and its file. `left_out` counts what is not understood."""

    def __init__(self, world: World, number: int, writer: TraceWriter, left_out: Counter[str]) -> None:
        self.world, self.number, self.writer, self.left_out = world, number, writer, left_out
        self.threads: dict[Any, _Thread] = {}
        self.requests: dict[int, int] = {}  # from requests of the archive to those of the trace
        self.messages: dict[int, tuple[int, Transfer]] = {}  # matched ones, by the archive's number
        self.made = 0
        self.began = False
        self.contexts: dict[int, int] = {}  # by communicator number

    def take(self, location: Any, event: Any) -> None:
        thread = self.threads.setdefault(location, _Thread(len(self.threads)))
        name = type(event).__name__
        if name == "Enter":
            self._enter(thread, event)
        elif name == "Leave":
            self._leave(thread, event)
        elif name.startswith(_OF_MPI) and name not in _WITHOUT_EFFECT:
            if thread.call is None:
                self.left_out[f"{name} outside of a call"] += 1
            else:
                self._within(thread.call, name, event)

    def _enter(self, thread: _Thread, event: Any) -> None:
        name = _mpi_name(event.region)
        if name:
            if thread.depth == 0:
                caller = thread.regions[-1] if thread.regions else None
                site = self.writer.site(thread.number, *_place(caller)) if caller is not None else 0
                thread.call = _Call(name, self.world.ns(event.time), site)
            thread.depth += 1
        else:
            thread.regions.append(event.region)

    def _leave(self, thread: _Thread, event: Any) -> None:
        if not _mpi_name(event.region):
            if thread.regions:
                thread.regions.pop()
            return
        thread.depth = max(thread.depth - 1, 0)
        if thread.depth == 0 and thread.call is not None:
            self._write(thread, thread.call, self.world.ns(event.time))
            thread.call = None

    def _within(self, call: _Call, name: str, event: Any) -> None:
        if name in ("MpiSend", "MpiRecv", "MpiCollectiveEnd"):
            call.done.append(self.world.transfer(self.number, name, event))
        elif name == "MpiIsend":
            call.started.append((self._begin(event), self.world.transfer(self.number, name, event)))
        elif name in ("MpiIrecvRequest", "NonBlockingCollectiveRequest"):
            later = self.world.later[self.number, event.request_id]
            transfer = later.popleft() if later else None
            if transfer is not None:
                call.started.append((self._begin(event), transfer))
            else:
                self.left_out[f"{name} without an end"] += 1
        elif name == "MpiProbe":
            call.probed = self._probe(call, event)
        elif name in ("MpiMrecv", "MpiImrecvRequest"):
            call.taken = self.messages.pop(event.message_id, None)
            if call.taken is None:
                self.left_out[f"{name} without a probe"] += 1
            elif name == "MpiImrecvRequest":
                self.requests[event.request_id] = call.taken[0]
        elif name in ("MpiIsendComplete", "MpiIrecv", "MpiImrecv", "NonBlockingCollectiveComplete"):
            request = self.requests.pop(event.request_id, None)
            if request is not None:
                call.completed.append(request)
            else:
                self.left_out[f"{name} without a start"] += 1
        elif name == "MpiRequestCancelled" and event.request_id in self.requests:
            call.cancelled.append(self.requests.pop(event.request_id))
        elif name != "MpiRequestCancelled":  # that of a receive is counted at its start
            self.left_out[name] += 1

    def _probe(self, call: _Call, event: Any) -> tuple[int, Transfer]:
        """A probed message. A matched probe takes it out of the queue and numbers it as a request."""
        sizes = self.world.probed_bytes.get((self.number, event.message_id))
        is_matched = call.name in ("MPI_Mprobe", "MPI_Improbe")
        size_bytes = sizes.popleft() if is_matched and sizes else 0
        found = self.world.message(
            self.number, RECEIVE, event.communicator, event.sender, event.tag, size_bytes
        )
        if not is_matched:
            return 0, found
        self.made += 1
        self.messages[event.message_id] = self.made, found
        return self.messages[event.message_id]

    def _begin(self, event: Any) -> int:
        self.made += 1
        self.requests[event.request_id] = self.made
        return self.made

    def _write(self, thread: _Thread, call: _Call, end_ns: int) -> None:
        if not self.began and call.name in _BEFORE_INIT:
            return  # the rank's time begins with MPI_Init
        if not self.began and not call.name.startswith("MPI_Init"):
            # MPI_Init was filtered out, so the rank's time begins after it.
            init = self.writer.call("MPI_Init", "plain")
            self.writer.add(thread.number, TraceRecord(init, call.begin_ns))
        self.began = True
        kind, records = self._records(thread, call)
        first = {"duration_ns": max(end_ns - call.begin_ns, 0), "site": call.site}
        number = self.writer.call(call.name, kind)
        for own_call, members in records:
            about = members if own_call else members | first
            self.writer.add(thread.number, TraceRecord(own_call or number, call.begin_ns, **about))

    def _records(self, thread: _Thread, call: _Call) -> tuple[str, list[tuple[int | None, dict[str, int]]]]:
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
        return "plain", [(None, {})]

    def _members(self, thread: _Thread, one: Transfer) -> dict[str, int]:
        return {
            "context": self._context(thread, one.comm), "peer": one.peer, "tag": one.tag,
            "size_bytes": one.size_bytes, "extra": one.extra,
        }  # fmt: skip

    def _context(self, thread: _Thread, comm: Comm) -> int:
        if self.number not in comm.members:
            return NO_CONTEXT
        if comm.number not in self.contexts:
            self.contexts[comm.number] = len(self.contexts)
            if len(self.contexts) > NO_CONTEXT:
                raise ValueError("more communicators than a trace has numbers for")
            number = self.contexts[comm.number]
            self.writer.communicator(thread.number, number, comm.number + 1, comm.members)
        return self.contexts[comm.number]


def _mpi_name(region: Any) -> str:
    """The name of a function of MPI, without the parentheses of some recorders; empty for any other. What
    looks at MPI from outside (`MPI_T_...`) may be called before it begins, and is none.
    """
    name = str(region.name).removesuffix("()")
    return name if name.startswith("MPI_") and not name.startswith("MPI_T_") else ""


def _place(region: Any) -> tuple[str, int]:
    """A call site: the calling function, with its file and first line if known."""
    file = (region.source_file or "").rpartition("/")[2]
    where = f" {file}:{region.begin_line_number}" if file else ""
    return f"{region.name}{where}", 0


def _events(archive: Any, world: World) -> Iterator[tuple[int, Any, Any]]:
    for location, event in archive.events:
        rank = world.ranks.get(location.group)
        if rank is not None:
            yield rank, location, event


def _transfers(archive: Any, world: World) -> dict[tuple[int, int], deque[Transfer | None]]:
    """The transfers of each rank's requests, which are known at their ends; None for a cancelled one.

    Stores the sizes of probed messages in `world`.
    """
    found: dict[tuple[int, int], deque[Transfer | None]] = defaultdict(deque)
    open_requests = set()
    probed: dict[tuple[int, int], int] = {}  # the message of a request
    for rank, _, event in _events(archive, world):
        name = type(event).__name__
        if name in ("MpiIrecvRequest", "NonBlockingCollectiveRequest"):
            open_requests.add((rank, event.request_id))
        elif name in ("MpiIrecv", "NonBlockingCollectiveComplete"):
            open_requests.discard((rank, event.request_id))
            found[rank, event.request_id].append(world.transfer(rank, name, event))
        elif name == "MpiImrecvRequest":
            probed[rank, event.request_id] = event.message_id
        elif name in ("MpiMrecv", "MpiImrecv"):
            message = event.message_id if name == "MpiMrecv" else probed.pop((rank, event.request_id), None)
            if message is not None:
                world.probed_bytes.setdefault((rank, message), deque()).append(event.msg_length)
        elif name == "MpiRequestCancelled" and (rank, event.request_id) in open_requests:
            open_requests.discard((rank, event.request_id))
            found[rank, event.request_id].append(None)
    return found


def convert(path: Path, directory: Path) -> Counter[str]:
    """Writes a trace of `path`, an archive's anchor file, to `directory`; counts what the trace leaves out.

    Raises:
        ValueError: The archive contains what a trace cannot represent.
        Exception: Any error of the OTF2 library.
    """
    otf2 = importlib.import_module("otf2")
    with otf2.reader.open(str(path)) as archive:
        world = World(archive)
        if not world.ranks:
            raise NoMpiError("no MPI process is in it")
        later, probed_bytes = _transfers(archive, world), world.probed_bytes
    left_out: Counter[str] = Counter()
    about = {"host": "", "command": [path.name], "mpi": {"family": "", "library": "OTF2 archive"}}
    with otf2.reader.open(str(path)) as archive, ExitStack() as files:
        # The second reading creates new definition objects, so ranks are looked up again.
        world = World(archive)
        world.later, world.probed_bytes = later, probed_bytes
        ranks = {
            rank: _Rank(
                world,
                rank,
                files.enter_context(
                    TraceWriter(directory / f"rank-{rank:06}.trace", rank, len(world.ranks), about)
                ),
                left_out,
            )
            for rank in world.ranks.values()
        }
        for rank, location, event in _events(archive, world):
            ranks[rank].take(location, event)
        if not any(one.began for one in ranks.values()):
            raise NoMpiError("no MPI call is in it")
    return left_out


def _counted(left_out: Counter[str]) -> str:
    """The most frequent of what a trace leaves out."""
    named = left_out.most_common(_MAX_NAMED)
    rest = left_out.total() - sum(count for _, count in named)
    return ", ".join([f"{count} {what}" for what, count in named] + ([f"{rest} others"] if rest else []))


def main(arguments: list[str]) -> int:
    """Converts an archive, and prints what is left out, or an error, as one line."""
    path, directory = map(Path, arguments)
    try:
        left_out = convert(path, directory)
    except ImportError:
        print(f"the Python package otf2 is not installed: {_INSTALL}", file=sys.stderr)
        return 2
    except NoMpiError as error:
        print(f"{path}: holds no MPI ({error}); record the program's MPI calls, too", file=sys.stderr)
        return 2
    except Exception as error:  # the native library has no common exception type
        text = " ".join(str(error).split()) or type(error).__name__
        print(f"{path}: is no OTF2 archive that can be read ({text}); write it again", file=sys.stderr)
        return 2
    if left_out:
        print(f"{NOT_UNDERSTOOD}{_counted(left_out)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
