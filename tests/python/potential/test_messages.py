# SPDX-License-Identifier: BSD-3-Clause
"""What calls leave to overlap: on traces whose windows are known."""

from __future__ import annotations

from pathlib import Path

import pytest
from trace_bytes import NUMBER, block, record, trace, world

from stretto.data.trace import TraceFile
from stretto.potential.messages import Cost, SitePotential, advice, site_potentials

COST = Cost(latency_s=4e-6, gap_s_per_byte=1e-9)  # 1001 bytes: 5 us
WAITED_NS = 500


def site_of(tmp_path: Path, *records: bytes) -> SitePotential:
    """The one place that communicates in a trace of one rank."""
    (tmp_path / "rank-000000.trace").write_bytes(trace(0, 2, [block(world(0, 2) + b"".join(records))]))
    (site,) = site_potentials([TraceFile(tmp_path / "rank-000000.trace")], COST)
    return site


def overlapped(start_ns: int, work_ns: int, request: int, call: str = "MPI_Isend") -> bytes:
    wait_ns = start_ns + 100 + work_ns
    return b"".join(
        (
            record(NUMBER[call], start_ns, 100, size=1001, peer=1, request=request),
            record(NUMBER["MPI_Wait"], wait_ns, WAITED_NS, count=1, site=0),
            record(2, wait_ns, WAITED_NS, request=request, site=0),
        )
    )


def test_the_window_is_the_computation_between_start_and_wait(tmp_path: Path) -> None:
    site = site_of(tmp_path, overlapped(0, 3000, 1), overlapped(10_000, 20_000, 2))
    assert (site.count, site.size_bytes, site.side, site.module) == (2, 2002, "send", "/bin/app")
    assert site.window_s == pytest.approx(23e-6)
    assert site.cost_s == pytest.approx(10e-6)
    assert site.covered_s == pytest.approx(3e-6 + 5e-6)  # no message is covered by another's window
    assert site.blocked_s == pytest.approx(2 * 500e-9)
    assert site.verdict == "too short" and advice(site).startswith("start it 1 us earlier")


def test_time_in_other_calls_is_no_computation(tmp_path: Path) -> None:
    site = site_of(
        tmp_path,
        record(NUMBER["MPI_Irecv"], 0, 100, size=1001, peer=1, request=1),
        record(NUMBER["MPI_Init"], 1_100, 8_000, site=0),
        record(NUMBER["MPI_Wait"], 11_100, 0, count=1, site=0),
        record(2, 11_100, 0, request=1, site=0),
    )
    assert site.window_s == pytest.approx(3e-6)


def test_false_overlap_is_called_so(tmp_path: Path) -> None:
    site = site_of(tmp_path, overlapped(0, 50, 1, "MPI_Irecv"), overlapped(10_000, 0, 2, "MPI_Irecv"))
    assert site.verdict == "false overlap"
    assert advice(site) == "false overlap: waited for at once; move 5 us of work before the wait"


def test_blocking_and_covered_are_told_apart(tmp_path: Path) -> None:
    site = site_of(tmp_path, record(NUMBER["MPI_Send"], 0, 700, size=1001, peer=1))
    assert (site.verdict, site.blocked_s) == ("blocking", pytest.approx(700e-9))
    assert site_of(tmp_path, overlapped(0, 6000, 1)).verdict == "covered"


def test_messages_to_nobody_cost_nothing(tmp_path: Path) -> None:
    site = site_of(
        tmp_path,
        record(NUMBER["MPI_Send"], 0, 700, size=1001, peer=-2),
        record(NUMBER["MPI_Recv"], 1000, 700, size=8, peer=1),
    )
    assert (site.call, site.count) == ("MPI_Recv", 1)
