# SPDX-License-Identifier: BSD-3-Clause
"""Paraver traces in `replay`, `whatif` and `potential`; test_paraver_records.py reads their records."""

from pathlib import Path

import pytest
from paraver_traces import FINALIZE, INIT, IRECV, MESSAGES, OTHERS, SEND, WAIT, Paraver
from replays import needs_replay
from screens import document, refusal

pytestmark = needs_replay


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Task 1 computes 100 us and sends; task 2 posts, computes 50 us, waits 250 us and computes 100 us."""
    made = Paraver()
    for task in (1, 2):
        made.call(task, OTHERS, INIT, 0, 10_000)
    made.call(1, MESSAGES, SEND, 110_000, 130_000)
    made.call(2, MESSAGES, IRECV, 10_000, 10_000)
    made.call(2, MESSAGES, WAIT, 60_000, 310_000)
    made.message(1, (110_000, 130_000), 2, (10_000, 310_000), 1001)
    for task in (1, 2):
        made.call(task, OTHERS, FINALIZE, 410_000, 500_000)
    return made.write(tmp_path)


def test_it_is_replayed_like_a_trace(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The receiver waits for the message; on a fast network the sender's 280 us behind it take longer."""
    assert document(capsys, "replay", trace, "--loggp", "L=2us,G=1ns")["makespan_s"] == pytest.approx(
        100e-6 + 280e-6, rel=1e-9
    )
    (row,) = document(capsys, "whatif", trace, "--latency", "300us", "--bandwidth", "1GB/s")["rows"]
    assert row["time_s"] == pytest.approx(100e-6 + 300e-6 + 1e-6 + 100e-6, rel=1e-9)


def test_its_run_time_is_from_init_to_finalize(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """400 us of each task; 20 us and 250 us of them are calls."""
    summary = document(capsys, "potential", trace)["time"]
    assert summary["run_s"] == pytest.approx(2 * 400e-6)
    assert summary["communication_s"] == pytest.approx(270e-6)


def test_a_cut_trace_is_one_line(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace.write_text(trace.read_text(encoding="utf-8")[:-3], encoding="utf-8")
    for command in (["potential"], ["replay", "--loggp", "L=2us"]):
        line = refusal(capsys, command[0], trace, *command[1:])
        assert "run.prv: is no Paraver trace that can be read (it ends within a record" in line
