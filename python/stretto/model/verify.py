# SPDX-License-Identifier: BSD-3-Clause
"""Compares measured and modelled schedules: bars A, M and E of the paper (sections 7.6, 7.7, 8.2).

As in the paper, the models use the computation measured in the same run, because they model communication.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import Results
from stretto.errors import UserError
from stretto.model.empirical import Run, barrier_s, empirical
from stretto.model.evaluation import Question, Times, evaluate
from stretto.model.measured import SEGMENTS, Measured, measured_schedules
from stretto.model.network import LogGp, PathCosts, costs_at
from stretto.model.parameters import Bar, Path, Source, path_costs
from stretto.model.schedule import shapes_of

HEADLINE: Sequence[Bar] = ("E", "M")  # the first available bar gives the headline figures


@dataclass(frozen=True)
class Modelled:
    """A bar in seconds, with its deviations (model - actual) / actual total."""

    time_s: float
    segments_s: Mapping[str, float]
    deviation: float
    segment_deviations: Mapping[str, float]


@dataclass(frozen=True)
class Row:
    """One schedule: bar A and the bars of the available models.

    `calibrates`: whether the run is without computation, so that bar E takes its parameters from it.
    """

    measured: Measured
    bars: Mapping[Bar, Modelled]
    calibrates: bool


@dataclass(frozen=True)
class Deviation:
    """Deviations of total times over rows, as fractions: the mean absolute one, and the largest one."""

    mean_absolute: float
    worst: float
    rows: int


@dataclass(frozen=True)
class Verification:
    """All rows, the deviations of each bar, and the reasons for missing bars."""

    rows: tuple[Row, ...]
    deviations: Mapping[Bar, Deviation]
    missing: tuple[str, ...]

    @property
    def headline(self) -> Bar:
        """The bar of the headline figures."""
        return next(bar for bar in HEADLINE if bar in self.deviations)


def verify(results: Results, source: Source | None) -> Verification:
    """Models every schedule of FT and SPMV in `results`.

    Args:
        results: The results of these probes.
        source: The profile for bar M, and for L and overlap of bar E. None: no bar M; bar E without latency
            and with full overlap.

    Raises:
        UserError: There is no schedule in the results, or no parameters to model any of them.
    """
    measured = measured_schedules(results)
    if not measured:
        raise UserError("no run of ft or spmv in it; `stretto probe ft` or `spmv` makes one")
    schedules = [
        one.problem.schedule(one.option.schedule, one.option.count, one.operation) for one in measured
    ]
    runs = [Run(one, shape) for one, shape in zip(measured, shapes_of(schedules), strict=True)]
    missing: dict[str, None] = {}
    costs = _profile_costs(runs, source, missing)
    bases = iter(
        costs_at(
            [(one, run.shape.largest_bytes) for run, one in zip(runs, costs, strict=True) if one is not None]
        )
    )
    requests: list[tuple[int, Bar, Question]] = []
    for place, (run, known) in enumerate(zip(runs, costs, strict=True)):
        work_s = np.array([run.measured.work_s])
        if known is not None:
            requests.append((place, "M", Question(schedules[place], known, work_s)))
        base = LogGp.of() if known is None else next(bases)
        others = [one for one in runs if _same_problem(one.measured, run.measured)]
        loggp = empirical(run, others, base)
        if loggp is None:
            missing[f"E: nothing {run.measured.route} ran without computation"] = None
        else:
            barrier = np.array([barrier_s(others)])
            requests.append(
                (place, "E", Question(schedules[place], PathCosts.uniform(loggp), work_s, barrier))
            )
    bars: list[dict[Bar, Modelled]] = [{} for _ in runs]
    times = evaluate([question for _, _, question in requests])
    for (place, bar, _), modelled in zip(requests, times, strict=True):
        bars[place][bar] = _modelled(runs[place], modelled)
    rows = [Row(run.measured, bars[place], run.idle) for place, run in enumerate(runs)]
    deviations = {bar: result for bar in HEADLINE if (result := _deviation(rows, bar)) is not None}
    if not deviations:
        raise UserError(f"nothing can be modelled ({'; '.join(missing)})")
    return Verification(tuple(rows), deviations, tuple(missing))


def _profile_costs(
    runs: Sequence[Run], source: Source | None, missing: dict[str, None]
) -> list[PathCosts | None]:
    """The profile's costs of each run's path; None without them, with the reason added to `missing`."""
    result: list[PathCosts | None] = []
    for run in runs:
        route = run.measured.route
        path = Path(route.transport, run.measured.operation, route.progress)
        try:
            if source is None:
                raise UserError("no profile")
            result.append(path_costs(source, path, "M", run.measured.problem.ranks))
        except UserError as error:
            missing[f"M: {error}"] = None
            result.append(None)
    return result


def _same_problem(one: Measured, other: Measured) -> bool:
    same_ranks = one.problem.ranks == other.problem.ranks
    return same_ranks and (one.subject, one.route) == (other.subject, other.route)


def _modelled(run: Run, times: Times) -> Modelled:
    actual = run.measured
    segments_s = {name: float(times.segment_s(name)[0]) for name in SEGMENTS[actual.subject]}
    time_s = float(times.total_s[0])
    return Modelled(
        time_s,
        segments_s,
        time_s / actual.time_s - 1,
        {name: (value - actual.segments_s[name]) / actual.time_s for name, value in segments_s.items()},
    )


def _deviation(rows: Sequence[Row], bar: Bar) -> Deviation | None:
    result = [row.bars[bar].deviation for row in rows if bar in row.bars]
    if not result:
        return None
    return Deviation(float(np.mean(np.abs(result))), max(result, key=abs), len(result))
