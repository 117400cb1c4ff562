# SPDX-License-Identifier: BSD-3-Clause
"""Measured times of whole collective calls, flat and on grids, and their members in a profile."""

import math
from dataclasses import dataclass
from typing import Annotated

from stretto.data.collectives import MAX_MEMBERS, Algorithm, Collective
from stretto.data.fields import Place, shown
from stretto.data.typed import Within

_SHORTEST_S, LONGEST_S = 1e-12, 1e3


@dataclass(frozen=True)
class MeasuredTime:
    """A time in seconds; `deviation` is half of its relative 95 % interval."""

    size_bytes: Annotated[int, Within(1)]
    time_s: Annotated[float, Within(_SHORTEST_S, LONGEST_S)]
    deviation: Annotated[float, Within(0, 1)]


@dataclass(frozen=True)
class MeasuredCall:
    """Measured times of whole calls of one operation among `members`, by ascending sizes.

    `grid` is `P1xP2`, or None for the flat call.
    """

    operation: Collective
    members: Annotated[int, Within(2, MAX_MEMBERS)]
    times: tuple[MeasuredTime, ...]
    grid: str | None = None
    algorithm: Algorithm = "library"

    def check(self, place: Place) -> None:
        """Refuses a grid of other than its members, and sizes that do not ascend."""
        sizes = [one.size_bytes for one in self.times]
        place.member("times").check_sizes(sizes, "give at least one size with its time")
        if self.grid is not None and not _is_grid(self.grid, self.members):
            raise place.member("grid").error(
                f"is {shown(self.grid)}, which is no P1xP2 of {self.members} members"
            )


def _is_grid(text: str, members: int) -> bool:
    rows, _, columns = text.partition("x")
    numbers = [int(one) for one in (rows, columns) if one.isascii() and one.isdigit() and len(one) < 11]
    return len(numbers) == 2 and min(numbers) >= 2 and math.prod(numbers) == members
