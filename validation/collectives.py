# SPDX-License-Identifier: BSD-3-Clause
"""Compares the forms that a profile chooses for six collectives with all forms, measured, on four hosts.

Four hosts have two ranks each, so that grids with rows of two ranks follow the nodes. A first run of the
probe gives the profile, and a second one the times: each point is an operation and a size, flat and on every
grid. A chosen form may take at most 5 % longer than the best one at 90 % of the points, and never more than
3 % longer than the MPI library's own collective. Simulated hosts are measured at other sizes than those of
the profile. Emulated hosts need root. With fewer cores than ranks they need Open MPI, whose ranks sleep while
they wait, and slow links: each step must take much longer than what its ranks compute.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.harness.builds import mpiexec_of
from bench.harness.checks import Check, Checks, Result, Table, exactly, quotient
from bench.harness.runner import Context, NotHereError
from stretto.data.profile_file import read_profile
from stretto.data.results import ResultRow
from stretto.launch.mpi import find_mpi
from stretto.model.collective.deviations import Cost, costs, measured_calls
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import FLAT
from stretto.model.run_files import load_results
from stretto.model.statistics import Estimate
from validation.commands import stretto
from validation.runtime_functions import CLOSE, choices

HOSTS, RANKS = 4, 8
SIZES = ("64:2MiB", "181:741455")  # each grows by factors of eight: ten sizes
OTHER_SIZES = ("107:438272", "302:1236992")
# Ten sizes, of which even the shortest call takes more than ten noise floors at 50 Mbit/s.
EMULATED_SIZES = ("12KiB:96KiB", "16KiB:128KiB", "24KiB:192KiB", "32KiB:256KiB", "64KiB:512KiB")
ETHERNET = Path(__file__).parent / "programs" / "four_hosts.xml"
PLATFORMS = {"Ethernet of 500 Mbit/s": str(ETHERNET), "fsn": "fsn", "jacquard": "jacquard"}
MIN_SHARE = 0.9
MAX_SLOWER = 1.03
Point = tuple[str, int, str]


def run(context: Context) -> Iterator[Result]:
    """Yields the results of each simulated platform."""
    for name, platform in PLATFORMS.items():
        simulated = ("--on", "simulated", "--platform", platform)
        where = f"simulated, {name}, {HOSTS} hosts"
        yield from _compared(context, simulated, where, SIZES, OTHER_SIZES)


def run_emulated(context: Context) -> Iterator[Result]:
    """Yields the results of each rate of the emulated links.

    Raises:
        NotHereError: the ranks would spin on the cores of others.
    """
    mpi = find_mpi(mpiexec_of(context.build))
    cores = len(os.sched_getaffinity(0))
    if cores < RANKS and mpi.family != "openmpi":
        raise NotHereError(f"{RANKS} ranks on {cores} cores: only Open MPI's sleep while they wait")
    for rate in context.options.rates.split(","):
        budget = ("--budget", f"{context.options.budget:g}")
        emulated = ("--on", "emulated", "--hosts", str(HOSTS), "--rate", rate, "--mpi", str(mpi.mpiexec))
        where = f"emulated, {HOSTS} hosts at {rate}, {mpi.family} {mpi.version}, {cores} cores"
        yield from _compared(context, (*emulated, *budget), where, EMULATED_SIZES, EMULATED_SIZES)


def _compared(
    context: Context, place: Sequence[str], where: str, sizes: Sequence[str], tested_sizes: Sequence[str]
) -> Iterator[Table | Checks]:
    trained = _measured(context, place, sizes, "profile")
    tested = _measured(context, place, tested_sizes, "times")
    profile = context.output / "profile.json"
    stretto("fit", *map(str, trained), "-o", str(profile))
    rows = [row for one in tested for row in load_results(one).rows]
    yield from results(Functions.of(read_profile(profile)), rows, where)


def results(functions: Functions, rows: Sequence[ResultRow], where: str) -> Iterator[Table | Checks]:
    """The table and checks of choices by `functions` for the measured calls in `rows`."""
    points = costs(functions, measured_calls(rows))
    yield choices(points, where)
    cells = [_cells(one) for one in points]
    yield Table(
        f"{where}: forms, where one is not flat",
        ("operation", "bytes", "chosen", "best measured", "over best", "over flat"),
        [one for one in cells if one[2:4] != (FLAT, FLAT)],
    )
    within = exactly(float(np.mean([one.over_best <= CLOSE for one in points])))
    what = f"{where}: share of {len(points)} points within {CLOSE:.0%}"
    yield Checks(
        where,
        [
            Check(what, "the best form measured", within, MIN_SHARE, at_least=True),
            Check(f"{where}: slowest choice", "the MPI library's own", _slowest(points, rows), MAX_SLOWER),
        ],
    )


def _measured(context: Context, place: Sequence[str], sizes: Sequence[str], name: str) -> list[Path]:
    """The directories of the probe's runs, one for each range of sizes."""
    ranks = ("-n", str(RANKS), "--ranks-per-node", str(RANKS // HOSTS), "--members", str(RANKS))
    directories = []
    for index, some in enumerate(sizes):
        directory = context.output / f"{name}-{index}"
        words = ("--grid", "flat,all", "--sizes", some, "--force", "-o", str(directory))
        stretto("probe", "collective", *place, *ranks, *words)
        directories.append(directory)
    return directories


def _cells(one: Cost) -> tuple[str, ...]:
    best = FLAT if one.flat_s <= one.best_grid_s else one.best_grid
    figures = (f"{one.over_best:+.1%}", f"{one.over_flat:+.1%}")
    return one.choice.operation, str(one.choice.size_bytes), one.chosen, best, *figures


def _slowest(points: Sequence[Cost], rows: Sequence[ResultRow]) -> Estimate:
    """The largest ratio of a choice to the flat call, with the interval of these two."""
    estimates = {_point(row): _estimate(row) for row in rows if _is_total(row)}
    ratios = [exactly(1.0)]
    for one in points:
        call = (one.choice.operation, one.choice.size_bytes)
        if one.chosen != FLAT:
            ratios.append(quotient(estimates[(*call, one.chosen)], estimates[(*call, FLAT)]))
    return max(ratios, key=lambda ratio: ratio.value)


def _is_total(row: ResultRow) -> bool:
    total = row.axes.get("quantity", "total") == "total"
    return row.axes.get("probe") == "collective" and row.metric == "time" and total and bool(row.value)


def _point(row: ResultRow) -> Point:
    axes = row.axes
    return str(axes["operation"]), int(axes["size_bytes"]), str(axes.get("grid", FLAT))


def _estimate(row: ResultRow) -> Estimate:
    value = row.value or 0.0
    low = value if row.ci95_low is None else row.ci95_low
    high = value if row.ci95_high is None else row.ci95_high
    return Estimate(value, low, high, row.n)
