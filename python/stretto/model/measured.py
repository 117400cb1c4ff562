# SPDX-License-Identifier: BSD-3-Clause
"""Measured times of the probes FT and SPMV from results: one record per schedule. Models nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stretto.data.results import AxisValue, ResultRow, Results
from stretto.model.forecast import Option, Route
from stretto.model.prediction import FT_SEGMENTS, SPMV_SEGMENTS
from stretto.model.problem import FtProblem, Problem, SpmvProblem

SEGMENTS: Mapping[str, tuple[str, ...]] = {"ft": FT_SEGMENTS, "spmv": SPMV_SEGMENTS}
WORK: Mapping[str, tuple[str, ...]] = {"ft": ("work",), "spmv": ("local_work", "remote_work")}
_OF_SCHEDULE = ("schedule", "operation", "chunks", "prefetch", "size_bytes", "over_ranks", "quantity")


@dataclass(frozen=True)
class Measured:
    """A measured schedule. Seconds; segments are means over ranks.

    `axes` are those of its case, without the schedule's. `communication_s` is T_c of the same case (the
    bulk-synchronous schedule without computation), if measured.
    """

    subject: str
    problem: Problem
    option: Option
    route: Route
    operation: str
    time_s: float
    segments_s: Mapping[str, float]
    axes: Mapping[str, AxisValue]
    communication_s: float | None

    @property
    def work_s(self) -> float:
        """The computation of a rank."""
        return sum(self.segments_s[name] for name in WORK[self.subject])

    @property
    def init_s(self) -> float:
        """The time in which a rank starts transfers."""
        return sum(value for name, value in self.segments_s.items() if name.endswith("init"))


def measured_schedules(results: Results) -> list[Measured]:
    """The resolved runs of FT and SPMV in `results`, in their order."""
    figures: dict[tuple[object, ...], dict[str, float]] = {}
    heads: dict[tuple[object, ...], ResultRow] = {}
    alone: dict[tuple[object, ...], float] = {}
    for row in results.rows:
        subject = row.axes.get("probe")
        if subject not in SEGMENTS or row.value is None:
            continue
        case = _case(row)
        if row.metric == "time" and row.axes.get("quantity") == "T_c":
            alone[case] = row.value
        if "schedule" not in row.axes:
            continue
        key = (*case, *((name, row.axes.get(name)) for name in ("schedule", "chunks", "prefetch")))
        if row.metric == "time":
            heads[key] = row
            figures.setdefault(key, {})["time"] = row.value
        elif row.axes.get("over_ranks") == "mean":
            figures.setdefault(key, {})[row.metric] = row.value
    return [
        _measured(heads[key], result, alone.get(_case(heads[key])))
        for key, result in figures.items()
        if key in heads
    ]


def _case(row: ResultRow) -> tuple[object, ...]:
    return tuple(sorted((name, value) for name, value in row.axes.items() if name not in _OF_SCHEDULE))


def _measured(row: ResultRow, figures: Mapping[str, float], communication_s: float | None) -> Measured:
    subject = str(row.axes["probe"])
    schedule = str(row.axes["schedule"])
    count = row.axes.get("chunks" if subject == "ft" else "prefetch")
    return Measured(
        subject=subject,
        problem=_problem(subject, row.axes),
        option=Option(schedule, None if count is None else int(count)),
        route=Route(str(row.axes.get("transport", "")), str(row.axes.get("progress", "none"))),
        operation=str(row.axes.get("operation", "put")),
        time_s=figures["time"],
        segments_s={name: figures.get(name, 0.0) for name in SEGMENTS[subject]},
        axes={name: value for name, value in row.axes.items() if name not in _OF_SCHEDULE},
        communication_s=communication_s,
    )


def _problem(subject: str, axes: Mapping[str, AxisValue]) -> Problem:
    ranks, rows = int(axes["ranks"]), int(axes["rows"])
    if subject == "ft":
        return FtProblem(rows, int(axes["row_length"]), ranks, float(axes.get("scale", 1.0)))
    return SpmvProblem(rows, float(axes.get("nonzero_ratio", 0.0)), ranks)
