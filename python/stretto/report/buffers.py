# SPDX-License-Identifier: BSD-3-Clause
"""Which memory consecutive messages of the probes latency and bandwidth used, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stretto.data.results import ResultRow

SAME, DISTINCT = "same", "distinct"
USUAL = {"latency": SAME, "bandwidth": DISTINCT}
"""What a probe does where a run does not ask otherwise; rows of older files do not say it."""
_WORDS = {
    SAME: "one buffer for all messages, as OSU's benchmarks",
    DISTINCT: "a buffer for each message",
}


def buffers_of(row: ResultRow) -> str:
    """`same` or `distinct`."""
    return str(row.axes.get("buffers", USUAL.get(row.metric, DISTINCT)))


def by_buffers(rows: Sequence[ResultRow]) -> Iterator[tuple[str, list[ResultRow]]]:
    """Latencies and bandwidths that stand in one table, with what the table says of their buffers.

    One table, where each metric was measured in one way; else one for each way.
    """
    found = {metric: {buffers_of(row) for row in rows if row.metric == metric} for metric in USUAL}
    if all(len(ways) <= 1 for ways in found.values()):
        known = {metric: ways.pop() for metric, ways in found.items() if ways}
        if known:
            yield _sentence(known), list(rows)
        return
    for way in (SAME, DISTINCT):
        chosen = [row for row in rows if buffers_of(row) == way]
        if chosen:
            yield f"Buffers: {_WORDS[way]}.", chosen


def _sentence(known: dict[str, str]) -> str:
    if len(set(known.values())) == 1:
        return f"Buffers: {_WORDS[next(iter(known.values()))]}."
    return "Buffers: " + "; ".join(f"{metric} {_WORDS[way]}" for metric, way in known.items()) + "."
