# SPDX-License-Identifier: BSD-3-Clause
"""What NAS FT computes and sends, however it is spread over ranks.

Of a transform's flops, 5 N log2 n along each axis of n points, those behind an exchange are of what has
arrived while the rest is on its way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from stretto.model.kernels.program import KernelVariant, Program
from stretto.model.kernels.sizes import FtSize

COMPLEX_BYTES = 16
MOST_MESSAGES = 5_000  # of a transform and rank: beyond, evaluating takes longer than a run
_EVOLVE_FLOPS = 4.0  # a point and iteration: two real products for each part
_INITIAL_FLOPS = 8.0  # a point, once: the random numbers


@dataclass(frozen=True)
class FtWork:
    """A class on so many ranks."""

    size: FtSize
    ranks: int

    @property
    def points(self) -> float:
        """Of a rank."""
        return self.size.nx * self.size.ny * self.size.nz / self.ranks

    @property
    def transform_flops(self) -> float:
        """Of a rank, with the step in time before it."""
        axes = (self.size.nx, self.size.ny, self.size.nz)
        return self.points * (5 * sum(map(math.log2, axes)) + _EVOLVE_FLOPS)

    def along(self, points: int) -> float:
        """The share of `transform_flops` that an axis of so many points takes."""
        return self.points * 5 * math.log2(points) / self.transform_flops

    def variant(
        self, name: str, program: Program, overlapped: bool, settings: tuple[str, ...] = ()
    ) -> KernelVariant:
        """A run whose transforms each are `program`: that of the way back, which all but one are."""
        transforms = program.phase(f"ft {name}", self.ranks, self.size.iterations + 1, self.transform_flops)
        first = Program(program.transport)
        first.compute(1)
        initial = first.phase("initial conditions", self.ranks, 1, _INITIAL_FLOPS * self.points)
        return KernelVariant(name, program.transport, overlapped, (initial, transforms), settings)


def pieces_of(rows: int, targets: int) -> dict[str, int]:
    """Into how many messages to each target the rows of a plane go, by schedule, as far as these differ.

    Args:
        rows: Of a plane for each of them.
        targets: Ranks that share it, oneself counted.
    """
    found = {"slabs": 1}
    if rows >= 8:
        found[f"chunks={4 * targets}"] = 4
    if rows > 1:
        found["pencils"] = rows
    return found
