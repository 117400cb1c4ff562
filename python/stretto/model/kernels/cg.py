# SPDX-License-Identifier: BSD-3-Clause
"""NAS CG on a grid of ranks: products and sums, as `src/kernel/nas/cg_grid.cpp` carries them out."""

from __future__ import annotations

from dataclasses import dataclass

from stretto.errors import UserError
from stretto.model.kernels.program import KernelVariant, Phase, Program, exchanges
from stretto.model.kernels.sizes import CgSize

_REAL_BYTES = 8
_STEPS = 25  # of conjugate gradients, in one of inverse iteration
_PRODUCTS = _STEPS + 1
_LEAST_CHUNK_BYTES = 16 << 10  # as `cg_grid.cpp` has it, where sums leave in chunks
_MOST_CHUNKS = 8
_SUMS = 2 * _STEPS + 4  # r r at first, p q and r r in each step, the residual's, x z and z z


@dataclass(frozen=True)
class CgKernel:
    """A class on so many ranks."""

    size: CgSize
    ranks: int

    def __post_init__(self) -> None:
        if self.ranks < 2:
            raise UserError(f"-n {self.ranks}: the model of cg knows 2 ranks and more")

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns: as square as it can be, at least as many columns."""
        rows = max(n for n in range(1, self.ranks + 1) if n * n <= self.ranks and self.ranks % n == 0)
        return rows, self.ranks // rows

    @property
    def product_flops(self) -> float:
        """Of a rank, by the nonzeros that the benchmark counts."""
        return 2.0 * self.size.rows * self.size.nonzeros * (self.size.nonzeros + 1) / self.ranks

    def variants(self) -> list[KernelVariant]:
        """All that a profile could carry, the simplest first."""
        return exchanges(self.variant)

    def variant(self, name: str, transport: str) -> KernelVariant:
        """One of them by name."""
        overlapped = name == "nonblocking"
        return KernelVariant(
            name,
            transport,
            overlapped,
            (self._product(transport, overlapped), self._sum(transport, overlapped)),
        )

    def _product(self, transport: str, overlapped: bool) -> Phase:
        """The pieces of the grid column come; sums leave for each rank of the grid row as they are made."""
        rows, columns = self.grid
        piece = -(-self.size.rows // self.ranks) * _REAL_BYTES
        program = Program(transport, blocking=not overlapped)
        coming = [program.start(hop * columns, piece) for hop in range(1, rows)]
        own = 1 / rows if overlapped and rows > 1 else 0.0
        program.compute(own)
        program.arrive(coming)
        if not overlapped:
            program.compute(1)
        leaving = []
        chunks = min(max(piece // _LEAST_CHUNK_BYTES, 1), _MOST_CHUNKS) if overlapped else 1
        for hop in range(1, columns + 1):  # one's own rows last
            for _ in range(chunks):
                if overlapped:
                    program.compute((1 - own) / (columns * chunks))
                if hop < columns:
                    leaving.append(program.start(hop, -(-piece // chunks)))
        program.release(hop * columns for hop in range(1, rows))
        program.arrive(leaving)
        program.release(range(1, columns))
        return program.phase("cg product", self.ranks, self.size.iterations * _PRODUCTS, self.product_flops)

    def _sum(self, transport: str, overlapped: bool) -> Phase:
        rows, columns = self.grid
        program = Program(transport, blocking=not overlapped)
        for count, step in ((columns, 1), (rows, columns)):
            program.arrive([program.start(hop * step, _REAL_BYTES) for hop in range(1, count)])
        vectors = 4.0 * self.size.rows / self.ranks  # about two of the five updates a sum
        program.compute(1)
        return program.phase("cg sum", self.ranks, self.size.iterations * _SUMS, vectors)
