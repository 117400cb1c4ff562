# SPDX-License-Identifier: BSD-3-Clause
"""Measured times of whole collective calls, flat and on grids, and their members in a profile."""

import math
from dataclasses import dataclass

from stretto.data.collectives import ALGORITHMS, MAX_MEMBERS, OPERATIONS
from stretto.data.fields import LARGEST_INTEGER, Members, shown

_SHORTEST_S, LONGEST_S = 1e-12, 1e3


@dataclass(frozen=True)
class MeasuredTime:
    """A time in seconds; `deviation` is half of its relative 95 % interval."""

    size_bytes: int
    time_s: float
    deviation: float


@dataclass(frozen=True)
class MeasuredCall:
    """Measured times of whole calls of one operation among `members`, by ascending sizes.

    `grid` is `P1xP2`, or None for the flat call.
    """

    operation: str
    members: int
    times: tuple[MeasuredTime, ...]
    grid: str | None = None
    algorithm: str = "library"


def measured_call(entry: Members) -> MeasuredCall:
    """A member of a profile's `measured_collectives`. UserError names a wrong member."""
    members = entry.integer("members", 2, MAX_MEMBERS)
    return MeasuredCall(
        operation=entry.text("operation", allowed=OPERATIONS),
        members=members,
        times=_measured_times(entry),
        grid=_grid_text(entry, members) if entry.has("grid") else None,
        algorithm=entry.text("algorithm", "library", allowed=ALGORITHMS),
    )


def _grid_text(entry: Members, members: int) -> str:
    text = entry.text("grid")
    rows, _, columns = text.partition("x")
    numbers = [int(one) for one in (rows, columns) if one.isascii() and one.isdigit() and len(one) < 11]
    if len(numbers) != 2 or min(numbers) < 2 or math.prod(numbers) != members:
        raise entry.place.member("grid").error(f"is {shown(text)}, which is no P1xP2 of {members} members")
    return text


def _measured_times(entry: Members) -> tuple[MeasuredTime, ...]:
    times = tuple(
        MeasuredTime(
            one.integer("size_bytes", 1, LARGEST_INTEGER),
            one.number("time_s", _SHORTEST_S, LONGEST_S),
            one.number("deviation", 0, 1),
        )
        for one in entry.objects("times")
    )
    place = entry.place.member("times")
    if not times:
        raise place.error("is missing or empty; give at least one size with its time")
    for index, (below, above) in enumerate(zip(times, times[1:], strict=False), 1):
        if above.size_bytes <= below.size_bytes:
            raise place.item(index).error("is not above the size before it; order them by size")
    return times
