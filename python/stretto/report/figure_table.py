# SPDX-License-Identifier: BSD-3-Clause
"""A table of figures, described once: `cells` shows it in a terminal, `figure_cells` on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from stretto.data.results import ResultRow
from stretto.report.blocks import Words

Rows = Sequence[ResultRow]
Format = Callable[[float], str]


@dataclass(frozen=True)
class Measured:
    """The value of a figure.

    In a terminal, a `narrow` column shows `?` for `unresolved`, and `suffix` stands behind the value.
    """

    row: ResultRow | None
    form: Format
    narrow: bool = False
    suffix: str = ""


@dataclass(frozen=True)
class Overlap:
    """An overlap in percent; a terminal shows only whether its interval is wide."""

    row: ResultRow | None


@dataclass(frozen=True)
class Between:
    """The interval of a figure; a terminal shows `note` behind it."""

    row: ResultRow | None
    form: Format
    note: str = ""


@dataclass(frozen=True)
class Samples:
    """The number of samples of a figure."""

    row: ResultRow | None


@dataclass(frozen=True)
class Bytes:
    """The size of a message."""

    size: float


@dataclass(frozen=True)
class Worded:
    """What a terminal and a page say in different words."""

    text: str
    page: Words


Cell: TypeAlias = str | Measured | Overlap | Between | Samples | Bytes | Worded


def with_interval(row: ResultRow | None, form: Format) -> tuple[Cell, Cell]:
    """The cells of a figure and its interval."""
    return Measured(row, form), Between(row, form)


def with_samples(row: ResultRow | None, form: Format) -> tuple[Cell, Cell, Cell]:
    """The cells of a figure, its interval and its number of samples."""
    return *with_interval(row, form), Samples(row)


@dataclass(frozen=True)
class Head:
    """The head of a column.

    Attributes:
        name: What the page says.
        unit: As a page has it, such as `µs`.
        short: What a terminal says instead, whose lines are shorter.
        words: Whether the cells are words instead of figures.
        on_page: Whether only the page has the column.
    """

    name: str
    unit: str = ""
    short: str = ""
    words: bool = False
    on_page: bool = False


INTERVAL = Head("95 %", short="95% CI")
COUNT = Head("n")


@dataclass(frozen=True)
class FigureTable:
    """Rows of cells below their heads.

    Attributes:
        kind: What the figures are, where a page says it in the heading of its section.
        title: What they are of.
        note: How to read them, in one line or more.
        figures: Those whose reasons stand below the table, where a value is missing or a bound.
        named: What a reason says that its figure is of.
        below: A line below the table and its reasons.
        caption: What the page says instead of the title and the note.
        across: How many columns a terminal shows next to the first; 0: all.
    """

    kind: str
    title: str
    heads: Sequence[Head]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    figures: Rows = ()
    named: Callable[[ResultRow], Cell] = lambda row: Bytes(float(row.axes.get("size_bytes") or 0))
    below: str = ""
    caption: str = ""
    across: int = 0
