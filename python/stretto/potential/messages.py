# SPDX-License-Identifier: BSD-3-Clause
"""What the calls of a trace leave to overlap: per message, how long it may travel while its rank computes.

That is the part of the potential that needs no knowledge of when data is produced and consumed: between
starting an operation and waiting for it. Works through a trace once, in memory that only open operations and
sites need.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from stretto.data.trace import NO_PEER, Event, TraceFile

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
_TO_SOMEBODY = ("send", "recv", "isend", "irecv", "receive_half", "started")
_STARTED: tuple[Side, ...] = ("send", "receive", "collective", "send", "receive")
_AT_ONCE = 0.02
"""Of a message's cost: a window up to here is none."""


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
    site: SitePotential
    computed_s: float
    cost_s: float


@dataclass
class _Thread:
    computed_s: float = 0.0
    end_s: float | None = None
    wait: Event | None = None


@dataclass
class _Rank:
    """What a rank's trace says so far."""

    file: TraceFile
    cost: Cost
    sites: dict[tuple[str, int, str], SitePotential]
    open: dict[int, _Open] = field(default_factory=dict)
    threads: dict[int, _Thread] = field(default_factory=dict)

    def take(self, thread: _Thread, event: Event) -> None:
        if event.kind in ("produced", "consumed"):
            return
        if event.kind == "completion":
            self._complete(thread, event)
            return
        if event.kind not in ("receive_half", "started"):
            if thread.end_s is not None:
                thread.computed_s += max(event.begin_s - thread.end_s, 0.0)
            thread.end_s = event.begin_s + event.duration_s
            thread.wait = event
        if event.peer == NO_PEER and event.kind in _TO_SOMEBODY:
            return
        if event.kind in _BLOCKING:
            site = self._site(event, event.name, _side(_BLOCKING[event.kind]))
            self._count(site, event.size_bytes)
            site.blocked_s += event.duration_s
        elif event.kind == "receive_half" and thread.wait is not None and thread.wait.kind in _BLOCKING:
            self._count(self._site(event, "MPI_Sendrecv (receives)", "receive"), event.size_bytes)
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

    def _complete(self, thread: _Thread, event: Event) -> None:
        one = self.open.pop(event.request, None)
        if one is None:
            return
        window_s = max(thread.computed_s - one.computed_s, 0.0)
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
        rank = _Rank(file, cost, sites)
        for thread, event in _events(file):
            rank.take(rank.threads.setdefault(thread, _Thread()), event)
    return sorted(sites.values(), key=lambda site: (-site.cost_s, site.module, site.address, site.call))


def _events(file: TraceFile) -> Iterator[tuple[int, Event]]:
    for block in file.blocks():
        for event in file.events(block.records):
            yield block.thread, event


def _side(name: str) -> Side:
    return "send" if name == "send" else "receive" if name == "receive" else "collective"


def advice(site: SitePotential) -> str:
    """What would help at one place, in a sentence."""
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
