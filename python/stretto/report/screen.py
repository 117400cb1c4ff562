# SPDX-License-Identifier: BSD-3-Clause
"""The renderer of text: tables, headings and prose for terminals, or one JSON document for programs.

On a terminal, a view is as wide as the terminal and has colours. In a file or a pipe, it has 80 columns and
no colours.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.containers import Lines
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from stretto.report.units import NUMBER_AND_UNIT, printable

WIDTH = 80
_NO_BREAK = "\ue000"
"""Stands for a space at which no line ends. It is one cell wide, and `printable` leaves none in a text."""

Part: TypeAlias = str | Text | Table | Padding
"""A part of a view. A plain string is a line that is never wrapped or cut: a path, a sentence of a log."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        words: Whether the cells are wrapped words, aligned left; else they are figures, aligned right.
        width: A fixed width, so that several tables line up; None: that of the cells.
    """

    head: str
    words: bool = False
    width: int | None = None


class _Wrapped(Text):
    """Text of which no line ends between a number and its unit. Rich ends lines at no-break spaces, too."""

    def __init__(self, text: str, style: str = "") -> None:
        super().__init__(printable(text), style=style)

    def wrap(self, console: Console, width: int, **options: Any) -> Lines:
        lines = self._joined().wrap(console, width, **options)
        for line in lines:
            line.plain = line.plain.replace(_NO_BREAK, " ")
        return lines

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return self._joined().__rich_measure__(console, options)

    def _joined(self) -> Text:
        joined = self.copy()
        joined.plain = NUMBER_AND_UNIT.sub(_NO_BREAK, self.plain)
        return joined


def screen() -> Console:
    """A console for standard output, as wide as the terminal, or WIDTH without one."""
    width = None if sys.stdout.isatty() else WIDTH
    return Console(width=width, highlight=False, markup=False, emoji=False)


def show(parts: Iterable[Part], console: Console | None = None) -> None:
    """Prints the parts of a view one below the other, by default on standard output."""
    console = console or screen()
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, str))


def plain_text(parts: Iterable[Part]) -> str:
    """The text of the view as in a file: WIDTH columns, no colours."""
    text = io.StringIO()
    show(parts, Console(file=text, width=WIDTH, highlight=False, markup=False, emoji=False))
    return text.getvalue()


def show_json(document: Mapping[str, Any]) -> None:
    """Prints one JSON document, and nothing else.

    Raises:
        ValueError: A number in it is not finite.
    """
    print(json.dumps(document, indent=1, allow_nan=False))


def tell(note: str | None) -> None:
    """Prints a note on standard error, so that documents on standard output stay valid; None: no note."""
    if note is not None:
        print(f"stretto: note: {note}", file=sys.stderr)


def cut(text: str, cells: int = WIDTH) -> str:
    """The printable text on one line of at most `cells` cells; `…` ends one that was longer."""
    line = Text(printable(text))
    line.truncate(cells, overflow="ellipsis")
    return line.plain


def heading(text: str) -> Text:
    """A heading of one line, cut to WIDTH."""
    return Text(cut(text), style="bold")


def prose(text: str, indent: int = 2, style: str = "") -> Padding:
    """Wrapped words, with all lines indented by `indent`."""
    return Padding(_Wrapped(text, style), (0, 0, 0, indent), expand=False)


def comment(text: str) -> Iterator[str]:
    """Wrapped words, with a `#` before each line, which readers of tables skip."""
    mark = "# "
    said = _Wrapped(text)
    if said:
        for line in said.wrap(Console(file=io.StringIO()), WIDTH - cell_len(mark), overflow="fold"):
            yield f"{mark}{line.plain}".rstrip()


def labelled(pairs: Iterable[tuple[str, str]], width: int) -> Table:
    """Pairs of a name and its wrapped text; the names are in a column of this width."""
    shown = Table.grid(padding=(0, 1, 0, 0))
    shown.add_column(width=width, no_wrap=True)
    shown.add_column(overflow="fold")
    for name, text in pairs:
        shown.add_row(Text(f"  {printable(name)}"), _Wrapped(text))
    return shown


def table(columns: Sequence[Column], rows: Iterable[Sequence[str | Text]], with_head: bool = True) -> Table:
    """A table whose head begins with `#`. Words are wrapped in narrow columns; figures are not."""
    lines = [[_cell(cell) for cell in row] for row in rows]
    heads = [column.head for column in columns]
    if with_head:
        heads[0] = f"# {heads[0]}".rstrip()
    widths = [
        max([cell_len(head) if with_head else 0, *(cell.cell_len for cell in cells)])
        for head, *cells in zip(heads, *lines)
    ]
    between = 2 if sum(widths) + 2 * (len(columns) - 1) <= WIDTH else 1
    shown = Table(
        box=None, padding=(0, between, 0, 0), pad_edge=False, header_style="dim", show_header=with_head
    )
    for index, (head, column) in enumerate(zip(heads, columns)):
        words = column.words or index == 0
        shown.add_column(
            Text(head),
            justify="left" if words else "right",
            no_wrap=not column.words,
            overflow="fold" if column.words else "ellipsis",
            width=column.width,
        )
    for line in lines:
        shown.add_row(*line)
    return shown


def _cell(cell: str | Text) -> Text:
    return cell if isinstance(cell, Text) else _Wrapped(cell)
