# SPDX-License-Identifier: BSD-3-Clause
"""Architectural probes, figures 23 to 26, 29 and 30: bars A (simulated), M and E (models).

M has G of two ranks that stream both ways, E that of all ranks at once. Computation is the measured one, as
in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import ResultRow
from validation.papers.figures import Computation, Computed, Form, Plot, Series
from validation.papers.probe_machine import (
    FEW_LARGE,
    RANKS,
    ProbeMachine,
    ft_times,
    segment_s,
    simulated_rows,
    spmv_times,
    total_s,
)
from validation.papers.simulation import row_value

_SMALL_SCALES, _LARGE_SCALES = (0.0, 1.0, 4.0, 8.0, 24.0), (0.0, 0.5, 1.0)  # at 24, T_comp + o > g on both
_SMALL = {"short": (256, 512), "full": (1024, 512)}  # messages in flight cost a simulation most
_NONZEROS = (1e-6, 1e-5, 1e-4, 1e-3)
_SIMULATED_ORDER = 1 << 20


@dataclass(frozen=True)
class Bar:
    """One bar: seconds of computation, initiation and waiting with barrier."""

    work_s: float
    init_s: float
    wait_s: float

    @property
    def total_s(self) -> float:
        return self.work_s + self.init_s + self.wait_s


Bars = Mapping[tuple[float, str], Bar]


def many_small(name: str) -> Computation:
    """Figures 23 and 24: pencils of many rows of 512."""

    def compute(form: Form) -> Computed:
        bars = _transforms(name, _SMALL[form], _SMALL_SCALES)
        off = [bars[scale, "E"].total_s / bars[scale, "A"].total_s - 1 for scale in _SMALL_SCALES]
        first, last = (bars[scale, "A"] for scale in (_SMALL_SCALES[0], _SMALL_SCALES[-1]))
        values = {
            "E": float(np.mean(np.abs(off))),
            "drop": last.init_s / first.init_s,
            "init": max(
                abs(bars[s, "E"].init_s - bars[s, "A"].init_s) / bars[s, "A"].total_s for s in _SMALL_SCALES
            ),
            "wait": _least_wait(bars, _SMALL_SCALES),
        }
        return Computed(values, _plot(bars, "computation scale"))

    return compute


def extraction(name: str) -> Computation:
    """Section 7.5: o and g of a message from the initiation of pencils, per remote message."""

    def compute(form: Form) -> Computed:
        shape = _SMALL[form]
        bars = _transforms(name, shape, _SMALL_SCALES)
        messages = shape[0] * (RANKS - 1) / RANKS
        gap_s, overhead_s = (
            bars[scale, "A"].init_s / messages for scale in (_SMALL_SCALES[0], _SMALL_SCALES[-1])
        )
        figure = ProbeMachine.named(name).platform.figure
        values = {
            "o": overhead_s / figure("overhead_send_s", 0),
            "g": gap_s / figure("gap_queue_s", 0),
            "larger": float(gap_s > overhead_s),
        }
        return Computed(values)

    return compute


def few_large(name: str) -> Computation:
    """Figures 25 and 26: pencils of 32 rows of 65536."""

    def compute(_: Form) -> Computed:
        bars = _transforms(name, FEW_LARGE, _LARGE_SCALES)
        communication_s = bars[0.0, "A"].total_s
        bound = [scale for scale in _LARGE_SCALES if bars[scale, "A"].work_s < communication_s]
        values = {
            "bound": max(abs(bars[s, "E"].total_s / bars[s, "A"].total_s - 1) for s in bound),
            "init": max(bars[s, "A"].init_s / bars[s, "A"].total_s for s in _LARGE_SCALES),
            "wait": _least_wait(bars, _LARGE_SCALES),
        }
        return Computed(values, _plot(bars, "computation scale"))

    return compute


def products(name: str) -> Computation:
    """Figures 29 and 30: gather with prefetch 0, over the ratio of nonzeros."""

    def compute(_: Form) -> Computed:
        machine = ProbeMachine.named(name)
        rows = simulated_rows(
            name,
            "spmv",
            *("--matrix-rows", str(_SIMULATED_ORDER), "--nonzeros", ",".join(map(str, _NONZEROS))),
            *("--schedules", "gather", "--prefetch", "0"),
        )
        bars: dict[tuple[float, str], Bar] = {}
        for ratio in _NONZEROS:
            at = {"nonzero_ratio": ratio, "schedule": "gather", "prefetch": 0}
            work_s = _segments(rows, at, "local_work", "remote_work")
            bars[ratio, "A"] = _actual(rows, at, work_s, "prefetch_init", "pipeline_init")
            for letter, gap_s in _gaps(machine):
                times = spmv_times(machine, [0], work_s, gap_s)["gather", 0]
                init_s = segment_s(times, "prefetch_init", "pipeline_init")
                bars[ratio, letter] = Bar(work_s, init_s, total_s(times) - work_s - init_s)
        least, most = _NONZEROS[0], _NONZEROS[-1]
        values = {
            "M": bars[least, "A"].total_s / bars[least, "M"].total_s,
            "E": abs(bars[least, "E"].total_s / bars[least, "A"].total_s - 1),
            "hidden": bars[most, "E"].wait_s / bars[most, "A"].total_s,
            "exposed": bars[most, "A"].wait_s / bars[most, "A"].total_s,
        }
        return Computed(values, _plot(bars, "ratio of nonzeros"))

    return compute


def _transforms(name: str, shape: tuple[int, int], scales: Sequence[float]) -> Bars:
    machine = ProbeMachine.named(name)
    size = ("--rows", str(shape[0]), "--row-length", str(shape[1]))
    asked = ("--scale", ",".join(f"{one:g}" for one in scales), "--schedules", "pencils")
    rows = simulated_rows(name, "ft", *size, *asked)
    bars: dict[tuple[float, str], Bar] = {}
    for scale in scales:
        at = {"scale": scale, "schedule": "pencils"}
        work_s = _segments(rows, at, "work")
        bars[scale, "A"] = _actual(rows, at, work_s, "init")
        for letter, gap_s in _gaps(machine):
            times = ft_times(machine, shape, [work_s], gap_s)[0]["pencils"]
            init_s = segment_s(times, "init")
            bars[scale, letter] = Bar(work_s, init_s, total_s(times) - work_s - init_s)
    return bars


def _gaps(machine: ProbeMachine) -> tuple[tuple[str, float], ...]:
    return ("M", machine.two_ranks_gap_s), ("E", machine.all_ranks_gap_s)


def _actual(rows: Sequence[ResultRow], at: Mapping[str, object], work_s: float, *starts: str) -> Bar:
    """Bar A: means over the ranks; what is left of the time is waiting."""
    init_s = _segments(rows, at, *starts)
    return Bar(work_s, init_s, row_value(rows, "time", **at) - work_s - init_s)


def _segments(rows: Sequence[ResultRow], at: Mapping[str, object], *names: str) -> float:
    mine = [
        row
        for row in rows
        if row.metric in names
        and row.axes.get("over_ranks") == "mean"
        and all(row.axes.get(name) == value for name, value in at.items())
    ]
    return sum(row.value or 0.0 for row in mine)


def _least_wait(bars: Bars, scales: Sequence[float]) -> float:
    """Waiting of bar M less that of bar A, of A's total, where it is least."""
    return min((bars[s, "M"].wait_s - bars[s, "A"].wait_s) / bars[s, "A"].total_s for s in scales)


def _plot(bars: Bars, x: str) -> Plot:
    names = [f"{place:g} {letter}" for place, letter in bars]
    every = list(bars.values())
    series = [
        Series("computation", [one.work_s for one in every]),
        Series("initiation", [one.init_s for one in every]),
        Series("waiting", [max(one.wait_s, 0.0) for one in every]),
    ]
    return Plot(x, "seconds", series, names, stacked=True)
