# SPDX-License-Identifier: BSD-3-Clause
"""LogGP figures of both methods, by range of sizes and parameter."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from stretto.data.groups import grouped
from stretto.data.results import ResultRow
from stretto.report.select import Series, axis, group, series_of
from stretto.report.units import microseconds, nanoseconds_per_byte

# The names of the symbols.
SYMBOLS = {
    "L": (microseconds, "us"),
    "o_s": (microseconds, "us"),
    "o_r": (microseconds, "us"),
    "g": (microseconds, "us"),
    "g_queue": (microseconds, "us"),
    "G": (nanoseconds_per_byte, "ns/B"),
}
TRAINS = "spaced-trains"
# The paper has two methods for G, which have the names of its bars.
NOTES: Mapping[str, str] = {"flood": "M", "gather": "E"}


@dataclass(frozen=True)
class Parameter:
    """One line: method a (spaced trains) and method b (the paper's); `note` says which way b used."""

    symbol: str
    trains: ResultRow | None
    paper: ResultRow | None
    note: str = ""


@dataclass(frozen=True)
class Range:
    """Message sizes of one protocol, in bytes, both ends included."""

    series: Series
    size_min_bytes: int
    size_max_bytes: int
    parameters: tuple[Parameter, ...]
    figures: tuple[ResultRow, ...]


def ranges(rows: Iterable[ResultRow]) -> list[Range]:
    """The `loggp` figures by transport and operation, and by range of sizes within one."""
    selected = [r for r in rows if axis(r, "probe") == "loggp" and r.metric in SYMBOLS]
    return [
        result
        for series, members in group(selected, lambda s: s.without("pattern", "direction")).items()
        for result in _ranges(series, members)
    ]


def eager_limit(rows: Iterable[ResultRow], series: Series) -> ResultRow | None:
    """The eager limit of the sends of a series, if it was measured."""
    limits = (r for r in rows if r.metric == "eager_limit" and r.value is not None)
    return next((r for r in limits if series_of(r).without("pattern", "direction") == series), None)


def _ranges(series: Series, rows: Sequence[ResultRow]) -> Iterator[Range]:
    spans = grouped(rows, lambda row: (_bytes(row, "size_min_bytes"), _bytes(row, "size_max_bytes")))
    for (low, high), members in sorted(spans.items()):
        yield Range(series, low, high, tuple(_parameters(members)), tuple(members))


def _bytes(row: ResultRow, name: str) -> int:
    value = axis(row, name)
    return int(value) if isinstance(value, int | float) else 0


def _parameters(rows: Sequence[ResultRow]) -> Iterator[Parameter]:
    for symbol in SYMBOLS:
        selected = [r for r in rows if r.metric == symbol]
        trains = next((r for r in selected if axis(r, "method") == TRAINS), None)
        papers = [r for r in selected if axis(r, "method") != TRAINS]
        for index, paper in enumerate(papers or ([None] if trains else [])):
            method = "" if paper is None else str(axis(paper, "method"))
            yield Parameter(symbol, trains if index == 0 else None, paper, NOTES.get(method, ""))
