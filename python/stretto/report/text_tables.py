# SPDX-License-Identifier: BSD-3-Clause
"""The terminal's tables of figures, one generator a kind of figure: rows of results in, lines out."""

from collections.abc import Iterator, Sequence

from stretto.data.results import ResultRow
from stretto.report.cells import brief_overlap, count, interval, narrow, reasons, value
from stretto.report.origin import BELOW_A_SEGMENT
from stretto.report.screen import Column, Part, heading, prose, table
from stretto.report.select import (
    OverlapPoint,
    axis,
    headline,
    is_below_a_segment,
    overlap,
    plain_transfer_s,
    size_of,
    title,
    where,
)
from stretto.report.units import (
    compact_size,
    microseconds,
    percent,
    ratio,
)

Rows = Sequence[ResultRow]
_CI = "95% CI"


def overlap_tables(rows: Rows) -> Iterator[Part]:
    """One table a series in the familiar form at T_w/T_c = 1, then overlap by T_w/T_c where more were
    measured.
    """
    everything = overlap(rows)
    for series, points in everything.items():
        yield ""
        yield heading(f"Overlap: {title(series, everything)}")
        plain = {} if series.is_plain else plain_transfer_s(everything, series)
        yield from _familiar_table(headline(points), plain)
        knees = where(rows, "knee_overlap", **dict(series.axes))
        yield from _ratio_table(points, knees)


def _familiar_table(points: Sequence[OverlapPoint], plain_s: dict[int, float]) -> Iterator[Part]:
    columns = (
        Column("Size"),
        Column("Overall(us)"),
        Column("Compute(us)"),
        Column("Pure Comm.(us)"),
        Column("Overlap(%)"),
        Column(_CI),
        Column("n"),
        Column("kappa"),
    )
    ratios = {point.ratio for point in points}
    if ratios - {1.0}:
        yield prose(f"T_w/T_c = {', '.join(f'{r:g}' for r in sorted(ratios))}")
    if plain_s:
        yield prose("Pure Comm. reads: of this transport / of plain MPI")
    yield table(columns, (_familiar_row(point, plain_s.get(point.size_bytes)) for point in points))
    yield from reasons([r for point in points if (r := point.row("eta")) is not None])


def _familiar_row(point: OverlapPoint, plain_s: float | None) -> list[str]:
    eta = point.row("eta")
    transfer = value(point.row("T_c"), microseconds)
    return [
        compact_size(point.size_bytes),
        value(point.row("T_t"), microseconds),
        value(point.row("T_w"), microseconds),
        transfer if plain_s is None else f"{transfer}/{microseconds(plain_s)}",
        value(eta, percent),
        interval(eta, percent),
        count(eta),
        narrow(point.row("kappa"), ratio),
    ]


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
