# SPDX-License-Identifier: BSD-3-Clause
"""NAS FT: in slabs the transposes of all schedules, as `src/kernel/fft/leg_*.cpp` have them; or on a grid."""

from __future__ import annotations

from dataclasses import dataclass

from stretto.errors import UserError
from stretto.model.kernels.ft_grid import FtGrid, nearest_grid
from stretto.model.kernels.ft_work import COMPLEX_BYTES, MOST_MESSAGES, FtWork, pieces_of
from stretto.model.kernels.program import TRANSPORTS, KernelVariant, Program
from stretto.model.kernels.sizes import FtSize


@dataclass(frozen=True)
class FtKernel:
    """A class on so many ranks, in slabs where there are planes for all of them, and on the nearest grid.

    In slabs a rank has planes of z before a transpose, of y after it.
    """

    size: FtSize
    ranks: int

    def __post_init__(self) -> None:
        if self.ranks < 2:
            raise UserError(f"-n {self.ranks}: the model of ft knows 2 ranks and more")
        if not self.in_slabs and self.grid is None:
            raise UserError(
                f"-n {self.ranks}: no grid leaves each rank a part of this class; take fewer ranks"
            )

    @property
    def in_slabs(self) -> bool:
        """Whether every rank has a plane, before and after."""
        return self.ranks <= min(self.size.ny, self.size.nz)

    @property
    def grid(self) -> FtGrid | None:
        """The grid nearest to a square, if there is one."""
        found = nearest_grid(self.size, self.ranks)
        return None if found is None else FtGrid(self.work, *found)

    @property
    def work(self) -> FtWork:
        """What is computed."""
        return FtWork(self.size, self.ranks)

    @property
    def transform_flops(self) -> float:
        """Of a rank, with the step in time before it."""
        return self.work.transform_flops

    @property
    def schedules(self) -> dict[str, int]:
        """Names and pieces of a plane to each rank: slabs, chunks, pencils, as far as they differ."""
        return pieces_of(-(-self.size.nz // self.ranks), self.ranks)

    def variants(self) -> list[KernelVariant]:
        """All that a profile could carry, the simplest first: in slabs before on a grid."""
        found: list[KernelVariant] = []
        if self.in_slabs:
            found.append(self._variant("alltoall", "mpi-two-sided", 0))
            packed = [transport for transport in TRANSPORTS if transport != "mpi-two-sided"]
            found += [self._variant("packed-slabs", transport, 0) for transport in packed]
        grid = self.grid
        if grid is not None:
            found += grid.plain()
        if self.in_slabs:
            planes = -(-self.size.ny // self.ranks)
            for name, pieces in self.schedules.items():
                if planes * pieces * (self.ranks - 1) <= MOST_MESSAGES:
                    found += [self._variant(name, transport, pieces) for transport in TRANSPORTS]
        if grid is not None:
            found += grid.overlapped()
        return found

    def variant(self, name: str, transport: str) -> KernelVariant:
        """One of those in slabs by name; packed slabs over any transport."""
        if name in ("alltoall", "packed-slabs"):
            return self._variant(name, "mpi-two-sided" if name == "alltoall" else transport, 0)
        rows = -(-self.size.nz // self.ranks)  # pencils of one row a plane are slabs
        return self._variant(name, transport, {**self.schedules, "pencils": rows}[name])

    def _variant(self, name: str, transport: str, pieces: int) -> KernelVariant:
        program = self._packed(transport) if pieces == 0 else self._pieces(transport, pieces)
        return self.work.variant(name, program, pieces > 0)

    def _bytes(self, planes: int, rows: int) -> int:
        return planes * rows * self.size.nx * COMPLEX_BYTES

    def _packed(self, transport: str) -> Program:
        planes, rows = -(-self.size.ny // self.ranks), -(-self.size.nz // self.ranks)
        after = self.work.along(self.size.ny)
        program = Program(transport)
        program.compute(1 - after)
        program.arrive([program.start(hop, self._bytes(planes, rows)) for hop in range(1, self.ranks)])
        program.compute(after)
        return program

    def _pieces(self, transport: str, pieces: int) -> Program:
        """Along z first, then, of each piece, the rows along x, and away; lines along y as groups arrive."""
        planes, rows = -(-self.size.ny // self.ranks), -(-self.size.nz // self.ranks)
        program = Program(transport)
        along_x, after = self.work.along(self.size.nx), self.work.along(self.size.ny)
        groups: list[list[int]] = [[] for _ in range(pieces)]
        for _ in range(planes):
            program.compute((1 - after - along_x) / planes)
            for group in groups:
                for hop in range(1, self.ranks + 1):  # oneself last
                    program.compute(along_x / planes / pieces / self.ranks)
                    if hop < self.ranks:
                        group.append(program.start(hop, self._bytes(1, -(-rows // pieces))))
        for group in groups:
            program.arrive(group)
            program.compute(after / pieces)
        return program
