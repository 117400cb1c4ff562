# SPDX-License-Identifier: BSD-3-Clause
"""Lines of at most 80 terminal cells: fixed columns and wrapped prose.
Knows nothing of what the figures mean.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, chop_cells, set_cell_size

from stretto.report.units import fit, printable

WIDTH = 80


@dataclass(frozen=True)
class Line:
    """One line of the terminal view; `style` is a rich style for terminals that have colours."""

    text: str
    style: str = ""


@dataclass(frozen=True)
class Column:
    """`width` counts the space before it; the first column of a table is set left, the others right."""

    head: str
    width: int


def heading(text: str) -> Line:
    return Line(fit(printable(text), WIDTH), "bold")


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> Iterator[Line]:
    """A head that starts with `#`, then one line a row.

    A cell wider than its column takes the free space before it; what still doesn't fit is cut.
    """
    yield Line(_row(columns, [c.head for c in columns]), "dim")
    for cells in rows:
        yield Line(_row(columns, [printable(cell) for cell in cells]))


def _row(columns: Sequence[Column], cells: Sequence[str]) -> str:
    line, end = fit(cells[0], columns[0].width), columns[0].width
    for column, cell in zip(columns[1:], cells[1:], strict=True):
        end += column.width
        room = end - cell_len(line) - 1
        shown = fit(cell, max(room, 1))
        line = set_cell_size(line, end - cell_len(shown)) + shown
    return line.rstrip()


def wrapped(text: str, indent: int = 0, first: str = "", style: str = "") -> Iterator[Line]:
    """Prose in lines of at most 80 cells, `first` before it and the other lines set in by `indent`."""
    line, started = first, False
    for word in printable(text).split(" "):
        for piece in chop_cells(word, WIDTH - max(indent, cell_len(first))) or [""]:
            glued = f"{line} {piece}" if started else f"{line}{piece}"
            if started and cell_len(glued) > WIDTH:
                yield Line(line, style)
                glued = " " * indent + piece
            line, started = glued, True
    yield Line(line, style)
