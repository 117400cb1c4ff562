# SPDX-License-Identifier: BSD-3-Clause
"""Paraver traces in `replay`, `whatif` and `potential`; tests/python/data/test_paraver.py reads their records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from replays import needs_replay

from stretto.commands import exit_status

pytestmark = needs_replay
NAMES = """EVENT_TYPE
9 50000001 MPI Point-to-point
VALUES
1 MPI_Send
4 MPI_Irecv
5 MPI_Wait

EVENT_TYPE
9 50000003 MPI Other
VALUES
31 MPI_Init
32 MPI_Finalize
"""
# Task 1 computes 100 us and sends; task 2 posts, computes 50 us, waits 250 us and computes 100 us. Times in us.
CALLS = {
    1: ((3, 31, 0, 10), (1, 1, 110, 130), (3, 32, 410, 500)),
    2: ((3, 31, 0, 10), (1, 4, 10, 10), (1, 5, 60, 310), (3, 32, 410, 500)),
}


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    lines = [
        (at, f"2:{task}:1:{task}:1:{at}000:5000000{kind}:{shown}\n")
        for task, calls in CALLS.items()
        for kind, value, begin, end in calls
        for at, shown in ((begin, value), (end, 0))
    ]
    lines.append((110, "3:1:1:1:1:110000:130000:2:1:2:1:10000:310000:1001:3\n"))
    head = "#Paraver (28/11/2026 at 16:37):500000_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n"
    text = head + "".join(line for _, line in sorted(lines, key=lambda one: one[0]))
    (tmp_path / "run.prv").write_text(text, encoding="utf-8")
    (tmp_path / "run.pcf").write_text(NAMES, encoding="utf-8")
    return tmp_path / "run.prv"


def test_it_is_replayed_like_a_trace(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The receiver waits for the message; on a fast network the sender's 280 us behind it take longer."""
    assert exit_status(["replay", str(trace), "--loggp", "L=2us,G=1ns", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["makespan_s"] == pytest.approx(100e-6 + 280e-6, rel=1e-9)
    assert exit_status(["whatif", str(trace), "--latency", "300us", "--bandwidth", "1GB/s", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["time_s"] == pytest.approx(100e-6 + 300e-6 + 1e-6 + 100e-6, rel=1e-9)


def test_its_run_time_is_from_init_to_finalize(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """400 us of each task; 20 us and 250 us of them are calls."""
    assert exit_status(["potential", str(trace), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)["time"]
    assert summary["run_s"] == pytest.approx(2 * 400e-6)
    assert summary["communication_s"] == pytest.approx(270e-6)


def test_a_cut_trace_is_one_line(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace.write_text(trace.read_text(encoding="utf-8")[:-3], encoding="utf-8")
    for command in (["potential"], ["replay", "--loggp", "L=2us"]):
        assert exit_status([command[0], str(trace), *command[1:]]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "run.prv: is no Paraver trace that can be read (it ends within a record" in line
