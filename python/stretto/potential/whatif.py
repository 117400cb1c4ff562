# SPDX-License-Identifier: BSD-3-Clause
"""What-if: how long an application would take on networks of other latencies and bandwidths.

Sancho et al., Quantifying the Potential Benefit of Overlapping Communication and Computation in
Large-Scale Scientific Applications: normalised time, the bandwidth needed, the latency tolerated.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stretto.data.sizes import parse_bandwidth, parse_duration
from stretto.errors import UserError

REFERENCE_BANDWIDTH = 5e9
"""Bytes a second of the network that the slides compare with."""
MOST_NODE_RANKS = 1 << 24
SLIDES_LATENCIES_S = (1e-6, 2e-6, 4e-6, 8e-6)
SLIDES_BANDWIDTHS = "1MB/s:5GB/s"
TRACED = "traced"
LEVELS = (TRACED, "independent", "consumer", "producer-consumer")
BOUNDS = ("no-communication", "no-computation")
_STEPS = (1.0, 2.0, 5.0)


@dataclass(frozen=True)
class NetworkPoint:
    """One network of a sweep; the overheads are those of the processor, per message.

    `node_ranks` ranks each share a node (0: none do), within which latency is `node_latency_s`.
    """

    latency_s: float
    bandwidth_bytes_per_s: float
    overhead_send_s: float = 0.0
    overhead_receive_s: float = 0.0
    gap_s: float = 0.0
    node_ranks: int = 0
    node_latency_s: float = 0.0

    def spec(self, eager_bytes: int | None) -> str:
        """As the native replay reads it."""
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
    """How long the trace takes at one point; `normalised_time`: by the same at zero latency, 5 GB/s."""

    latency_s: float
    bandwidth_bytes_per_s: float
    level: str
    progress_model: str
    time_s: float
    normalised_time: float


@dataclass(frozen=True)
class WhatIf:
    """A sweep over networks and what came out of it.

    Attributes:
        name: Where the trace is.
        latencies_s: Latencies of the sweep, each with every one of `bandwidths` (bytes a second).
        models: Progress models.
        levels: Levels of overlap.
        eager_bytes: Up to this size messages need no handshake; None: of any size.
        base: What all networks of the sweep have in common.
        reference_s: Time of the trace at zero latency and 5 GB/s.
        bounds: Times that no network beats, by their names in `BOUNDS`.
        trace: What the native replay says of the trace.
        rows: One a network, level and progress model.
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


def parse_latencies(text: str) -> tuple[float, ...]:
    """`1us,2us,..` in seconds, ascending. UserError on anything else."""
    return tuple(sorted({parse_duration(part) for part in text.split(",")}))


def parse_node(text: str) -> tuple[int, float]:
    """`4:0.5us`: ranks of a node, and seconds between them. UserError on anything else."""
    ranks, colon, latency = text.partition(":")
    if not colon or not ranks.isascii() or not ranks.isdigit() or not 0 < int(ranks) <= MOST_NODE_RANKS:
        raise UserError(f"--node {text}: give RANKS:LATENCY, such as 4:0.5us")
    return int(ranks), parse_duration(latency)


def parse_bandwidths(text: str) -> tuple[float, ...]:
    """`10MB/s,1GB/s`, or `1MB/s:5GB/s` for the ends and 1, 2, 5 of each decade between; in bytes a second.

    Raises:
        UserError: it is neither, reversed, or a bandwidth is zero.
    """
    low_text, colon, high_text = text.partition(":")
    if not colon:
        found = sorted({parse_bandwidth(part) for part in text.split(",")})
        if found[0] <= 0:
            raise UserError(f"--bandwidth {text}: give bandwidths above zero")
        return tuple(found)
    low, high = parse_bandwidth(low_text), parse_bandwidth(high_text)
    if not 0 < low <= high:
        raise UserError(f"--bandwidth {text}: give MIN:MAX, such as {SLIDES_BANDWIDTHS}")
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    between = (step * 10.0**decade for decade in decades for step in _STEPS)
    return tuple(sorted({low, high, *(one for one in between if low < one < high)}))


def bandwidth_needed(rows: Sequence[WhatIfRow], target_s: float, tolerance: float = 1e-9) -> float | None:
    """The smallest bandwidth at which rows of one latency take no longer than `target_s`.

    Between two points of the sweep, time is taken as linear in the time a byte takes. None: not even the
    largest is enough.
    """
    ascending = sorted(rows, key=lambda row: row.bandwidth_bytes_per_s)
    enough = [row.time_s <= target_s * (1 + tolerance) for row in ascending]
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

    Between two points by a line; None: not even the smallest latency does.
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
