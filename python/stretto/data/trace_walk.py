# SPDX-License-Identifier: BSD-3-Clause
"""Converts a rank's trace to timeline items: the duration of calls and the ends of messages.

Reads each rank once and stores pending operations only. Both ends of a message get the same number
independently: the k-th message of a channel matches the k-th receive posted on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from stretto.data.trace import OnRecords, TraceFile, ignore_count
from stretto.data.trace_records import CANCELLED, NO_CALLS, SAYS_SOURCE, Event, about_data

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
_SENDS = ("send", "isend", "sendrecv", "isendrecv", "sendrecv_replace", "isendrecv_replace")
_PROBES = ("mprobe", "improbe")
_RECEIVE, _PARTITIONED_SEND, _PARTITIONED_RECEIVE = 1, 3, 4  # values of `count` in a start
_ANY = -1


@dataclass(frozen=True)
class Span:
    """One call of a thread. Times are in seconds on the trace's clock; `site` numbers the rank's sites."""

    thread: int
    name: str
    category: Category
    begin_s: float
    end_s: float
    site: int
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
    request: int
    posted_s: float = 0.0


@dataclass
class _Posted:
    """A posted receive; `peer` or `tag` may be a wildcard."""

    peer: int
    tag: int
    context: int
    size_bytes: int
    number: int | None
    posted_s: float


@dataclass
class _Walk:
    """The pending operations of one rank."""

    file: TraceFile
    counts: dict[tuple[tuple[int, int, int, int], bool], int] = field(default_factory=dict)
    posted: dict[int, _Posted] = field(default_factory=dict)
    calls: dict[int, Event] = field(default_factory=dict)  # the last call of each thread

    def items(self, thread: int, event: Event) -> Iterator[Span | MessageEnd]:
        if event.kind not in NO_CALLS:
            self.calls[thread] = event
            yield _span(thread, event)
        yield from self._ends(thread, event)

    def _ends(self, thread: int, event: Event) -> Iterator[MessageEnd]:
        kind = event.kind
        if kind == "completion":
            yield from self._completed(thread, event)
        elif kind == "receive_half":
            call = self.calls.get(thread, event)
            if call.kind.startswith("isend"):
                self._post(event)
            else:
                yield from self._received(thread, event, call)
        elif kind == "started":
            if event.count in (_RECEIVE, _PARTITIONED_RECEIVE):
                self._post(event)
            elif event.count in (0, _PARTITIONED_SEND):
                yield from self._sent(thread, event)
        elif kind in _SENDS:
            yield from self._sent(thread, event)
        elif kind == "recv":
            yield from self._received(thread, event, event)
        elif kind == "irecv" or (kind in _PROBES and event.count):
            self._post(event)  # a matched probe removes its message from the queue
        elif kind == "mrecv":
            yield from self._completed(thread, event)
        elif kind == "request_free" and event.count == 0:  # else its completion as cancelled follows
            self.posted.pop(event.request, None)

    def _sent(self, thread: int, event: Event) -> Iterator[MessageEnd]:
        if event.peer < 0:
            return
        channel = (self.file.header.rank, event.peer, self._key(event.context), event.tag)
        number = self._next(channel, True)
        yield MessageEnd(channel, number, True, event.begin_s, event.size_bytes, thread, event.request)

    def _received(self, thread: int, event: Event, call: Event) -> Iterator[MessageEnd]:
        """Handles a blocking receive, or the receive half of a send-receive."""
        if event.peer < 0:
            return
        channel = self._channel(event.peer, event.context, event.tag)
        end_s = call.begin_s + call.duration_s
        number = self._next(channel, False)
        yield MessageEnd(channel, number, False, end_s, event.size_bytes, thread, event.request, call.begin_s)

    def _post(self, event: Event) -> None:
        known = event.peer >= 0 and event.tag != _ANY
        number = self._next(self._channel(event.peer, event.context, event.tag), False) if known else None
        if event.peer >= _ANY:
            self.posted[event.request] = _Posted(
                event.peer, event.tag, event.context, event.size_bytes, number, event.begin_s
            )

    def _completed(self, thread: int, event: Event) -> Iterator[MessageEnd]:
        one = self.posted.pop(event.request, None)
        if one is None:
            return
        peer, tag, number = one.peer, one.tag, one.number
        if event.kind == "completion" and event.count == CANCELLED:
            self._take_back(one)
            return
        if number is None:
            context = self.file.definitions.contexts.get(one.context)
            peer = context.world(event.peer) if context else event.peer
            tag = event.tag
        if peer < 0:
            return
        channel = self._channel(peer, one.context, tag)
        if number is None:
            number = self._next(channel, False)
        call = self.calls.get(thread, event)
        end_s = call.begin_s + call.duration_s
        says = event.kind == "completion" and event.count == SAYS_SOURCE
        size_bytes = event.size_bytes if says else one.size_bytes
        yield MessageEnd(channel, number, False, end_s, size_bytes, thread, event.request, one.posted_s)

    def _take_back(self, cancelled: _Posted) -> None:
        """Handles a receive without a message: receives posted after it move forward."""
        if cancelled.number is None:
            return
        channel = self._channel(cancelled.peer, cancelled.context, cancelled.tag)
        self.counts[channel, False] -= 1
        for one in self.posted.values():
            if one.number is None or one.number < cancelled.number:
                continue
            if self._channel(one.peer, one.context, one.tag) == channel:
                one.number -= 1

    def _channel(self, peer: int, context: int, tag: int) -> tuple[int, int, int, int]:
        return peer, self.file.header.rank, self._key(context), tag

    def _key(self, context: int) -> int:
        known = self.file.definitions.contexts.get(context)
        return known.key if known else 0

    def _next(self, channel: tuple[int, int, int, int], sends: bool) -> int:
        number = self.counts.get((channel, sends), 0)
        self.counts[channel, sends] = number + 1
        return number


def walk(file: TraceFile, on_records: OnRecords = ignore_count) -> Iterator[Span | MessageEnd]:
    """The calls of a rank and its message ends, in the order of the file.

    Args:
        file: The trace of a rank.
        on_records: Called as records are read.

    Raises:
        UserError: the trace is damaged.
    """
    rank = _Walk(file)
    for block in file.blocks():
        for event in file.events(block.records[~about_data(block.records)]):
            yield from rank.items(block.thread, event)
        on_records(len(block.records))


def category_of(name: str, kind: str) -> Category:
    """What a call does, for its colour."""
    waits = name.startswith(("MPI_Wait", "MPI_Test"))
    return "wait" if waits else _CATEGORIES.get(kind, "other")


def _span(thread: int, event: Event) -> Span:
    category = category_of(event.name, event.kind)
    end_s = event.begin_s + event.duration_s
    peer = event.peer if category in ("start", "send", "receive") else -2
    return Span(thread, event.name, category, event.begin_s, end_s, event.site, peer, event.size_bytes)
