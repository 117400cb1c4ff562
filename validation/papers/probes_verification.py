# SPDX-License-Identifier: BSD-3-Clause
"""Architectural probes, figures 23 to 26, 29 and 30: bars A (simulated), M and E (models), and section 7.5.

M takes o and g from bar A as section 7.5 extracts them, and G from two ranks that stream both ways.
E takes G from the products without computation.
Computation is the measured one, as in the paper. Alternative worlds change M alone: simulated adapters always
move data by themselves.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import ResultRow
from stretto.model.evaluation import Question, evaluate
from stretto.model.network import LogGp, PathCosts
from stretto.model.problem import FtProblem
from validation.papers.figures import Computation, Computed, Plot, Series
from validation.papers.probe_machine import (
    FEW_LARGE,
    FRACTIONS,
    RANKS,
    ProbeMachine,
    segment_s,
    simulated_rows,
    spmv_times,
    total_s,
)
from validation.papers.simulation import row_value
from validation.papers.world import World

_SMALL = {"short": (64, 512), "full": (256, 512)}  # the cost grows with messages in flight squared
_LARGE = {"short": (32, 8192), "full": FEW_LARGE}
_NONZEROS = {"short": (1e-6, 1e-3), "full": (1e-6, 1e-5, 1e-4, 1e-3)}
_MOST_NONZEROS = 1.2e9
"""Of a simulated matrix, in 14 GB. Ratios that give larger orders more are left out."""
_NO_COMPUTATION = 1e-9
"""A ratio of nonzeros with which products compute for a thousandth of their time."""
_OTHER = {"jacquard": "bassi", "bassi": "jacquard"}


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

    def compute(world: World) -> Computed:
        bars = _transforms(name, _SMALL[world.form], world)
        off = [bars[share, "M"].total_s / bars[share, "A"].total_s - 1 for share in FRACTIONS]
        init = [abs(bars[s, "M"].init_s - bars[s, "A"].init_s) / bars[s, "A"].total_s for s in FRACTIONS]
        first, last = (bars[share, "A"] for share in (FRACTIONS[0], FRACTIONS[-1]))
        values = {
            "M": float(np.mean(np.abs(off))),
            "drop": last.init_s / first.init_s,
            "init": max(init),
            "wait-M": bars[0.0, "M"].wait_s / bars[0.0, "M"].total_s,
            "wait-A": first.wait_s / first.total_s,
        }
        return Computed(values, _plot(bars, "share of the flops"))

    return compute


def extraction(name: str) -> Computation:
    """Section 7.5: g over o, from the initiation of pencils."""

    def compute(world: World) -> Computed:
        gap_s, overhead_s = _extracted(
            _actual_transforms(name, _SMALL[world.form], world), _SMALL[world.form]
        )
        return Computed({"larger": gap_s / overhead_s})

    return compute


def few_large(name: str) -> Computation:
    """Figures 25 and 26: pencils of 32 rows of 65536."""

    def compute(world: World) -> Computed:
        bars = _transforms(name, _LARGE[world.form], world)
        communication_s = bars[0.0, "A"].total_s
        bound = [share for share in FRACTIONS if bars[share, "A"].work_s < communication_s]
        off = [bars[s, "M"].total_s / bars[s, "A"].total_s - 1 for s in bound]
        wait = [(bars[s, "M"].wait_s - bars[s, "A"].wait_s) / bars[s, "A"].total_s for s in FRACTIONS]
        values = {
            "M": max(off, key=abs),
            "init": max(bars[s, "A"].init_s / bars[s, "A"].total_s for s in FRACTIONS),
            "wait": min(wait),
        }
        return Computed(values, _plot(bars, "share of the flops"))

    return compute


def products(name: str) -> Computation:
    """Figures 29 and 30: gather with prefetch 0, over the ratio of nonzeros."""

    def compute(world: World) -> Computed:
        machine = ProbeMachine.named(name, world)
        ratios = [one for one in _NONZEROS[world.form] if one * machine.order**2 <= _MOST_NONZEROS]
        every = (_NO_COMPUTATION, *ratios)
        rows = simulated_rows(
            name,
            "spmv",
            *("--matrix-rows", str(machine.order), "--nonzeros", ",".join(map(str, every))),
            *("--schedules", "gather", "--prefetch", "0"),
            changes=dataclasses.replace(world, own_network=True).simulated(name),
        )
        actual = {ratio: _actual_product(rows, ratio) for ratio in every}
        gaps_s = {"M": machine.two_ranks_gap_s, "E": _gap_of_all_s(machine, actual[_NO_COMPUTATION].total_s)}
        bars: dict[tuple[float, str], Bar] = {}
        for ratio in ratios:
            bars[ratio, "A"] = actual[ratio]
            for letter, gap_s in gaps_s.items():
                bars[ratio, letter] = _modelled_product(machine, actual[ratio].work_s, gap_s)
        least, most = ratios[0], ratios[-1]
        off = [bars[ratio, "E"].total_s / bars[ratio, "A"].total_s - 1 for ratio in ratios]
        values = {
            "M": bars[least, "A"].total_s / bars[least, "M"].total_s,
            "E": max(off, key=abs),
            "E-M": bars[least, "E"].total_s / bars[least, "M"].total_s,
            "low": abs(bars[least, "E"].wait_s / bars[least, "A"].wait_s - 1),
        }
        if most == _NONZEROS[world.form][-1]:
            values["hidden"] = bars[most, "M"].wait_s / bars[most, "A"].total_s
            values["exposed"] = bars[most, "A"].wait_s / bars[most, "A"].total_s
        return Computed(values, _plot(bars, "ratio of nonzeros"))

    return compute


def _actual_product(rows: Sequence[ResultRow], ratio: float) -> Bar:
    at = {"nonzero_ratio": ratio, "schedule": "gather", "prefetch": 0}
    work_s = _segments(rows, at, "local_work", "remote_work")
    return _actual(rows, at, work_s, "prefetch_init", "pipeline_init")


def _modelled_product(machine: ProbeMachine, work_s: float, gap_s: float) -> Bar:
    times = spmv_times(machine, [0], work_s, gap_s)["gather", 0]
    init_s = segment_s(times, "prefetch_init", "pipeline_init")
    return Bar(work_s, init_s, total_s(times) - work_s - init_s)


def _gap_of_all_s(machine: ProbeMachine, time_s: float) -> float:
    """The G with which the model takes this time without computation: its time grows with G by a line."""
    near_s, far_s = machine.two_ranks_gap_s, 2 * machine.two_ranks_gap_s
    at_near_s, at_far_s = (_modelled_product(machine, 0.0, gap_s).total_s for gap_s in (near_s, far_s))
    return near_s + (time_s - at_near_s) / (at_far_s - at_near_s) * (far_s - near_s)


def _actual_transforms(name: str, shape: tuple[int, int], world: World) -> dict[float, Bar]:
    """Bars A by the share of a row that is transformed, at the one rate of transforms."""
    scale = {one: one * _simulated_share(shape[1]) / world.value("fft_efficiency") for one in FRACTIONS}
    size = ("--rows", str(shape[0]), "--row-length", str(shape[1]))
    asked = ("--scale", ",".join(f"{one:.6g}" for one in scale.values()), "--schedules", "pencils")
    own = dataclasses.replace(world, own_network=True)
    rows = simulated_rows(name, "ft", *size, *asked, changes=own.simulated(name))
    bars = {}
    for share, one in scale.items():
        at = {"scale": float(f"{one:.6g}"), "schedule": "pencils"}
        bars[share] = _actual(rows, at, _segments(rows, at, "work"), "init")
    return bars


def _simulated_share(row_length: int) -> float:
    """The share of the peak at which simulated ranks transform a row (src/probe/efficiency.hpp)."""
    return 0.70 - (math.log2(row_length) - 9) / 7 * (0.70 - 0.25)


def _extracted(actual: Mapping[float, Bar], shape: tuple[int, int]) -> tuple[float, float]:
    """The g and o of section 7.5, by remote messages: initiation without and with all computation."""
    messages = shape[0] * (RANKS - 1) / RANKS
    return actual[0.0].init_s / messages, actual[1.0].init_s / messages


def _transforms(name: str, shape: tuple[int, int], world: World) -> Bars:
    actual = _actual_transforms(name, shape, world)
    source = actual if world.own_network else _actual_transforms(_OTHER[name], shape, world)
    gap_s, overhead_s = _extracted(source, shape)
    network = LogGp.of(
        o=overhead_s,
        g_queue=gap_s,
        G=ProbeMachine.named(name, world).two_ranks_gap_s,
        overlap=world.eta(name),
    )
    schedule = FtProblem(*shape, RANKS).schedule("pencils")
    questions = [
        Question(schedule, PathCosts.uniform(network), np.array([one.work_s])) for one in actual.values()
    ]
    bars: dict[tuple[float, str], Bar] = {}
    for (share, one), times in zip(actual.items(), evaluate(questions), strict=True):
        init_s = segment_s(times, "init")
        bars[share, "A"] = one
        bars[share, "M"] = Bar(one.work_s, init_s, total_s(times) - one.work_s - init_s)
    return bars


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


def _plot(bars: Bars, x: str) -> Plot:
    names = [f"{place:g} {letter}" for place, letter in bars]
    every = list(bars.values())
    series = [
        Series("computation", [one.work_s for one in every]),
        Series("initiation", [one.init_s for one in every]),
        Series("waiting", [max(one.wait_s, 0.0) for one in every]),
    ]
    return Plot(x, "seconds", series, names, stacked=True)
