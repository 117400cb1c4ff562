# SPDX-License-Identifier: BSD-3-Clause
"""Samples of the probe `collective` on a machine whose times follow formulas, and predictions of one call."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from synthetic_samples import sample, samples_of

from stretto.data.samples import Samples
from stretto.model.collective.functions import Functions, GroupCall, Prediction, call_times
from stretto.model.collective.two_phase import Grid, GridCall, TwoPhase, grids_of, two_phase_times

Time = Callable[[int, int], float]
MEMBERS = (2, 3, 4, 6, 8, 12, 16, 24)
SIZES = (80, 1024, 8192, 65536, 262144)
LATENCY_S, OVERHEAD_S, PER_BYTE_S = 60e-6, 10e-6, 90e-9


def stages(p: int) -> int:
    return (p - 1).bit_length()


def broadcast(p: int, b: int) -> float:
    """LAM's: linear up to four processes, a binomial tree above."""
    count = p - 1 if p <= 4 else stages(p)
    return (
        LATENCY_S + count * (OVERHEAD_S + PER_BYTE_S * b) if p <= 4 else count * (LATENCY_S + PER_BYTE_S * b)
    )


def reduce(p: int, b: int) -> float:
    return 1.1 * broadcast(p, b)


def gather(p: int, b: int) -> float:
    return LATENCY_S + (p - 1) * (OVERHEAD_S + PER_BYTE_S * b)


def allgather(p: int, b: int) -> float:
    return gather(p, b) + broadcast(p, p * b)


OPERATIONS: dict[str, Time] = {
    "broadcast": broadcast,
    "gather": gather,
    "scatter": gather,
    "reduce": reduce,
    "allreduce": lambda p, b: reduce(p, b) + broadcast(p, b),
    "allgather": allgather,
}


def quantities(operation: str, grid: Grid | None, members: int, size: int) -> dict[str, float]:
    """What the calls and their phases take."""
    time_s = OPERATIONS[operation]
    if grid is None:
        return {"total": time_s(members, size)}
    leader = time_s(grid.columns, (grid.rows if operation in ("gather", "scatter") else 1) * size)
    concurrent = time_s(grid.rows, (grid.columns if operation == "allgather" else 1) * size)
    return {"total": leader + concurrent, "leader": leader, "concurrent": concurrent}


def rows(
    operations: Sequence[str], members: Sequence[int], noise: float, rounds: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Sample rows: flat calls everywhere, all grids of the most processes."""
    random = np.random.default_rng(seed)
    case = 0
    for p in members:
        grids: list[Grid | None] = [None, *(grids_of(p) if p == max(members) else [])]
        for operation in operations:
            for grid in grids:
                for size in SIZES:
                    axes = {
                        "operation": operation,
                        "algorithm": "library",
                        "grid": "flat" if grid is None else str(grid),
                        "members": p,
                        "size_bytes": size,
                        "ranks": max(members),
                    }
                    for name, time_s in quantities(operation, grid, p, size).items():
                        for round_ in range(rounds):
                            t = time_s * (1 + noise * random.standard_normal())
                            yield {**sample("collective", case, name, round_, t), **axes}
                    case += 1


def collective_samples(
    path: Path,
    operations: Sequence[str] = tuple(OPERATIONS),
    members: Sequence[int] = MEMBERS,
    noise: float = 0.01,
    rounds: int = 5,
    seed: int = 1,
) -> Samples:
    """A samples file of the synthetic machine, read back."""
    result = list(rows(operations, members, noise, rounds, seed))
    return samples_of(path, result, ranks=max(members))


def predict(
    functions: Functions, operation: str, members: int, size_bytes: int, phase: str | None = None
) -> Prediction:
    """The time of one call, flat or as a phase."""
    return call_times(functions, [GroupCall(operation, members, size_bytes, phase)])[0]


def predict_two_phase(functions: Functions, operation: str, grid: Grid, size_bytes: int) -> TwoPhase:
    """The times of one unsegmented call on a grid."""
    return two_phase_times(functions, [GridCall(operation, grid, size_bytes)])[0]
