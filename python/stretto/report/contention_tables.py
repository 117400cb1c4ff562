# SPDX-License-Identifier: BSD-3-Clause
"""The slowdown of work under traffic by size and kind of work, a table a transport and operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
        kinds = [str(kind.get("work_kind") or "work") for kind in group(members, _only_kind)]
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


def _only_kind(series: Series) -> Series:
    return Series(tuple(pair for pair in series.axes if pair[0] == "work_kind"))


def _kind(row: ResultRow) -> str:
    return str(axis(row, "work_kind") or "work")


def _row(size: int, here: Rows, kinds: Sequence[str]) -> Sequence[Cell]:
    cells: list[Cell] = [Bytes(size)]
    for kind in kinds:
        row = next((r for r in here if _kind(r) == kind), None)
        cells += with_samples(row, ratio)
    return cells


def _named(row: ResultRow) -> Cell:
    size = size_of(row) or 0
    return Worded(compact_size(size), f"{_kind(row)} {size_label(size)}")
