# SPDX-License-Identifier: BSD-3-Clause
"""What the calls of a trace leave to overlap: per message, how long it may travel while its rank computes.

Between starting an operation and waiting for it; and, where the trace says when data is produced and
consumed, between the data and the calls. Works through a trace once, in memory that only open operations,
sites and a bounded past need.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from stretto.data.trace import CANCELLED, CONSUMED, NO_PEER, PRODUCED, Event, TraceFile
from stretto.potential.data_work import DataWork, History, Touches

Side = Literal["send", "receive", "collective"]
Verdict = Literal["blocking", "false overlap", "too short", "covered"]

_STARTS = {"isend": "send", "irecv": "receive", "icollective": "collective", "igather": "collective"}
_STARTS |= {"iscatter": "collective", "imrecv": "receive"}
_BLOCKING = {
    "send": "send",
    "recv": "receive",
    "sendrecv": "send",
    "sendrecv_replace": "send",
    "mrecv": "receive",
}
_BLOCKING |= {"collective": "collective", "gather": "collective", "scatter": "collective"}
_TO_SOMEBODY = ("send", "recv", "isend", "irecv", "mrecv", "imrecv", "receive_half", "started")
_STARTED: tuple[Side, ...] = ("send", "receive", "collective", "send", "receive")
_AT_ONCE = 0.02
"""Of a message's cost: a window up to here is none."""
_MOST_WAITING = 1 << 16
"""Messages of a rank whose data may still be spoken of; that of older ones counts as not known."""


@dataclass(frozen=True)
class Cost:
    """What a message costs on a network without overlap: latency + (s - 1) G, and both overheads."""

    latency_s: float
    gap_s_per_byte: float
    overhead_s: float = 0.0

    def of(self, size_bytes: int) -> float:
        """Seconds for one message."""
        return self.latency_s + self.overhead_s + max(size_bytes - 1, 0) * self.gap_s_per_byte


@dataclass
class SitePotential:
    """All operations that were started at one place of the program. Times in seconds, summed."""

    module: str
    address: int
    call: str
    side: Side
    count: int = 0
    size_bytes: int = 0
    blocked_s: float = 0.0
    window_s: float = 0.0
    cost_s: float = 0.0
    covered_s: float = 0.0
    nonblocking: int = 0
    at_once: int = 0
    data: DataWork = field(default_factory=DataWork)
    data_cost_s: float = 0.0
    data_window_s: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """What can be said of this place in two words."""
        if not self.nonblocking:
            return "blocking"
        if self.at_once == self.count:
            return "false overlap"
        return "covered" if self.covered_s >= 0.9 * self.cost_s else "too short"


@dataclass
class _Open:
    """An operation under way, or a message whose data is still of interest: when it began, or had come."""

    site: SitePotential
    computed_s: float
    cost_s: float
    window_s: float = 0.0
    parts: list[tuple[int, float, float]] = field(default_factory=list)
    first_s: float | None = None


@dataclass
class _Thread:
    computed_s: float = 0.0
    end_s: float | None = None
    wait: Event | None = None
    history: History = field(default_factory=History)


@dataclass
class _Rank:
    """What a rank's trace says so far."""

    file: TraceFile
    cost: Cost
    sites: dict[tuple[str, int, str], SitePotential]
    open: dict[int, _Open] = field(default_factory=dict)
    threads: dict[int, _Thread] = field(default_factory=dict)
    watched: bool = False
    produced: dict[int, _Open] = field(default_factory=dict)
    consumed: dict[int, _Open] = field(default_factory=dict)

    def take(self, thread: _Thread, event: Event) -> None:
        if event.kind in ("produced", "consumed"):
            self._touched(thread, event)
            return
        if event.kind == "completion":
            self._complete(thread, event)
            return
        if event.kind not in ("receive_half", "started"):
            if thread.end_s is not None:
                thread.computed_s += max(event.begin_s - thread.end_s, 0.0)
            thread.end_s = event.begin_s + event.duration_s
            thread.wait = event
            if self.watched:
                thread.history.called(event.begin_s, thread.end_s)
        if event.peer == NO_PEER and event.kind in _TO_SOMEBODY:
            return
        if event.kind == "request_free":
            self.open.pop(event.request, None)
        if event.kind in _BLOCKING:
            site = self._site(event, event.name, _side(_BLOCKING[event.kind]))
            cost_s = self._count(site, event.size_bytes)
            site.blocked_s += event.duration_s
            self._expect(event.request, _Open(site, thread.computed_s, cost_s))
        elif event.kind == "receive_half" and thread.wait is not None and thread.wait.kind in _BLOCKING:
            site = self._site(event, "MPI_Sendrecv (receives)", "receive")
            cost_s = self._count(site, event.size_bytes)
            self._expect(event.request, _Open(site, thread.computed_s, cost_s))
        elif event.request and (event.kind in _STARTS or event.kind == "started"):
            self._start(thread, event)

    def _start(self, thread: _Thread, event: Event) -> None:
        if event.kind == "started":
            name, side = "MPI_Start", _STARTED[min(event.count, len(_STARTED) - 1)]
        else:
            name, side = event.name, _side(_STARTS[event.kind])
        site = self._site(event, name, side)
        cost_s = self._count(site, event.size_bytes)
        site.nonblocking += 1
        self.open[event.request] = _Open(site, thread.computed_s, cost_s)
        if side == "send":
            self._expect(event.request, self.open[event.request])

    def _expect(self, request: int, message: _Open) -> None:
        """Records about the data of this message may follow."""
        if self.watched and request and message.site.side != "collective":
            waiting = self.produced if message.site.side == "send" else self.consumed
            waiting[request] = message
            if len(waiting) > _MOST_WAITING:  # not all data is watched
                del waiting[next(iter(waiting))]

    def _touched(self, thread: _Thread, event: Event) -> None:
        produces = event.kind == "produced"
        messages = self.produced if produces else self.consumed
        message = messages.get(event.request)
        if message is None:
            return
        if event.begin_s > 0:
            at = thread.history.at
            message.parts.append((event.count, at(event.begin_s), at(event.extra * 1e-9)))
            first_s = event.extra * 1e-9 if produces else event.begin_s
            message.first_s = first_s if message.first_s is None else min(message.first_s, first_s)
        if event.count + 1 == event.tag:
            del messages[event.request]
            self._settle(thread, message, produces, event.tag)

    def _settle(self, thread: _Thread, message: _Open, produces: bool, parts: int) -> None:
        data = message.site.data
        if message.first_s is None:
            data.untouched_parts += parts
            return
        phase_s = thread.history.call_before(message.first_s)
        data.add(Touches(tuple(message.parts), message.computed_s, phase_s), produces, parts)
        message.site.data_cost_s += message.cost_s
        message.site.data_window_s += message.window_s

    def _complete(self, thread: _Thread, event: Event) -> None:
        one = self.open.pop(event.request, None)
        if one is None or event.count == CANCELLED:
            return
        window_s = max(thread.computed_s - one.computed_s, 0.0)
        if one.parts:  # a send whose data is known: before it was waited for
            one.site.data_window_s += window_s
        if one.site.side == "receive":
            self._expect(event.request, _Open(one.site, thread.computed_s, one.cost_s, window_s))
        one.site.window_s += window_s
        one.site.covered_s += min(window_s, one.cost_s)
        one.site.at_once += window_s <= _AT_ONCE * one.cost_s
        if thread.wait is not None and thread.wait.count:
            one.site.blocked_s += thread.wait.duration_s / thread.wait.count

    def _count(self, site: SitePotential, size_bytes: int) -> float:
        cost_s = self.cost.of(size_bytes)
        site.count += 1
        site.size_bytes += size_bytes
        site.cost_s += cost_s
        return cost_s

    def _site(self, event: Event, call: str, side: Side) -> SitePotential:
        known = self.file.definitions.sites.get(event.site)
        module, address = (known.module, known.address) if known else ("", 0)
        key = (module, address, call)
        if key not in self.sites:
            self.sites[key] = SitePotential(module, address, call, side)
        return self.sites[key]


def site_potentials(traces: list[TraceFile], cost: Cost) -> list[SitePotential]:
    """All places of a program that communicate, the costliest first.

    Args:
        traces: One a rank.
        cost: Of a message on the network that is asked about.

    Raises:
        UserError: a trace is damaged.
    """
    sites: dict[tuple[str, int, str], SitePotential] = {}
    for file in traces:
        rank = _Rank(file, cost, sites, watched=_is_watched(file))
        for thread, event in _events(file):
            rank.take(rank.threads.setdefault(thread, _Thread()), event)
    return sorted(sites.values(), key=lambda site: (-site.cost_s, site.module, site.address, site.call))


def _events(file: TraceFile) -> Iterator[tuple[int, Event]]:
    for block in file.blocks():
        for event in file.events(block.records):
            yield block.thread, event


def _is_watched(file: TraceFile) -> bool:
    """Whether there are records about the data of messages."""
    return any(
        bool(np.isin(block.records["begin_and_call"] >> np.uint64(48), (PRODUCED, CONSUMED)).any())
        for block in file.blocks()
    )


def _side(name: str) -> Side:
    return "send" if name == "send" else "receive" if name == "receive" else "collective"


def advice(site: SitePotential) -> str:
    """What would help at one place, in a sentence."""
    if site.data.messages and site.verdict != "covered":
        return _advice_from_data(site)
    each_us = 1e6 * site.cost_s / site.count
    other = {"send": "isend", "receive": "irecv", "collective": "nonblocking variant"}[site.side]
    if site.verdict == "blocking":
        return f"blocks; start it with the {other} about {each_us:.3g} us of work before it is needed"
    if site.verdict == "false overlap":
        return f"false overlap: waited for at once; move {each_us:.3g} us of work before the wait"
    if site.verdict == "too short":
        missing_us = 1e6 * (site.cost_s - site.covered_s) / site.count
        return f"start it {missing_us:.3g} us earlier, or wait for it as much later"
    return "covered by the work between start and wait"


def _advice_from_data(site: SitePotential) -> str:
    data, each_us = site.data, 1e6 * site.cost_s / site.count
    independent_us = 1e6 * data.independent_s / data.messages
    dependent_us = 1e6 * data.dependent_s / data.messages
    false = "false overlap: waited for at once; " if site.verdict == "false overlap" else ""
    if site.side == "send":
        start, split = "start it", "send each part"
        if site.verdict == "blocking":
            start = "start it with the isend"
        ready, parts = f"its data is ready {independent_us:.3g} us before", "when it is produced"
    else:
        start = "wait for an irecv" if site.verdict == "blocking" else "wait for it"
        ready, split = f"its data is first used {independent_us:.3g} us after", "wait for each part"
        parts = "when it is needed"
    if independent_us >= _AT_ONCE * each_us:
        when = "earlier" if site.side == "send" else "later"
        return f"{false}{ready}: {start} {min(independent_us, each_us):.3g} us {when}"
    if dependent_us >= _AT_ONCE * each_us:
        return (
            f"{false}no work is independent of it; {split} {parts}, {data.order}, over {dependent_us:.3g} us"
        )
    return f"{false}its data is touched at the call: only other work, moved here, could hide it"
