# SPDX-License-Identifier: BSD-3-Clause
"""Latency and bandwidth by message size, a table a path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stretto.report.buffers import by_buffers
from stretto.report.figure_table import (
    COUNT,
    INTERVAL,
    Bytes,
    Cell,
    FigureTable,
    Head,
    Rows,
    with_interval,
    with_samples,
)
from stretto.report.select import axis, by_size, group, title, where
from stretto.report.units import megabytes_per_second, microseconds


def transfer_tables(rows: Rows) -> Iterator[FigureTable]:
    """One table a transport and operation: latency and bandwidth by size."""
    selected = [r for r in rows if r.metric in ("latency", "bandwidth")]
    heads = (
        Head("Size"),
        Head("Latency", "µs"),
        INTERVAL,
        COUNT,
        Head("Bandwidth", "MB/s"),
        INTERVAL,
        Head("Both ways", "MB/s", short="Both"),
        replace(INTERVAL, on_page=True),
    )
    for words, chosen in by_buffers(selected):
        series = group(
            chosen, lambda s: s.without("direction", "pattern", "buffers").without_default_progress()
        )
        for one, members in series.items():
            cells = [_transfer_row(size, here) for size, here in by_size(members).items()]
            yield FigureTable("Latency and bandwidth", title(one, series), heads, cells, words, members)


def _transfer_row(size: int, here: Rows) -> Sequence[Cell]:
    latency = next(iter(where(here, "latency")), None)
    rates = where(here, "bandwidth")
    both = next((r for r in rates if axis(r, "direction") == "both-ways"), None)
    one = next((r for r in rates if r is not both), None)
    return (
        Bytes(size),
        *with_samples(latency, microseconds),
        *with_interval(one, megabytes_per_second),
        *with_interval(both, megabytes_per_second),
    )
