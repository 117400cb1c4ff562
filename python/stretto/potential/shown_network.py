# SPDX-License-Identifier: BSD-3-Clause
"""The network that a trace itself shows: how long its messages took, by size, where their receivers waited.

The native `stretto-analyse` reads the records (src/analysis/shown_network.hpp).
"""

from __future__ import annotations

from collections.abc import Sequence

from stretto.data.trace import TraceFile
from stretto.potential.messages import analysed
from stretto.potential.sites import Cost


def shown_network(traces: Sequence[TraceFile]) -> Cost | None:
    """The cost of messages by size; None where too few receives waited for their messages.

    Args:
        traces: One per rank; host clocks are as they were recorded.

    Raises:
        UserError: a trace is damaged.
        RunError: the native program failed.
    """
    shown = analysed(traces, "network")["network"]
    return cost_of([(round(mean_bytes), time_s) for mean_bytes, time_s in shown])


def cost_of(classes: Sequence[tuple[int, float]]) -> Cost | None:
    """The cost from (mean bytes, seconds) of classes of messages, ascending; None where there are none.

    A smaller message never takes longer than a larger one. Beyond the largest, the time grows as it does on
    average between the smallest and the largest.
    """
    shown = list(classes)
    for index in range(len(shown) - 2, -1, -1):
        shown[index] = (shown[index][0], min(shown[index][1], shown[index + 1][1]))
    if not shown:
        return None
    (min_bytes, min_s), (max_bytes, max_s) = shown[0], shown[-1]
    gap = (max_s - min_s) / (max_bytes - min_bytes) if max_bytes > min_bytes else 0.0
    points = [*shown, (2 * max_bytes + 1, max_s + (max_bytes + 1) * gap)]
    if min_bytes > 0:
        points.insert(0, (0, min_s))
    return Cost(min_s, gap, times=tuple(points))
