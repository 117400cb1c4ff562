# SPDX-License-Identifier: BSD-3-Clause
"""Tables of figures in a terminal, and one figure in one cell: value, interval, samples, or a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from stretto.data.results import ResultRow
from stretto.report.figure_table import (
    Between,
    Bytes,
    Cell,
    FigureTable,
    Format,
    Head,
    Measured,
    Overlap,
    Samples,
    Worded,
)
from stretto.report.reasons import reasons_of
from stretto.report.screen import Column, Part, heading, prose, table
from stretto.report.select import is_uncertain, size_of
from stretto.report.units import compact_size, percent

UNRESOLVED = "unresolved"


def tables(described: Iterable[FigureTable]) -> Iterator[Part]:
    """Each table below its title, with the reasons for missing figures below it."""
    for one in described:
        yield ""
        yield heading(f"{one.kind}: {one.title}" if one.kind else one.title)
        for line in filter(None, one.note.split("\n")):
            yield prose(line, style="dim")
        first, *others = [at for at, head in enumerate(one.heads) if not head.on_page]
        for start in range(0, len(others), one.across or len(others)):
            shown = [first, *others[start : start + (one.across or len(others))]]
            rows = ([cell_text(row[at]) for at in shown] for row in one.rows)
            yield table([column(one.heads[at]) for at in shown], rows)
        yield from reasons(one.figures, lambda row, named=one.named: cell_text(named(row)))  # type: ignore[misc]
        if one.below:
            yield prose(one.below, style="dim")


def column(head: Head) -> Column:
    """The column of a head."""
    unit = f"({head.unit.replace('µ', 'u')})" if head.unit else ""
    return Column(f"{head.short or head.name}{unit}", head.words)


def cell_text(cell: Cell) -> str:
    """What a terminal shows in a cell."""
    if isinstance(cell, Measured):
        return (narrow if cell.narrow else value)(cell.row, cell.form) + cell.suffix
    if isinstance(cell, Overlap):
        return brief_overlap(cell.row)
    if isinstance(cell, Between):
        return f"{interval(cell.row, cell.form)} {cell.note}".rstrip()
    if isinstance(cell, Samples):
        return count(cell.row)
    if isinstance(cell, Worded):
        return cell.text
    return compact_size(cell.size) if isinstance(cell, Bytes) else cell


def value(row: ResultRow | None, form: Format) -> str:
    """The value; `-` without measurement, `unresolved` without a figure, `<=` before an upper bound."""
    if row is None:
        return "-"
    if row.value is None:
        return UNRESOLVED
    return {"upper": "<=", "lower": ">="}.get(row.bound or "", "") + form(row.value)


def narrow(row: ResultRow | None, form: Format) -> str:
    """Same as `value`, for a column too narrow for `unresolved`."""
    shown = value(row, form)
    return "?" if shown == UNRESOLVED else shown


def brief_overlap(row: ResultRow | None) -> str:
    """Percent in a column too narrow for an interval: `~` before an uncertain figure, `?` if unresolved."""
    shown = narrow(row, percent)
    return f"~{shown}" if row is not None and row.value is not None and is_uncertain(row) else shown


def interval(row: ResultRow | None, form: Format) -> str:
    if row is None or row.ci95_low is None or row.ci95_high is None:
        return "-"
    return f"{form(row.ci95_low)}..{form(row.ci95_high)}"


def count(row: ResultRow | None) -> str:
    if row is None or not row.n:
        return "-"
    return str(row.n) if row.n < 1000 else f"{row.n // 1000}k"


def reasons(rows: Iterable[ResultRow], of: Callable[[ResultRow], str] | None = None) -> Iterator[Part]:
    """The lines below a table with the reasons for missing figures; `of` names a row, by default its size."""
    for reason in reasons_of(rows, of or (lambda row: compact_size(size_of(row) or 0))):
        yield prose(reason.sentence(), style="yellow")
