# SPDX-License-Identifier: BSD-3-Clause
"""Compares predicted with measured times (figures 2 to 5 of the paper); costs of the model's choices."""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import ResultRow
from stretto.model.collective.choice import UNDECIDED, Choice, choices
from stretto.model.collective.functions import Functions, GroupCall, Prediction, call_times
from stretto.model.collective.measured import FLAT, PROBE, Call
from stretto.model.collective.two_phase import GridCall, TwoPhase, full_grid, two_phase_times

QUANTITIES = ("leader", "concurrent", "total")


@dataclass(frozen=True)
class Deviation:
    """|predicted - measured| / measured over all sizes of a group: one bar of figure 2.

    `grid` is `flat` or `P1xP2`; `n` is the number of sizes; `missing` counts sizes without a prediction.
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
    """The measured time of the model's choice, next to those of flat and of the best measured call.

    Seconds; `chosen` is `flat` or a grid, `best_grid` the fastest grid, and `best_s` the fastest of all.
    """

    choice: Choice
    chosen: str
    chosen_s: float
    best_grid: str
    best_grid_s: float
    flat_s: float

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
        """The measured gain of the fastest grid over flat; negative where every grid is slower."""
        return 1 - self.best_grid_s / self.flat_s


def measured_calls(rows: Iterable[ResultRow]) -> list[Call]:
    """The calls of the probe `collective` in results, without unresolved ones."""
    selected = (row for row in rows if row.axes.get("probe") == PROBE and row.metric == "time")
    result = (_call(row, row.value) for row in selected if row.value)
    return [call for call in result if call is not None]


def _call(row: ResultRow, time_s: float) -> Call | None:
    """The call of a row; None for a ragged grid, which has no prediction."""
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


def predicted(functions: Functions, calls: Sequence[Call]) -> list[Prediction]:
    """Predictions of the functions, without measured times, for measured unsegmented calls and phases."""
    functions = dataclasses.replace(functions, measured=())
    flat = [call for call in calls if call.grid is None]
    times = iter(call_times(functions, [GroupCall(c.operation, c.members, c.size_bytes) for c in flat]))
    grids = [GridCall(c.operation, c.grid, c.size_bytes) for c in calls if c.grid is not None]
    two_phase = iter(two_phase_times(functions, grids))
    return [next(times) if call.grid is None else _quantity(next(two_phase), call) for call in calls]


def _quantity(two_phase: TwoPhase, call: Call) -> Prediction:
    phases = {"leader": two_phase.leader, "concurrent": two_phase.concurrent}
    return phases.get(call.quantity, two_phase.total)


def deviations(functions: Functions, calls: Sequence[Call]) -> list[Deviation]:
    """One deviation per operation, p, grid and quantity, over its sizes; sorted by these."""
    selected = [
        call
        for call in calls
        if call.algorithm == functions.algorithm and call.segments == 1 and call.phase_members > 1
    ]
    groups: dict[tuple[str, int, str, str], list[float | None]] = {}
    for call, prediction in zip(selected, predicted(functions, selected), strict=True):
        grid = FLAT if call.grid is None else str(call.grid)
        off = None if prediction.time_s is None else abs(prediction.time_s / call.time_s - 1)
        groups.setdefault((call.operation, call.members, grid, call.quantity), []).append(off)
    return [_deviation(key, each) for key, each in groups.items()]


def _deviation(key: tuple[str, int, str, str], each: Sequence[float | None]) -> Deviation:
    off = [one for one in each if one is not None]
    least, mean, most = (min(off), float(np.mean(off)), max(off)) if off else (0.0, 0.0, 0.0)
    return Deviation(*key, least, mean, most, len(off), len(each) - len(off))


def costs(functions: Functions, calls: Sequence[Call]) -> list[Cost]:
    """One cost per operation, p and size that was measured flat and on grids."""
    points: dict[tuple[str, int, int], dict[str, float]] = {}
    for call in calls:
        if call.algorithm == functions.algorithm and call.quantity == "total" and call.segments == 1:
            grid = FLAT if call.grid is None else str(call.grid)
            points.setdefault((call.operation, call.members, call.size_bytes), {})[grid] = call.time_s
    compared = {key: times for key, times in points.items() if FLAT in times and len(times) > 1}
    return [
        _cost(choice, times)
        for choice, times in zip(choices(functions, compared), compared.values(), strict=True)
    ]


def _cost(choice: Choice, times_s: dict[str, float]) -> Cost:
    """The cost of a choice; a chosen grid without measurements counts as flat."""
    chosen = FLAT if choice.use == UNDECIDED or choice.use not in times_s else choice.use
    best = min((grid for grid in times_s if grid != FLAT), key=lambda grid: times_s[grid])
    return Cost(choice, chosen, times_s[chosen], best, times_s[best], times_s[FLAT])
