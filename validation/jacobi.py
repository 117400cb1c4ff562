# SPDX-License-Identifier: BSD-3-Clause
"""Compares predicted Jacobi iterations with simulations on clic, by rows and columns, flat and on grids.

The functions are fitted to the samples of the entry `runtime-functions`. Each run is verified with a serial
solver. All cases take ten minutes of a core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context
from stretto.errors import RunError
from stretto.launch.platforms import find_platform
from stretto.model.collective.functions import Functions
from stretto.model.collective.jacobi import LAYOUTS, all_iterations
from stretto.model.collective.two_phase import parse_grid
from validation.commands import document
from validation.papers.collective_calls import ALGORITHM, FULL, calls, fitted_functions
from validation.runtime_functions import OUTPUT

PLATFORM = "clic"
ITERATIONS = 20
MAX_OFF = 0.05
FLAT_CASES = (
    (16, 1000),
    (16, 4000),
    (16, 10000),
    (32, 2000),
    (64, 8000),
    (96, 1000),
    (96, 6000),
    (96, 10000),
)
GRID_CASES = (
    (16, 1000, "4x4"),
    (32, 1000, "2x16"),
    (48, 4000, "4x12"),
    (96, 1000, "8x12"),
    (96, 10000, "8x12"),
)


@dataclass(frozen=True)
class Case:
    """One run; `grid` is `flat` or `P1xP2`."""

    ranks: int
    unknowns: int
    layout: str
    grid: str


def run(context: Context) -> Iterator[Result]:
    """Yields one row per case."""
    known = functions()
    operation_s = 1 / find_platform(PLATFORM).figure("core_flops_per_s", 0.0)
    rows, worst = [], 0.0
    for case in cases(context.options.jacobi):
        measured_s = iteration_s(case)
        grid = None if case.grid == "flat" else parse_grid(case.grid, case.ranks)
        (one,) = all_iterations(known, case.unknowns, case.ranks, {case.layout: operation_s}, [grid]).rows
        result = one.time
        if result.time_s is None:
            raise RunError(f"{case}: {result.reason}")
        off = result.time_s / measured_s - 1
        worst = max(worst, abs(off))
        times = (f"{1e3 * measured_s:.3f}", f"{1e3 * result.time_s:.3f}", f"{off:+.1%}")
        rows.append((str(case.ranks), str(case.unknowns), case.layout, case.grid, *times))
    columns = ("ranks", "unknowns", "layout", "grid", "simulated (ms)", "predicted (ms)", "off")
    yield Table(f"Jacobi iterations on {PLATFORM}", columns, rows)
    check = Check("iteration, largest deviation", f"simulated {PLATFORM}", exactly(worst), MAX_OFF)
    yield Checks("Jacobi", [check])


def cases(chosen: Sequence[str]) -> list[Case]:
    """The chosen cases, such as 96,1000,row,8x12; by default all."""
    if not chosen:
        flat = [(ranks, unknowns, "flat") for ranks, unknowns in FLAT_CASES]
        every = [*flat, *GRID_CASES]
        return [Case(ranks, size, layout, grid) for ranks, size, grid in every for layout in LAYOUTS]
    result = []
    for case in chosen:
        ranks, unknowns, layout, grid = case.split(",")
        result.append(Case(int(ranks), int(unknowns), layout, grid))
    return result


def functions() -> Functions:
    """The platform's runtime functions, from the probe's samples."""
    plan = FULL[PLATFORM]
    train = calls(PLATFORM, plan.flat, "flat", plan.sizes, OUTPUT)
    return fitted_functions(PLATFORM, train + calls(PLATFORM, plan.grids, "all", plan.sizes, OUTPUT))


def iteration_s(case: Case) -> float:
    """The simulated seconds of an iteration."""
    settings = {"size": case.unknowns, "iterations": ITERATIONS, "algorithm": ALGORITHM, "grid": case.grid}
    chosen = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    place = ("-n", str(case.ranks), "--on", "simulated", "--platform", PLATFORM)
    result = document("run", "jacobi", *place, "--variant", case.layout, *chosen)
    return float(result["time_s"]) / ITERATIONS
