# SPDX-License-Identifier: BSD-3-Clause
"""How well are Jacobi iterations predicted? On simulated clic, by rows and by columns, flat and on grids.

Functions are those that `runtime_functions.py` fits, from the samples that it leaves; each run is verified
against a serial solve. Ends with 3 where a prediction is more than 5 % off.

Usage: `jacobi.py [RANKS,SIZE,LAYOUT,GRID]...`, such as 96,1000,row,8x12; without any, FLAT_CASES and GRID_CASES
(ten minutes of a core).
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

from runtime_functions import ALGORITHM, FLAT, GRIDS, ROOT, SIZES, calls

from stretto.data.profile import Profile
from stretto.launch.simulated import find_platform
from stretto.model.collective.coupling import fit_couplings
from stretto.model.collective.fit import fit_functions
from stretto.model.collective.functions import Functions
from stretto.model.collective.jacobi import LAYOUTS, all_iterations
from stretto.model.collective.two_phase import parse_grid
from stretto.model.statistics import DEFAULT_SEED

PLATFORM = "clic"
ITERATIONS = 20
MOST_OFF = 0.05
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


def cases(arguments: list[str]) -> list[Case]:
    """Those asked for, or all."""
    if not arguments:
        flat = [(ranks, unknowns, "flat") for ranks, unknowns in FLAT_CASES]
        every = [*flat, *GRID_CASES]
        return [Case(ranks, size, layout, grid) for ranks, size, grid in every for layout in LAYOUTS]
    found = []
    for argument in arguments:
        ranks, unknowns, layout, grid = argument.split(",")
        found.append(Case(int(ranks), int(unknowns), layout, grid))
    return found


def functions() -> Functions:
    """The platform's runtime functions, from the probe's samples."""
    train = calls(PLATFORM, FLAT[PLATFORM], "flat", SIZES) + calls(PLATFORM, GRIDS[PLATFORM], "all", SIZES)
    torus = find_platform(PLATFORM).torus
    fitted = fit_functions(train, DEFAULT_SEED, torus)
    profile = Profile((), collectives=fitted, couplings=fit_couplings(train, fitted, torus), torus=torus)
    return Functions.of(profile, ALGORITHM)


def iteration_s(case: Case) -> float:
    """Simulated seconds of an iteration."""
    settings = {
        "size": case.unknowns,
        "iterations": ITERATIONS,
        "algorithm": ALGORITHM,
        "grid": case.grid,
    }
    chosen = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    command = [
        str(ROOT / ".venv" / "bin" / "stretto"),
        "run",
        "jacobi",
        "-n",
        str(case.ranks),
        "--on",
        "simulated",
    ]
    command += ["--platform", PLATFORM, "--variant", case.layout, *chosen, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{case}: {done.stderr.strip()}")
    return float(json.loads(done.stdout)["time_s"]) / ITERATIONS


def main() -> int:
    """Prints a line a case."""
    known = functions()
    operation_s = 1 / find_platform(PLATFORM).figure("core_flops_per_s", 0.0)
    worst = 0.0
    print(f"# {'ranks':>5}{'n':>7} layout  grid   simulated ms  predicted ms   off %")
    for case in cases(sys.argv[1:]):
        measured_s = iteration_s(case)
        grid = None if case.grid == "flat" else parse_grid(case.grid, case.ranks)
        (one,) = all_iterations(known, case.unknowns, case.ranks, {case.layout: operation_s}, [grid]).rows
        found = one.time
        if found.time_s is None:
            raise SystemExit(f"{case}: {found.reason}")
        off = found.time_s / measured_s - 1
        worst = max(worst, abs(off))
        print(
            f"  {case.ranks:5d}{case.unknowns:7d} {case.layout:7} {case.grid:6}"
            f"{1e3 * measured_s:13.3f}{1e3 * found.time_s:14.3f}{100 * off:8.1f}",
            flush=True,
        )
    return 3 if worst > MOST_OFF else 0


if __name__ == "__main__":
    sys.exit(main())
