# SPDX-License-Identifier: BSD-3-Clause
"""The slides' table for Sweep3D, of a trace with the proxy's pattern (docs/proxies.md) and exact durations.

Sancho et al., "Tolerating high network latency on Sweep3D": overlapped, the code takes at a latency of 2 x what it
takes without at x, for one of its two messages hides under half a stage and the other cannot.
"""

from pathlib import Path

import pytest
from replays import needs_replay

from validation.papers.slide_traces import SWEEP_HALF_NS as HALF_NS
from validation.papers.slide_traces import replayed_s, sweep_phases, write_trace

pytestmark = needs_replay


def normalised(
    directory: Path, half_ns: int, latencies_us: tuple[float, ...]
) -> dict[str, dict[float, float]]:
    """Time by level and latency at 5 GB/s, over that of the trace at zero latency."""
    for rank in range(4):
        write_trace(directory / f"rank-{rank:06}.trace", rank, 4, list(sweep_phases(rank, half_ns)))
    networks = [f"L={latency}us,G=0.2ns" for latency in (0, *latencies_us)]
    times = {level: replayed_s(directory, networks, level) for level in ("traced", "producer-consumer")}
    reference_s = times["traced"][0]
    return {
        level: dict(zip(latencies_us, (time_s / reference_s for time_s in result[1:])))
        for level, result in times.items()
    }


def test_overlapped_it_stands_twice_the_latency(tmp_path: Path) -> None:
    result = normalised(tmp_path, HALF_NS, (0.5, 1, 2, 4))
    for latency, slides in ((1, 1.20), (2, 1.39), (4, 1.79)):
        assert result["traced"][latency] == pytest.approx(slides, rel=0.02)
    for latency, slides in ((1, 1.10), (2, 1.20), (4, 1.39)):
        assert result["producer-consumer"][latency] == pytest.approx(result["traced"][latency / 2], rel=0.10)
        assert result["producer-consumer"][latency] == pytest.approx(slides, rel=0.10)


def test_a_latency_hides_under_no_more_than_the_half_that_is_there(tmp_path: Path) -> None:
    """A part is stored 7/8 of a half before it is loaded: what latency is longer than that shows, every stage."""
    hidden_s = 7 / 8 * HALF_NS * 1e-9
    result = normalised(tmp_path, HALF_NS, (4, 8))["producer-consumer"]
    stage_s = 2e-9 * HALF_NS
    # From 4 to 8 us: phijb's latency shows as before, and of phiib's what no half hides.
    more = (4e-6 + (8e-6 - hidden_s)) / stage_s
    assert result[8] - result[4] == pytest.approx(more, rel=0.10)
