# SPDX-License-Identifier: BSD-3-Clause
"""The page's tables of overlap in the familiar size-per-row form. The terminal's are in text_tables."""

from collections.abc import Mapping, Sequence

from stretto.data.results import ResultRow
from stretto.report.blocks import Block, Column, Table, Words, present
from stretto.report.figure_cells import interval, reasons, value
from stretto.report.select import OverlapPoint, Series, axis, headline, plain_transfer_s, size_of, title
from stretto.report.units import microseconds, percent, ratio, size_label

Everything = Mapping[Series, Sequence[OverlapPoint]]

_HEADS = (
    Column("Size"),
    Column("Overall", "µs"),
    Column("Compute", "µs"),
    Column("Pure comm.", "µs"),
    Column("plain MPI's", "µs"),
    Column("Overlap", "%"),
    Column("95 %"),
    Column("n"),
    Column("Knee", "%"),
    Column("Exposed", "µs"),
    Column("init", "µs"),
    Column("work", "µs"),
    Column("sync", "µs"),
    Column("barrier", "µs"),
    Column("kappa"),
    Column("95 %"),
)


def overlap_table(
    series: Series, points: Sequence[OverlapPoint], everything: Everything, knees: Sequence[ResultRow]
) -> list[Block]:
    """One series at its T_w/T_c nearest to 1; `knees` are the figures of whole sweeps."""
    plain_s = plain_transfer_s(everything, series)
    knee = {size_of(row): row for row in knees}
    rows = [
        _cells(point, plain_s.get(point.size_bytes), knee.get(point.size_bytes)) for point in headline(points)
    ]
    ratios = ", ".join(f"{r:g}" for r in sorted({p.ratio for p in headline(points)}))
    table = Table(_HEADS, rows, f"{title(series, everything)}, T_w/T_c {ratios}")
    unresolved = [r for p in headline(points) if (r := p.row("eta")) is not None]
    return present(
        [
            table,
            reasons(
                unresolved, lambda row: f"{size_label(size_of(row) or 0)} at {axis(row, 'ratio') or 1:g}"
            ),
        ]
    )


def _cells(point: OverlapPoint, plain_s: float | None, knee: ResultRow | None) -> list[Words]:
    eta, kappa = point.row("eta"), point.row("kappa")
    return [
        size_label(point.size_bytes),
        *(value(point.row(name), microseconds) for name in ("T_t", "T_w", "T_c")),
        "–" if plain_s is None else microseconds(plain_s),
        value(eta, percent),
        interval(eta, percent),
        eta.n if eta and eta.n else "",
        value(knee, percent),
        *(value(point.row(name), microseconds) for name in ("exposed", "init", "work", "sync", "barrier")),
        value(kappa, ratio),
        interval(kappa, ratio),
    ]
