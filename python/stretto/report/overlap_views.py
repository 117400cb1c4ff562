# SPDX-License-Identifier: BSD-3-Clause
"""What a terminal alone shows of overlap: it by T_w/T_c, and the bound of an emulated network, in lines."""

from collections.abc import Iterator, Sequence

from stretto.data.results import ResultRow
from stretto.report.cells import brief_overlap, interval, tables, value
from stretto.report.origin import BELOW_A_SEGMENT
from stretto.report.overlap_tables import overlap_table
from stretto.report.screen import Column, Part, heading, prose, table
from stretto.report.select import (
    OverlapPoint,
    axis,
    is_below_a_segment,
    overlap,
    size_of,
    where,
)
from stretto.report.units import (
    compact_size,
    percent,
)

Rows = Sequence[ResultRow]


def overlap_views(rows: Rows) -> Iterator[Part]:
    """One table a series in the familiar form, then overlap by T_w/T_c where more were measured."""
    everything = overlap(rows)
    for series, points in everything.items():
        yield from tables([overlap_table(series, everything, rows)])
        yield from _ratio_table(points, where(rows, "knee_overlap", **dict(series.axes)))


def _ratio_table(points: Sequence[OverlapPoint], knees: Rows) -> Iterator[Part]:
    """Overlap in percent, sizes down and T_w/T_c across, as many tables as the ratios need."""
    ratios = sorted({point.ratio for point in points})
    if len(ratios) < 2:
        return
    for start in range(0, len(ratios), 8):
        shown = ratios[start : start + 8]
        columns = [Column("T_w/T_c"), *(Column(f"{r:g}") for r in shown), Column("knee")]
        yield prose("Overlap (%) by size and T_w/T_c (? is unresolved, ~ uncertain)", style="dim")
        yield table(columns, _ratio_rows(points, knees, shown))


def _ratio_rows(points: Sequence[OverlapPoint], knees: Rows, ratios: Sequence[float]) -> Iterator[list[str]]:
    at = {(p.size_bytes, p.ratio): p.row("eta") for p in points}
    knee = {size_of(row): row for row in knees}
    for size in sorted({p.size_bytes for p in points}):
        result = [brief_overlap(at.get((size, r))) for r in ratios]
        yield [compact_size(size), *result, brief_overlap(knee.get(size))]


def bound_lines(rows: Rows) -> Iterator[Part]:
    """The largest possible overlap on an emulated network: that of raw TCP."""
    result = where(rows, "bound")
    if result:
        yield ""
        yield heading("Bound of the emulated network (overlap of raw TCP with computation)")
    for row in result:
        where_ = str(axis(row, "direction") or "one-way")
        yield prose(f"{where_}: {value(row, percent)} % (95% CI {interval(row, percent)})")
    if result and is_below_a_segment(rows):
        yield prose(f"{BELOW_A_SEGMENT}.")
