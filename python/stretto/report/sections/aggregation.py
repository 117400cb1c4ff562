# SPDX-License-Identifier: BSD-3-Clause
"""The gain of aggregation: individual operations, an aggregate of them, and one vector operation."""

from collections.abc import Sequence

from stretto.report.aggregation import gathered
from stretto.report.blocks import Block, Column, Paragraph, Table, present
from stretto.report.document import Document
from stretto.report.figure_cells import interval, reasons, value
from stretto.report.sections import Section
from stretto.report.select import axis, title
from stretto.report.units import microseconds, ratio, size_label


def body(document: Document) -> Sequence[Block]:
    """One row per path and method."""
    lines = list(gathered(document.results.rows))
    if not lines:
        return []
    series = [line.series for line in lines]
    columns = [
        Column("Path", words=True),
        Column("Data"),
        Column("Method", words=True),
        Column("Time", "µs"),
        Column("95 %"),
        Column("n"),
        Column("Messages"),
        Column("Times faster"),
    ]
    cells = [
        [
            title(line.series, series),
            size_label(line.size_bytes),
            line.method,
            value(line.time, microseconds),
            interval(line.time, microseconds),
            line.time.n or "",
            "" if line.messages is None else f"{line.messages:g}",
            "" if line.faster is None else ratio(line.faster),
        ]
        for line in lines
    ]
    note = (
        "Strided doubles, from the start until they are usable at the destination. The runtime counts the "
        "messages; times faster compares with individual operations on the same path."
    )
    return present(
        [
            Table(columns, cells, "Many small pieces at once"),
            reasons([line.time for line in lines], lambda row: str(axis(row, "method"))),
            Paragraph(note, "aside"),
        ]
    )


SECTION = Section(55, "aggregation", "Aggregation", body)
