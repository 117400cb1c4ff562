# SPDX-License-Identifier: BSD-3-Clause
"""The stacked bars of ft and spmv in a terminal: a letter a segment, 80 cells wide."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from stretto.data.results import ResultRow
from stretto.report.cells import narrow, reasons, value
from stretto.report.schedule_bars import NAMES, Bar, Comparison, comparisons
from stretto.report.screen import Column, Part, heading, prose, table
from stretto.report.select import title
from stretto.report.units import microseconds, ratio

_LETTERS = {
    "init": "i",
    "prefetch_init": "p",
    "pipeline_init": "i",
    "work": "w",
    "local_work": "l",
    "remote_work": "r",
    "sync": "s",
    "barrier": "b",
}
_BAR_CELLS = 38
_COLUMNS = (
    Column("Schedule"),
    Column("Time(us)"),
    Column("Gain"),
    Column("of bound"),
    Column("", words=True),
)


def schedule_tables(rows: Sequence[ResultRow]) -> Iterator[Part]:
    """One block a problem and transport, its schedules below each other."""
    result = comparisons(rows)
    for comparison in result:
        yield ""
        series = title(comparison.series, [c.series for c in result])
        yield heading(f"{comparison.probe.upper()} over {series}: {comparison.name}")
        yield from _legend(comparison)
        longest_s = max((bar.time_s or 0.0 for bar in comparison.bars), default=0.0)
        yield table(_COLUMNS, [[*_cells(bar), _drawn(bar, longest_s)] for bar in comparison.bars])
        yield from reasons([r for bar in comparison.bars for r in bar.figures.values()], lambda r: r.metric)


def _legend(comparison: Comparison) -> Iterator[Part]:
    names = NAMES[comparison.probe].items()
    text = ", ".join(f"{_LETTERS[segment]} {name}" for segment, name in names)
    if comparison.bound is not None:
        text += f"; overlap could gain {value(comparison.bound, ratio)}"
    yield prose(text, style="dim")


def _cells(bar: Bar) -> list[str]:
    return [
        bar.name,
        value(bar.figures.get("time"), microseconds),
        narrow(bar.figures.get("gain"), ratio),
        narrow(bar.figures.get("gain_fraction"), ratio),
    ]


def _drawn(bar: Bar, longest_s: float) -> str:
    """The segments as letters, each end rounded to the next cell so that the whole keeps its length."""
    if longest_s <= 0:
        return ""
    ends = [round(end / longest_s * _BAR_CELLS) for end in accumulate(bar.segments_s.values())]
    starts = [0, *ends[:-1]]
    return "".join(
        _LETTERS[name] * (end - start) for name, start, end in zip(bar.segments_s, starts, ends, strict=True)
    )[:_BAR_CELLS]
