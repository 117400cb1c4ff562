# SPDX-License-Identifier: BSD-3-Clause
"""Predicted beside measured: figures 2 to 5 of the paper, and what a choice by the model costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import ResultRow
from stretto.model.collective.choice import UNDECIDED, Choice, choose
from stretto.model.collective.functions import Functions, Prediction
from stretto.model.collective.measured import FLAT, PROBE, Call
from stretto.model.collective.two_phase import full_grid, predict_two_phase

QUANTITIES = ("leader", "concurrent", "total")


@dataclass(frozen=True)
class Deviation:
    """|predicted - measured| / measured over all sizes of a group: what one bar of figure 2 shows.

    `grid` is `flat` or `P1xP2`; `n` is how many sizes; `missing` of how many there was no prediction.
    """

    operation: str
    members: int
    grid: str
    quantity: str
    least: float
    mean: float
    most: float
    n: int
    missing: int


@dataclass(frozen=True)
class Cost:
    """What the model's choice took, beside the best of everything that was measured and beside flat.

    Seconds; `chosen` is `flat` or a grid, `best_grid` the fastest grid, `best_s` the fastest of all, and
    `worst_s` the slowest: what a bad choice would take.
    """

    choice: Choice
    chosen: str
    chosen_s: float
    best_grid: str
    best_grid_s: float
    flat_s: float
    worst_s: float

    @property
    def best_s(self) -> float:
        return min(self.best_grid_s, self.flat_s)

    @property
    def over_best(self) -> float:
        return self.chosen_s / self.best_s - 1

    @property
    def over_flat(self) -> float:
        return self.chosen_s / self.flat_s - 1

    @property
    def best_gain(self) -> float:
        """Of the fastest grid over flat, measured; negative where every grid loses."""
        return 1 - self.best_grid_s / self.flat_s


def measured_calls(rows: Iterable[ResultRow]) -> list[Call]:
    """The calls of the probe `collective` in results; what is unresolved is left out."""
    mine = (row for row in rows if row.axes.get("probe") == PROBE and row.metric == "time")
    found = (_call(row, row.value) for row in mine if row.value)
    return [call for call in found if call is not None]


def _call(row: ResultRow, time_s: float) -> Call | None:
    """None for a ragged grid, which nothing predicts."""
    members = int(row.axes.get("members", row.axes.get("ranks", 0)))
    text = str(row.axes.get("grid", FLAT))
    grid = full_grid(text, members)
    if grid is None and text != FLAT:
        return None
    return Call(
        operation=str(row.axes.get("operation", "")),
        algorithm=str(row.axes.get("algorithm", "library")),
        members=members,
        size_bytes=int(row.axes.get("size_bytes", 0)),
        grid=grid,
        quantity=str(row.axes.get("quantity", "total")),
        segments=int(row.axes.get("segments", 1)),
        time_s=time_s,
        replicates_s=np.array([time_s]),
    )


def predicted(functions: Functions, call: Call) -> Prediction:
    """What the functions say to a measured call, or to the phase of one."""
    if call.grid is None or call.phase is not None:
        return functions.predict(
            call.operation, call.phase_members, call.phase_bytes, call.phase, call.placement
        )
    return predict_two_phase(functions, call.operation, call.grid, call.size_bytes).total


def deviations(functions: Functions, calls: Sequence[Call]) -> list[Deviation]:
    """Over the sizes of every operation, p, grid and quantity, in the order of these."""
    groups: dict[tuple[str, int, str, str], list[Call]] = {}
    for call in calls:
        if call.algorithm == functions.algorithm and call.segments == 1 and call.phase_members > 1:
            grid = FLAT if call.grid is None else str(call.grid)
            groups.setdefault((call.operation, call.members, grid, call.quantity), []).append(call)
    return [_deviation(functions, key, mine) for key, mine in groups.items()]


def _deviation(functions: Functions, key: tuple[str, int, str, str], calls: Sequence[Call]) -> Deviation:
    off = [
        abs(found.time_s / call.time_s - 1)
        for call in calls
        if (found := predicted(functions, call)).time_s is not None
    ]
    least, mean, most = (min(off), float(np.mean(off)), max(off)) if off else (0.0, 0.0, 0.0)
    return Deviation(*key, least, mean, most, len(off), len(calls) - len(off))


def costs(functions: Functions, calls: Sequence[Call]) -> list[Cost]:
    """Of every operation, p and size that was measured flat and on grids."""
    points: dict[tuple[str, int, int], dict[str, float]] = {}
    for call in calls:
        if call.algorithm == functions.algorithm and call.quantity == "total" and call.segments == 1:
            grid = FLAT if call.grid is None else str(call.grid)
            points.setdefault((call.operation, call.members, call.size_bytes), {})[grid] = call.time_s
    return [
        _cost(choose(functions, *key), times)
        for key, times in points.items()
        if FLAT in times and len(times) > 1
    ]


def _cost(choice: Choice, times_s: dict[str, float]) -> Cost:
    """A chosen grid that was not measured counts as flat: nobody can say what it takes."""
    chosen = FLAT if choice.use == UNDECIDED or choice.use not in times_s else choice.use
    best = min((grid for grid in times_s if grid != FLAT), key=lambda grid: times_s[grid])
    return Cost(choice, chosen, times_s[chosen], best, times_s[best], times_s[FLAT], max(times_s.values()))
