# SPDX-License-Identifier: BSD-3-Clause
"""The slides' table for Sweep3D, of a trace with the proxy's pattern (docs/proxies.md) and exact durations.

Sancho et al., "Tolerating high network latency on Sweep3D": overlapped, the code takes at a latency of 2 x what it
takes without at x, for one of its two messages hides under half a stage and the other cannot.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from replays import needs_replay

from stretto.data.trace import COMPLETION, CONSUMED, PRODUCED
from stretto.data.trace_writer import TraceRecord, TraceWriter
from stretto.native.replay import run_replay

pytestmark = needs_replay
PARTS, STAGES = 8, 100
LINES, FACE_BYTES = 20, 20 * 6 * 8
HALF_NS = 5_000  # w = 10 us a stage, which the slides' 1.20, 1.39, 1.79 at 1, 2, 4 us are of


def part_times(begin_ns: int, evenly: bool, produced: bool, half_ns: int) -> list[int]:
    """When the parts of a face are touched in a half that begins then: line by line, or all within one line."""
    if evenly:
        return [begin_ns + half_ns * (part + produced) // PARTS for part in range(PARTS)]
    line_ns = half_ns // LINES
    first = begin_ns + (half_ns - line_ns if produced else 0)
    return [first + line_ns * (part + produced) // PARTS for part in range(PARTS)]


def write_rank(path: Path, rank: int, half_ns: int) -> None:
    """One of 2 x 2 ranks: phiib crosses the columns after the first half of a stage, phijb the rows after the other."""
    row, column = divmod(rank, 2)
    # Peer, and the direction in which one sends to it.
    faces = ((2 * row + 1 - column, column, True), (2 * (1 - row) + column, row, False))
    with TraceWriter(path, rank, 4, {"command": ["wavefront"]}) as writer:
        writer.communicator(0, 0, 1, range(4))
        number = {
            name: writer.call(f"MPI_{name}", kind)
            for name, kind in (
                ("Init", "plain"),
                ("Irecv", "irecv"),
                ("Isend", "isend"),
                ("Waitall", "waitall"),
            )
        }

        def add(call: int, begin_ns: int, **members: int) -> None:
            writer.add(0, TraceRecord(call, begin_ns, context=0, **members))

        add(number["Init"], 0)
        at_ns, request = 0, 0
        for half in range(2 * STAGES):
            peer, direction, evenly = faces[half % 2]
            begin_ns, at_ns, request = at_ns, at_ns + half_ns, request + 2
            face = {"peer": peer, "size_bytes": FACE_BYTES}
            add(number["Irecv"], at_ns, tag=2 * (half % 2) + 1 - direction, request=request - 1, **face)
            add(number["Isend"], at_ns, tag=2 * (half % 2) + direction, request=request, **face)
            for part, time_ns in enumerate(part_times(begin_ns, evenly, True, half_ns)):
                add(PRODUCED, time_ns, request=request, count=part, tag=PARTS)
            add(number["Waitall"], at_ns, count=2)
            for one in (request - 1, request):
                add(COMPLETION, at_ns, request=one)
            for part, time_ns in enumerate(part_times(at_ns, evenly, False, half_ns)):
                add(CONSUMED, time_ns + 1, request=request - 1, count=part, tag=PARTS)
        add(writer.call("MPI_Finalize", "plain"), at_ns)


def normalised(
    directory: Path, half_ns: int, latencies_us: tuple[float, ...]
) -> dict[str, dict[float, float]]:
    """Time by level and latency at 5 GB/s, over that of the trace at zero latency."""
    for rank in range(4):
        write_rank(directory / f"rank-{rank:06}.trace", rank, half_ns)
    networks = [f"--loggp=L={latency}us,G=0.2ns" for latency in (0, *latencies_us)]
    times = {
        level: [
            one["makespan_s"]
            for one in run_replay([str(directory), *networks, f"--level={level}"])["replays"]
        ]
        for level in ("traced", "producer-consumer")
    }
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
