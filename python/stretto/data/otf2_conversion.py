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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stretto.data.foreign_calls import (
    NOT_UNDERSTOOD,
    RECEIVE,
    ForeignCall,
    ForeignRank,
    NoMpiError,
    Transfer,
    counted,
    foreign_ranks,
)
from stretto.data.otf2_archive import World

_INSTALL = "pip install otf2 (it is built for Python 3.10 and 3.11)"
_OF_MPI = ("Mpi", "NonBlocking", "Rma")
"""How the names of MPI's events begin."""
_WITHOUT_EFFECT = ("MpiCollectiveBegin", "MpiRequestTest", "RmaCollectiveBegin")


@dataclass
class _Thread:
    number: int
    regions: list[Any] = field(default_factory=list)
    call: ForeignCall | None = None
    depth: int = 0  # nesting depth of MPI functions


class _Rank:
    """One process: its transfers by request, from which its calls are put together."""

    def __init__(self, world: World, written: ForeignRank) -> None:
        self.world, self.written = world, written
        self.number, self.left_out = written.number, written.left_out
        self.threads: dict[Any, _Thread] = {}
        self.requests: dict[int, int] = {}  # from requests of the archive to those of the trace
        self.messages: dict[int, tuple[int, Transfer]] = {}  # matched ones, by the archive's number

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
                where = _place(caller) if caller is not None else ""
                thread.call = ForeignCall(name, self.world.ns(event.time), where)
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
            self.written.add(thread.number, thread.call, self.world.ns(event.time))
            thread.call = None

    def _within(self, call: ForeignCall, name: str, event: Any) -> None:
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

    def _probe(self, call: ForeignCall, event: Any) -> tuple[int, Transfer]:
        """A probed message. A matched probe takes it out of the queue and numbers it as a request."""
        sizes = self.world.probed_bytes.get((self.number, event.message_id))
        is_matched = call.name in ("MPI_Mprobe", "MPI_Improbe")
        size_bytes = sizes.popleft() if is_matched and sizes else 0
        found = self.world.message(
            self.number, RECEIVE, event.communicator, event.sender, event.tag, size_bytes
        )
        if not is_matched:
            return 0, found
        self.messages[event.message_id] = self.written.new_request(), found
        return self.messages[event.message_id]

    def _begin(self, event: Any) -> int:
        self.requests[event.request_id] = self.written.new_request()
        return self.requests[event.request_id]


def _mpi_name(region: Any) -> str:
    """The name of a function of MPI, without the parentheses of some recorders; empty for any other. What
    looks at MPI from outside (`MPI_T_...`) may be called before it begins, and is none.
    """
    name = str(region.name).removesuffix("()")
    return name if name.startswith("MPI_") and not name.startswith("MPI_T_") else ""


def _place(region: Any) -> str:
    """A call site: the calling function, with its file and first line if known."""
    file = (region.source_file or "").rpartition("/")[2]
    where = f" {file}:{region.begin_line_number}" if file else ""
    return f"{region.name}{where}"


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
    with otf2.reader.open(str(path)) as archive:
        # The second reading creates new definition objects, so ranks are looked up again.
        world = World(archive)
        world.later, world.probed_bytes = later, probed_bytes
        with foreign_ranks(directory, world.ranks.values(), path.name, "OTF2 archive", left_out) as written:
            ranks = {number: _Rank(world, one) for number, one in written.items()}
            for rank, location, event in _events(archive, world):
                ranks[rank].take(location, event)
    return left_out


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
        print(f"{NOT_UNDERSTOOD}{counted(left_out)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
