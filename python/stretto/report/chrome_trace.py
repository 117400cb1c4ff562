# SPDX-License-Identifier: BSD-3-Clause
"""A trace as Chrome's trace events, which Perfetto and chrome://tracing show. One event a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from stretto.data.trace import TraceFile
from stretto.data.trace_walk import MessageEnd, Span, walk

_MICRO = 1e6
_WITHIN_US = 0.001  # before a call's end: an arrow binds to the call that is around its time


def chrome_trace(traces: Sequence[TraceFile], place: Callable[[TraceFile, int], str]) -> Iterator[str]:
    """The lines of a JSON document; ranks are its processes, messages its flows. Memory: what is under way.

    Args:
        traces: One a rank.
        place: What a call site of a rank's trace is called.

    Raises:
        UserError: a trace is damaged.
    """
    yield '{"displayTimeUnit":"ns","traceEvents":['
    comma = ""
    for event in _events(traces, place):
        yield comma + json.dumps(event, separators=(",", ":"))
        comma = ","
    yield "]}"


def _events(traces: Sequence[TraceFile], place: Callable[[TraceFile, int], str]) -> Iterator[dict[str, Any]]:
    for file in traces:
        rank = file.header.rank
        name = f"rank {rank} ({file.header.host})"
        yield {"ph": "M", "pid": rank, "name": "process_name", "args": {"name": name}}
        yield {"ph": "M", "pid": rank, "name": "process_sort_index", "args": {"sort_index": rank}}
        for item in walk(file):
            if isinstance(item, Span):
                yield _span(rank, item, place(file, item.site))
            elif isinstance(item, MessageEnd):
                yield _end(rank, item)


def _span(rank: int, span: Span, where: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {"where": where}
    if span.peer >= 0:
        arguments["peer"] = span.peer
    if span.size_bytes:
        arguments["bytes"] = span.size_bytes
    return {
        "ph": "X", "pid": rank, "tid": span.thread, "name": span.name, "cat": span.category,
        "ts": round(span.begin_s * _MICRO, 3), "dur": round((span.end_s - span.begin_s) * _MICRO, 3),
        "args": arguments,
    }  # fmt: skip


def _end(rank: int, end: MessageEnd) -> dict[str, Any]:
    time_us = round(end.time_s * _MICRO, 3)
    channel = "-".join(f"{part:x}" for part in end.channel)
    event = {
        "ph": "s" if end.sends else "f", "pid": rank, "tid": end.thread, "name": "message", "cat": "message",
        "id": f"{channel}-{end.number:x}", "ts": time_us if end.sends else max(time_us - _WITHIN_US, 0.0),
    }  # fmt: skip
    return event if end.sends else {**event, "bp": "e"}
