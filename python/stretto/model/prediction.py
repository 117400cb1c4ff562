# SPDX-License-Identifier: BSD-3-Clause
"""What a schedule would take and gain over all draws, with intervals. Knows no files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stretto.model.evaluation import Times
from stretto.model.schedule import Shape
from stretto.model.statistics import SHORTEST_S, Estimate, Floats, interval

FT_SEGMENTS = ("work", "init", "sync", "barrier")
SPMV_SEGMENTS = ("local_work", "remote_work", "prefetch_init", "pipeline_init", "sync", "barrier")


@dataclass(frozen=True)
class Gain:
    """Over the bulk-synchronous schedule; shape (draws,).

    `bound` is (T_w + T_c)/max(T_w, T_c), what overlap can give at best; `fraction` is (gain - 1)/(bound - 1).
    """

    gain: Floats
    bound: Floats

    @property
    def fraction(self) -> Floats:
        """NaN where there is nothing to gain (no computation, or no communication)."""
        possible = self.bound - 1
        return np.where(possible > 0, (self.gain - 1) / np.where(possible > 0, possible, 1.0), np.nan)


@dataclass(frozen=True)
class Predicted:
    """A schedule on a network. Seconds, shape (draws,); `closed_s`: closed forms by name, if any."""

    schedule: Shape
    total_s: Floats
    segments_s: Mapping[str, Floats]
    gain: Gain
    closed_s: Mapping[str, Floats]


def predicted(times: Times, bulk: Times, work_s: Floats) -> Predicted:
    """A schedule for `work_s` of computation a rank; its gain and bound are those over `bulk`.

    Args:
        mine: Its times.
        bulk: Those of the bulk-synchronous schedule, with its communication alone.
        work_s: Shape (draws,).
    """
    assert bulk.communication_s is not None
    longer_s = np.maximum(np.maximum(work_s, bulk.communication_s), SHORTEST_S)
    bound = (work_s + bulk.communication_s) / longer_s
    gain = Gain(bulk.total_s / np.maximum(times.total_s, SHORTEST_S), bound)
    return Predicted(times.shape, times.total_s, times.segments_s, gain, times.closed_s)


def estimate(values: Floats) -> Estimate:
    """The believed value (the first draw) with the interval of all draws; `n` is how many."""
    return interval(float(values[0]), values, len(values))
