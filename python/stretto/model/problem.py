# SPDX-License-Identifier: BSD-3-Clause
"""The problems of the probes FT and SPMV: their sizes, schedules and computation."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stretto.data.profile import ComputeEntry
from stretto.data.results import AxisValue
from stretto.errors import UserError
from stretto.model.network import drawn
from stretto.model.parameters import Source
from stretto.model.schedule import Operation, Schedule
from stretto.model.statistics import Floats

COMPLEX_BYTES = 16
REAL_BYTES = 8
FFT_WORK, SPMV_WORK = "fft", "spmv"  # work kinds of a profile's compute rates, counted in flops


@dataclass(frozen=True)
class FtProblem:
    """N rows of R complex doubles per rank, `scale` transforms of each row, on P ranks (section 5.1)."""

    rows: int
    row_length: int
    ranks: int
    scale: float = 1.0

    bulk_name = "exchange"
    count_name = "chunks"

    @property
    def row_bytes(self) -> int:
        return COMPLEX_BYTES * self.row_length

    @property
    def flops(self) -> float:
        """The nominal flops of a rank: 5 R log2 R per transform."""
        return self.scale * self.rows * 5 * self.row_length * math.log2(max(self.row_length, 2))

    def schedule(self, name: str, count: int | None = None, operation: str = "put") -> Schedule:
        """One of its schedules; `count` is the number of chunks."""
        carried: Operation = "send" if operation == "send" else "put"
        counted = {} if count is None else {"chunks": count}
        sizes = {"rows": self.rows, "row_bytes": self.row_bytes, **counted}
        return Schedule("ft", name, self.ranks, carried, sizes)

    def sizes(self) -> dict[str, AxisValue]:
        """The sizes that determine the communication."""
        return {"rows": self.rows, "row_length": self.row_length, "ranks": self.ranks}

    def chunkings(self) -> list[int]:
        """All chunk counts X from slabs to pencils, with whole rows and equally many pieces per rank."""
        per_rank = self.rows // self.ranks
        return [self.ranks * n for n in range(1, per_rank + 1) if per_rank % n == 0]


@dataclass(frozen=True)
class SpmvProblem:
    """A matrix of order n with a ratio of nonzeros, on P ranks (section 5.2)."""

    rows: int
    nonzero_ratio: float
    ranks: int

    bulk_name = "bulk"
    count_name = "prefetch"

    @property
    def block_bytes(self) -> int:
        """The size of the largest block of the source vector."""
        return REAL_BYTES * -(-self.rows // self.ranks)

    def sizes(self) -> dict[str, AxisValue]:
        """The sizes that determine the communication."""
        return {"rows": self.rows, "ranks": self.ranks}

    @property
    def flops(self) -> float:
        """The flops of a rank: 2 per nonzero."""
        return 2 * self.nonzero_ratio * self.rows**2 / self.ranks

    def schedule(self, name: str, count: int | None = None, operation: str = "get") -> Schedule:
        """One of its schedules; `count` is the prefetch depth, by default 1."""
        pushed: Operation = "put" if name == "scatter" else "get"
        carried: Operation = "send" if operation == "send" else pushed
        sizes = {"block_bytes": self.block_bytes, "prefetch": 1 if count is None else count}
        return Schedule("spmv", name, self.ranks, carried, sizes)


Problem = FtProblem | SpmvProblem

# The operations for a schedule, the best first: bulk and gather fetch, the others push.
FETCHED = ("get", "send")
PUSHED = ("put", "send")


def operations_of(schedule: str) -> tuple[str, ...]:
    """The operations that can implement the schedule of this name, the best first."""
    return FETCHED if schedule in ("bulk", "gather") else PUSHED


class UnknownRate(UserError):
    """Neither the profile nor the user states how fast a rank computes."""


def work_s(source: Source, problem: Problem, rate_flops_per_s: float | None = None) -> Floats:
    """A rank's computation, shape (draws,), at the given rate or at the profile's.

    Raises:
        UnknownRate: Neither is there.
    """
    if problem.flops == 0:
        return np.zeros(source.draws)
    if rate_flops_per_s is not None:
        return np.full(source.draws, problem.flops / rate_flops_per_s)
    if isinstance(problem, FtProblem):
        kind, probe, each_s = FFT_WORK, "ft", seconds_per_flop(source, FFT_WORK, problem.row_length)
    else:
        kind, probe, each_s = SPMV_WORK, "spmv", seconds_per_flop(source, SPMV_WORK)
    if each_s is None:
        raise UnknownRate(
            f"{source.file}: has no compute rate of '{kind}'; `stretto probe {probe}` measures it, "
            "or give --flops-rate"
        )
    return problem.flops * each_s


def seconds_per_flop(source: Source, kind: str, row_length: int | None = None) -> Floats | None:
    """The profile's rate for a kind of work, shape (draws,), at the nearest row length; None without any."""
    entries = [
        entry
        for entry in source.profile.compute
        if entry.work_kind == kind and entry.seconds_per_count.value is not None
    ]

    def distance(entry: ComputeEntry) -> float:
        if row_length is None or entry.row_length is None:
            return 0.0
        return abs(math.log(entry.row_length / row_length))

    nearest = min(entries, key=distance, default=None)
    if nearest is None:
        return None
    return drawn(nearest.seconds_per_count, source.rng(kind, str(nearest.row_length)), source.draws)
