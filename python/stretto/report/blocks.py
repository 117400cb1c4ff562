# SPDX-License-Identifier: BSD-3-Clause
"""What a page consists of, as plain data: the templates of `report/page` draw each form. Knows no HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from stretto.report.prose import Strong

# ---- within a line


@dataclass(frozen=True)
class Span:
    """Text of a kind that the style sheet knows; `title` is shown on hover, `sort_by` orders a table."""

    form: ClassVar[str] = "span"
    text: str
    kind: str = ""
    title: str = ""
    style: str = ""
    sort_by: float | None = None


@dataclass(frozen=True)
class Symbol:
    """A model's parameter such as `o_s`: a letter, and what stands below it."""

    form: ClassVar[str] = "symbol"
    letter: str
    index: str = ""


@dataclass(frozen=True)
class ColourScale:
    """The colours of an overlap map, from -100 to +100 percent."""

    form: ClassVar[str] = "colour_scale"


Inline: TypeAlias = str | float | Strong | Span | Symbol | ColourScale
Words: TypeAlias = Inline | Sequence[Inline]

# ---- blocks


@dataclass(frozen=True)
class Paragraph:
    """`kind` is nothing, `aside` (an explanation) or `callout` (what must not be missed)."""

    form: ClassVar[str] = "paragraph"
    words: Words
    kind: str = ""


@dataclass(frozen=True)
class Heading:
    form: ClassVar[str] = "heading"
    text: str


@dataclass(frozen=True)
class Figure:
    """A plot. `spec` has Plotly's `data` and `layout`; a colour `var(--name)` is of the page's theme.

    `label` is what a screen reader says, `height` is in pixels.
    """

    form: ClassVar[str] = "figure"
    spec: Mapping[str, Any]
    label: str
    caption: str = ""
    height: int = 380


@dataclass(frozen=True)
class Column:
    """A column's head, its unit, and whether it holds words instead of numbers."""

    head: str
    unit: str = ""
    words: bool = False


@dataclass(frozen=True)
class Table:
    """It scrolls sideways by itself where the page is too narrow for it."""

    form: ClassVar[str] = "table"
    columns: Sequence[Column]
    rows: Sequence[Sequence[Words]]
    caption: str = ""


@dataclass(frozen=True)
class Facts:
    """Names and what they are."""

    form: ClassVar[str] = "facts"
    pairs: Sequence[tuple[str, str | int]]


@dataclass(frozen=True)
class Notes:
    """A list of remarks."""

    form: ClassVar[str] = "notes"
    items: Sequence[str]


@dataclass(frozen=True)
class Headlines:
    """The sentences that matter most, each in parts."""

    form: ClassVar[str] = "headlines"
    sentences: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Folded:
    """What only some readers want: closed on the screen, open in print."""

    form: ClassVar[str] = "folded"
    summary: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Group:
    """Blocks that the style sheet lays out together, by `kind`."""

    form: ClassVar[str] = "group"
    kind: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class TimelineView:
    """The timeline of a trace: `data` is what the page's script draws."""

    form: ClassVar[str] = "timeline"
    categories: Sequence[tuple[str, str]]
    data: Mapping[str, Any]


Block: TypeAlias = (
    Paragraph | Heading | Figure | Table | Facts | Notes | Headlines | Folded | Group | TimelineView
)


def titled(kind: str, name: str, *blocks: Block) -> Group:
    """Blocks below a heading of their own, in a group."""
    return Group(kind, [Heading(name), *blocks])


def present(blocks: Iterable[Block | None]) -> list[Block]:
    """The blocks that there are."""
    return [block for block in blocks if block is not None]
