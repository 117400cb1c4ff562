# SPDX-License-Identifier: BSD-3-Clause
"""Parses sweeps over networks and levels of overlap."""

from __future__ import annotations

import math

from stretto.data.sizes import parse_bandwidth, parse_duration
from stretto.errors import UserError

MAX_NODE_RANKS = 1 << 24
SLIDES_LATENCIES_S = (1e-6, 2e-6, 4e-6, 8e-6)
SLIDES_BANDWIDTHS = "1MB/s:5GB/s"
"""The latencies and bandwidths of the overlap-potential slides."""
TRACED = "traced"
LEVELS = (TRACED, "independent", "consumer", "producer-consumer")
_STEPS = (1.0, 2.0, 5.0)


def parse_node(text: str) -> tuple[int, float]:
    """The ranks per node and the latency in seconds of `4:0.5us`. UserError otherwise."""
    ranks, colon, latency = text.partition(":")
    if not colon or not ranks.isascii() or not ranks.isdigit() or not 0 < int(ranks) <= MAX_NODE_RANKS:
        raise UserError("give RANKS:LATENCY, such as 4:0.5us")
    return int(ranks), parse_duration(latency)


def parse_bandwidths(text: str) -> tuple[float, ...]:
    """Bytes per second of `10MB/s,1GB/s`, or of `1MB/s:5GB/s`: its ends and 1, 2, 5 of each decade.

    Raises:
        UserError: The text is neither, a range is reversed, or a bandwidth is zero.
    """
    low_text, colon, high_text = text.partition(":")
    if not colon:
        result = sorted({parse_bandwidth(part) for part in text.split(",")})
        if result[0] <= 0:
            raise UserError("give bandwidths above zero")
        return tuple(result)
    low, high = parse_bandwidth(low_text), parse_bandwidth(high_text)
    if not 0 < low <= high:
        raise UserError(f"give MIN:MAX, such as {SLIDES_BANDWIDTHS}")
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    between = (step * 10.0**decade for decade in decades for step in _STEPS)
    return tuple(sorted({low, high, *(one for one in between if low < one < high)}))
