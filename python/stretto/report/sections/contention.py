# SPDX-License-Identifier: BSD-3-Clause
"""The slowdown of each kind of computation under traffic."""

from collections.abc import Sequence

from stretto.data.results import ResultRow
from stretto.report.blocks import Block, Figure, Folded, Group, Paragraph, titled
from stretto.report.contention_tables import by_kind, contention_rows, contention_tables
from stretto.report.document import Document
from stretto.report.figure_cells import negative, tables
from stretto.report.figures import Spec, horizontal_line, layout, marks, size_axis
from stretto.report.sections import Section
from stretto.report.select import group, size_of, title
from stretto.report.transfer_plots import measured_point
from stretto.report.units import ratio


def body(document: Document) -> Sequence[Block]:
    """Slowdown by size: one plot per path and one curve per kind of work, all on the same scale."""
    selected = contention_rows(document.results.rows)
    if not selected:
        return []
    known = [end for r in selected for end in (r.value, r.ci95_low, r.ci95_high) if end is not None]
    low, high = min([1.0, *known]), max([1.0, *known])
    span = [low - 0.06 * (high - low) - 0.01, high + 0.06 * (high - low) + 0.01]
    paths = group(selected, lambda s: s.without("work_kind"))
    plots = [_plot(title(series, paths), rows, span) for series, rows in paths.items()]
    note = "kappa is the time of computation under traffic over its time alone: 1 means no slowdown."
    return [
        Paragraph(note, "aside"),
        Group("maps", plots),
        Folded("As a table", tables(contention_tables(selected))),
    ]


def _plot(name: str, rows: Sequence[ResultRow], span: Sequence[float]) -> Group:
    traces: list[Spec] = []
    for index, (kind, members) in enumerate(by_kind(rows).items()):
        points = [
            measured_point(row, kind, lambda kappa: negative(ratio(kappa)))
            for row in members
            if row.value is not None
        ]
        if points:
            traces.append(marks(kind, index, points, mode="lines+markers"))
    axes = layout(size_axis(size_of(row) or 0 for row in rows), {"title": "kappa", "range": list(span)})
    spec = {"data": traces, "layout": axes | {"shapes": [horizontal_line(1)], "showlegend": True}}
    return titled("map", name, Figure(spec, f"slowdown of work, {name}", height=290))


SECTION = Section(60, "contention", "What traffic costs work", body)
