# SPDX-License-Identifier: BSD-3-Clause
"""What-if analysis: the time of an application on networks of other latencies and bandwidths.

Sancho et al., Quantifying the Potential Benefit of Overlapping Communication and Computation in
Large-Scale Scientific Applications: normalised time, the bandwidth needed, the latency tolerated.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stretto.data.sweep import TRACED
from stretto.data.traced_part import TracedPart
from stretto.potential.core_shortage import CoreShortage

NO_DATA_TIMES = (
    "does not say of any message when its data is produced and consumed. Messages between two ranks have "
    "such times, and collectives have none, where the program is built with stretto-cc, -cxx or -fc and "
    "recorded with --memory byte"
)
"""Of a trace without levels of overlap: it may be recorded so, and have no such messages."""

REFERENCE_BANDWIDTH = 5e9
"""Bytes a second of the network that the slides compare with."""
BOUNDS = ("no-communication", "no-computation")


@dataclass(frozen=True)
class NetworkPoint:
    """One network of a sweep; the overheads are the processor's, per message.

    `node_ranks` ranks share a node (0: no sharing), within which the latency is `node_latency_s`.
    """

    latency_s: float
    bandwidth_bytes_per_s: float
    overhead_send_s: float = 0.0
    overhead_receive_s: float = 0.0
    gap_s: float = 0.0
    node_ranks: int = 0
    node_latency_s: float = 0.0

    def spec(self, eager_bytes: int | None) -> str:
        """The specification for the native replay."""
        values = {
            "L": self.latency_s,
            "o_s": self.overhead_send_s,
            "o_r": self.overhead_receive_s,
            "g": self.gap_s,
            "G": 1.0 / self.bandwidth_bytes_per_s,
        }
        eager = "" if eager_bytes is None else f",S={eager_bytes}"
        return ",".join(f"{name}={value!r}" for name, value in values.items()) + eager + self.node_spec

    @property
    def node_spec(self) -> str:
        """The node's part of the specification, after the first range of sizes; empty without nodes."""
        return f",node={self.node_ranks},L_node={self.node_latency_s!r}" if self.node_ranks else ""


@dataclass(frozen=True)
class WhatIfRow:
    """The trace's time at one point; `normalised_time` is relative to zero latency and 5 GB/s."""

    latency_s: float
    bandwidth_bytes_per_s: float
    level: str
    progress_model: str
    time_s: float
    normalised_time: float


@dataclass(frozen=True)
class WhatIf:
    """A sweep over networks and its results.

    Attributes:
        name: The path of the trace.
        latencies_s: Latencies of the sweep, each with every one of `bandwidths` (bytes per second).
        models: Progress models.
        levels: Levels of overlap.
        eager_bytes: Messages up to this size are eager; None: all messages are.
        base: The parameters that all networks of the sweep share.
        reference_s: Time of the trace at zero latency and 5 GB/s.
        bounds: Lower bounds of the time, by their names in `BOUNDS`.
        trace: The native replay's description of the trace.
        rows: One per network, level and progress model.
        shortage: Why ranks of the recorded run waited for cores.
        part: The part of the run that the trace has.
    """

    name: str
    latencies_s: tuple[float, ...]
    bandwidths: tuple[float, ...]
    models: tuple[str, ...]
    levels: tuple[str, ...]
    eager_bytes: int | None
    base: NetworkPoint
    reference_s: float
    bounds: Mapping[str, float]
    trace: Mapping[str, Any]
    rows: tuple[WhatIfRow, ...]
    shortage: CoreShortage = field(default_factory=CoreShortage)
    part: TracedPart = field(default_factory=TracedPart)


_ROUNDING = 1e-9  # a time that is longer by less is the same


def bandwidth_needed(rows: Sequence[WhatIfRow], target_s: float) -> float | None:
    """The smallest bandwidth at which rows of one latency take no longer than `target_s`.

    Between two points of the sweep, time is linear in the time per byte. None: the largest bandwidth is too
    small.
    """
    ascending = sorted(rows, key=lambda row: row.bandwidth_bytes_per_s)
    enough = [row.time_s <= target_s * (1 + _ROUNDING) for row in ascending]
    if not enough or not enough[-1]:
        return None
    first = next(index for index in range(len(enough)) if all(enough[index:]))
    if first == 0:
        return ascending[0].bandwidth_bytes_per_s
    slow, fast = ascending[first - 1], ascending[first]
    per_byte_slow, per_byte_fast = 1 / slow.bandwidth_bytes_per_s, 1 / fast.bandwidth_bytes_per_s
    share = (slow.time_s - target_s) / (slow.time_s - fast.time_s)
    return 1 / (per_byte_slow + min(max(share, 0.0), 1.0) * (per_byte_fast - per_byte_slow))


def latency_tolerated(rows: Sequence[WhatIfRow], slowdown: float) -> float | None:
    """The largest latency of rows of one bandwidth with a normalised time of at most 1 + `slowdown`.

    Interpolates linearly between two points. None: the smallest latency is too large.
    """
    ascending = sorted(rows, key=lambda row: row.latency_s)
    limit = 1 + slowdown
    if not ascending or ascending[0].normalised_time > limit:
        return None
    for low, high in itertools.pairwise(ascending):
        if high.normalised_time > limit:
            share = (limit - low.normalised_time) / (high.normalised_time - low.normalised_time)
            return low.latency_s + share * (high.latency_s - low.latency_s)
    return ascending[-1].latency_s


TOLERATED = 0.1
"""Of the reference time: the slowdown up to which a latency is called tolerated."""


@dataclass(frozen=True)
class BandwidthNeed:
    """The bandwidth at which a level takes what `traced` takes at the sweep's largest; None: none is enough.

    It is the slides' last figure.
    """

    latency_s: float
    level: str
    progress_model: str
    bandwidth_bytes_per_s: float | None


@dataclass(frozen=True)
class LatencyTolerance:
    """The largest latency at the largest bandwidth that costs at most `TOLERATED`; None: none does."""

    level: str
    progress_model: str
    latency_s: float | None


def bandwidth_needs(result: WhatIf) -> list[BandwidthNeed]:
    """Of every level but `traced`, and every latency. Empty for a sweep without `traced`."""
    if TRACED not in result.levels:
        return []
    best = max(result.bandwidths)
    found = []
    for model, level, latency_s in itertools.product(result.models, result.levels, result.latencies_s):
        rows = [row for row in result.rows if (row.latency_s, row.progress_model) == (latency_s, model)]
        target_s = next(
            row.time_s for row in rows if (row.level, row.bandwidth_bytes_per_s) == (TRACED, best)
        )
        if level != TRACED:
            needed = bandwidth_needed([row for row in rows if row.level == level], target_s)
            found.append(BandwidthNeed(latency_s, level, model, needed))
    return found


def latency_tolerances(result: WhatIf) -> list[LatencyTolerance]:
    """Of every level and progress model."""
    best = max(result.bandwidths)
    return [
        LatencyTolerance(
            level,
            model,
            latency_tolerated(
                [
                    row
                    for row in result.rows
                    if (row.level, row.progress_model, row.bandwidth_bytes_per_s) == (level, model, best)
                ],
                TOLERATED,
            ),
        )
        for model, level in itertools.product(result.models, result.levels)
    ]
