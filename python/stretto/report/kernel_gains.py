# SPDX-License-Identifier: BSD-3-Clause
"""The gains of runs of kernels over the way that does not overlap, next to their bound, over ranks.

The bound is (T_w + T_c) / max(T_w, T_c): T_w is the computation of the plain run, T_c the rest of its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stretto.data.groups import grouped
from stretto.data.kernel_run import KernelResult
from stretto.model.overlap import largest_gain
from stretto.report.blocks import Block, Column, Figure, Table, Words
from stretto.report.figures import DASHES, Spec, colour, label, layout, symbol
from stretto.report.units import ratio

PLAIN = ("alltoall", "two-sided", "blocking", "packed-slabs", "individual")
"""Variants that communicate and compute one after the other; the first that was run is the reference."""

_CAPTION = (
    "How many times as fast as the plain way each run is, over ranks. The bound is what overlap can gain: "
    "computation and communication of the plain run over the longer of them."
)


@dataclass(frozen=True)
class Gain:
    """The gain of a run over `plain`, the run of the same problem without overlap."""

    run: KernelResult
    plain: KernelResult

    @property
    def gain(self) -> float:
        return self.plain.time_s / self.run.time_s

    @property
    def bound(self) -> float:
        """What overlap can gain at most; 1 where a run does not say what it computed."""
        work_s = min(self.plain.timers_s.get("work", 0.0), self.plain.time_s)
        return float(largest_gain(work_s, self.plain.time_s - work_s))


def gains_of(runs: Sequence[KernelResult]) -> list[Gain]:
    """The gains of all verified runs whose problem was also run in a plain way."""
    usable = [run for run in runs if run.verified and run.time_s > 0]
    plain: dict[str, KernelResult] = {}
    for name in reversed(PLAIN):
        plain |= {run.problem: run for run in usable if run.variant == name}
    return [
        Gain(run, plain[run.problem])
        for run in usable
        if run.problem in plain and run is not plain[run.problem]
    ]


def gain_blocks(runs: Sequence[KernelResult]) -> list[Block]:
    """One plot a kernel and class, and a table; nothing where no run has a plain one to compare with."""
    kernels = grouped(gains_of(runs), _kernel)
    if not kernels:
        return []
    columns = [
        Column("Kernel", words=True),
        Column("Ranks"),
        Column("Way", words=True),
        Column("Over", words=True),
        Column("Gain"),
        Column("Bound"),
    ]
    rows: list[list[Words]] = [
        [name, str(one.run.ranks), one.run.way, one.plain.way, ratio(one.gain), ratio(one.bound)]
        for name, members in kernels.items()
        for one in members
    ]
    plots: list[Block] = [_plot(name, members) for name, members in kernels.items()]
    return [*plots, Table(columns, rows, "Gains over the plain way")]


def _kernel(gain: Gain) -> str:
    return gain.run.kernel + (f" class {gain.run.class_name}" if gain.run.class_name else "")


def _plot(name: str, gains: Sequence[Gain]) -> Figure:
    ways = grouped(gains, lambda one: one.run.way)
    bound = {one.run.ranks: one.bound for one in gains}
    data = [
        _line(way, index, [(one.run.ranks, one.gain) for one in of_way], "solid")
        for index, (way, of_way) in enumerate(ways.items())
    ]
    data.append(_line("bound", len(ways), list(bound.items()), DASHES[1]))
    axes = layout(
        {"title": "ranks", "type": "category", "dataname": "ranks", "categoryorder": "array",
         "categoryarray": [str(ranks) for ranks in sorted(bound)]},
        {"title": "gain", "rangemode": "tozero"},
        showlegend=True,
    )  # fmt: skip
    plain = label(gains[0].plain.way)
    conditions = f"{name}, over {plain}; one run each."
    return Figure({"data": data, "layout": axes}, f"{name}: gain over ranks", _CAPTION, conditions=conditions)


def _line(name: str, index: int, points: Sequence[tuple[int, float]], dash: str) -> Spec:
    ordered = sorted(points)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": label(name),
        "x": [str(ranks) for ranks, _ in ordered],
        "y": [value for _, value in ordered],
        "marker": {"color": colour(index), "symbol": symbol(index), "size": 8},
        "line": {"color": colour(index), "dash": dash, "width": 1.5},
        "hovertext": [label(f"{name}, {ranks} ranks: {ratio(value)}") for ranks, value in ordered],
        "hoverinfo": "text",
    }
