# SPDX-License-Identifier: BSD-3-Clause
"""Individual operations, an aggregate of them, and one vector operation, a table a size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stretto.data.results import ResultRow
from stretto.report.aggregation import Gathered, gathered
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
from stretto.report.select import Series, axis, size_of, title
from stretto.report.units import compact_size, microseconds, ratio, size_label

_HEADS = (
    Head("Path and method", words=True),
    Head("Data", on_page=True),
    Head("Time", "µs"),
    INTERVAL,
    COUNT,
    Head("Messages", short="Msgs"),
    Head("Times faster", short="Faster"),
)


def aggregation_tables(rows: Rows) -> Iterator[FigureTable]:
    """The methods on all paths; the last table has the reasons of all."""
    lines = list(gathered(rows))
    series = [line.series for line in lines]
    sizes = sorted({line.size_bytes for line in lines})
    for size in sizes:
        cells = [_row(line, series) for line in lines if line.size_bytes == size]
        figures = [line.time for line in lines] if size == sizes[-1] else ()
        of = f"{size // 8} doubles that lie apart"
        yield FigureTable("Aggregation", of, _HEADS, cells, figures=figures, named=_named)


def _row(line: Gathered, series: Sequence[Series]) -> Sequence[Cell]:
    path = title(line.series, series).replace(", progress ", " ")
    return (
        f"{path} {line.method}",
        Bytes(line.size_bytes),
        *with_samples(line.time, microseconds),
        "" if line.messages is None else f"{line.messages:g}",
        "" if line.faster is None else ratio(line.faster),
    )


def _named(row: ResultRow) -> Cell:
    size = size_of(row) or 0
    return Worded(compact_size(size), f"{axis(row, 'method')}, {size_label(size)}")
