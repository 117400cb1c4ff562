# SPDX-License-Identifier: BSD-3-Clause
"""LogGP parameters by method a and method b, each with its interval."""

from collections.abc import Sequence

from stretto.report.blocks import Block, Column, Paragraph, Span, Symbol, Table, Words, present
from stretto.report.document import Document
from stretto.report.figure_cells import interval, reasons, value
from stretto.report.loggp import SYMBOLS, Range, ranges
from stretto.report.sections import Section
from stretto.report.select import title
from stretto.report.units import span_label

_HEADS = (
    Column("Sizes", words=True),
    Column("Parameter", words=True),
    Column("a: spaced trains"),
    Column("95 %"),
    Column("b: the paper's way"),
    Column("95 %"),
    Column("b from", words=True),
)
_WAYS = {"M": "streaming both ways (M)", "E": "all gather (E)"}
_NOTE = (
    "L is the latency, o_s and o_r the processor's overheads of sending and receiving, g the least time "
    "between two messages, g_queue the network card's time a message, G the time a byte. Method a sends "
    "trains whose messages are spaced with work; method b is that of the architectural probes. Where the "
    "two disagree, be careful with both."
)


def body(document: Document) -> Sequence[Block]:
    """One table a transport and operation, its protocol ranges below each other."""
    result = ranges(document.results.rows)
    if not result:
        return []
    tables: list[Block | None] = [Paragraph(_NOTE, "aside")]
    for series in dict.fromkeys(place.series for place in result):
        selected = [place for place in result if place.series == series]
        rows = [cells for place in selected for cells in _cells(place)]
        tables.append(Table(_HEADS, rows, title(series, (p.series for p in result))))
        tables.append(reasons((r for p in selected for r in p.figures), lambda row: row.metric))
    return present(tables)


def _cells(place: Range) -> list[list[Words]]:
    span = span_label(place.size_min_bytes, place.size_max_bytes)
    rows: list[list[Words]] = []
    for index, line in enumerate(place.parameters):
        form, unit = SYMBOLS[line.symbol]
        way = _WAYS.get(line.note, "pencils" if line.paper else "")
        unit_shown = Span(unit.replace("us", "µs"), "unit")
        rows.append(
            [
                span if index == 0 else "",
                (_symbol(line.symbol), " ", unit_shown),
                value(line.trains, form),
                interval(line.trains, form),
                value(line.paper, form),
                interval(line.paper, form),
                way,
            ]
        )
    return rows


def _symbol(symbol: str) -> Symbol:
    letter, _, index = symbol.partition("_")
    return Symbol(letter, index)


SECTION = Section(50, "loggp", "LogGP parameters", body)
