# SPDX-License-Identifier: BSD-3-Clause
"""The slowdown of each kind of computation under traffic."""

from collections.abc import Sequence

from stretto.data.results import ResultRow
from stretto.report.blocks import Block, Column, Figure, Folded, Group, Paragraph, Table, present, titled
from stretto.report.document import Document
from stretto.report.figure_cells import interval, negative, reasons, value
from stretto.report.figures import Spec, layout, marks, size_axis
from stretto.report.sections import Section
from stretto.report.select import axis, group, series_of, size_of, title
from stretto.report.units import ratio, size_label


def body(document: Document) -> Sequence[Block]:
    """Slowdown by size: one plot per path and one curve per kind of work, all on the same scale."""
    selected = [r for r in document.results.rows if r.metric == "kappa" and axis(r, "probe") == "contention"]
    if not selected:
        return []
    known = [end for r in selected for end in (r.value, r.ci95_low, r.ci95_high) if end is not None]
    low, high = min([1.0, *known]), max([1.0, *known])
    span = [low - 0.06 * (high - low) - 0.01, high + 0.06 * (high - low) + 0.01]
    paths = group(selected, lambda s: s.without("work_kind"))
    plots = [_plot(title(series, paths), rows, span) for series, rows in paths.items()]
    note = "kappa is the time of computation under traffic over its time alone: 1 means no slowdown."
    return [Paragraph(note, "aside"), Group("maps", plots), Folded("As a table", _table(selected))]


def _plot(name: str, rows: Sequence[ResultRow], span: Sequence[float]) -> Group:
    traces: list[Spec] = []
    kinds = group(rows, lambda s: s.without(*(key for key, _ in s.axes if key != "work_kind")))
    for index, (kind, members) in enumerate(kinds.items()):
        points = [_point(row) for row in members if row.value is not None]
        if points:
            traces.append(marks(str(kind.get("work_kind") or "work"), index, points, mode="lines+markers"))
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1, "layer": "below"}
    line |= {"line": {"color": "var(--ink-soft)", "width": 1.2}}
    axes = layout(size_axis(size_of(row) or 0 for row in rows), {"title": "kappa", "range": list(span)})
    spec = {"data": traces, "layout": axes | {"shapes": [line], "showlegend": True}}
    return titled("map", name, Figure(spec, f"slowdown of work, {name}", height=290))


def _point(row: ResultRow) -> tuple[float, float, float | None, float | None, str]:
    v = row.value or 0.0
    words = f"{axis(row, 'work_kind') or 'work'}, {size_label(size_of(row) or 0)}: {ratio(v)}"
    if row.ci95_low is not None and row.ci95_high is not None:
        words += f" ({negative(ratio(row.ci95_low))} to {ratio(row.ci95_high)}), n {row.n}"
    return size_of(row) or 0, v, row.ci95_low, row.ci95_high, words


def _table(rows: Sequence[ResultRow]) -> list[Block]:
    columns = [
        Column("Path", words=True),
        Column("Work", words=True),
        Column("Size"),
        Column("kappa"),
        Column("95 %"),
        Column("n"),
    ]
    paths = group(rows, lambda s: s.without("work_kind"))
    cells = [
        [
            title(series_of(row).without("work_kind"), paths),
            axis(row, "work_kind") or "work",
            size_label(size_of(row) or 0),
            value(row, ratio),
            interval(row, ratio),
            row.n or "",
        ]
        for row in (r for members in group(rows).values() for r in members)
    ]
    table = Table(columns, cells, "Slowdown of work under traffic")
    return present(
        [table, reasons(rows, lambda row: f"{axis(row, 'work_kind')} {size_label(size_of(row) or 0)}")]
    )


SECTION = Section(60, "contention", "What traffic costs work", body)
