# SPDX-License-Identifier: BSD-3-Clause
"""A rank's trace as timeline items: the duration of calls and the ends of messages.

`stretto-analyse --list` finds them. Both ends of a message get the same number independently: the k-th
message of a channel matches the k-th receive posted on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from stretto.data.program import Place
from stretto.data.trace import OnRecords, TraceFile, ignore_count
from stretto.data.trace_records import NO_PEER

Category = Literal["start", "send", "receive", "wait", "collective", "other"]

_CATEGORIES: dict[str, Category] = {
    "isend": "start", "irecv": "start", "isendrecv": "start", "isendrecv_replace": "start", "imrecv": "start",
    "start": "start", "startall": "start", "pready": "start", "pready_range": "start",
    "pready_list": "start", "icollective": "start", "igather": "start", "iscatter": "start",
    "ineighbor": "start",
    "send": "send", "recv": "receive", "mrecv": "receive", "sendrecv": "receive",
    "sendrecv_replace": "receive", "probe": "wait", "mprobe": "wait",
    "collective": "collective", "gather": "collective", "scatter": "collective", "neighbor": "collective",
    "new_comm": "collective", "synchronise": "wait", "synchronise_with": "wait",
    "synchronise_group": "wait",
}  # fmt: skip
_NS = 1e-9


@dataclass(frozen=True)
class Span:
    """One call of a thread. Times are in seconds on the trace's clock; `place` is that of the call site."""

    thread: int
    name: str
    category: Category
    begin_s: float
    end_s: float
    place: Place
    peer: int
    size_bytes: int


@dataclass(frozen=True)
class MessageEnd:
    """One end of a message. Both ends have the same `channel` and `number`.

    `time_s` of a send is the start of its call; of a receive, the end of the call that completed it.
    `posted_s` of a receive is the start of the call that posted it.
    """

    channel: tuple[int, int, int, int]  # source, destination, key of the communicator, tag
    number: int
    sends: bool
    time_s: float
    size_bytes: int
    thread: int
    posted_s: float = 0.0


def walk(file: TraceFile, on_records: OnRecords = ignore_count) -> Iterator[Span | MessageEnd]:
    """The calls of a rank and its message ends, in the order in which the calls begin.

    Args:
        file: The trace of a rank.
        on_records: Called as records are read.

    Raises:
        UserError: the trace is damaged.
    """
    places: list[Place] = []
    with file.written("--list") as lines:
        for line in lines:
            kind, _, rest = line.partition(b" ")
            if kind == b"call":
                yield _span(file, places, rest)
            elif kind == b"place":
                address, _, module = rest.partition(b" ")
                places.append((json.loads(module), int(address)))
            elif kind == b"records":
                on_records(int(rest))
            else:
                yield _end(kind == b"send", rest)


def category_of(name: str, kind: str) -> Category:
    """What a call does, for its colour."""
    waits = name.startswith(("MPI_Wait", "MPI_Test"))
    return "wait" if waits else _CATEGORIES.get(kind, "other")


def _span(file: TraceFile, places: Sequence[Place], numbers: bytes) -> Span:
    thread, call, begin, end, place, peer, size_bytes = map(int, numbers.split())
    name, kind = file.call(call)
    category = category_of(name, kind)
    other = peer if category in ("start", "send", "receive") else NO_PEER
    return Span(thread, name, category, begin * _NS, end * _NS, places[place], other, size_bytes)


def _end(sends: bool, numbers: bytes) -> MessageEnd:
    thread, source, target, key, tag, number, time, size_bytes, posted = map(int, numbers.split())
    channel = (source, target, key, tag)
    return MessageEnd(channel, number, sends, time * _NS, size_bytes, thread, posted * _NS)
