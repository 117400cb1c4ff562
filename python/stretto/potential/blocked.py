# SPDX-License-Identifier: BSD-3-Clause
"""Where the time in MPI calls goes: transfer, late partners, a program's own progress, too few cores.

A receive or a wait that begins before its message is sent waits for a late sender, and a send that ends after
its receive is posted for a late receiver; a collective operation waits for the last rank, or for the root
(Scalasca's wait states). Then the message is on its way. What remains is neither: the message waits for
progress of MPI, or, with more ranks than cores, the rank waits for a core.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import TypeVar

from stretto.data.trace import OnRecords, TraceFile, ignore_count
from stretto.data.trace_records import NO_PEER, SPECIAL, Event
from stretto.data.trace_walk import MessageEnd, walk_ends
from stretto.potential.core_shortage import CoreShortage, shortage_of
from stretto.potential.regions import Place
from stretto.potential.sites import Cost

_COLLECTIVES = frozenset(("collective", "gather", "scatter"))
_ALL_COLLECTIVES = _COLLECTIVES | {f"i{kind}" for kind in _COLLECTIVES}
_NO_CALLS = frozenset(SPECIAL.values())
_FROM_ROOT = ("MPI_Bcast", "MPI_Scatter")
_TO_ROOT = ("MPI_Gather", "MPI_Reduce")
_WAITS = ("MPI_Wait", "MPI_Test", "MPI_Probe", "MPI_Mprobe", "MPI_Win_")
_BLOCKING = frozenset(
    ("send", "recv", "mrecv", "sendrecv", "sendrecv_replace", "probe", "mprobe", "synchronise",
     "synchronise_with", "neighbor", *_COLLECTIVES)
)  # fmt: skip
_OTHER = frozenset(("plain",))
_Key = TypeVar("_Key")


@dataclass
class BlockedTime:
    """Seconds in calls, summed over threads.

    Attributes:
        transfer_s: Messages were on their way.
        late_s: The partner, or the last rank of a collective operation, had not begun.
        progress_s: The message could have been there: MPI made no progress, or the calls took the time.
        cores_s: The same where more ranks than cores share a host.
    """

    transfer_s: float = 0.0
    late_s: float = 0.0
    progress_s: float = 0.0
    cores_s: float = 0.0

    @property
    def all_s(self) -> float:
        return self.transfer_s + self.late_s + self.progress_s + self.cores_s

    def add(self, other: BlockedTime) -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass
class TimeUse:
    """The time of a run: of all its ranks, and of each call site's calls. Seconds, over all ranks.

    Attributes:
        run_s: From the begin of each rank's trace to its end.
        calls: The name of each call site's calls.
        shortage: Why ranks waited for cores.
    """

    ranks: int
    run_s: float
    all: BlockedTime
    by_place: dict[Place, BlockedTime]
    calls: dict[Place, str]
    shortage: CoreShortage


def time_use(traces: Sequence[TraceFile], cost: Cost, on_records: OnRecords = ignore_count) -> TimeUse:
    """Where a program's time in calls goes; `cost` says how long a message is on its way.

    Reads the trace twice. Memory is needed for one time per message end and collective operation.

    Raises:
        UserError: a trace is damaged.
    """
    begins = _Begins()
    for file in traces:
        begins.read(file, on_records)
    shortage = shortage_of(traces)
    crowded = shortage.crowd.hosts if shortage.crowd else frozenset[str]()
    result = TimeUse(len(traces), 0.0, BlockedTime(), {}, {}, shortage)
    for file in traces:
        _Rank(file, begins, cost, result, file.header.host in crowded).read()
    return result


@dataclass
class _Begins:
    """When sends, receives and collective operations began, of all ranks."""

    sent: dict[tuple[int, int, int, int], array[float]] = field(default_factory=dict)
    posted: dict[tuple[int, int, int, int], array[float]] = field(default_factory=dict)
    last: dict[int, array[float]] = field(default_factory=dict)  # of collectives, by communicator
    root: dict[int, array[float]] = field(default_factory=dict)

    def read(self, file: TraceFile, on_records: OnRecords) -> None:
        ordinals: dict[int, int] = {}
        for _, event, ends in walk_ends(file, on_records):
            for one in ends:
                if one.sends:
                    _put(self.sent, one.channel, one.number, one.time_s)
                else:
                    _put(self.posted, one.channel, one.number, one.posted_s)
            if event.kind in _ALL_COLLECTIVES:
                key = key_of(file, event)
                number = ordinals.get(key, 0)
                ordinals[key] = number + 1
                if not event.begin_s <= _at(self.last, key, number):
                    _put(self.last, key, number, event.begin_s)
                if event.peer == file.header.rank:
                    _put(self.root, key, number, event.begin_s)


def key_of(file: TraceFile, event: Event) -> int:
    """The key of an event's communicator, which all its members share."""
    known = file.definitions.contexts.get(event.context)
    return known.key if known else 0


def _put(table: dict[_Key, array[float]], key: _Key, number: int, time_s: float) -> None:
    values = table.setdefault(key, array("d"))
    if number >= len(values):
        values.extend([math.nan] * (number + 1 - len(values)))
    values[number] = time_s


def _at(table: dict[_Key, array[float]], key: _Key, number: int) -> float:
    values = table.get(key)
    return values[number] if values is not None and number < len(values) else math.nan


@dataclass
class _Open:
    """The last call of a thread, and the messages that it completed."""

    call: Event
    received: list[MessageEnd] = field(default_factory=list)
    sent: list[MessageEnd] = field(default_factory=list)
    collective: int = -1  # its ordinal in its communicator


@dataclass
class _Rank:
    file: TraceFile
    begins: _Begins
    cost: Cost
    result: TimeUse
    crowded: bool
    open: dict[int, _Open] = field(default_factory=dict)  # by thread
    sends: dict[int, MessageEnd] = field(default_factory=dict)  # in progress, by request
    ordinals: dict[int, int] = field(default_factory=dict)

    def read(self) -> None:
        begin_s, end_s = math.inf, 0.0
        for thread, event, ends in walk_ends(self.file):
            if event.kind not in _NO_CALLS:
                self._end(self.open.pop(thread, None))
                one = self.open[thread] = _Open(event)
                begin_s, end_s = min(begin_s, event.begin_s), max(end_s, event.begin_s + event.duration_s)
                if event.kind in _ALL_COLLECTIVES:
                    key = key_of(self.file, event)
                    one.collective = self.ordinals.get(key, 0)
                    self.ordinals[key] = one.collective + 1
            self._take(self.open.get(thread), event, ends)
        for one in self.open.values():
            self._end(one)
        self.result.run_s += max(end_s - begin_s, 0.0) if end_s else 0.0

    def _take(self, one: _Open | None, event: Event, ends: Iterable[MessageEnd]) -> None:
        if one is None:
            return
        for end in ends:
            if not end.sends:
                one.received.append(end)
            elif event.kind in ("isend", "started", "isendrecv", "isendrecv_replace"):
                self.sends[end.request] = end
            else:
                one.sent.append(end)
        if event.kind == "completion" and event.request in self.sends:
            one.sent.append(self.sends.pop(event.request))

    def _end(self, one: _Open | None) -> None:
        if one is None or one.call.kind in _OTHER:
            return
        split = self._split(one)
        known = self.file.definitions.sites.get(one.call.site)
        place = (known.module, known.address) if known else ("", 0)
        self.result.by_place.setdefault(place, BlockedTime()).add(split)
        self.result.calls[place] = one.call.name
        self.result.all.add(split)

    def _split(self, one: _Open) -> BlockedTime:
        call = one.call
        begin_s, end_s = call.begin_s, call.begin_s + call.duration_s
        if not (call.kind in _BLOCKING or call.name.startswith(_WAITS)):
            return self._rest(BlockedTime(), call.duration_s)
        ready_s, there_s = self._partner(one, begin_s, end_s)
        ready_s = min(max(ready_s, begin_s), end_s)
        there_s = min(max(there_s, ready_s), end_s)
        return self._rest(
            BlockedTime(transfer_s=there_s - ready_s, late_s=ready_s - begin_s), end_s - there_s
        )

    def _rest(self, split: BlockedTime, rest_s: float) -> BlockedTime:
        if self.crowded:
            split.cores_s = rest_s
        else:
            split.progress_s = rest_s
        return split

    def _partner(self, one: _Open, begin_s: float, end_s: float) -> tuple[float, float]:
        """When the last partner had begun, and when the messages could have been there."""
        if one.collective >= 0:
            return self._others(one.call, one.collective)
        ready_s = there_s = begin_s
        for message in one.received:
            sent_s = _at(self.begins.sent, message.channel, message.number)
            if not math.isnan(sent_s):
                ready_s = max(ready_s, sent_s)
                there_s = max(there_s, sent_s + self.cost.of(message.size_bytes))
        for message in one.sent:
            posted_s = _at(self.begins.posted, message.channel, message.number)
            if begin_s < posted_s < end_s:  # otherwise the send has not waited for it
                ready_s = max(ready_s, posted_s)
            begun_s = max(message.time_s, posted_s if posted_s < end_s else message.time_s)
            there_s = max(there_s, begun_s + self.cost.of(message.size_bytes))
        return ready_s, there_s

    def _others(self, call: Event, number: int) -> tuple[float, float]:
        key = key_of(self.file, call)
        name = call.name
        if name.startswith(_FROM_ROOT):
            ready_s = _at(self.begins.root, key, number)
        elif name.startswith(_TO_ROOT) and not name.startswith("MPI_Reduce_") and call.peer != NO_PEER:
            own = call.peer == self.file.header.rank
            ready_s = _at(self.begins.last, key, number) if own else call.begin_s
        else:
            ready_s = _at(self.begins.last, key, number)
        if math.isnan(ready_s):
            ready_s = call.begin_s
        context = self.file.definitions.contexts.get(call.context)
        rounds = math.ceil(math.log2(max(len(context.members), 2))) if context else 1
        return ready_s, max(ready_s, call.begin_s) + rounds * self.cost.of(max(call.size_bytes, call.extra))
