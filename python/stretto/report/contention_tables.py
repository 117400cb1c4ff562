# SPDX-License-Identifier: BSD-3-Clause
"""The slowdown of work under traffic by size and kind of work, a table a transport and operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from stretto.data.results import ResultRow
from stretto.report.figure_table import (
    COUNT,
    INTERVAL,
    Bytes,
    Cell,
    FigureTable,
    Head,
    Rows,
    Worded,
    with_samples,
)
from stretto.report.select import Series, axis, by_size, group, size_of, title
from stretto.report.units import compact_size, ratio, size_label

_KINDS_ACROSS = 3
"""Kinds of work that a terminal shows next to each other."""


def contention_rows(rows: Rows) -> Rows:
    """The slowdowns of the probe `contention`."""
    return [r for r in rows if r.metric == "kappa" and axis(r, "probe") == "contention"]


def contention_tables(rows: Rows) -> Iterator[FigureTable]:
    """One table a transport and operation, the kinds of work next to each other."""
    paths = group(contention_rows(rows), lambda s: s.without("work_kind"))
    for series, members in paths.items():
        kinds = list(by_kind(members))
        heads = [Head("Size")]
        for kind in kinds:
            heads += [Head(kind), INTERVAL, replace(COUNT, on_page=True)]
        yield FigureTable(
            "Work under traffic (kappa)",
            title(series, paths),
            heads,
            [_row(size, here, kinds) for size, here in by_size(members).items()],
            figures=members,
            named=_named,
            across=2 * _KINDS_ACROSS,
        )


def by_kind(rows: Rows) -> Mapping[str, Rows]:
    """The rows of each kind of work, by its name."""
    kinds = group(rows, lambda s: Series(tuple(pair for pair in s.axes if pair[0] == "work_kind")))
    return {kind_of(members[0]): members for members in kinds.values()}


def kind_of(row: ResultRow) -> str:
    """The kind of work of a row."""
    return str(axis(row, "work_kind") or "work")


def _row(size: int, here: Rows, kinds: Sequence[str]) -> Sequence[Cell]:
    cells: list[Cell] = [Bytes(size)]
    for kind in kinds:
        row = next((r for r in here if kind_of(r) == kind), None)
        cells += with_samples(row, ratio)
    return cells


def _named(row: ResultRow) -> Cell:
    size = size_of(row) or 0
    return Worded(compact_size(size), f"{kind_of(row)} {size_label(size)}")
