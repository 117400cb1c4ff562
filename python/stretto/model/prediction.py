# SPDX-License-Identifier: BSD-3-Clause
"""Predicted times and gains of schedules over all draws, with intervals. Reads no files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stretto.model.evaluation import Times
from stretto.model.overlap import gain_fraction, largest_gain
from stretto.model.schedule import Shape
from stretto.model.statistics import SHORTEST_S, Estimate, Floats, interval

FT_SEGMENTS = ("work", "init", "sync", "barrier")
SPMV_SEGMENTS = ("local_work", "remote_work", "prefetch_init", "pipeline_init", "sync", "barrier")


@dataclass(frozen=True)
class Gain:
    """The gain over the bulk-synchronous schedule; shape (draws,).

    `bound` is the largest gain of overlap.
    """

    gain: Floats
    bound: Floats

    @property
    def fraction(self) -> Floats:
        """The fraction of the bound; NaN without computation or without communication."""
        return gain_fraction(self.gain, self.bound)


@dataclass(frozen=True)
class Predicted:
    """A predicted schedule. Seconds, shape (draws,); `closed_s` has closed forms by name, if any."""

    schedule: Shape
    total_s: Floats
    segments_s: Mapping[str, Floats]
    gain: Gain
    closed_s: Mapping[str, Floats]


def predicted(times: Times, bulk: Times, work_s: Floats) -> Predicted:
    """The prediction of a schedule with its gain over `bulk`.

    Args:
        times: The times of the schedule.
        bulk: The times of the bulk-synchronous schedule, with its communication alone.
        work_s: The computation of a rank, shape (draws,).
    """
    assert bulk.communication_s is not None
    bound = largest_gain(work_s, bulk.communication_s)
    gain = Gain(bulk.total_s / np.maximum(times.total_s, SHORTEST_S), bound)
    return Predicted(times.shape, times.total_s, times.segments_s, gain, times.closed_s)


def estimate(values: Floats) -> Estimate:
    """The value of the first draw, which is the profile's, with the interval of all `n` draws."""
    return interval(float(values[0]), values, len(values))
