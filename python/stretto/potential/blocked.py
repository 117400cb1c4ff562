# SPDX-License-Identifier: BSD-3-Clause
"""Where the time in MPI calls goes: transfer, late partners, a program's own progress, too few cores.

A receive or a wait that begins before its message is sent waits for a late sender, and a send that ends after
its receive is posted for a late receiver; a collective operation waits for the last rank, or for the root
(Scalasca's wait states). Then the message is on its way. What remains is neither: the message waits for
progress of MPI, or, with more ranks than cores, the rank waits for a core.
"""

from __future__ import annotations

import bisect
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import TypeVar

from stretto.data.trace import OnRecords, TraceFile, ignore_count
from stretto.data.trace_records import NO_CALLS, NO_PEER, Event
from stretto.data.trace_walk import MessageEnd, walk_ends
from stretto.potential.core_shortage import CoreShortage, shortage_of
from stretto.potential.regions import Place
from stretto.potential.sites import Cost

_COLLECTIVES = frozenset(("collective", "gather", "scatter"))
_ALL_COLLECTIVES = _COLLECTIVES | {f"i{kind}" for kind in _COLLECTIVES}
_FROM_ROOT = ("MPI_Bcast", "MPI_Scatter")
_TO_ROOT = ("MPI_Gather", "MPI_Reduce")
_WAITS = ("MPI_Wait", "MPI_Test", "MPI_Probe", "MPI_Mprobe", "MPI_Win_")
_BLOCKING = frozenset(
    ("send", "recv", "mrecv", "sendrecv", "sendrecv_replace", "probe", "mprobe", "synchronise",
     "synchronise_with", "neighbor", *_COLLECTIVES)
)  # fmt: skip
_STARTS_SENDS = ("isend", "started", "isendrecv", "isendrecv_replace")
_OTHER = frozenset(("plain",))
INITIALISES = ("MPI_Init", "MPI_Init_thread")
FINALISES = ("MPI_Finalize", "MPI_Session_finalize")
_NEVER = (array("d"), array("d"))
"""Begins and ends of the calls of a rank that has none."""
_SHORT = 0.1
"""Share of a message's time that its sender may compute without a part in how long it takes."""
_Key = TypeVar("_Key")


@dataclass
class BlockedTime:
    """Seconds in calls, summed over threads.

    Attributes:
        transfer_s: Messages were on their way.
        late_s: The partner, or the last rank of a collective operation, had not begun.
        progress_s: The message could have been there: MPI made no progress, or the calls took the time.
        cores_s: The same where more ranks than cores share a host.
        poll_s: Of `progress_s`, the partner computed outside of MPI, and the wait lasted until its next call.
        calls_s: Of `progress_s`, calls that do not wait, such as MPI_Isend.
    """

    transfer_s: float = 0.0
    late_s: float = 0.0
    progress_s: float = 0.0
    cores_s: float = 0.0
    poll_s: float = 0.0
    calls_s: float = 0.0

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
        run_s: Of each rank from the end of its MPI_Init to the begin of its MPI_Finalize.
        calls: The name of each call site's calls.
        shortage: Why ranks waited for cores.
    """

    ranks: int
    run_s: float
    all: BlockedTime
    by_place: dict[Place, BlockedTime]
    calls: dict[Place, str]
    shortage: CoreShortage


def begins_of(traces: Sequence[TraceFile], on_records: OnRecords = ignore_count) -> Begins:
    """When the calls of all ranks began; `time_use` and `shown_network` need it. UserError as there."""
    begins = Begins()
    for file in traces:
        begins.read(file, on_records)
    return begins


def time_use(
    traces: Sequence[TraceFile],
    cost: Cost,
    on_records: OnRecords = ignore_count,
    begins: Begins | None = None,
) -> TimeUse:
    """Where a program's time in calls goes; `cost` says how long a message is on its way.

    Reads the trace twice, or once with `begins`. Memory is needed for two times per call, message end and
    collective operation.

    Raises:
        UserError: a trace is damaged.
    """
    if begins is None:
        begins = begins_of(traces, on_records)
    shortage = shortage_of(traces)
    crowded = shortage.crowd.hosts if shortage.crowd else frozenset[str]()
    result = TimeUse(len(traces), 0.0, BlockedTime(), {}, {}, shortage)
    for file in traces:
        _Rank(file, begins, cost, result, file.header.host in crowded).read()
    return result


@dataclass
class Begins:
    """When sends, receives and collective operations began, and all calls, of all ranks."""

    sent: dict[tuple[int, int, int, int], array[float]] = field(default_factory=dict)
    pending: dict[tuple[int, int, int, int], array[float]] = field(default_factory=dict)  # nonblocking sends
    posted: dict[tuple[int, int, int, int], array[float]] = field(default_factory=dict)
    last: dict[int, array[float]] = field(default_factory=dict)  # of collectives, by communicator
    root: dict[int, array[float]] = field(default_factory=dict)
    calls: dict[int, tuple[array[float], array[float]]] = field(default_factory=dict)  # by rank and begin

    def sent_s(self, message: MessageEnd) -> float:
        """When the message's send began; NaN where that is not known."""
        return _at(self.sent, message.channel, message.number)

    def is_pending(self, message: MessageEnd) -> bool:
        """Whether the message's send may have been unfinished when its call ended."""
        return not math.isnan(_at(self.pending, message.channel, message.number))

    def return_s(self, rank: int, time_s: float) -> float:
        """The begin of the rank's next call where it is outside of MPI at `time_s`; else that itself."""
        begins, ends = self.calls.get(rank, _NEVER)
        after = bisect.bisect_right(begins, time_s)
        if after == 0 or after == len(begins) or ends[after - 1] > time_s:
            return time_s
        return begins[after]

    def needs_partner(self, rank: int, begin_s: float, end_s: float) -> bool:
        """Whether the rank, in a call from `begin_s` on, then computes for a part of the time until `end_s`,
        and calls MPI again before: a message between these times may have waited for that.
        """
        begins, ends = self.calls.get(rank, _NEVER)
        after = bisect.bisect_right(begins, begin_s)
        if after == 0 or after == len(begins):
            return False
        return begins[after] <= end_s and begins[after] - ends[after - 1] > _SHORT * (end_s - begin_s)

    def read(self, file: TraceFile, on_records: OnRecords) -> None:
        ordinals: dict[int, int] = {}
        calls: list[tuple[float, float]] = []
        for _, event, ends in walk_ends(file, on_records):
            if event.kind not in NO_CALLS:
                calls.append((event.begin_s, event.begin_s + event.duration_s))
            for one in ends:
                if one.sends:
                    _put(self.sent, one.channel, one.number, one.time_s)
                    if event.kind in _STARTS_SENDS:
                        _put(self.pending, one.channel, one.number, one.time_s)
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
        calls.sort()  # of several threads
        self.calls[file.header.rank] = (
            array("d", (begin_s for begin_s, _ in calls)),
            array("d", (end_s for _, end_s in calls)),
        )


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


def _interval(call: Event, begin_s: float, end_s: float) -> tuple[float, float]:
    """The interval of a rank that is analysed, after one more call: from the end of MPI_Init to the begin of
    MPI_Finalize. Where a trace lacks these, from its first call to the end of its last one.
    """
    if call.name in INITIALISES or (call.name == "MPI_Session_init" and math.isnan(begin_s)):
        return call.begin_s + call.duration_s, end_s
    if call.name in FINALISES:
        return begin_s, max(end_s, call.begin_s)
    return (call.begin_s if math.isnan(begin_s) else begin_s), max(end_s, call.begin_s + call.duration_s)


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
    begins: Begins
    cost: Cost
    result: TimeUse
    crowded: bool
    open: dict[int, _Open] = field(default_factory=dict)  # by thread
    sends: dict[int, MessageEnd] = field(default_factory=dict)  # in progress, by request
    ordinals: dict[int, int] = field(default_factory=dict)

    def read(self) -> None:
        begin_s, end_s = math.nan, 0.0
        for thread, event, ends in walk_ends(self.file):
            if event.kind not in NO_CALLS:
                self._end(self.open.pop(thread, None))
                one = self.open[thread] = _Open(event)
                begin_s, end_s = _interval(event, begin_s, end_s)
                if event.kind in _ALL_COLLECTIVES:
                    key = key_of(self.file, event)
                    one.collective = self.ordinals.get(key, 0)
                    self.ordinals[key] = one.collective + 1
            self._take(self.open.get(thread), event, ends)
        for one in self.open.values():
            self._end(one)
        self.result.run_s += end_s - begin_s if end_s > begin_s else 0.0

    def _take(self, one: _Open | None, event: Event, ends: Iterable[MessageEnd]) -> None:
        if one is None:
            return
        for end in ends:
            if not end.sends:
                one.received.append(end)
            elif event.kind in _STARTS_SENDS:
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
            return self._rest(BlockedTime(calls_s=call.duration_s), call.duration_s)
        ready_s, there_s, partner = self._partner(one, begin_s, end_s)
        ready_s = min(max(ready_s, begin_s), end_s)
        there_s = min(max(there_s, ready_s), end_s)
        return_s = there_s if partner < 0 else self.begins.return_s(partner, there_s)
        # A wait that ends while the partner still computes did not need its next call.
        poll_s = return_s - there_s if return_s <= end_s else 0.0
        split = BlockedTime(transfer_s=there_s - ready_s, late_s=ready_s - begin_s, poll_s=poll_s)
        return self._rest(split, end_s - there_s)

    def _rest(self, split: BlockedTime, rest_s: float) -> BlockedTime:
        if self.crowded:
            split.cores_s, split.poll_s, split.calls_s = rest_s, 0.0, 0.0
        else:
            split.progress_s = rest_s
        return split

    def _partner(self, one: _Open, begin_s: float, end_s: float) -> tuple[float, float, int]:
        """When the last partner had begun, when the messages could have been there, and whose next call the
        last of them may have waited for.
        """
        if one.collective >= 0:
            return *self._others(one.call, one.collective), NO_PEER
        ready_s = there_s = begin_s
        partner = NO_PEER
        for message in one.received:
            sent_s = _at(self.begins.sent, message.channel, message.number)
            if not math.isnan(sent_s):
                ready_s = max(ready_s, sent_s)
                if sent_s + self.cost.of(message.size_bytes) > there_s:
                    partner = message.channel[0] if self.begins.is_pending(message) else NO_PEER
                there_s = max(there_s, sent_s + self.cost.of(message.size_bytes))
        for message in one.sent:
            posted_s = _at(self.begins.posted, message.channel, message.number)
            if begin_s < posted_s < end_s:  # otherwise the send has not waited for it
                ready_s = max(ready_s, posted_s)
            begun_s = max(message.time_s, posted_s if posted_s < end_s else message.time_s)
            if begun_s + self.cost.of(message.size_bytes) > there_s:
                partner = message.channel[1]
            there_s = max(there_s, begun_s + self.cost.of(message.size_bytes))
        return ready_s, there_s, partner

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
