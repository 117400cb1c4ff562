# SPDX-License-Identifier: BSD-3-Clause
"""Deviations of the runtime functions as figures 2 to 5 of the two-phase paper; gains and choices."""

from collections.abc import Sequence

from stretto.model.collective.deviations import QUANTITIES, Cost, Deviation
from stretto.report.blocks import (
    Block,
    Column,
    Figure,
    Folded,
    Group,
    Heading,
    Paragraph,
    Table,
    Words,
    present,
    titled,
)
from stretto.report.collectives import (
    SUMMARIES,
    Collectives,
    chosen_words,
    collectives,
    largest_grids,
    operations,
    summary,
)
from stretto.report.document import Document
from stretto.report.figures import Spec, layout, marks
from stretto.report.runtime_functions import function_blocks
from stretto.report.sections import Section
from stretto.report.units import microseconds, size_label

_NAMES = {"leader": "leader group", "concurrent": "concurrent groups", "total": "total"}
_APART = 0.22  # of the three marks of a grid, in distances between grids


def body(document: Document) -> Sequence[Block]:
    """Per algorithm: one plot an operation, a summary, and the table of gains."""
    result = collectives(document)
    return [
        block
        for one in result
        for block in [*_algorithm(one, len(result) > 1), *function_blocks(document, one.algorithm)]
    ]


def _algorithm(measured: Collectives, several: bool) -> list[Block]:
    note = (
        "How far predictions of the runtime functions are off, by grid p1 × p2: a mark is the mean over all "
        "sizes, its bar goes from the smallest to the largest deviation. The leader group has p2 members, "
        "the concurrent groups p1."
    )
    plots = [_plot(operation, largest_grids(measured, operation)) for operation in operations(measured)]
    drawn = present(plots)
    parts: list[Block] = [Heading(f"{measured.algorithm} algorithms")] if several else []
    parts.append(_summary(measured))
    if drawn:
        parts += [Paragraph(note, "aside"), Group("maps", drawn)]
    if measured.costs:
        parts.append(_gains(measured.costs))
    return parts


def _plot(operation: str, deviations: Sequence[Deviation]) -> Group | None:
    if not deviations:
        return None
    grids = list(
        dict.fromkeys(d.grid for d in sorted(deviations, key=lambda d: int(d.grid.partition("x")[0])))
    )
    traces: list[Spec] = []
    for index, quantity in enumerate(QUANTITIES):
        points = [
            (
                grids.index(d.grid) + _APART * (index - 1),
                100 * d.mean,
                100 * d.least,
                100 * d.most,
                f"{_NAMES[quantity]}, {d.grid}: {d.mean:.1%} ({d.least:.1%} to {d.most:.1%}), {d.n} sizes",
            )
            for d in deviations
            if d.quantity == quantity
        ]
        if points:
            traces.append(marks(_NAMES[quantity], index, points))
    ticks = {"tickvals": list(range(len(grids))), "ticktext": grids, "showgrid": False}
    x = {"title": "p1 × p2", "range": [-0.6, len(grids) - 0.4]} | ticks
    highest = max(100 * d.most for d in deviations)
    y = {"title": "deviation, %", "range": [0, 1.08 * max(highest, 1.0)]}
    spec = {"data": traces, "layout": layout(x, y) | {"showlegend": True}}
    name = f"{operation} among {deviations[0].members}"
    return titled("map", name, Figure(spec, f"deviations of {name}", height=290))


def _summary(measured: Collectives) -> Table:
    columns = [Column("Operation", words=True), *(Column(name, "%") for name, _, _ in SUMMARIES)]
    rows = []
    for operation in operations(measured):
        cells: list[Words] = [operation]
        for _, quantity, flat in SUMMARIES:
            two = summary(measured, operation, quantity, flat)
            cells.append(f"{100 * two[0]:.1f} ({100 * two[1]:.1f})" if two else "–")
        rows.append(cells)
    return Table(columns, rows, "Mean deviation of predictions from measurements (largest)")


def _gains(measured: Sequence[Cost]) -> Folded:
    columns = [
        Column("Operation", words=True),
        Column("p"),
        Column("Size"),
        Column("Flat", "µs"),
        Column("Best grid"),
        Column("Gain", "%"),
        Column("Model's choice"),
        Column("Over best", "%"),
        Column("Over flat", "%"),
    ]
    ordered = sorted(measured, key=lambda c: (c.choice.operation, c.choice.members, c.choice.size_bytes))
    rows: list[list[Words]] = [
        [
            cost.choice.operation,
            cost.choice.members,
            size_label(cost.choice.size_bytes),
            microseconds(cost.flat_s),
            cost.best_grid,
            _signed(cost.best_gain),
            chosen_words(cost),
            _signed(cost.over_best),
            _signed(cost.over_flat),
        ]
        for cost in ordered
    ]
    summary = "What two phases gain over flat, losses too, and what the model's choice costs"
    return Folded(summary, [Table(columns, rows)])


def _signed(fraction: float) -> str:
    return f"{100 * fraction:+.1f}".replace("-", "−")


SECTION = Section(70, "collectives", "Collectives and their runtime functions", body)
