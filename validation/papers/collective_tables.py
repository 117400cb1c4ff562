# SPDX-License-Identifier: BSD-3-Clause
"""Two-phase collectives: coefficients and deviations of runtime functions on simulated machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from stretto.launch.platforms import find_platform
from stretto.model.collective.choice import choose
from stretto.model.collective.deviations import predicted
from stretto.model.collective.functions import GroupCall, call_times
from stretto.model.collective.jacobi import all_iterations
from stretto.model.collective.measured import Call
from stretto.model.collective.of_profile import functions_of
from stretto.model.collective.two_phase import parse_grid
from validation.papers.collective_calls import ALGORITHM, ROOTED, Fitted, fitted_platform, rooted_calls
from validation.papers.figures import Computation, Computed, Form, Plot, Series
from validation.papers.simulation import probe_results, simulate

_PART_OF: dict[str, Callable[[Call], bool]] = {
    "flat": lambda call: call.grid is None,
    "leader": lambda call: call.quantity == "leader",
    "concurrent": lambda call: call.quantity == "concurrent",
    "total": lambda call: call.grid is not None and call.quantity == "total",
}
_JACOBI = {"short": ((12, 960, "3x4"), (16, 4000, "flat")), "full": ((96, 1000, "8x12"), (96, 6000, "flat"))}
_ITERATIONS = 20
_LEAST_BYTES = 10_000  # section 3: messages of 10 to 500 KB
_LINEAR_UP_TO = 4  # table 2: processors
_FORMULA_1_BYTES = 8_448_000  # table 4
_MICRO = 1e6


def _flat(fitted: Fitted, operation: str, accept: Callable[[Call], bool]) -> list[Call]:
    every = [*fitted.train, *fitted.test]
    return [c for c in every if c.operation == operation and c.grid is None and accept(c)]


def linear_coefficients(calls: Iterable[Call], start_up: bool) -> tuple[float, float]:
    """tau_2 and t_c in microseconds per byte, of (tau_2 + t_c p) b; with `start_up`, of tau_1 + this.

    Least squares of the times themselves, as in section 3: large messages of many processors count most.
    """
    mine = [one for one in calls if one.size_bytes >= _LEAST_BYTES]
    b = np.array([float(c.size_bytes) for c in mine])
    p = np.array([float(c.members) for c in mine])
    columns = [b, p * b, *([np.ones_like(b)] if start_up else [])]
    found, *_ = np.linalg.lstsq(np.stack(columns, 1), np.array([c.time_s for c in mine]), rcond=None)
    return float(_MICRO * found[0]), float(_MICRO * found[1])


def small_groups(operation: str) -> Computation:
    """Table 2 up to four processors: the linear form."""

    def compute(form: Form) -> Computed:
        fitted = fitted_platform("clic", form)
        small = _flat(fitted, operation, lambda c: c.members <= _LINEAR_UP_TO)
        tau, per_process = linear_coefficients(small, start_up=False)
        return Computed({"tau": tau, "t_c": per_process})

    return compute


def large_groups(operation: str) -> Computation:
    """Table 2 above four processors: microseconds per byte at p = 32, where both forms apply."""

    def compute(form: Form) -> Computed:
        fitted = fitted_platform("clic", form)
        mine = _flat(fitted, operation, lambda c: c.members == 32)
        largest = max(mine, key=lambda c: c.size_bytes)
        published = functions_of(Path("clic"), "library")
        sizes = sorted({c.members for c in _flat(fitted, operation, lambda c: True)})
        size = largest.size_bytes
        printed = call_times(published, [GroupCall(operation, p, size) for p in sizes])
        here = call_times(fitted.functions, [GroupCall(operation, p, size) for p in sizes])
        lines = [
            Series("published", [one.time_s or np.nan for one in printed], sizes),
            Series("simulated", [one.time_s or np.nan for one in here], sizes),
        ]
        return Computed(
            {"per-byte": _MICRO * largest.time_s / size}, Plot(f"processors, {size} bytes", "seconds", lines)
        )

    return compute


def clic_gather_scatter(_: Form) -> Computed:
    """Table 3: coefficients of gather and scatter on clic."""
    return _coefficients(rooted_calls("clic"), start_up=True)


def t3e_gather_scatter(_: Form) -> Computed:
    """Table 5: coefficients on t3e, without start-up up to 8448 KB at the root (table 4)."""
    every = [c for c in rooted_calls("t3e") if c.members * c.size_bytes <= _FORMULA_1_BYTES]
    return _coefficients(every, start_up=False)


def _coefficients(calls: Sequence[Call], start_up: bool) -> Computed:
    values: dict[str, float] = {}
    for operation in ROOTED:
        tau, per_process = linear_coefficients([c for c in calls if c.operation == operation], start_up)
        values |= {f"{operation}-tau": tau, f"{operation}-t_c": per_process}
    return Computed(values)


def sums(form: Form) -> Computed:
    """Table 1: allreduce and allgather as sums of others, at the largest size of every p."""
    fitted = fitted_platform("clic", form)
    ratios: dict[str, list[float]] = {"allreduce": [], "allgather": []}
    for p in sorted({c.members for c in _flat(fitted, "allreduce", lambda c: True)}):
        times = {
            (c.operation, c.size_bytes): c.time_s for c in fitted.train if c.grid is None and c.members == p
        }
        sizes = sorted({size for operation, size in times if operation == "allreduce"})
        for size in sizes[-1:]:
            both = times["reduce", size] + times["broadcast", size]
            ratios["allreduce"].append(times["allreduce", size] / both)
            (spread,) = call_times(fitted.functions, [GroupCall("broadcast", p, p * size)])
            if spread.time_s is not None:
                ratios["allgather"].append(times["allgather", size] / (times["gather", size] + spread.time_s))
    return Computed({name: max(each, key=lambda one: abs(one - 1)) for name, each in ratios.items()})


def deviations(platform: str, operation: str) -> Computation:
    """The bars of figures 2 to 4: deviations of calls whose p and sizes were left out of the fit."""

    def compute(form: Form) -> Computed:
        fitted = fitted_platform(platform, form)
        mine = [
            c for c in fitted.test if c.operation == operation and c.phase_members > 1 and c.segments == 1
        ]
        off = [
            (call, abs(one.time_s / call.time_s - 1))
            for call, one in zip(mine, predicted(fitted.functions, mine), strict=True)
            if one.time_s is not None
        ]
        values = {}
        rows: dict[str, list[float]] = {"least": [], "mean": [], "most": []}
        names = []
        for name, belongs in _PART_OF.items():
            each = [one for call, one in off if belongs(call)]
            if not each:
                continue
            values[name] = float(np.mean(each))
            names.append(name)
            rows["least"].append(100 * min(each))
            rows["mean"].append(100 * float(np.mean(each)))
            rows["most"].append(100 * max(each))
        return Computed(values, Plot("group", "% deviation", [Series(*one) for one in rows.items()], names))

    return compute


def concurrent(platform: str) -> Computation:
    """Section 3: broadcasts of concurrent groups against the same in a single group."""

    def compute(form: Form) -> Computed:
        fitted = fitted_platform(platform, form)
        alone = {(c.members, c.size_bytes): c.time_s for c in _flat(fitted, "broadcast", lambda c: True)}
        off = [
            abs(c.time_s / alone[c.phase_members, c.size_bytes] - 1)
            for c in fitted.train
            if c.operation == "broadcast"
            and c.quantity == "concurrent"
            and (c.phase_members, c.size_bytes) in alone
        ]
        return Computed({"mean": float(np.mean(off))})

    return compute


def six_processors(_: Form) -> Computed:
    """Figure 1: the two-phase allgather of six processors; the probe's check of the data fails the run."""
    words = ("--collective", "allgather", "--algorithm", ALGORITHM, "--members", "6", "--grid", "3x2")
    rows = probe_results("clic", 6, "collective", *words, "--sizes", "1280:1280", "--check")
    return Computed({"right": float(any(row.axes.get("grid") == "3x2" for row in rows))})


def over_processors(operation: str) -> Computation:
    """Figures 2 (bottom) and 5: simulated and predicted time over p for fixed sizes."""

    def compute(form: Form) -> Computed:
        fitted = fitted_platform("clic", form)
        mine = _flat(fitted, operation, lambda c: True)
        times = predicted(fitted.functions, mine)
        off = [abs(one.time_s / c.time_s - 1) for c, one in zip(mine, times, strict=True) if one.time_s]
        sizes = sorted({c.size_bytes for c in mine})
        lines = []
        for size in (sizes[0], sizes[-1]):
            here = sorted((c for c in mine if c.size_bytes == size), key=lambda c: c.members)
            p = [c.members for c in here]
            model = [one.time_s or np.nan for one in predicted(fitted.functions, here)]
            lines += [
                Series(f"{size} B, simulated", [c.time_s for c in here], p),
                Series(f"{size} B, predicted", model, p),
            ]
        return Computed({"mean": float(np.mean(off))}, Plot("processors", "seconds", lines, log_y=True))

    return compute


@cache
def _iteration_s(ranks: int, unknowns: int, layout: str, grid: str) -> float:
    """The simulated seconds of an iteration of the verified program on clic."""
    settings = {"size": unknowns, "iterations": _ITERATIONS, "algorithm": ALGORITHM, "grid": grid}
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    document = simulate(find_platform("clic"), ranks, "jacobi", layout, "mpi-two-sided", *words)
    return float(document["time_s"]) / _ITERATIONS


def jacobi(layout: str) -> Computation:
    """Figure 6: predicted and simulated iterations, on a grid and flat."""

    def compute(form: Form) -> Computed:
        functions = fitted_platform("clic", form).functions
        operation_s = 1 / find_platform("clic").figure("core_flops_per_s", 0.0)
        names, measured, model = [], [], []
        for ranks, unknowns, grid in _JACOBI[form]:
            wanted = None if grid == "flat" else parse_grid(grid, ranks)
            (one,) = all_iterations(functions, unknowns, ranks, {layout: operation_s}, [wanted]).rows
            names.append(f"p {ranks}, n {unknowns}, {grid}")
            measured.append(_iteration_s(ranks, unknowns, layout, grid))
            model.append(one.time.time_s or np.nan)
        off = [abs(a / b - 1) for a, b in zip(model, measured, strict=True)]
        series = [Series("simulated", measured), Series("predicted", model)]
        return Computed({"most": float(np.max(off))}, Plot("case", "seconds", series, names))

    return compute


def published_gain(_: Form) -> Computed:
    """Sections 1 and 6: what two phases gain by the published coefficients, 96 processors of clic."""
    functions = functions_of(Path("clic"), "library")
    names: Sequence[str] = functions.operations()
    found = [choose(functions, name, 96, 100_000) for name in names]
    gains = [one.gain.value if one.gain is not None else np.nan for one in found]
    values = {"broadcast": gains[list(names).index("broadcast")]}
    return Computed(values, Plot("operation", "gain of the best grid", [Series("gain", gains)], list(names)))
