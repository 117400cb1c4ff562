# SPDX-License-Identifier: BSD-3-Clause
"""Generated traces: messages fit, seeds decide, and all commands of the bench read them."""

import struct
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from replays import needs_replay
from screens import document

from bench import analysis
from bench.generated_trace import CALLS, generate
from bench.harness.trace_writer import TraceRecord, TraceWriter
from stretto.commands import exit_status, trace_report
from stretto.data.trace_directory import open_trace, record_count
from stretto.data.trace_walk import MessageEnd, Span, walk
from stretto.native.programs import native_program

_EPOCH_AT = 24
"""Where a header has `epoch_ns`, and then `clock_offset_ns`."""


@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 9])
def test_each_message_has_two_ends_and_arrives_after_it_is_sent(tmp_path: Path, ranks: int) -> None:
    records = generate(tmp_path, 900, ranks, seed=3)
    files = open_trace(tmp_path)
    assert record_count(files) == records >= 900
    items = [item for file in files for item in walk(file)]
    ends = [item for item in items if isinstance(item, MessageEnd)]
    sent = {(end.channel, end.number): end for end in ends if end.sends}
    received = {(end.channel, end.number): end for end in ends if not end.sends}
    assert sent.keys() == received.keys() and len(sent) == len(ends) // 2 > 0
    assert all(sent[key].size_bytes == end.size_bytes for key, end in received.items())
    assert all(sent[key].time_s < end.time_s and end.posted_s < end.time_s for key, end in received.items())
    spans = [item for item in items if isinstance(item, Span)]
    sums = Counter(round(one.end_s, 9) for one in spans if one.category == "collective")
    assert set(sums.values()) == {ranks}  # all leave a sum at one time


def test_calls_of_a_rank_follow_one_another(tmp_path: Path) -> None:
    generate(tmp_path, 60_000, 2, seed=1)
    for file in open_trace(tmp_path):
        spans = [item for item in walk(file) if isinstance(item, Span)]
        assert all(one.end_s <= other.begin_s + 1e-12 for one, other in zip(spans, spans[1:]))


def test_the_seed_decides(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        generate(tmp_path / name, 300, 2, seed)
    one, again, other = (
        (tmp_path / name / "rank-000001.trace").read_bytes() for name in ("one", "again", "other")
    )
    assert one == again != other


@needs_replay
def test_files_of_two_runs_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their times and messages do not fit. On other hosts a clock differs, by an offset that is known."""
    generate(tmp_path, 300, 2, seed=1)
    file = tmp_path / "rank-000001.trace"
    data = bytearray(file.read_bytes())
    analyse = [str(native_program("stretto-analyse", "none")), str(tmp_path)]
    for epoch_ns, offset_ns, status in ((7, 7, 0), (7, 0, 2), (0, 7, 2)):
        struct.pack_into("<Qq", data, _EPOCH_AT, epoch_ns, offset_ns)
        file.write_bytes(data)
        for command in (["potential"], ["replay", "--loggp", "L=2us,G=1ns"]):
            assert exit_status([command[0], str(tmp_path), *command[1:]]) == status
            said = capsys.readouterr().err
            assert said.count("\n") == status // 2
            assert not status or f"{file}: is of another run than the file of rank 0" in said
        done = subprocess.run(analyse, capture_output=True, text=True, check=False)
        assert done.returncode == status and ("of another run" in done.stderr) == bool(status)


@needs_replay
def test_the_time_of_each_thread_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three threads wait for 60 of their 100 us: 60 % of the time is communication, not 180 %."""
    with TraceWriter(tmp_path / "rank-000000.trace", 0, 1, {"command": ["made"]}) as writer:
        number = {name: writer.call(name, kind) for name, kind in CALLS}
        writer.add(0, TraceRecord(number["MPI_Init"], 0, 1_000))
        for thread in range(3):
            for begin_ns in (1_000, 71_000):
                writer.add(thread, TraceRecord(number["MPI_Waitall"], begin_ns, 30_000))
        writer.add(0, TraceRecord(number["MPI_Finalize"], 101_000))
    time = document(capsys, "potential", tmp_path)["time"]
    assert time["run_s"] == pytest.approx(300e-6, abs=1e-12)
    assert time["communication_s"] == pytest.approx(180e-6, abs=1e-12)


@needs_replay
def test_the_page_of_a_long_trace_leaves_out_other_networks_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = generate(tmp_path, 900, 3, seed=1)
    monkeypatch.setattr(trace_report, "MAX_REPLAYED", records - 1)
    page = trace_report.trace_document(tmp_path)
    assert page.records == records and "communication" in page.answer[0] and page.sites
    assert page.what_if is None and "A long trace: `stretto whatif` predicts other networks." in page.notes
    monkeypatch.setattr(trace_report, "MAX_REPLAYED", records)
    assert trace_report.trace_document(tmp_path).what_if is not None


@needs_replay
@pytest.mark.slow
def test_the_bench_measures_all_commands(tmp_path: Path) -> None:
    trace, nothing_built = tmp_path / "trace", tmp_path
    analysis.make(trace, 2_000, 5, nothing_built)
    bytes_s, commands = analysis.measured(trace, tmp_path, nothing_built, with_export=True)
    assert {name: one.status for name, one in commands.items()} == dict.fromkeys(commands, 0)
    cells = analysis.row(2_000, 5, analysis.size_bytes(trace), bytes_s, commands)
    assert len(cells) == len(analysis.COLUMNS) and cells[:2] == ("2e+03", "5")
