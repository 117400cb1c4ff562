# SPDX-License-Identifier: BSD-3-Clause
"""Shows a replay: its end, its network, its size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stretto.data.sizes import format_duration, format_size, shown_duration
from stretto.report.screen import Part

# What a range of the network holds besides G, by its name in the document.
_TIMES = {
    "L": "latency_s",
    "o_s": "overhead_send_s",
    "o_r": "overhead_receive_s",
    "g": "gap_s",
}


def replay_view(one: Mapping[str, Any]) -> Iterator[Part]:
    """When a replay on one network ends, and what it consists of."""
    network = one["network"]
    yield f"makespan {shown_duration(one['makespan_s'])} on {_network_text(network)}"
    yield (
        f"  {one['ranks']} ranks, {one['operations']} operations, {one['events']} events, "
        f"{one['operations_per_second'] / 1e6:.3g} million operations/s"
    )


def _network_text(network: Mapping[str, Any]) -> str:
    """The effective model, all of it."""
    texts = []
    for one in network["ranges"]:
        start = f"from {format_size(one['from_bytes'])}: " if one["from_bytes"] else ""
        values = (f"{key}={format_duration(one[name])}" for key, name in _TIMES.items())
        texts.append(f"{start}{' '.join(values)} G={one['gap_s_per_byte'] * 1e9:.4g}ns/B")
    eager = network["eager_bytes"]
    rendezvous = "none" if eager is None else f"above {format_size(eager)}"
    overhead = f"O={network['overhead_s_per_byte'] * 1e9:.4g}ns/B"
    buffer = network.get("buffer_bytes")
    buffered = f", B={format_size(buffer)}" if buffer else ""
    return f"{'; '.join(texts)}; {overhead}, rendezvous {rendezvous}{buffered}"
