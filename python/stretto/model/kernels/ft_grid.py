# SPDX-License-Identifier: BSD-3-Clause
"""NAS FT on a grid of ranks: the way back of a transform, as `src/kernel/fft/grid_engine.cpp` carries it out.

First y and z change places along the columns of the grid, as in slabs; each plane of z that is complete then
goes along its row, for the lines along x, before the next one is begun.
"""

from __future__ import annotations

from dataclasses import dataclass

from stretto.model.kernels.ft_work import COMPLEX_BYTES, MOST_MESSAGES, FtWork, pieces_of
from stretto.model.kernels.program import TRANSPORTS, KernelVariant, Program
from stretto.model.kernels.sizes import FtSize


def nearest_grid(size: FtSize, ranks: int) -> tuple[int, int] | None:
    """The p1 x p2 nearest to a square on which every rank has something; None: there is none but slabs.

    As `chosen_grid` of `src/kernel/fft/plan.cpp`: p1 ranks share z and, after the transpose, y; p2 share y
    and x.
    """
    grids = [(p1, ranks // p1) for p1 in range(1, ranks) if ranks % p1 == 0]
    fitting = [(p1, p2) for p1, p2 in grids if p1 <= min(size.nz, size.ny) and p2 <= min(size.ny, size.nx)]
    return min(fitting, key=lambda grid: abs(grid[0] - grid[1]), default=None)


@dataclass(frozen=True)
class FtGrid:
    """`rows` x `columns` ranks: p1 and p2 of `stretto/fft.hpp`."""

    work: FtWork
    rows: int
    columns: int

    @property
    def settings(self) -> tuple[str, ...]:
        """The options that ask for it."""
        return (f"grid={self.rows}x{self.columns}",)

    @property
    def _planes(self) -> tuple[int, int]:
        """Of y when the transform begins, and of z after the exchange along a column."""
        return -(-self.work.size.ny // self.rows), -(-self.work.size.nz // self.rows)

    def plain(self) -> list[KernelVariant]:
        """What does not overlap along columns: a message to each rank of one, when all is transformed."""
        found = [self.variant("alltoall", "mpi-two-sided", 0)]
        packed = [transport for transport in TRANSPORTS if transport != "mpi-two-sided"]
        return found + [self.variant("packed-slabs", transport, 0) for transport in packed]

    def overlapped(self) -> list[KernelVariant]:
        """Pieces of planes that leave under the transform of the next ones."""
        before, after = self._planes
        found = []
        for name, pieces in pieces_of(after, max(self.rows, self.columns)).items():
            for transport in TRANSPORTS:
                along_rows = after * (self.columns - 1) * self._puts_a_plane(name, transport)
                if self.rows > 1 and before * pieces * (self.rows - 1) + along_rows <= MOST_MESSAGES:
                    found.append(self.variant(name, transport, pieces))
        return found

    def variant(self, name: str, transport: str, pieces: int) -> KernelVariant:
        """A schedule with so many messages of a plane to each rank of a column; 0: one of all planes."""
        program = Program(transport)
        groups = self._away(program, pieces)
        self._home(program, groups, self._puts_a_plane(name, transport))
        return self.work.variant(name, program, pieces > 0, self.settings)

    def _away(self, program: Program, pieces: int) -> list[list[int]]:
        """Planes of y along z, and along the column; the messages of each group of planes of z."""
        size, (before, after) = self.work.size, self._planes
        width = -(-size.nx // self.columns)
        columns = 1 - self.work.along(size.nx) - self.work.along(size.ny)
        groups: list[list[int]] = [[] for _ in range(max(pieces, 1))]
        for _ in range(before):
            program.compute(columns / before)
            for group in groups if pieces > 0 else []:
                group += self._along_column(program, -(-after // pieces) * width)
        if pieces == 0:
            groups[0] += self._along_column(program, before * after * width)
        return groups

    def _along_column(self, program: Program, points: int) -> list[int]:
        hops = range(1, self.rows)
        return [program.start(hop * self.columns, points * COMPLEX_BYTES) for hop in hops]

    def _puts_a_plane(self, name: str, transport: str) -> int:
        """To another rank of a row: one, but of pencils in MPI's windows, which take one line each."""
        return -(-self.work.size.ny // self.columns) if (name, transport) == ("pencils", "mpi-rma") else 1

    def _home(self, program: Program, groups: list[list[int]], puts: int) -> None:
        """Each plane of z along y as it has arrived, along the row to whom it belongs, and along x."""
        size, (_, planes) = self.work.size, self._planes
        part = -(-size.ny // self.columns) * -(-size.nx // self.columns) * COMPLEX_BYTES
        for place, group in enumerate(groups):
            program.arrive(group)
            for _ in range(planes * place // len(groups), planes * (place + 1) // len(groups)):
                program.compute(self.work.along(size.ny) / planes)
                program.release(range(1, self.columns))
                hops = [hop for hop in range(1, self.columns) for _ in range(puts)]
                program.arrive([program.start(hop, part // puts) for hop in hops])
                program.compute(self.work.along(size.nx) / planes)
