# SPDX-License-Identifier: BSD-3-Clause
"""Cases of the probe `collective` as points over p and b: flat calls, phases and two-phase calls."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from stretto.data.collectives import PHASES
from stretto.data.measured_collectives import LONGEST_S, MeasuredCall, MeasuredTime
from stretto.model.cases import Case, pooled
from stretto.model.collective.points import CallPlace, Floats, Points, padded
from stretto.model.collective.two_phase import Grid, full_grid
from stretto.model.few_rounds import MIN_ROUNDS
from stretto.model.statistics import SHORTEST_S, bootstrap_medians, interval

PROBE = "collective"
FLAT = "flat"
REPLICATES = 200


@dataclass(frozen=True)
class Call:
    """One measured quantity of one case.

    Attributes:
        members: p of the whole operation.
        size_bytes: b of the whole operation.
        grid: None for a flat call.
        quantity: `total`, `leader` or `concurrent`.
        segments: The number of segments of the message.
        time_s: Smoothed median over the rounds.
        replicates_s: Shape (REPLICATES,).
        ranks_per_node: The consecutive ranks that share a node; 0: not known.
        rounds: The number of rounds.
        ratios: Each round over `time_s`, shape (rounds,); empty where not known.
    """

    operation: str
    algorithm: str
    members: int
    size_bytes: int
    grid: Grid | None
    quantity: str
    segments: int
    time_s: float
    replicates_s: Floats
    ranks_per_node: int = 0
    rounds: int = 0
    ratios: Floats = field(default_factory=lambda: np.empty(0))

    @property
    def phase(self) -> str | None:
        return self.quantity if self.quantity in PHASES else None

    @property
    def phase_members(self) -> int:
        """The p of the phase: p2 for leader groups, p1 for concurrent groups, and p for a whole call."""
        if self.grid is None or self.phase is None:
            return self.members
        return self.grid.columns if self.phase == "leader" else self.grid.rows

    @property
    def place(self) -> CallPlace:
        """The place of the measurement."""
        known = self.algorithm == "reference"
        where = (self.members, self.size_bytes, self.grid, self.phase)
        return CallPlace(self.operation, *where, known, self.ranks_per_node)


def calls_of(cases: Sequence[Case], seed: int, ranks_per_node: int = 0) -> list[Call]:
    """The calls of the probe's cases, without those below the resolution of clocks."""
    selected = [case for case in cases if case.probe == PROBE and case.has("total")]
    return [
        call
        for index, case in enumerate(pooled(selected))
        for call in _calls(case, seed + index, ranks_per_node)
    ]


def _calls(case: Case, seed: int, ranks_per_node: int) -> Iterator[Call]:
    members = int(case.axes.get("members", case.axes.get("ranks", 0)))
    grid = str(case.axes.get("grid", FLAT))
    result = full_grid(grid, members)
    if result is None and grid != FLAT:  # a ragged grid has no prediction
        return
    names = list(case.quantities)
    rounds_s = np.stack([case.quantities[name].each_s for name in names])
    medians = bootstrap_medians(rounds_s, seed)
    for index, name in enumerate(names):
        if medians.value[index] > SHORTEST_S:
            yield Call(
                operation=str(case.axes.get("operation", "")),
                algorithm=str(case.axes.get("algorithm", "library")),
                members=members,
                size_bytes=case.size_bytes,
                grid=result,
                quantity=name,
                segments=int(case.axes.get("segments", 1)),
                time_s=float(medians.value[index]),
                replicates_s=medians.replicates[index, :REPLICATES],
                ranks_per_node=ranks_per_node,
                rounds=medians.n,
                ratios=rounds_s[index] / medians.value[index],
            )


def measured_collectives(calls: Iterable[Call]) -> tuple[MeasuredCall, ...]:
    """The times of whole unsegmented calls by operation, p and form, where an interval has enough rounds."""
    curves: dict[tuple[str, str, int, str | None], list[Call]] = {}
    for call in calls:
        is_whole = call.quantity == "total" and call.segments == 1 and call.rounds >= MIN_ROUNDS
        is_grid = call.grid is None or min(call.grid.rows, call.grid.columns) > 1
        if is_whole and is_grid and call.members > 1 and call.size_bytes > 0 and call.time_s <= LONGEST_S:
            grid = None if call.grid is None else str(call.grid)
            curves.setdefault((call.algorithm, call.operation, call.members, grid), []).append(call)
    return tuple(
        MeasuredCall(operation, members, _times(selected), grid, algorithm)
        for (algorithm, operation, members, grid), selected in curves.items()
    )


def _times(calls: Sequence[Call]) -> tuple[MeasuredTime, ...]:
    """By ascending sizes; of the calls of one size the first counts."""
    by_size = {call.size_bytes: call for call in reversed(calls)}
    return tuple(MeasuredTime(size, call.time_s, _half_width(call)) for size, call in sorted(by_size.items()))


def _half_width(call: Call) -> float:
    """The larger side of the 95 % interval, relative."""
    estimate = interval(call.time_s, call.replicates_s, call.rounds)
    sides = (estimate.value - estimate.ci95_low, estimate.ci95_high - estimate.value)
    return min(1.0, max(0.0, *sides) / estimate.value)


def points_of(calls: Sequence[Call], torus: tuple[int, ...] = ()) -> Points:
    """The calls as points at the p and b of their phases."""
    nothing = np.zeros(len(calls))
    return with_times(Points.at([call.place for call in calls], nothing, nothing, torus), calls)


def with_times(points: Points, calls: Sequence[Call]) -> Points:
    """`points` with the measured times of these calls."""
    variance = [np.var(np.maximum(call.replicates_s, SHORTEST_S)) / call.time_s**2 for call in calls]
    return replace(
        points,
        time_s=np.array([call.time_s for call in calls]),
        variance=np.array(variance),
        ratios=padded([call.ratios for call in calls]),
    )


def same_node(calls: Sequence[Call]) -> npt.NDArray[np.bool_]:
    """Whether all members of each call's groups are on one node, shape (n,)."""
    times = np.ones(len(calls))
    return Points.at([call.place for call in calls], times, np.zeros(len(calls))).same_node
