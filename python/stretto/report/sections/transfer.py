# SPDX-License-Identifier: BSD-3-Clause
"""Latency and bandwidth by message size as tables; the two plots of them are among the pictures."""

from collections.abc import Mapping, Sequence

from stretto.data.results import ResultRow
from stretto.report.blocks import Block, Column, Table, Words, present
from stretto.report.buffers import by_buffers
from stretto.report.document import Document
from stretto.report.figure_cells import interval, reasons, value
from stretto.report.sections import Section
from stretto.report.select import Series, axis, by_size, group, size_of, title
from stretto.report.transfer_plots import path
from stretto.report.units import megabytes_per_second, microseconds, size_label

Groups = Mapping[Series, Sequence[ResultRow]]


def body(document: Document) -> Sequence[Block]:
    """A table a path."""
    mine = [r for r in document.results.rows if r.metric in ("latency", "bandwidth")]
    return _tables(group(mine, path)) if mine else []


def _tables(paths: Groups) -> list[Block]:
    columns = [
        Column("Size"),
        Column("Latency", "µs"),
        Column("95 %"),
        Column("n"),
        Column("Bandwidth", "MB/s"),
        Column("95 %"),
        Column("Both ways", "MB/s"),
        Column("95 %"),
    ]
    parts: list[Block | None] = []
    for series, rows in paths.items():
        for words, chosen in by_buffers(rows):
            cells = [_cells(size, here) for size, here in by_size(chosen).items()]
            parts.append(Table(columns, cells, f"{title(series, paths)}. {words}"))
        parts.append(reasons(rows, lambda row: size_label(size_of(row) or 0)))
    return present(parts)


def _cells(size: int, here: Sequence[ResultRow]) -> list[Words]:
    latency = next((r for r in here if r.metric == "latency"), None)
    rates = {axis(r, "direction") or "one-way": r for r in here if r.metric == "bandwidth"}
    one, both = rates.get("one-way"), rates.get("both-ways")
    return [
        size_label(size),
        value(latency, microseconds),
        interval(latency, microseconds),
        latency.n if latency and latency.n else "",
        value(one, megabytes_per_second),
        interval(one, megabytes_per_second),
        value(both, megabytes_per_second),
        interval(both, megabytes_per_second),
    ]


SECTION = Section(30, "transfer", "Latency and bandwidth", body)
