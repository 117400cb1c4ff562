# SPDX-License-Identifier: BSD-3-Clause
"""Converts a trace to Chrome's trace events for Perfetto and chrome://tracing, one event per line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from stretto.data.program import Place
from stretto.data.trace import OnRecords, TraceFile, ignore_count
from stretto.data.trace_walk import MessageEnd, Span, walk

_MICRO = 1e6
_WITHIN_US = 0.001  # before a call's end, because an arrow belongs to the call that encloses its time


def chrome_trace(
    traces: Sequence[TraceFile], names: Mapping[Place, str], on_records: OnRecords = ignore_count
) -> Iterator[str]:
    """The lines of a JSON document with ranks as processes and messages as flows.

    Args:
        traces: One trace per rank.
        names: The names of call sites, as far as they are known.
        on_records: Called as records are read.

    Raises:
        UserError: A trace is damaged.
    """
    yield '{"displayTimeUnit":"ns","traceEvents":['
    comma = ""
    for file in traces:
        for event in _events(file, names, on_records):
            yield comma + event
            comma = ","
    yield "]}"


def _events(file: TraceFile, names: Mapping[Place, str], on_records: OnRecords) -> Iterator[str]:
    rank = file.header.rank
    name = f"rank {rank} ({file.header.host})"
    yield _about(rank, "process_name", {"name": name})
    yield _about(rank, "process_sort_index", {"sort_index": rank})
    # The text before the arguments of a call's event, cached by name, place and thread. Events are not built
    # as dictionaries, because there are millions.
    begun: dict[tuple[str, str, Place, int], str] = {}
    for item in walk(file, on_records):
        if isinstance(item, Span):
            key = item.name, item.category, item.place, item.thread
            begin = begun.get(key)
            if begin is None:
                begin = begun[key] = _begin(rank, item, names.get(item.place, ""))
            yield begin + _rest(item)
        else:
            yield _end(rank, item)


def _about(rank: int, what: str, arguments: dict[str, str | int]) -> str:
    event = {"ph": "M", "pid": rank, "name": what, "args": arguments}
    return json.dumps(event, separators=(",", ":"))


def _begin(rank: int, span: Span, where: str) -> str:
    """The text of a call's event, up to its first argument."""
    name, place = json.dumps(span.name), json.dumps(where)
    return (
        f'{{"ph":"X","pid":{rank},"tid":{span.thread},"name":{name},"cat":"{span.category}",'
        f'"args":{{"where":{place}'
    )


def _rest(span: Span) -> str:
    peer = f',"peer":{span.peer}' if span.peer >= 0 else ""
    size = f',"bytes":{span.size_bytes}' if span.size_bytes else ""
    time_us, duration_us = span.begin_s * _MICRO, (span.end_s - span.begin_s) * _MICRO
    return f'{peer}{size}}},"ts":{time_us:.3f},"dur":{duration_us:.3f}}}'


def _end(rank: int, end: MessageEnd) -> str:
    source, target, key, tag = end.channel
    time_us = end.time_s * _MICRO
    if end.sends:
        kind, binding = "s", ""
    else:
        kind, binding, time_us = "f", ',"bp":"e"', max(time_us - _WITHIN_US, 0.0)
    return (
        f'{{"ph":"{kind}","pid":{rank},"tid":{end.thread},"name":"message","cat":"message",'
        f'"id":"{source:x}-{target:x}-{key:x}-{tag:x}-{end.number:x}","ts":{time_us:.3f}{binding}}}'
    )
