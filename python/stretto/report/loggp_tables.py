# SPDX-License-Identifier: BSD-3-Clause
"""LogGP parameters by both methods, a table a transport, operation and protocol range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stretto.report.blocks import Span, Symbol
from stretto.report.figure_table import (
    INTERVAL,
    Between,
    Cell,
    FigureTable,
    Head,
    Measured,
    Rows,
    Worded,
    with_interval,
)
from stretto.report.loggp import SYMBOLS, Parameter, eager_limit, ranges
from stretto.report.select import title
from stretto.report.units import size_label, span_label

_HEADS = (
    Head("Parameter"),
    Head("a: spaced trains", short="a: trains"),
    INTERVAL,
    Head("b: the paper's way", short="b: paper's"),
    INTERVAL,
    Head("b from", words=True, on_page=True),
)
_WAYS = {"M": "streaming both ways (M)", "E": "all gather (E)"}


def loggp_tables(rows: Rows) -> Iterator[FigureTable]:
    """Methods a and b side by side; below them the eager limit where the range ends at it."""
    result = ranges(rows)
    for place in result:
        span = span_label(place.size_min_bytes, place.size_max_bytes)
        limit = eager_limit(rows, place.series)
        below = ""
        if limit is not None and limit.value == place.size_max_bytes:
            below = f"eager limit: {'at least ' if limit.bound == 'lower' else ''}{size_label(limit.value)}"
        ways = dict.fromkeys(_WAYS[line.note] for line in place.parameters if line.note in _WAYS)
        below = "; ".join(filter(None, (f"G of b: {', '.join(ways)}" if ways else "", below)))
        yield FigureTable(
            "LogGP",
            f"{title(place.series, (r.series for r in result))}, {span}",
            _HEADS,
            [_row(line) for line in place.parameters],
            figures=place.figures,
            named=lambda row: row.metric,
            below=below,
        )


def _row(line: Parameter) -> Sequence[Cell]:
    form, unit = SYMBOLS[line.symbol]
    letter, _, index = line.symbol.partition("_")
    shown = Symbol(letter, index), " ", Span(unit.replace("us", "µs"), "unit")
    return (
        Worded(f"{line.symbol} ({unit})", shown),
        *with_interval(line.trains, form),
        Measured(line.paper, form),
        Between(line.paper, form, line.note),
        _WAYS.get(line.note, "pencils" if line.paper else ""),
    )
