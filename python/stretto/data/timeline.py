# SPDX-License-Identifier: BSD-3-Clause
"""The beginning of a trace of all ranks: calls in lanes and the messages between them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from stretto.data.trace import TraceFile
from stretto.data.trace_walk import MessageEnd, PartTime, Span, walk


@dataclass(frozen=True)
class Lane:
    """A thread of a rank with its calls in order."""

    rank: int
    thread: int
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Message:
    """A message with the lanes of both ends."""

    from_lane: int
    to_lane: int
    sent_s: float
    received_s: float
    size_bytes: int
    tag: int
    produced_s: tuple[float, ...] = ()
    consumed_s: tuple[float, ...] = ()


@dataclass(frozen=True)
class Timeline:
    """The events of a trace before `end_s`; `whole` says whether these are all."""

    lanes: tuple[Lane, ...]
    messages: tuple[Message, ...]
    begin_s: float
    end_s: float
    whole: bool


def timeline_of(traces: Sequence[TraceFile], most_calls: int) -> Timeline:
    """The beginning of a trace with about `most_calls` calls, for the same interval on every rank.

    Raises:
        UserError: A trace is damaged.
    """
    share = max(most_calls // len(traces), 1)
    beginnings = [_beginning(file, share) for file in traces]
    cut = [items[-1] for items, whole in beginnings if not whole]
    end_s = min((item.end_s for item in cut if isinstance(item, Span)), default=math.inf)
    spans: dict[tuple[int, int], list[Span]] = {}
    ends: dict[tuple[tuple[int, int, int, int], int], dict[bool, tuple[int, MessageEnd]]] = {}
    parts: _Parts = {}
    for file, (items, _) in zip(traces, beginnings):
        rank = file.header.rank
        for item in items:
            if isinstance(item, Span):
                if item.begin_s <= end_s:
                    spans.setdefault((rank, item.thread), []).append(item)
            elif isinstance(item, PartTime):
                parts.setdefault((rank, item.request, item.sends), []).append(item)
            elif item.time_s <= end_s:
                ends.setdefault((item.channel, item.number), {})[item.sends] = (rank, item)
    lanes = tuple(Lane(*key, tuple(sorted(result, key=_begin))) for key, result in sorted(spans.items()))
    begin_s = min((lane.spans[0].begin_s for lane in lanes), default=0.0)
    if math.isinf(end_s):
        end_s = max((span.end_s for lane in lanes for span in lane.spans), default=begin_s)
    number = {(lane.rank, lane.thread): index for index, lane in enumerate(lanes)}
    return Timeline(lanes, tuple(_messages(ends.values(), number, parts)), begin_s, end_s, not cut)


_Parts = dict[tuple[int, int, bool], list[PartTime]]
"""Part times by rank, request, and whether the part was produced."""


def _begin(span: Span) -> float:
    return span.begin_s


def _beginning(file: TraceFile, most: int) -> tuple[list[Span | MessageEnd | PartTime], bool]:
    """The items up to the `most`-th call, and whether these are all."""
    result: list[Span | MessageEnd | PartTime] = []
    calls = 0
    for item in walk(file):
        calls += isinstance(item, Span)
        if calls > most:
            return [*result, item], False
        result.append(item)
    return result, True


def _messages(
    pairs: Iterable[Mapping[bool, tuple[int, MessageEnd]]],
    number: Mapping[tuple[int, int], int],
    parts: _Parts,
) -> Iterator[Message]:
    for pair in pairs:
        if len(pair) < 2:
            continue  # the other end is outside the interval
        (from_rank, sent), (to_rank, received) = pair[True], pair[False]
        lanes = number.get((from_rank, sent.thread)), number.get((to_rank, received.thread))
        if lanes[0] is not None and lanes[1] is not None:
            yield Message(
                lanes[0],
                lanes[1],
                sent.time_s,
                received.time_s,
                sent.size_bytes,
                sent.channel[3],
                _times(parts, (from_rank, sent.request, True)),
                _times(parts, (to_rank, received.request, False)),
            )


def _times(parts: _Parts, key: tuple[int, int, bool]) -> tuple[float, ...]:
    """Times in the order of the parts, without those that are 0. Blocking calls may have no request."""
    result = sorted(parts.get(key, ()), key=lambda one: one.part) if key[1] else []
    return tuple(one.time_s for one in result if one.time_s > 0)
