# SPDX-License-Identifier: BSD-3-Clause
"""NAS MG on a grid of ranks over y and z: cycles level by level, as `src/kernel/nas/mg_*.cpp` has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stretto.errors import UserError
from stretto.model.kernels.program import KernelVariant, Phase, Program, exchanges
from stretto.model.kernels.sizes import MgSize

_REAL_BYTES = 8
_STENCIL, _INTERPOLATION, _RESTRICTION = 19.0, 5.0, 15.0  # flops a point; of restriction a coarse point
_LARGEST_WHOLE = 16  # points along an axis of a level that is whole on every rank


@dataclass(frozen=True)
class _Level:
    """This rank's part: `nx` points of `ny` by `nz` rows; `split_y`, whether y is cut, too."""

    nx: int
    ny: int
    nz: int
    split_y: bool
    split_z: bool

    @property
    def points(self) -> float:
        return float(self.nx * self.ny * self.nz)

    @property
    def row_bytes(self) -> int:
        return self.nx * _REAL_BYTES

    @property
    def shell(self) -> float:
        """The share of the rows that other ranks wait for."""
        inner = max(self.nz - 2, 0) * (max(self.ny - 2, 0) if self.split_y else self.ny)
        return 1 - inner / (self.ny * self.nz)


@dataclass(frozen=True)
class MgKernel:
    """A class on so many ranks, a power of two."""

    size: MgSize
    ranks: int

    def __post_init__(self) -> None:
        if self.ranks < 2 or self.ranks & (self.ranks - 1):
            raise UserError(f"-n {self.ranks}: mg takes a power of two of ranks, the model from 2 on")

    @property
    def grid(self) -> tuple[int, int]:
        """Ranks along y and z: a square, or twice as many along z."""
        along_y = 1 << ((self.ranks.bit_length() - 1) // 2)
        return along_y, self.ranks // along_y

    def variants(self) -> list[KernelVariant]:
        """All that a profile could carry, the simplest first."""
        return exchanges(self.variant)

    def variant(self, name: str, transport: str) -> KernelVariant:
        """One of them by name."""
        overlapped = name == "nonblocking"
        one = _Variant(self, transport, overlapped)
        return KernelVariant(name, transport, overlapped, tuple(one.phases()))

    def level(self, points: int) -> _Level:
        """A level of so many points along each axis."""
        along_y, along_z = self.grid
        if points <= _LARGEST_WHOLE or points < 2 * along_z:
            return _Level(points, points, points, False, False)
        return _Level(points, points // along_y, points // along_z, along_y > 1, True)


@dataclass(frozen=True)
class _Variant:
    kernel: MgKernel
    transport: str
    overlapped: bool

    def phases(self) -> Iterator[Phase]:
        """Of a run: the residual first, then cycles from the finest level down and up again."""
        finest = self.kernel.size.points
        points = finest
        while points > 2:
            level = self.kernel.level(points)
            yield self._restriction(level)
            if level.split_z and not self.kernel.level(points // 2).split_z:
                yield self._gather(points // 2)
            yield self._halo("prolong", level, (_INTERPOLATION + _STENCIL) * level.points)
            last = _STENCIL if points == finest else 0.0  # the residual goes with the last correction
            yield self._halo("correct", level, (_STENCIL + last) * level.points)
            points //= 2
        first = Program(self.transport)
        first.compute(1)
        yield first.phase("mg residual", self.kernel.ranks, 1, _STENCIL * self.kernel.level(finest).points)

    def _phase(self, name: str, program: Program, flops: float) -> Phase:
        return program.phase(f"mg {name}", self.kernel.ranks, self.kernel.size.iterations, flops)

    def _exchange(self, shell: float, first: list[int], then: list[int], flops: float, name: str) -> Phase:
        """Messages of sizes `first`, and when they are here those of `then`; all at once if overlapped."""
        program = Program(self.transport, blocking=not self.overlapped)
        program.compute(shell if self.overlapped else 1)
        rounds = [first + then] if self.overlapped else [sizes for sizes in (first, then) if sizes]
        for place, sizes in enumerate(rounds):
            messages = [program.start(hop % self.kernel.ranks, size) for hop, size in enumerate(sizes, 1)]
            if place == 0 and self.overlapped:
                program.compute(1 - shell)
            program.arrive(messages)
        return self._phase(name, program, flops)

    def _restriction(self, level: _Level) -> Phase:
        flops = _RESTRICTION * level.points / 8
        if not level.split_z:
            return self._exchange(1, [], [], flops, "restrict")
        half = level.row_bytes // 2
        sizes = [level.ny // 2 * half, *([level.nz // 2 * half, half] if level.split_y else [])]
        return self._exchange(level.shell / 2, sizes, [], flops, "restrict")

    def _halo(self, name: str, level: _Level, flops: float) -> Phase:
        if not level.split_z:
            return self._exchange(1, [], [], flops, name)
        along_z = [level.ny * level.row_bytes] * 2
        if not level.split_y:
            along_y = []
        elif self.overlapped:
            along_y = [level.nz * level.row_bytes] * 2 + [level.row_bytes] * 4
        else:
            along_y = [(level.nz + 2) * level.row_bytes] * 2
        return self._exchange(level.shell, along_z, along_y, flops, name)

    def _gather(self, points: int) -> Phase:
        """Everybody's part of a level that becomes whole: along z, then along y."""
        along_y, along_z = self.kernel.grid
        program = Program(self.transport, blocking=not self.overlapped)
        part = points * points // along_y * points // along_z * _REAL_BYTES
        for count, size in ((along_z, part), (along_y, part * along_z)):
            program.arrive([program.start(hop, size) for hop in range(1, count)])
        return self._phase("gather", program, 0.0)
