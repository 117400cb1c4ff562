# SPDX-License-Identifier: BSD-3-Clause
"""The work that could be done before data arrives, or behind its send, by region of the source.

A region is a loop of a function, or several whose lines overlap. Work is not offered where a trace cannot
show that it may move. Work that comes after the first load of what arrived is such work: a branch on the
loaded value may decide whether it runs, and it may overwrite what the work on the data has read, or the
buffer itself. A part of a loop is offered where the loop itself has the first load, so that nothing else
has used what came, or where no loop has much more work on the data, as behind a loop that unpacks. A loop
with the last store to what is sent makes it: only a part of it may come after.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from stretto.data.program import Place
from stretto.potential.ordering import AFTER_USE, MAKES, NO_LINES, Ordering
from stretto.potential.regions import Region, RegionClass, WorkSite
from stretto.potential.sites import RESOLVED_S

Side = Literal["arrival", "send"]
_MIN_SHARE = 0.01
"""Share of the work at a call below which a region is not worth a line."""
_MIN_OFFERED = 0.05
"""Share of the independent work at a call below which a region is not worth the change."""
_BEFORE_USE = 0.5
"""Share of a region's work before the first load of what arrived from which it counts as before. Both times
are those of samples; a region is usually before it or behind it as a whole."""
_AS_MUCH = 0.5
"""Share of the largest loop's work on what arrived from which another has about as much. Both are measured,
and copying a boundary takes about as long as computing it.
"""


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
    @property
    def begin(self) -> int: ...
    @property
    def calls(self) -> Collection[int]: ...


@dataclass(frozen=True)
class MovableRegion:
    """Lines of a function, and their work at one call site, over the whole trace. Seconds.

    Attributes:
        has_lines: `where` is lines of the source, not the address of an instruction.
        before_use: It comes before the first load of what arrived; None: that is not known.
        offered: It may move, as far as the trace shows.
        splits: A part of it may move where the rest may not: it is the first to use what arrived, or has
            about as much work on it as any.
    """

    where: str
    kind: RegionClass
    independent_s: float
    work_s: float
    has_lines: bool = True
    before_use: bool | None = None
    offered: bool = True
    splits: bool = True


@dataclass(frozen=True)
class MovableWork:
    """The work after the arrivals, or before the sends, of one call site. Seconds, over the whole trace.

    Attributes:
        independent_s: Of `work_s` what does not depend on the data that arrived, or stores none of the data
            that is sent.
        uncovered_s: Cost of the messages that nothing covers now.
        hidden_s: Of that what the independent work would cover: what is offered to be moved, if anything is.
        refused: Why the work is not offered to be moved; empty: it is.
        message_bytes: The mean size of the messages.
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
    refused: str = ""
    message_bytes: float = 0.0

    @property
    def offered(self) -> MovableRegion | None:
        """The region with most work of those that may move; None: none may."""
        return None if self.refused else next((one for one in self.regions if one.offered), None)


def movable_work(
    sites: Mapping[Place, WorkSite],
    side: Side,
    lines: Mapping[Place, SourceLines],
    names: Mapping[Place, str],
    ordering: Ordering,
) -> list[MovableWork]:
    """The call sites with work after them, in descending order of what moving it would hide.

    Args:
        sites: By place.
        side: Whether data arrives at them, or is sent.
        lines: Of the regions' places that have any.
        names: Of all places.
        ordering: What limits moving work at these sites, and what moving it can gain.
    """
    found = []
    for place, site in sites.items():
        regions = _offers(_regions(site, side, lines, names, ordering.longest_s), site, side)
        independent_s = sum(one.independent_s for one in regions)
        if independent_s <= 0:
            continue
        offered_s = sum(one.independent_s for one in regions if one.offered)
        has_lines = any(one.has_lines for one in regions)
        work_s = sum(one.work_s for one in regions)
        uncovered_s = min(site.uncovered_s, ordering.max_s(place, site))
        found.append(
            MovableWork(
                side=side,
                call=site.call,
                where=names[place],
                count=site.count,
                messages=site.messages,
                blocked_s=site.blocked_s,
                uncovered_s=uncovered_s,
                hidden_s=min(uncovered_s, offered_s or independent_s),
                independent_s=independent_s,
                work_s=work_s,
                regions=tuple(one for one in regions if one.work_s >= _MIN_SHARE * site.work_s),
                refused=ordering.refusal(place, side, work_s, has_lines)
                or ("" if offered_s else AFTER_USE if side == "arrival" else _why_not_behind(regions)),
                message_bytes=site.size_bytes / site.messages if site.messages else 0.0,
            )
        )
    return sorted(found, key=lambda one: (-one.hidden_s, one.where))


def _why_not_behind(regions: Sequence[MovableRegion]) -> str:
    """Why none of the work before a send is offered to be moved behind it."""
    largest = max(regions, key=lambda one: one.independent_s)
    return MAKES if largest.has_lines else NO_LINES


def _regions(
    site: WorkSite,
    side: Side,
    lines: Mapping[Place, SourceLines],
    names: Mapping[Place, str],
    longest_s: float,
) -> list[MovableRegion]:
    """The regions, in descending order of their independent work. Those with more work than there is time are
    none: early recorders wrote such.
    """
    places = [place for place, region in site.regions.items() if region.work_s <= longest_s]
    known = {place: lines[place] for place in places if place in lines}
    groups = [(names[place], [place]) for place in places if place not in known]
    groups += _overlapping(known)
    holders = _holders(groups, site.accessed, lines)
    found = []
    totals = {where: _sum(site.regions[place] for place in of) for where, of in groups}
    max_s = max((one.dependent_s for one in totals.values()), default=0.0)
    min_s = max(RESOLVED_S * site.count, _AS_MUCH * max_s)
    for where, of in groups:
        sums = totals[where]
        held = [access in holders[where] for access in site.accessed]
        kind, splits = sums.kind, True
        if side == "arrival":
            splits = all(held) or sums.dependent_s >= min_s
        elif any(held) and kind == "re-arrangement":
            kind = "loop distribution"
        found.append(
            MovableRegion(where, kind, sums.independent_s, sums.work_s, of[0] in known, splits=splits)
        )
    return sorted(found, key=lambda one: (-one.independent_s, -one.work_s, one.where))


def _offers(regions: Sequence[MovableRegion], site: WorkSite, side: Side) -> tuple[MovableRegion, ...]:
    """The regions with what may move. Of loops to be split, a part comes after the first load in any case."""
    left_s = site.before_use_s * site.count / site.used if side == "arrival" and site.used else None
    judged = []
    for one in regions:
        before = None if left_s is None else left_s >= _BEFORE_USE * one.independent_s
        if left_s is not None and before:
            left_s = max(left_s - one.independent_s, 0.0)
        may = one.has_lines and (
            (one.kind == "loop distribution" and one.splits)
            or (one.kind == "re-arrangement" and before is not False)
        )
        judged.append(replace(one, before_use=before, offered=may))
    min_s = _MIN_OFFERED * sum(one.independent_s for one in judged)
    return tuple(replace(one, offered=one.offered and one.independent_s >= min_s) for one in judged)


def _holders(
    groups: Sequence[tuple[str, Sequence[Place]]],
    accesses: Iterable[Place],
    lines: Mapping[Place, SourceLines],
) -> Mapping[str, set[Place]]:
    """The accesses that stand in the lines of each region, or in a function that only this region calls."""
    found: dict[str, set[Place]] = {where: set() for where, _ in groups}
    for access in accesses:
        other = lines.get(access)
        if other is None:
            continue
        inside = [
            where for where, places in groups if any(_overlaps(lines.get(one), other) for one in places)
        ]
        calling = [where for where, places in groups if any(_calls(one, access, lines) for one in places)]
        for where in inside or (calling if len(calling) == 1 else []):
            found[where].add(access)
    return found


def _overlaps(one: SourceLines | None, other: SourceLines) -> bool:
    """An inlined loop may have the name of either function: then the address of the outer one decides."""
    return (
        one is not None
        and one.file == other.file
        and (one.function == other.function or 0 < one.begin == other.begin)
        and one.first <= other.last
        and other.first <= one.last
    )


def _calls(place: Place, access: Place, lines: Mapping[Place, SourceLines]) -> bool:
    return place in lines and place[0] == access[0] and lines[access].begin in lines[place].calls


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
