# SPDX-License-Identifier: BSD-3-Clause
"""The aggregation probe's figures as rows of a table, one per path and method."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stretto.data.results import ResultRow
from stretto.report.select import Series, axis, group, size_of

METHODS = ("individual", "aggregate", "vector")


@dataclass(frozen=True)
class Gathered:
    """The time of pieces of `size_bytes` in total by one method.

    `messages` is None where the transport does not count them. `faster` is the time of individual operations
    over this one; None where one of them is unknown.
    """

    series: Series
    size_bytes: int
    method: str
    time: ResultRow
    messages: float | None
    faster: float | None


def gathered(rows: Sequence[ResultRow]) -> Iterator[Gathered]:
    """The figures by series, size and method, in the order of their comparison."""
    selected = [row for row in rows if axis(row, "probe") == "aggregation"]
    for series, members in group(selected).items():
        for size in sorted({size for row in members if (size := size_of(row)) is not None}):
            here = [row for row in members if size_of(row) == size]
            times = {str(axis(row, "method")): row for row in here if row.metric == "time"}
            alone = times["individual"].value if "individual" in times else None
            for method in METHODS:
                if (row := times.get(method)) is None:
                    continue
                sent = [r.value for r in here if r.metric == "messages" and axis(r, "method") == method]
                counts = [value for value in sent if value is not None]
                faster = alone / row.value if alone is not None and row.value else None
                yield Gathered(series, size, method, row, sum(counts) if counts else None, faster)
