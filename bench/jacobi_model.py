# SPDX-License-Identifier: BSD-3-Clause
"""Does `stretto predict jacobi` tell what an iteration takes? Equations 1 and 2 beside simulated runs.

The functions are fitted to what a simulated probe measures of the library's flat collectives on the same
platform; t_op is taken from the computation of each run. Usage: `jacobi_model.py [PLATFORM]` (default: clic).
Exit status 3 where a prediction is off by more than 5 %.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from stretto.data.profile import Profile
from stretto.data.samples import read_samples
from stretto.launch.job import Job
from stretto.launch.native import native_program
from stretto.launch.platforms import Platform
from stretto.launch.simulated import find_platform, run_simulated
from stretto.model.cases import cases_of
from stretto.model.collective.fit import fit_functions
from stretto.model.collective.functions import Functions
from stretto.model.collective.jacobi import LAYOUTS, operations, predict_iteration
from stretto.model.collective.measured import Call, calls_of
from stretto.model.statistics import DEFAULT_SEED

CLOSE = 0.05
ITERATIONS = 4
UNKNOWNS = (1000, 2000, 5000, 10_000)
RANKS = (16, 32, 64, 96)
# What is measured for the fit: operations with the sizes that these systems need, at p that bracket theirs.
PROBED = (
    ("allgather", "80:5120"),
    ("allgather", "200:2000"),
    ("reduce", "8000:80000"),
    ("broadcast", "8000:80000"),
)
PROBED_RANKS = (12, 16, 24, 48, 96)
WRONG = 3


def simulated(program: str, options: Sequence[str], ranks: int, platform: Platform) -> str:
    """What the program printed. Ends the bench where it fails."""
    outcome = run_simulated(Job(native_program(program, "simgrid"), tuple(options), ranks), platform)
    if outcome.status != "done":
        raise SystemExit(f"{program} {' '.join(options)}: {outcome.status}: {outcome.stderr_tail}")
    return outcome.stdout


def functions(platform: Platform, directory: Path) -> Functions:
    """The runtime functions of the library's flat collectives."""
    calls: list[Call] = []
    for ranks in PROBED_RANKS:
        for index, (operation, sizes) in enumerate(PROBED):
            file = directory / f"{ranks}-{index}.jsonl"
            options = ["collective", "--collectives", operation, "--members", str(ranks), "--grids", "flat"]
            options += ["--sizes", sizes, "--rounds", "1", "-o", str(file), "--on", "simulated"]
            simulated("stretto-probe", options, ranks, platform)
            calls += calls_of(cases_of(read_samples(file).rows), DEFAULT_SEED)
    return Functions.of(Profile((), collectives=fit_functions(calls, DEFAULT_SEED)))


def run(layout: str, unknowns: int, ranks: int, platform: Platform) -> dict[str, Any]:
    """The document of `stretto-run jacobi`."""
    options = [
        "jacobi",
        "--variant",
        layout,
        "--set",
        f"size={unknowns}",
        "--set",
        f"iterations={ITERATIONS}",
    ]
    text = simulated("stretto-run", options, ranks, platform)
    line = next(line for line in text.splitlines() if line.startswith('{"kernel"'))
    document: dict[str, Any] = json.loads(line)
    return document


def main() -> int:
    """Prints one row a run."""
    platform = find_platform(sys.argv[1] if len(sys.argv) > 1 else "clic")
    with TemporaryDirectory() as directory:
        known = functions(platform, Path(directory))
    print(f"# {platform.name}: an iteration simulated and predicted, ms; {ITERATIONS} iterations a run")
    print("# layout       n      p  simulated  predicted  off(%)  verified")
    worst = 0.0
    for layout in LAYOUTS:
        for unknowns in UNKNOWNS:
            for ranks in RANKS:
                found = run(layout, unknowns, ranks, platform)
                each_s = found["time_s"] / ITERATIONS
                computed = operations(layout, unknowns, ranks) * ITERATIONS
                t_op = found["timers"]["compute"] / computed
                predicted = predict_iteration(known, layout, unknowns, ranks, t_op, None).time
                if predicted.time_s is None:
                    raise SystemExit(f"{layout}, n {unknowns}, p {ranks}: {predicted.reason}")
                off = predicted.time_s / each_s - 1
                worst = max(worst, abs(off))
                times = f"{1e3 * each_s:10.3f} {1e3 * predicted.time_s:10.3f}"
                verified = "yes" if found["verified"] else "NO"
                print(f"  {layout:<7s} {unknowns:6d} {ranks:6d} {times} {100 * off:7.1f}  {verified}")
    print(f"# largest deviation {100 * worst:.1f} %")
    return 0 if worst <= CLOSE else WRONG


if __name__ == "__main__":
    sys.exit(main())
