# SPDX-License-Identifier: BSD-3-Clause
"""The work that could be done before data arrives, or behind its send, by region of the source.

A region is a loop of a function, or several whose lines overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from stretto.potential.regions import Place, Region, RegionClass, WorkSite

Side = Literal["arrival", "send"]
_LEAST = 0.01
"""Share of the work at a call below which a region is not worth a line."""


class SourceLines(Protocol):
    """Lines of a function's source."""

    @property
    def function(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...


@dataclass(frozen=True)
class MovableRegion:
    """Lines of a function, and their work at one call site, over the whole trace. Seconds."""

    where: str
    kind: RegionClass
    independent_s: float
    work_s: float


@dataclass(frozen=True)
class MovableWork:
    """The work after the arrivals, or before the sends, of one call site. Seconds, over the whole trace.

    Attributes:
        independent_s: Of `work_s` what does not depend on the data that arrived, or stores none of the data
            that is sent.
        uncovered_s: Cost of the messages that nothing covers now.
        hidden_s: Of that what the independent work would cover.
    """

    side: Side
    call: str
    where: str
    count: int
    messages: int
    blocked_s: float
    uncovered_s: float
    hidden_s: float
    independent_s: float
    work_s: float
    regions: tuple[MovableRegion, ...]


def movable_work(
    sites: Mapping[Place, WorkSite],
    side: Side,
    lines: Mapping[Place, SourceLines],
    names: Mapping[Place, str],
) -> list[MovableWork]:
    """The call sites with work after them, in descending order of what moving it would hide."""
    found = [
        MovableWork(
            side=side,
            call=site.call,
            where=names[place],
            count=site.count,
            messages=site.messages,
            blocked_s=site.blocked_s,
            uncovered_s=site.uncovered_s,
            hidden_s=site.hidden_s,
            independent_s=site.independent_s,
            work_s=site.work_s,
            regions=tuple(_regions(site, lines, names)),
        )
        for place, site in sites.items()
        if site.independent_s > 0
    ]
    return sorted(found, key=lambda one: (-one.hidden_s, one.where))


def _regions(
    site: WorkSite, lines: Mapping[Place, SourceLines], names: Mapping[Place, str]
) -> list[MovableRegion]:
    """The regions that matter, in descending order of their independent work."""
    known = {place: lines[place] for place in site.regions if place in lines}
    groups = [(names[place], [place]) for place in site.regions if place not in known]
    groups += _overlapping(known)
    found = []
    for where, places in groups:
        sums = _sum(site.regions[place] for place in places)
        if sums.work_s >= _LEAST * site.work_s:
            found.append(MovableRegion(where, sums.kind, sums.independent_s, sums.work_s))
    return sorted(found, key=lambda one: (-one.independent_s, -one.work_s, one.where))


def _overlapping(known: Mapping[Place, SourceLines]) -> list[tuple[str, list[Place]]]:
    """Places of one function whose lines overlap, as `function file:first-last`."""
    groups: list[tuple[str, list[Place]]] = []
    ordered = sorted(known, key=lambda place: (known[place].file, known[place].function, known[place].first))
    while ordered:
        first = known[ordered[0]]
        taken = [ordered.pop(0)]
        last = first.last
        while ordered:
            lines = known[ordered[0]]
            if (lines.file, lines.function) != (first.file, first.function) or lines.first > last:
                break
            last = max(last, lines.last)
            taken.append(ordered.pop(0))
        through = f"-{last}" if last != first.first else ""
        groups.append((f"{first.function} {first.file}:{first.first}{through}", taken))
    return groups


def _sum(regions: Iterable[Region]) -> Region:
    total = Region()
    for one in regions:
        total.independent_s += one.independent_s
        total.dependent_s += one.dependent_s
    return total
