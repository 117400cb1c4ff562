# SPDX-License-Identifier: BSD-3-Clause
"""NAS FT on slabs: the transposes of all schedules, as `src/kernel/fft/leg_*.cpp` carry them out.

Of a transform's flops, 5 N log2 n along each axis of n points, those along the last axis follow the exchange:
of what has arrived while the rest is on its way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from stretto.errors import UserError
from stretto.model.kernels.program import TRANSPORTS, KernelVariant, Program
from stretto.model.kernels.sizes import FtSize

_COMPLEX_BYTES = 16
_EVOLVE_FLOPS = 4.0  # a point and iteration: two real products for each part
_INITIAL_FLOPS = 8.0  # a point, once: the random numbers
_MOST_MESSAGES = 5_000  # of a transpose and rank: beyond, evaluating takes longer than a run


@dataclass(frozen=True)
class FtKernel:
    """A class on so many ranks: planes of z before a transpose, of y after it."""

    size: FtSize
    ranks: int

    def __post_init__(self) -> None:
        planes = min(self.size.ny, self.size.nz)
        if not 2 <= self.ranks <= planes:
            raise UserError(f"-n {self.ranks}: the model of ft knows 2 to {planes} ranks, with planes each")

    @property
    def points(self) -> float:
        """Of a rank."""
        return self.size.nx * self.size.ny * self.size.nz / self.ranks

    @property
    def transform_flops(self) -> float:
        """Of a rank, with the step in time before it."""
        axes = (self.size.nx, self.size.ny, self.size.nz)
        return self.points * (5 * sum(map(math.log2, axes)) + _EVOLVE_FLOPS)

    def schedules(self) -> Iterator[tuple[str, int]]:
        """Names and pieces of a plane to each rank: slabs, chunks, pencils, as far as they differ."""
        rows = -(-self.size.nz // self.ranks)
        yield "slabs", 1
        if rows >= 8:
            yield f"chunks={4 * self.ranks}", 4
        if rows > 1:
            yield "pencils", rows

    def variants(self) -> list[KernelVariant]:
        """All that a profile could carry, the simplest first."""
        found = [self._variant("alltoall", "mpi-two-sided", 0)]
        found += [
            self._variant("packed-slabs", transport, 0)
            for transport in TRANSPORTS
            if transport != "mpi-two-sided"
        ]
        planes = -(-self.size.ny // self.ranks)
        for name, pieces in self.schedules():
            if planes * pieces * (self.ranks - 1) <= _MOST_MESSAGES:
                found += [self._variant(name, transport, pieces) for transport in TRANSPORTS]
        return found

    def variant(self, name: str, transport: str) -> KernelVariant:
        """One of them by name; packed slabs over any transport."""
        if name in ("alltoall", "packed-slabs"):
            return self._variant(name, "mpi-two-sided" if name == "alltoall" else transport, 0)
        rows = -(-self.size.nz // self.ranks)  # pencils of one row a plane are slabs
        return self._variant(name, transport, {**dict(self.schedules()), "pencils": rows}[name])

    def _variant(self, name: str, transport: str, pieces: int) -> KernelVariant:
        program = self._packed(transport) if pieces == 0 else self._pieces(transport, pieces)
        transposes = program.phase(f"ft {name}", self.ranks, self.size.iterations + 1, self.transform_flops)
        first = Program(transport)
        first.compute(1)
        initial = first.phase("initial conditions", self.ranks, 1, _INITIAL_FLOPS * self.points)
        return KernelVariant(name, transport, pieces > 0, (initial, transposes))

    @property
    def _after(self) -> float:
        """The share of a transform's flops that follows the exchange: along y, on the way back."""
        return self.points * 5 * math.log2(self.size.ny) / self.transform_flops

    def _bytes(self, planes: int, rows: int) -> int:
        return planes * rows * self.size.nx * _COMPLEX_BYTES

    def _packed(self, transport: str) -> Program:
        planes, rows = -(-self.size.ny // self.ranks), -(-self.size.nz // self.ranks)
        program = Program(transport)
        program.compute(1 - self._after)
        program.arrive([program.start(hop, self._bytes(planes, rows)) for hop in range(1, self.ranks)])
        program.compute(self._after)
        return program

    def _pieces(self, transport: str, pieces: int) -> Program:
        """Along z first, then, of each piece, the rows along x, and away; lines along y as groups arrive."""
        planes, rows = -(-self.size.ny // self.ranks), -(-self.size.nz // self.ranks)
        program = Program(transport)
        along_x = 5 * math.log2(self.size.nx) * self.points / self.transform_flops
        columns = 1 - self._after - along_x
        groups: list[list[int]] = [[] for _ in range(pieces)]
        for _ in range(planes):
            program.compute(columns / planes)
            for group in groups:
                for hop in range(1, self.ranks + 1):  # oneself last
                    program.compute(along_x / planes / pieces / self.ranks)
                    if hop < self.ranks:
                        group.append(program.start(hop, self._bytes(1, -(-rows // pieces))))
        for group in groups:
            program.arrive(group)
            program.compute(self._after / pieces)
        return program
