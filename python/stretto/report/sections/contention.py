# SPDX-License-Identifier: BSD-3-Clause
"""The slowdown of each kind of computation under traffic."""

from collections.abc import Sequence

from stretto.data.results import ResultRow
from stretto.report.blocks import Block, Figure, Folded, Group, Paragraph, titled
from stretto.report.contention_tables import by_kind, contention_rows, contention_tables, kind_of
from stretto.report.document import Document
from stretto.report.figure_cells import negative, tables
from stretto.report.figures import Spec, layout, marks, size_axis
from stretto.report.sections import Section
from stretto.report.select import group, size_of, title
from stretto.report.units import ratio, size_label


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
        points = [_point(row) for row in members if row.value is not None]
        if points:
            traces.append(marks(kind, index, points, mode="lines+markers"))
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1, "layer": "below"}
    line |= {"line": {"color": "var(--ink-soft)", "width": 1.2}}
    axes = layout(size_axis(size_of(row) or 0 for row in rows), {"title": "kappa", "range": list(span)})
    spec = {"data": traces, "layout": axes | {"shapes": [line], "showlegend": True}}
    return titled("map", name, Figure(spec, f"slowdown of work, {name}", height=290))


def _point(row: ResultRow) -> tuple[float, float, float | None, float | None, str]:
    v = row.value or 0.0
    words = f"{kind_of(row)}, {size_label(size_of(row) or 0)}: {ratio(v)}"
    if row.ci95_low is not None and row.ci95_high is not None:
        words += f" ({negative(ratio(row.ci95_low))} to {ratio(row.ci95_high)}), n {row.n}"
    return size_of(row) or 0, v, row.ci95_low, row.ci95_high, words


SECTION = Section(60, "contention", "What traffic costs work", body)
