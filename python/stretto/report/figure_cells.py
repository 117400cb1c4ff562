# SPDX-License-Identifier: BSD-3-Clause
"""Tables of figures on a page, and one figure in one cell: its value, its interval, the reason if missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from stretto.data.results import ResultRow
from stretto.report.blocks import Block, Column, Inline, Notes, Paragraph, Span, Table, Words
from stretto.report.figure_table import (
    Between,
    Bytes,
    Cell,
    FigureTable,
    Format,
    Measured,
    Overlap,
    Samples,
    Worded,
)
from stretto.report.prose import capital
from stretto.report.reasons import reasons_of
from stretto.report.units import percent, size_label


def tables(described: Iterable[FigureTable]) -> list[Block]:
    """Each table, with the reasons for missing figures below it."""
    blocks: list[Block] = []
    for one in described:
        # On a page, words that name a row stand to the left.
        first = {0} if all(isinstance(row[0], str | Worded) for row in one.rows) else set()
        columns = [
            Column(head.name, head.unit, head.words or at in first) for at, head in enumerate(one.heads)
        ]
        cells = [[_cell(cell) for cell in row] for row in one.rows]
        caption = one.caption or (f"{one.title}. {one.note}" if one.note else one.title)
        blocks.append(Table(columns, cells, caption))
        if notes := reasons(one.figures, lambda row, named=one.named: str(_cell(named(row)))):  # type: ignore[misc]
            blocks.append(notes)
        if one.below:
            blocks.append(Paragraph(f"{capital(one.below)}.", "aside"))
    return blocks


def _cell(cell: Cell) -> Words:
    if isinstance(cell, Measured):
        return value(cell.row, cell.form)
    if isinstance(cell, Overlap):
        return value(cell.row, percent)
    if isinstance(cell, Between):
        return interval(cell.row, cell.form)
    if isinstance(cell, Samples):
        return cell.row.n if cell.row and cell.row.n else ""
    if isinstance(cell, Worded):
        return cell.page
    return size_label(cell.size) if isinstance(cell, Bytes) else cell


def value(row: ResultRow | None, form: Format) -> Inline:
    """A figure; `unresolved` with its reason on hover; `≤` before an upper bound."""
    if row is None:
        return Span("–", "none")
    if row.value is None:
        return Span("unresolved", "unresolved", title=row.reason or "")
    sign = {"upper": "≤ ", "lower": "≥ "}.get(row.bound or "", "")
    shown = sign + negative(form(row.value))
    return Span(shown, title=row.reason) if row.reason else shown


def interval(row: ResultRow | None, form: Format) -> Inline:
    if row is None or row.ci95_low is None or row.ci95_high is None:
        return ""
    return Span(f"{negative(form(row.ci95_low))} to {negative(form(row.ci95_high))}", "interval")


def negative(number: str) -> str:
    """The text with a minus sign, which is as wide as a plus, instead of a hyphen."""
    return "−" + number[1:] if number.startswith("-") else number


def reasons(rows: Iterable[ResultRow], name: Callable[[ResultRow], str]) -> Notes | None:
    """The reasons for unresolved figures and bounds, each once with its rows."""
    notes = [reason.sentence() for reason in reasons_of(rows, name)]
    return Notes(notes) if notes else None
