# SPDX-License-Identifier: BSD-3-Clause
"""The measured runs of ft and spmv as the paper's stacked bars: their groups and segments.

Terminal and page draw them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from stretto.data.groups import grouped
from stretto.data.results import ResultRow
from stretto.data.sample_columns import SPMV_SCHEDULES
from stretto.report.select import AxisValue, Series, axis, group, series_of

NAMES: Mapping[str, Mapping[str, str]] = {
    "ft": {"init": "comm init", "work": "computation", "sync": "comm sync", "barrier": "barrier"},
    "spmv": {
        "prefetch_init": "prefetch init",
        "pipeline_init": "pipeline init",
        "local_work": "local computation",
        "remote_work": "remote-dependent computation",
        "sync": "comm sync",
        "barrier": "barrier",
    },
}
"""The probes with bars, and the names of their segments from the bottom up."""

_PROBLEM_AXES = ("rows", "row_length", "planes", "scale", "nonzero_ratio")
_RUN_AXES = ("schedule", "operation", "chunks", "prefetch", "size_bytes")


@dataclass(frozen=True)
class Bar:
    """One schedule on one problem: its figures by metric, its segments' means over ranks in seconds."""

    axes: Mapping[str, AxisValue]
    figures: Mapping[str, ResultRow]
    segments_s: Mapping[str, float]

    @property
    def name(self) -> str:
        """`slabs`, `chunks=16`, `gather 4`."""
        schedule = str(self.axes["schedule"])
        if schedule == "chunks":
            return f"chunks={self.axes['chunks']}"
        return f"{schedule} {self.axes['prefetch']}" if "prefetch" in self.axes else schedule

    @property
    def time_s(self) -> float | None:
        return self.figures["time"].value if "time" in self.figures else None


@dataclass(frozen=True)
class Comparison:
    """The bars of one problem over one transport, and the bound of their gains."""

    probe: str
    series: Series
    problem: Mapping[str, AxisValue]
    bars: Sequence[Bar]
    bound: ResultRow | None

    @property
    def name(self) -> str:
        """`N 512, R 1024, scale 1.4`; `n 524288, nonzeros 4e-06`."""
        rows = "N" if self.probe == "ft" else "n"
        text = {"rows": rows, "row_length": "R", "nonzero_ratio": "nonzeros"}
        return ", ".join(f"{text.get(k, k)} {_number(v)}" for k, v in self.problem.items())


def comparisons(rows: Iterable[ResultRow]) -> list[Comparison]:
    """By probe, transport and progress, then by problem in the order of the document."""
    result = []
    for probe in NAMES:
        selected = [r for r in rows if axis(r, "probe") == probe]
        for series in group(selected, _path):
            members = [r for r in selected if _path(series_of(r)) == series]  # in the document's order
            result += [_comparison(probe, series, here) for here in _by_axes(members, _PROBLEM_AXES)]
    return [each for each in result if each.bars]


def _path(series: Series) -> Series:
    return series.without("operation")


def _comparison(probe: str, series: Series, rows: Sequence[ResultRow]) -> Comparison:
    bars = [bar for here in _by_axes(rows, _RUN_AXES) if (bar := _bar(probe, here)) is not None]
    bars.sort(key=_place)
    bound = next((r for r in rows if r.metric == "gain_bound"), None)
    return Comparison(probe, series, _some(rows[0], _PROBLEM_AXES), bars, bound)


def _place(bar: Bar) -> tuple[int, int, int]:
    """Bulk-synchronous first, then from few messages to many."""
    order = (*SPMV_SCHEDULES, "exchange", "slabs", "chunks", "pencils")
    return (
        order.index(str(bar.axes["schedule"])),
        int(bar.axes.get("chunks") or 0),
        int(bar.axes.get("prefetch") or 0),
    )


def _bar(probe: str, rows: Sequence[ResultRow]) -> Bar | None:
    axes = _some(rows[0], _RUN_AXES)
    if "schedule" not in axes:
        return None
    means = {r.metric: r.value or 0.0 for r in rows if axis(r, "over_ranks") == "mean"}
    figures = {r.metric: r for r in rows if axis(r, "over_ranks") is None}
    return Bar(axes, figures, {name: means.get(name, 0.0) for name in NAMES[probe]})


def _by_axes(rows: Iterable[ResultRow], names: Sequence[str]) -> Iterator[list[ResultRow]]:
    yield from grouped(rows, lambda row: tuple(axis(row, name) for name in names)).values()


def _some(row: ResultRow, names: Sequence[str]) -> dict[str, AxisValue]:
    return {name: value for name in names if (value := axis(row, name)) is not None}


def _number(value: AxisValue) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
