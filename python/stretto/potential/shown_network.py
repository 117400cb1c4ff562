# SPDX-License-Identifier: BSD-3-Clause
"""The network that a trace itself shows: how long its messages took, by size, where their receivers waited.

A receive that was posted, and waited for, before its message was sent shows the time of the message: from the
begin of the send to the end of the wait. Waits that ended only when the sender, which computed outside of
MPI, came back to it do not count. Of the rest the shorter ones do: longer ones contain waiting for others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from stretto.data.trace import OnRecords, TraceFile, ignore_count
from stretto.data.trace_records import NO_CALLS
from stretto.data.trace_walk import MessageEnd, walk_ends
from stretto.potential.blocked import Begins
from stretto.potential.sites import Cost

_FEWEST = 5
"""Messages of a size class below which it shows nothing."""
_QUANTILE = 0.25
_MOST = 20_000
"""Messages of a rank that are looked at."""


def shown_network(
    traces: Sequence[TraceFile], begins: Begins, on_records: OnRecords = ignore_count
) -> Cost | None:
    """The cost of messages by size; None where too few receives waited for their messages.

    Args:
        traces: One per rank; host clocks are as they were recorded.
        begins: Of the same traces.
        on_records: Called as records are read.

    Raises:
        UserError: a trace is damaged.
    """
    classes: dict[int, list[tuple[float, int]]] = {}
    for file in traces:
        for number, (time_s, size_bytes) in enumerate(_times(file, begins, on_records)):
            if number == _MOST:
                break
            classes.setdefault(size_bytes.bit_length(), []).append((time_s, size_bytes))
    return cost_of([times for _, times in sorted(classes.items()) if len(times) >= _FEWEST])


def cost_of(classes: Sequence[Sequence[tuple[float, int]]]) -> Cost | None:
    """The cost from (seconds, bytes) of messages, in classes of ascending sizes; None where there are none.

    A smaller message never takes longer than a larger one. Beyond the largest, the time grows as it does on
    average between the smallest and the largest.
    """
    shown: list[tuple[int, float]] = []
    for times in classes:
        ordered = sorted(time_s for time_s, _ in times)
        mean_bytes = round(sum(size_bytes for _, size_bytes in times) / len(times))
        shown.append((mean_bytes, ordered[int(_QUANTILE * (len(ordered) - 1))]))
    for index in range(len(shown) - 2, -1, -1):
        shown[index] = (shown[index][0], min(shown[index][1], shown[index + 1][1]))
    if not shown:
        return None
    (least_bytes, least_s), (most_bytes, most_s) = shown[0], shown[-1]
    gap = (most_s - least_s) / (most_bytes - least_bytes) if most_bytes > least_bytes else 0.0
    points = [*shown, (2 * most_bytes + 1, most_s + (most_bytes + 1) * gap)]
    if least_bytes > 0:
        points.insert(0, (0, least_s))
    return Cost(least_s, gap, times=tuple(points))


def _times(file: TraceFile, begins: Begins, on_records: OnRecords) -> Iterator[tuple[float, int]]:
    """Seconds and bytes of the last message of each wait, where it shows its network."""
    threads: dict[int, tuple[float, float, list[MessageEnd]]] = {}
    for thread, event, ends in walk_ends(file, on_records):
        if event.kind not in NO_CALLS:
            if thread in threads:
                yield from _shown(begins, *threads[thread])
            threads[thread] = (event.begin_s, event.begin_s + event.duration_s, [])
        if thread in threads:
            threads[thread][2].extend(end for end in ends if not end.sends)
    for one in threads.values():
        yield from _shown(begins, *one)


def _shown(
    begins: Begins, begin_s: float, end_s: float, received: Sequence[MessageEnd]
) -> Iterator[tuple[float, int]]:
    sent = [(sent_s, one) for one in received if not math.isnan(sent_s := begins.sent_s(one))]
    if not sent:
        return
    sent_s, last = max(sent, key=lambda one: one[0])
    if not max(begin_s, last.posted_s) <= sent_s < end_s:
        return
    if not (begins.is_pending(last) and begins.needs_partner(last.channel[0], sent_s, end_s)):
        yield end_s - sent_s, last.size_bytes
