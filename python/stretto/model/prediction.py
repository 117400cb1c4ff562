# SPDX-License-Identifier: BSD-3-Clause
"""What a schedule would take and gain: graphs evaluated over all draws, with intervals. Knows no files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stretto.model import ft, spmv
from stretto.model.graph import evaluate
from stretto.model.network import Network
from stretto.model.schedule import Schedule, Start
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

    schedule: Schedule
    total_s: Floats
    segments_s: Mapping[str, Floats]
    gain: Gain
    closed_s: Mapping[str, Floats]

    @property
    def operation(self) -> str:
        return next(step.operation for step in self.schedule.steps if isinstance(step, Start))

    @property
    def size_bytes(self) -> int:
        """Of one message."""
        return self.schedule.largest_bytes


def predict(schedule: Schedule, network: Network, work_s: Floats) -> Predicted:
    """`schedule` for `work_s` of computation a rank; its gain is over itself, its bound that of itself."""
    times = evaluate(schedule, network, work_s)
    communication_s = evaluate(schedule, network, np.zeros_like(work_s)).total_s
    longer_s = np.maximum(np.maximum(work_s, communication_s), SHORTEST_S)
    gain = Gain(np.ones_like(times.total_s), (work_s + communication_s) / longer_s)
    closed_s = closed_form(schedule, network, work_s)
    return Predicted(schedule, times.total_s, times.segments_s, gain, closed_s)


def closed_form(schedule: Schedule, network: Network, work_s: Floats) -> Mapping[str, Floats]:
    """The paper's equations where they hold: `total`, and for FT `init` and `wait`. Empty elsewhere.

    FT: pieces of whole rows, computed and put in turn (eq. 6-8). SPMV: gather of the least prefetch (eq. 13).
    """
    kind, _, depth = schedule.name.partition(",prefetch=")
    first = next(step for step in schedule.steps if isinstance(step, Start))
    loggp = network.at(first.size_bytes)
    if kind == "gather" and first.operation == "get" and int(depth) <= 1:
        blocks = spmv.Blocks(schedule.ranks, first.size_bytes, work_s / schedule.ranks)
        return {"total": spmv.times(blocks, loggp).total_s}
    pieces = schedule.messages * schedule.ranks // (schedule.ranks - 1)
    whole_rows = schedule.parts % pieces == 0
    if kind in ("bulk", "gather", "scatter", "exchange") or first.operation != "put" or not whole_rows:
        return {}
    work = ft.Pieces(pieces, schedule.ranks, first.size_bytes, work_s / pieces)
    times = ft.times(work, loggp)
    return {
        "total": times.total_s,
        "init": times.init_s,
        "init_eq6": ft.initiation_eq6_s(work, loggp) - times.work_s,
        "wait": times.wait_s,
    }


def estimate(values: Floats) -> Estimate:
    """The believed value (the first draw) with the interval of all draws; `n` is how many."""
    return interval(float(values[0]), values, len(values))
