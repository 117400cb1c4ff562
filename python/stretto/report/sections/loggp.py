# SPDX-License-Identifier: BSD-3-Clause
"""LogGP parameters, method a beside method b, each with its interval."""

from stretto.report.document import Document
from stretto.report.loggp import SYMBOLS, Range, ranges
from stretto.report.markup import Column, Html, element, interval, joined, reasons, table, value
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
_WAYS = {"M": "flood both ways (M)", "E": "all gather (E)"}
_NOTE = (
    "L is the latency, o_s and o_r the processor's overheads of sending and receiving, g the least time "
    "between two messages, g_queue the network card's time a message, G the time a byte. Method a sends "
    "trains whose messages are spaced with work; method b is that of the architectural probes. Where the "
    "two disagree, believe neither blindly."
)


def body(document: Document) -> Html | None:
    """One table a transport and operation, its protocol ranges below each other."""
    found = ranges(document.results.rows)
    if not found:
        return None
    tables: list[Html] = [element("p", _NOTE, class_="aside")]
    for series in dict.fromkeys(place.series for place in found):
        mine = [place for place in found if place.series == series]
        rows = [cells for place in mine for cells in _cells(place)]
        tables.append(table(_HEADS, rows, title(series, (p.series for p in found))))
        tables.append(reasons((r for p in mine for r in p.figures), lambda row: row.metric))
    return joined(tables)


def _cells(place: Range) -> list[list[object]]:
    span = span_label(place.size_min_bytes, place.size_max_bytes)
    rows: list[list[object]] = []
    for index, line in enumerate(place.parameters):
        form, unit = SYMBOLS[line.symbol]
        way = _WAYS.get(line.note, "pencils" if line.paper else "")
        unit = element("span", unit.replace("us", "µs"), class_="unit")
        rows.append(
            [
                span if index == 0 else "",
                joined([_symbol(line.symbol), " ", unit]),
                value(line.trains, form),
                interval(line.trains, form),
                value(line.paper, form),
                interval(line.paper, form),
                way,
            ]
        )
    return rows


def _symbol(symbol: str) -> Html:
    base, _, index = symbol.partition("_")
    return element("i", base, element("sub", index)) if index else element("i", base)


SECTION = Section(50, "loggp", "LogGP parameters", body)
