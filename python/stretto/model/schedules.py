# SPDX-License-Identifier: BSD-3-Clause
"""Samples of ft and spmv as arrays over paired rounds: a problem and the runs of its schedules.

Computes no statistics. docs/formats.md defines the quantities and segments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stretto.data.results import AxisValue
from stretto.data.sample_columns import AXES, SCHEDULE_AXES, SEGMENTS, SPMV_SEGMENTS
from stretto.model.cases import Floats

if TYPE_CHECKING:
    import polars as pl

PROBES: Mapping[str, tuple[str, ...]] = {"ft": SEGMENTS, "spmv": SPMV_SEGMENTS}
"""The probes whose quantities are schedules, and the segments of each."""
REFERENCE: Mapping[str, str] = {"ft": "exchange", "spmv": "bulk"}
"""The bulk-synchronous schedule, the reference of gains."""
WORK: Mapping[str, tuple[str, ...]] = {"ft": ("work",), "spmv": ("local_work", "remote_work")}
OVER_RANKS: Mapping[str, str] = {"mean": "", "min": "_min", "max": "_max"}
"""Reductions of a segment over ranks, and the suffix of the sample's member."""

_OF_SCHEDULE = ("operation", "size_bytes", *(column.name for column in SCHEDULE_AXES))
_OF_CASE = ("ranks", *(c.name for c in AXES if c.name not in _OF_SCHEDULE))


@dataclass(frozen=True)
class Run:
    """One quantity of a case. Seconds; every array has shape (rounds,).

    Attributes:
        axes: The axes of its schedule; empty for T_w and T_c.
        messages: The number of messages that a rank sends to others.
        segments_s: By segment and by `mean`, `min` or `max` over ranks; zero where the row has no value.
    """

    axes: Mapping[str, AxisValue]
    messages: int
    time_s: Floats
    segments_s: Mapping[str, Mapping[str, Floats]]

    def work_s(self, probe: str) -> Floats:
        """The time of the computations, the mean over ranks."""
        total: Floats = np.sum([self.segments_s[name]["mean"] for name in WORK[probe]], axis=0)
        return total


@dataclass(frozen=True)
class Problem:
    """A case of ft or spmv: its runs by quantity, over the complete rounds."""

    probe: str
    axes: Mapping[str, AxisValue]
    runs: Mapping[str, Run]
    rounds: int

    @property
    def schedules(self) -> Mapping[str, Run]:
        """The runs that are schedules."""
        return {name: run for name, run in self.runs.items() if "schedule" in run.axes}

    @property
    def reference(self) -> Run | None:
        """The bulk-synchronous run, if measured."""
        return self.runs.get(REFERENCE[self.probe])


def problems_of(frame: pl.DataFrame) -> list[Problem]:
    """The cases of ft and spmv in a frame of sample rows, in the order of probe and case number.

    A round without all quantities of its case, in which the run ended early, is dropped. So is a case without
    complete rounds.
    """
    import polars as pl  # imported on use: it is slow

    selected = frame.filter(pl.col("probe").is_in(list(PROBES)))
    cases = selected.sort("probe", "case").partition_by("probe", "case", maintain_order=True)
    return [problem for case in cases if (problem := _problem(case)) is not None]


def _problem(case: pl.DataFrame) -> Problem | None:
    import polars as pl  # imported on use: it is slow

    quantities = case["quantity"].unique(maintain_order=True)
    complete = case.group_by("round").len().filter(pl.col("len") == len(quantities))["round"]
    case = case.filter(pl.col("round").is_in(complete.implode())).sort("round")
    if case.is_empty():
        return None
    probe = str(case["probe"][0])
    by_quantity = case.partition_by("quantity", as_dict=True)
    runs = {name: _run(by_quantity[(name,)], PROBES[probe]) for name in quantities}
    return Problem(probe, _axes(case, _OF_CASE), runs, len(complete))


def _run(rows: pl.DataFrame, segments: tuple[str, ...]) -> Run:
    import polars as pl  # imported on use: it is slow

    def column(name: str) -> Floats:
        values: Floats = rows[name].cast(pl.Float64).fill_null(0).to_numpy()
        return values

    return Run(
        axes=_axes(rows, _OF_SCHEDULE) if rows["schedule"][0] is not None else {},
        messages=int(rows["messages"][0]),
        time_s=column("time_s"),
        segments_s={
            name: {over: column(f"{name}{member}_s") for over, member in OVER_RANKS.items()}
            for name in segments
        },
    )


def _axes(rows: pl.DataFrame, names: tuple[str, ...]) -> dict[str, AxisValue]:
    first = rows.row(0, named=True)
    return {name: first[name] for name in names if first[name] is not None}
