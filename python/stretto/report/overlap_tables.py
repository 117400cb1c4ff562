# SPDX-License-Identifier: BSD-3-Clause
"""Overlap of one series in the familiar size-per-row form, at its T_w/T_c nearest to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stretto.data.results import ResultRow
from stretto.report.figure_table import (
    COUNT,
    INTERVAL,
    Between,
    Bytes,
    Cell,
    FigureTable,
    Head,
    Measured,
    Rows,
    Worded,
    with_samples,
)
from stretto.report.select import (
    OverlapPoint,
    Series,
    axis,
    headline,
    plain_transfer_s,
    size_of,
    title,
    where,
)
from stretto.report.units import compact_size, microseconds, percent, ratio, size_label

_SEGMENTS = ("exposed", "init", "work", "sync", "barrier")
_HEADS = (
    Head("Size"),
    Head("Overall", "µs"),
    Head("Compute", "µs"),
    Head("Pure comm.", "µs", short="Pure Comm."),
    Head("plain MPI's", "µs", on_page=True),
    Head("Overlap", "%"),
    INTERVAL,
    COUNT,
    Head("Knee", "%", on_page=True),
    Head("Exposed", "µs", on_page=True),
    *(Head(name, "µs", on_page=True) for name in _SEGMENTS[1:]),
    Head("kappa"),
    Head("95 %", on_page=True),
)


def overlap_table(
    series: Series, everything: Mapping[Series, Sequence[OverlapPoint]], rows: Rows
) -> FigureTable:
    """The table of a series; `rows` are all figures, of which it has the knees of whole sweeps."""
    points = headline(everything[series])
    plain_s = {} if series.is_plain else plain_transfer_s(everything, series)
    knee = {size_of(row): row for row in where(rows, "knee_overlap", **dict(series.axes))}
    ratios = sorted({point.ratio for point in points})
    at = ", ".join(f"{one:g}" for one in ratios)
    notes = [f"T_w/T_c = {at}"] if set(ratios) - {1.0} else []
    notes += ["Pure Comm. reads: of this transport / of plain MPI"] if plain_s else []
    name = title(series, everything)
    return FigureTable(
        "Overlap",
        name,
        _HEADS,
        [_row(point, plain_s.get(point.size_bytes), knee.get(point.size_bytes)) for point in points],
        note="\n".join(notes),
        figures=[row for point in points if (row := point.row("eta")) is not None],
        named=_named,
        caption=f"{name}, T_w/T_c {at}",
    )


def _row(point: OverlapPoint, plain_s: float | None, knee: ResultRow | None) -> Sequence[Cell]:
    eta, kappa = point.row("eta"), point.row("kappa")
    plain = "" if plain_s is None else microseconds(plain_s)
    return (
        Bytes(point.size_bytes),
        Measured(point.row("T_t"), microseconds),
        Measured(point.row("T_w"), microseconds),
        Measured(point.row("T_c"), microseconds, suffix=plain and f"/{plain}"),
        plain or "–",
        *with_samples(eta, percent),
        Measured(knee, percent),
        *(Measured(point.row(name), microseconds) for name in _SEGMENTS),
        Measured(kappa, ratio, narrow=True),
        Between(kappa, ratio),
    )


def _named(row: ResultRow) -> Cell:
    size = size_of(row) or 0
    return Worded(compact_size(size), f"{size_label(size)} at {axis(row, 'ratio') or 1:g}")
