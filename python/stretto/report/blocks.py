# SPDX-License-Identifier: BSD-3-Clause
"""The blocks of a page as plain data. The templates of `report/page` render each form as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

from stretto.report.prose import Strong

# ---- within a line


@dataclass(frozen=True)
class Span:
    """Text of a kind in the style sheet; `title` is shown on hover, `sort_by` orders a table."""

    form: ClassVar[str] = "span"
    text: str
    kind: str = ""
    title: str = ""
    style: str = ""
    sort_by: float | None = None


@dataclass(frozen=True)
class Symbol:
    """A model's parameter such as `o_s`: a letter and its index."""

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
    """`kind` is empty, `aside` for an explanation, or `callout` for an important statement."""

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

    `label` names it for screen readers and for its CSV file. `caption` says what to see in it, `conditions`
    what it was measured under (the page adds the run's where there are none). `height` is in pixels.
    """

    form: ClassVar[str] = "figure"
    spec: Mapping[str, Any]
    label: str
    caption: str = ""
    height: int = 380
    conditions: str = ""


@dataclass(frozen=True)
class Column:
    """A column's head, its unit, and whether it has words instead of numbers."""

    head: str
    unit: str = ""
    words: bool = False


@dataclass(frozen=True)
class Table:
    """A table; it scrolls horizontally where the page is too narrow."""

    form: ClassVar[str] = "table"
    columns: Sequence[Column]
    rows: Sequence[Sequence[Words]]
    caption: str = ""


@dataclass(frozen=True)
class Facts:
    """Pairs of a name and its value."""

    form: ClassVar[str] = "facts"
    pairs: Sequence[tuple[str, str | int]]


@dataclass(frozen=True)
class Notes:
    """A list of remarks."""

    form: ClassVar[str] = "notes"
    items: Sequence[str]


@dataclass(frozen=True)
class Headlines:
    """The headline sentences, each in parts."""

    form: ClassVar[str] = "headlines"
    sentences: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Folded:
    """Details: closed on the screen, open in print."""

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
    """The timeline of a trace; the page's script draws `data`."""

    form: ClassVar[str] = "timeline"
    categories: Sequence[tuple[str, str]]
    data: Mapping[str, Any]


@dataclass(frozen=True)
class SideBySide:
    """Blocks next to each other, one column a run; below each other where the page is narrow."""

    form: ClassVar[str] = "side_by_side"
    columns: Sequence[tuple[str, Sequence[Block]]]


Block: TypeAlias = (
    Paragraph
    | Heading
    | Figure
    | Table
    | Facts
    | Notes
    | Headlines
    | Folded
    | Group
    | TimelineView
    | SideBySide
)


def titled(kind: str, name: str, *blocks: Block) -> Group:
    """A group of blocks below a heading."""
    return Group(kind, [Heading(name), *blocks])


def mapped(blocks: Iterable[Block], change: Callable[[Figure], Figure]) -> list[Block]:
    """The blocks with every figure in them, nested ones too, as `change` returns it."""
    return [_mapped(block, change) for block in blocks]


def _mapped(block: Block, change: Callable[[Figure], Figure]) -> Block:
    if isinstance(block, Figure):
        return change(block)
    if isinstance(block, Folded | Group):
        return replace(block, blocks=mapped(block.blocks, change))
    if isinstance(block, SideBySide):
        return SideBySide([(name, mapped(blocks, change)) for name, blocks in block.columns])
    return block


def figures_in(blocks: Iterable[Block]) -> list[Figure]:
    """Every figure of the blocks, nested ones too."""
    found: list[Figure] = []

    def keep(figure: Figure) -> Figure:
        found.append(figure)
        return figure

    mapped(blocks, keep)
    return found


def present(blocks: Iterable[Block | None]) -> list[Block]:
    """The blocks without the absent ones."""
    return [block for block in blocks if block is not None]
