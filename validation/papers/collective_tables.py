# SPDX-License-Identifier: BSD-3-Clause
"""Two-phase collectives: coefficients of the paper's runtime functions, and what they predict, on simulated
machines.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stretto.launch.platforms import find_platform
from stretto.model.collective.choice import choose
from stretto.model.collective.measured import Call
from stretto.model.collective.of_profile import functions_of
from stretto.model.collective.two_phase import parse_grid
from validation.papers.collective_calls import ALGORITHM, calls
from validation.papers.figures import Computation, Computed, Plot, Series
from validation.papers.runtime_forms import OF, RuntimeFunctions, fitted
from validation.papers.simulation import probe_results, simulate
from validation.papers.world import Changes, World, altered

_PART_OF: dict[str, Callable[[Call], bool]] = {
    "leader": lambda call: call.quantity == "leader",
    "concurrent": lambda call: call.quantity == "concurrent",
    "total": lambda call: call.quantity == "total",
}
_ROOTED = ("broadcast", "gather", "scatter", "reduce")
_SUMS = ("allreduce", "allgather")
_JACOBI = {
    "short": ((12, 9600, "3x4"), (16, 4000, "flat")),
    "full": ((96, 6000, "8x12"), (16, 10000, "flat")),
}
_ITERATIONS = 10
_STAGES = (5, 6, 7, 8, 9, 12, 16, 17)
"""Processors of three stages, from 5 to 8, from 9 to 16, and from 17."""
_MICRO = 1e6


@dataclass(frozen=True)
class Plan:
    """Processors and sizes (MIN:MAX, by factors of eight) of flat calls, and those that no fit sees.

    Section 3 measures 10 to 500 kB.
    """

    flat: tuple[int, ...]
    sizes: tuple[str, ...]
    left_out_flat: tuple[int, ...]
    left_out_grids: tuple[int, ...]
    left_out_sizes: tuple[str, ...]


_PLANS = {
    "short": Plan((2, 3, 4, 5, 6, 8, 12, 16), ("10000:80000",), (7, 10), (20,), ("40000:40000",)),
    "full": Plan(
        (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48),
        ("10000:80000", "240000:500000"),
        (7, 10, 14, 28, 96),
        (96,),
        ("20000:20000", "100000:100000"),
    ),
}


@cache
def _calls(
    platform: str,
    changes: Changes,
    members: tuple[int, ...],
    grids: str,
    sizes: tuple[str, ...],
    *operations: str,
) -> Sequence[Call]:
    with TemporaryDirectory() as directory:
        return calls(platform, members, grids, sizes, Path(directory), operations, altered(platform, changes))


def _train(platform: str, world: World) -> Sequence[Call]:
    """Flat calls that the runtime functions are fitted to."""
    plan = _PLANS[world.form]
    return _calls(platform, world.simulated(platform), plan.flat, "flat", plan.sizes, *_ROOTED)


def _left_out(platform: str, world: World) -> Sequence[Call]:
    """Grids of processors and sizes that no fit sees, on the machine itself."""
    plan, own = _PLANS[world.form], dataclasses.replace(world, own_network=True)
    changes = own.simulated(platform)
    return _calls(platform, changes, plan.left_out_grids, "all", plan.left_out_sizes, *_ROOTED)


def _functions(platform: str, world: World) -> RuntimeFunctions:
    return fitted(OF[platform], _train(platform, world))


def coefficients(platform: str, p: int, *operations: str) -> Computation:
    """Tables 2, 3 and 5: coefficients of the forms for p processors, in microseconds per byte, tau_1 in s."""

    def compute(world: World) -> Computed:
        functions = _functions(platform, world)
        values = {}
        for operation in operations:
            prefix = f"{operation}-" if len(operations) > 1 else ""
            for name in ("tau", "t_c"):
                values[prefix + name] = _MICRO * functions.coefficient(operation, name, p)
            if platform == "clic" and operation in ("gather", "scatter"):
                values[f"{prefix}tau_1"] = functions.coefficient(operation, "tau_1", p)
        return Computed(values)

    return compute


def sums(world: World) -> Computed:
    """Table 1: allreduce and allgather as sums of simulated others, at one size of every p."""
    plan, changes = _PLANS[world.form], world.simulated("clic")
    members = tuple(p for p in plan.flat if p <= 16)
    size = 10_000
    ratios: dict[str, list[float]] = {name: [] for name in _SUMS}
    for p in members:
        both = (f"{size}:{size}", f"{p * size}:{p * size}")
        found = _calls("clic", changes, (p,), "flat", both, *_ROOTED, *_SUMS)
        times = {(one.operation, one.size_bytes): one.time_s for one in found}
        parts = {
            "allreduce": times["reduce", size] + times["broadcast", size],
            "allgather": times["gather", size] + times["broadcast", p * size],
        }
        for name, each in ratios.items():
            each.append(times[name, size] / parts[name])
    return Computed({name: max(each, key=lambda one: abs(one - 1)) for name, each in ratios.items()})


def deviations(platform: str, operation: str) -> Computation:
    """The bars of figures 2 to 4: deviations of grids whose p and sizes no fit saw."""

    def compute(world: World) -> Computed:
        functions = _functions(platform, world)
        off = [
            (one, abs(functions.predicted_s(one) / one.time_s - 1))
            for one in _left_out(platform, world)
            if one.operation == operation and one.grid is not None and one.phase_members > 1
        ]
        parts = {
            name: [share for one, share in off if belongs(one) and not math.isnan(share)]
            for name, belongs in _PART_OF.items()
        }
        values = {name: float(np.mean(each)) for name, each in parts.items()}
        rows: dict[str, Callable[[list[float]], float]] = {"least": min, "mean": _mean, "most": max}
        series = [
            Series(name, [100 * float(of(each)) for each in parts.values()]) for name, of in rows.items()
        ]
        return Computed(values, Plot("group", "% deviation", series, list(parts)))

    return compute


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def concurrent(platform: str) -> Computation:
    """Section 3: broadcasts of concurrent groups against the same in a single group."""

    def compute(world: World) -> Computed:
        changes, sizes = world.simulated(platform), ("10000:80000",)
        flat = _calls(platform, changes, (2, 3, 4, 6), "flat", sizes, "broadcast")
        alone = {(one.members, one.size_bytes): one.time_s for one in flat}
        groups = _calls(platform, changes, (12,), "all", sizes, "broadcast")
        off = [
            abs(one.time_s / alone[one.phase_members, one.size_bytes] - 1)
            for one in groups
            if one.quantity == "concurrent" and (one.phase_members, one.size_bytes) in alone
        ]
        return Computed({"mean": float(np.mean(off))})

    return compute


def six_processors(_: World) -> Computed:
    """Figure 1: the two-phase allgather of six processors; the probe's check of the data fails the run."""
    words = ("--collective", "allgather", "--algorithm", ALGORITHM, "--members", "6", "--grid", "3x2")
    rows = probe_results("clic", 6, "collective", *words, "--sizes", "1280:1280", "--check")
    return Computed({"right": float(any(row.axes.get("grid") == "3x2" for row in rows))})


def stages(world: World) -> Computed:
    """Section 3: broadcast and reduce over processors, within a stage and from one to the next."""
    found = _calls("clic", world.simulated("clic"), _STAGES, "flat", ("80000:80000",), "broadcast", "reduce")
    values, lines = {}, []
    for operation in ("broadcast", "reduce"):
        time_s = {one.members: one.time_s for one in found if one.operation == operation}
        within = [[time_s[p] for p in _STAGES if low < p <= 2 * low] for low in (4, 8)]
        values[f"{operation}-within"] = max(max(one) / min(one) for one in within)
        values[f"{operation}-step"] = min(time_s[low + 1] / time_s[low] for low in (8, 16))
        lines.append(Series(operation, [time_s[p] for p in _STAGES], _STAGES))
    form = _functions("clic", world)
    values["formula"] = form.time_s("broadcast", 8, 80_000) / form.time_s("broadcast", 5, 80_000)
    return Computed(values, Plot("processors", "seconds", lines))


def over_processors(operation: str) -> Computation:
    """Figures 2 (bottom) and 5: simulated and predicted time over p that no fit saw, for fixed sizes."""

    def compute(world: World) -> Computed:
        plan, own = _PLANS[world.form], dataclasses.replace(world, own_network=True)
        functions = _functions("clic", world)
        here = _calls(
            "clic", own.simulated("clic"), plan.left_out_flat, "flat", plan.left_out_sizes, operation
        )
        off = [abs(functions.predicted_s(one) / one.time_s - 1) for one in here]
        return Computed({"mean": float(np.mean(off))}, _over_p(functions, here))

    return compute


def _over_p(functions: RuntimeFunctions, here: Iterable[Call]) -> Plot:
    lines = []
    for size in sorted({one.size_bytes for one in here}):
        mine = sorted((one for one in here if one.size_bytes == size), key=lambda one: one.members)
        p = [one.members for one in mine]
        lines += [
            Series(f"{size} B, simulated", [one.time_s for one in mine], p),
            Series(f"{size} B, predicted", [functions.predicted_s(one) for one in mine], p),
        ]
    return Plot("processors", "seconds", lines, log_y=True)


@cache
def _iteration_s(ranks: int, unknowns: int, layout: str, grid: str, changes: Changes) -> float:
    """The simulated seconds of an iteration of the verified program on clic."""
    settings = {"size": unknowns, "iterations": _ITERATIONS, "algorithm": ALGORITHM, "grid": grid}
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    document = simulate(altered("clic", changes), ranks, "jacobi", layout, "mpi-two-sided", *words)
    return float(document["time_s"]) / _ITERATIONS


def _equation_s(functions: RuntimeFunctions, layout: str, p: int, n: int, grid: str) -> float:
    """Eq. 1 (rows) or eq. 2 (columns), and nothing else. The paper counts elements of 8 bytes."""
    operation_s = 1 / find_platform("clic").figure("core_flops_per_s", 0.0)
    groups = None if grid == "flat" else parse_grid(grid, p)
    share = math.ceil(n / p)
    if layout == "row":
        return 2 * share * n * operation_s + functions.call_s("allgather", p, groups, 8 * share)
    both = (functions.call_s(one, p, groups, 8 * n) for one in ("reduce", "broadcast"))
    return 2 * share * (n - 1) * operation_s + sum(both)


def jacobi(layout: str) -> Computation:
    """Figure 6: iterations by eq. 1 and 2, and simulated, on a grid and flat."""

    def compute(world: World) -> Computed:
        functions = _functions("clic", world)
        changes = dataclasses.replace(world, own_network=True).simulated("clic")
        names, measured, model = [], [], []
        for ranks, unknowns, grid in _JACOBI[world.form]:
            names.append(f"p {ranks}, n {unknowns}, {grid}")
            measured.append(_iteration_s(ranks, unknowns, layout, grid, changes))
            model.append(_equation_s(functions, layout, ranks, unknowns, grid))
        off = [a / b - 1 for a, b in zip(model, measured, strict=True)]
        series = [Series("simulated", measured), Series("equation", model)]
        return Computed({"most": max(off, key=abs)}, Plot("case", "seconds", series, names))

    return compute


def gather_gain(_: World) -> Computed:
    """Section 1: what the best grid of 96 processors of the T3E gains by the published coefficients, in a
    gather of 500 kB, the largest that the paper measured. Where no formula of table 4 covers a phase, there
    is no prediction.
    """
    choice = choose(functions_of(Path("t3e"), "library"), "gather", 96, 500_000)
    assert choice.gain is not None and choice.flat.time_s is not None
    grids = sorted(choice.grids, key=lambda one: one.grid.rows)
    gains = [
        1 - (math.nan if one.total.time_s is None else one.total.time_s) / choice.flat.time_s for one in grids
    ]
    names = [str(one.grid) for one in grids]
    return Computed({"gather": choice.gain.value}, Plot("grid", "gain", [Series("gain", gains)], names))


def published_gain(_: World) -> Computed:
    """Sections 1 and 6: what two phases gain by the published coefficients, 96 processors of clic."""
    functions = functions_of(Path("clic"), "library")
    names: Sequence[str] = functions.operations()
    found = [choose(functions, name, 96, 100_000) for name in names]
    gains = [one.gain.value if one.gain is not None else np.nan for one in found]
    values = {"broadcast": gains[list(names).index("broadcast")]}
    return Computed(values, Plot("operation", "gain of the best grid", [Series("gain", gains)], list(names)))
