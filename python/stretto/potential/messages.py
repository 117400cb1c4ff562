# SPDX-License-Identifier: BSD-3-Clause
"""The overlap that the calls of a trace allow: per message, the computation that could hide it.

The computation lies between the start of an operation and its wait. Where the trace has accesses to data, it
also lies between data and calls. The module reads a trace once; memory is needed only for open operations,
call sites and a bounded past.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from stretto.data.trace import OnRecords, TraceFile, ignore_count
from stretto.data.trace_records import CANCELLED, NO_PEER, SAYS_SOURCE, Event, about_data
from stretto.data.variables import UNKNOWN_DATA, data_place
from stretto.potential.data_work import History, Touches
from stretto.potential.regions import Place, Region, WorkSite
from stretto.potential.sites import AT_ONCE, Cost, Side, SitePotential

_COLLECTIVES = ("collective", "gather", "scatter", "neighbor")
_BLOCKING: dict[str, Side] = {
    "send": "send", "recv": "receive", "sendrecv": "send", "sendrecv_replace": "send", "mrecv": "receive",
    **dict.fromkeys(_COLLECTIVES, "collective"),
}  # fmt: skip
_STARTS: dict[str, Side] = {
    "isend": "send", "irecv": "receive", "isendrecv": "send", "isendrecv_replace": "send",
    "imrecv": "receive", "one_sided": "one-sided",
    **dict.fromkeys((f"i{kind}" for kind in _COLLECTIVES), "collective"),
}  # fmt: skip
_WITH_A_PEER = (
    "send", "recv", "isend", "irecv", "mrecv", "imrecv", "sendrecv", "sendrecv_replace", "isendrecv",
    "isendrecv_replace", "receive_half", "started", "one_sided",
)  # fmt: skip
_ENDS_ACCESSES = frozenset(
    f"MPI_Win_{what}"
    for what in (
        "fence", "complete", "unlock", "unlock_all", "flush", "flush_all", "flush_local", "flush_local_all",
    )
)  # fmt: skip
_STARTED: tuple[Side, ...] = ("send", "receive", "collective", "send", "receive")
_MOST_WAITING = 1 << 16
"""Messages of a rank that wait for records about their data; the data of older ones counts as unknown."""


@dataclass
class _Open:
    """An operation in progress, or a message whose data records may still follow; its begin or arrival."""

    site: SitePotential
    computed_s: float
    cost_s: float
    window_s: float = 0.0
    size_bytes: int = 0
    begin_s: float = 0.0
    thread: _Thread | None = None  # the thread that began it
    parts: list[tuple[int, float, float]] = field(default_factory=list)
    reordered: list[tuple[int, float, float]] = field(default_factory=list)
    first_s: float | None = None
    sender: WorkSite | None = None  # of a nonblocking send, its call site


@dataclass
class _Arrived:
    """The messages that arrived in one call: their costs, and the computation that hides them all."""

    call: Event
    cost_s: float
    window_s: float
    messages: int = 1


@dataclass
class _Thread:
    computed_s: float = 0.0
    end_s: float | None = None
    wait: Event | None = None
    arrived: _Arrived | None = None
    history: History = field(default_factory=History)


@dataclass
class _Rank:
    """The state of a rank at the current point of its trace."""

    file: TraceFile
    cost: Cost
    sites: dict[tuple[str, int, str], SitePotential]
    arrivals: dict[Place, WorkSite]
    sends: dict[Place, WorkSite]
    open: dict[int, list[_Open]] = field(default_factory=dict)  # by request, which may cover two operations
    accesses: dict[int, dict[int, list[_Open]]] = field(default_factory=dict)  # by window and target
    threads: dict[int, _Thread] = field(default_factory=dict)
    watched: bool = False
    by_data: bool = False
    produced: dict[int, _Open] = field(default_factory=dict)
    consumed: dict[int, _Open] = field(default_factory=dict)

    def take(self, thread: _Thread, event: Event) -> None:
        if event.kind in ("produced", "consumed"):
            self._touched(thread, event)
            return
        if event.kind == "completion":
            self._complete(thread, event)
            return
        if event.kind == "region":
            self._worked(event)
            return
        if event.kind not in ("receive_half", "started"):
            if thread.end_s is not None:
                thread.computed_s += max(event.begin_s - thread.end_s, 0.0)
            thread.end_s = event.begin_s + event.duration_s
            self.end_arrival(thread)
            thread.wait = event
            if self.watched:
                thread.history.add_call(event.begin_s, thread.end_s)
        if event.name in _ENDS_ACCESSES:
            self._synchronise(thread, event)
        if event.peer == NO_PEER and event.kind in _WITH_A_PEER:
            return
        if event.kind == "request_free":
            self.open.pop(event.request, None)
        if event.kind in _BLOCKING:
            site = self._site(event, event.name, _BLOCKING[event.kind])
            cost_s = self._count(site, event)
            site.blocked_s += event.duration_s
            self._expect(event.request, _Open(site, thread.computed_s, cost_s))
            if site.side == "send":
                self._leave(event, event.name, cost_s).add_uncovered(cost_s, event.duration_s)
            else:
                self._arrive(thread, event, cost_s, 0.0)
        elif event.kind == "receive_half" and thread.wait is not None:
            self._receive_half(thread, event, thread.wait)
        elif event.kind in _STARTS:
            self._start(thread, event, event.name, _STARTS[event.kind])
        elif event.kind == "started":
            self._start(thread, event, "MPI_Start", _STARTED[min(event.count, len(_STARTED) - 1)])

    def _receive_half(self, thread: _Thread, event: Event, pair: Event) -> None:
        name = f"{pair.name} (receives)"
        if pair.kind in _STARTS:
            self._start(thread, event, name, "receive")
            return
        site = self._site(event, name, "receive")
        cost_s = self._count(site, event)
        self._expect(event.request, _Open(site, thread.computed_s, cost_s))
        self._arrive(thread, pair, cost_s, 0.0)

    def _start(self, thread: _Thread, event: Event, name: str, side: Side) -> None:
        if not event.request and side != "one-sided":
            return
        site = self._site(event, name, side)
        cost_s = self._count(site, event)
        one = _Open(
            site,
            thread.computed_s,
            cost_s,
            begin_s=event.begin_s + event.duration_s,
            thread=thread,
            size_bytes=event.size_bytes,
        )
        site.nonblocking += 1
        site.starting_s += event.duration_s
        if event.request:
            self.open.setdefault(event.request, []).append(one)
        else:
            self.accesses.setdefault(event.context, {}).setdefault(event.peer, []).append(one)
        if side == "send":
            one.sender = self._leave(event, name, cost_s)
            self._expect(event.request, one)

    def _expect(self, request: int, message: _Open) -> None:
        """Registers a message whose data records may follow."""
        if self.watched and request and message.site.side in ("send", "receive"):
            waiting = self.produced if message.site.side == "send" else self.consumed
            waiting[request] = message
            if len(waiting) > _MOST_WAITING:  # not all data has records
                del waiting[next(iter(waiting))]

    def _touched(self, thread: _Thread, event: Event) -> None:
        produces = event.kind == "produced"
        messages = self.produced if produces else self.consumed
        message = messages.get(event.request)
        if message is None:
            return
        if event.begin_s > 0:
            at = thread.history.at
            other_s = event.extra * 1e-9
            part = event.count, at(event.begin_s), at(other_s)
            message.parts.append(part)
            # As if independent work came first, where the data was followed. A part moves as a whole.
            if event.duration_s:
                later_s = event.duration_s - event.begin_s
                part = event.count, at(event.duration_s), at(other_s + later_s)
            message.reordered.append(part)
            first_s = event.extra * 1e-9 if produces else event.begin_s
            message.first_s = first_s if message.first_s is None else min(message.first_s, first_s)
        if event.count + 1 == event.tag:
            del messages[event.request]
            self._count_data(thread, message, produces, event.tag)

    def _count_data(self, thread: _Thread, message: _Open, produces: bool, parts: int) -> None:
        site = message.site
        if message.first_s is None:
            for work in (site.data, site.reordered):
                work.untouched_parts += parts
            return
        phase_s = thread.history.call_before(message.first_s)
        for work, touched in ((site.data, message.parts), (site.reordered, message.reordered)):
            work.add(Touches(tuple(touched), message.computed_s, phase_s), produces, parts)
        site.data_cost_s += message.cost_s
        site.data_window_s += message.window_s

    def _complete(self, thread: _Thread, event: Event) -> None:
        ended = self.open.pop(event.request, [])
        if event.count != CANCELLED and thread.wait is not None:
            share = len(ended) * max(thread.wait.count, 1)
            for one in ended:
                if event.count == SAYS_SOURCE and one.site.side == "receive":
                    self._resize(one, event.size_bytes)
                self._waited(thread, one, thread.wait.duration_s / share)
                if one.site.side in ("receive", "collective") or fetches(one.site):
                    self._arrive(thread, thread.wait, one.cost_s, self._window_s(thread, one))
                if one.site.side == "receive":
                    message = _Open(one.site, thread.computed_s, one.cost_s, self._window_s(thread, one))
                    self._expect(event.request, message)

    def _resize(self, one: _Open, size_bytes: int) -> None:
        """Counts the bytes that arrived in place of the size of the buffer."""
        cost_s = self.cost.of(size_bytes)
        one.site.size_bytes += size_bytes - one.size_bytes
        one.site.cost_s += cost_s - one.cost_s
        one.size_bytes, one.cost_s = size_bytes, cost_s

    def _arrive(self, thread: _Thread, call: Event, cost_s: float, window_s: float) -> None:
        """Adds a message to those that arrived in the call; they travel at the same time."""
        arrived = thread.arrived
        if arrived is None:
            thread.arrived = _Arrived(call, cost_s, window_s)
            return
        arrived.cost_s += max(cost_s - self.cost.latency_s, 0.0)
        arrived.window_s = min(arrived.window_s, window_s)
        arrived.messages += 1

    def _leave(self, event: Event, call: str, cost_s: float) -> WorkSite:
        """Counts a message that a call sends with its call site."""
        site = self.sends.setdefault(self._place(event.site), WorkSite(call))
        site.count += 1
        site.messages += 1
        site.cost_s += cost_s
        return site

    def end_arrival(self, thread: _Thread) -> None:
        """Counts the messages that arrived in the last call with its call site."""
        arrived, thread.arrived = thread.arrived, None
        if arrived is None:
            return
        site = self.arrivals.setdefault(self._place(arrived.call.site), WorkSite(arrived.call.name))
        site.count += 1
        site.messages += arrived.messages
        site.cost_s += arrived.cost_s
        site.add_uncovered(arrived.cost_s - arrived.window_s, arrived.call.duration_s)

    def _worked(self, event: Event) -> None:
        """Work after arrivals or, with count 1, before sends: bytes are ns that do not depend on the data."""
        sites = self.sends if event.count == 1 else self.arrivals
        site = sites.get(self._place(event.site))
        if site is None:
            return
        region = site.regions.setdefault(self._place(event.request), Region())
        region.independent_s += event.size_bytes * 1e-9
        region.dependent_s += event.duration_s

    def _place(self, site: int) -> Place:
        known = self.file.definitions.sites.get(site)
        return (known.module, known.address) if known else ("", 0)

    def _data_place(self, event: Event) -> Place:
        """The variable of a message, as a place. Starts of persistent operations do not name theirs."""
        number = 0 if event.kind == "started" else event.count
        known = self.file.definitions.variables.get(number)
        return data_place(known) if known else UNKNOWN_DATA

    def _synchronise(self, thread: _Thread, event: Event) -> None:
        """Ends the accesses to a window: those to one target, or all."""
        targets = self.accesses.get(event.context, {})
        of = [event.peer] if event.kind == "synchronise_with" else list(targets)
        ended = [one for target in of for one in targets.pop(target, [])]
        for one in ended:
            self._waited(thread, one, event.duration_s / len(ended))
            if fetches(one.site):
                self._arrive(thread, event, one.cost_s, self._window_s(thread, one))

    def _waited(self, thread: _Thread, one: _Open, blocked_s: float) -> None:
        window_s = self._window_s(thread, one)
        if one.parts:  # a send with known data, whose accesses precede the wait
            one.site.data_window_s += window_s
        one.site.window_s += window_s
        one.site.covered_s += min(window_s, one.cost_s)
        if one.sender is not None:
            one.sender.add_uncovered(one.cost_s - window_s, blocked_s)
        one.site.at_once += window_s <= AT_ONCE * one.cost_s
        one.site.blocked_s += blocked_s

    @staticmethod
    def _window_s(thread: _Thread, one: _Open) -> float:
        if one.thread is thread:
            return max(thread.computed_s - one.computed_s, 0.0)
        # Another thread began it: the computed time of this thread at that moment is not recorded.
        return max(thread.wait.begin_s - one.begin_s, 0.0) if thread.wait is not None else 0.0

    def _count(self, site: SitePotential, event: Event) -> float:
        """Adds one operation; returns its cost. A collective has the larger of sent and received bytes."""
        collective = site.side == "collective" and event.kind != "started"
        size_bytes = max(event.size_bytes, event.extra) if collective else event.size_bytes
        cost_s = self.cost.of(size_bytes)
        site.count += 1
        site.size_bytes += size_bytes
        site.cost_s += cost_s
        return cost_s

    def _site(self, event: Event, call: str, side: Side) -> SitePotential:
        module, address = self._data_place(event) if self.by_data else self._place(event.site)
        key = (module, address, call)
        if key not in self.sites:
            self.sites[key] = SitePotential(module, address, call, side)
        return self.sites[key]


def fetches(site: SitePotential) -> bool:
    """Whether a one-sided operation brings data to this rank."""
    return site.call.startswith(("MPI_Get", "MPI_Rget", "MPI_Fetch", "MPI_Compare"))


@dataclass(frozen=True)
class Potential:
    """What a trace's calls leave unused: of all call sites, of those at which data arrives, and of sends."""

    sites: list[SitePotential]
    arrivals: dict[Place, WorkSite]
    sends: dict[Place, WorkSite]


def potential_of(
    traces: list[TraceFile], cost: Cost, on_records: OnRecords = ignore_count, by_data: bool = False
) -> Potential:
    """All call sites of a program, or all variables, in descending order of cost.

    Args:
        traces: One per rank.
        cost: The cost of a message on the requested network.
        on_records: Called as records are read.
        by_data: Whether the entries are variables in place of call sites.

    Raises:
        UserError: a trace is damaged.
    """
    sites: dict[tuple[str, int, str], SitePotential] = {}
    arrivals: dict[Place, WorkSite] = {}
    sends: dict[Place, WorkSite] = {}
    for file in traces:
        rank = _Rank(file, cost, sites, arrivals, sends, watched=_is_watched(file), by_data=by_data)
        for number, event in _events(file, on_records):
            rank.take(rank.threads.setdefault(number, _Thread()), event)
        for thread in rank.threads.values():
            rank.end_arrival(thread)
    ordered = sorted(sites.values(), key=lambda site: (-site.cost_s, site.module, site.address, site.call))
    return Potential(ordered, arrivals, sends)


def site_potentials(
    traces: list[TraceFile], cost: Cost, on_records: OnRecords = ignore_count
) -> list[SitePotential]:
    """The call sites of `potential_of`."""
    return potential_of(traces, cost, on_records).sites


def _events(file: TraceFile, on_records: OnRecords) -> Iterator[tuple[int, Event]]:
    for block in file.blocks():
        for event in file.events(block.records):
            yield block.thread, event
        on_records(len(block.records))


def _is_watched(file: TraceFile) -> bool:
    """Whether the trace has records about the data of messages."""
    return any(bool(about_data(block.records).any()) for block in file.blocks())
