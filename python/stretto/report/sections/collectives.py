# SPDX-License-Identifier: BSD-3-Clause
"""Deviations of the runtime functions as figures 2 to 5 of the two-phase paper; gains and choices."""

from collections.abc import Sequence

from stretto.data.sizes import said_share
from stretto.model.collective.deviations import QUANTITIES, Cost, Deviation
from stretto.report.blocks import Block, Figure, Folded, Group, Heading, Paragraph, present, titled
from stretto.report.collectives import (
    Collectives,
    collectives,
    cost_table,
    deviation_table,
    largest_grids,
    operations,
)
from stretto.report.document import Document
from stretto.report.figure_cells import tables
from stretto.report.figures import Spec, layout, marks
from stretto.report.runtime_functions import function_blocks
from stretto.report.sections import Section

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
    parts += tables([deviation_table(measured)])
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
                f"{_NAMES[quantity]}, {d.grid}: {said_share(d.mean, 1)} ({said_share(d.least, 1)} to "
                f"{said_share(d.most, 1)}), {d.n} sizes",
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


def _gains(measured: Sequence[Cost]) -> Folded:
    ordered = sorted(measured, key=lambda c: (c.choice.operation, c.choice.members, c.choice.size_bytes))
    summary = "What two phases gain over flat, losses too, and what the model's choice costs"
    return Folded(summary, tables([cost_table(ordered)]))


SECTION = Section(70, "collectives", "Collectives and their runtime functions", body)
