# SPDX-License-Identifier: BSD-3-Clause
"""`stretto whatif` on a trace with known times on any network."""

from pathlib import Path

import pytest
from replays import needs_replay, profile
from screens import document, refusal, widest
from trace_bytes import message_that_is_awaited

from stretto.commands import exit_status

pytestmark = needs_replay
BYTES, WORK_S = 100_001, 100e-6


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    message_that_is_awaited(tmp_path, BYTES)
    return tmp_path


def test_every_point_is_the_closed_form(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = document(capsys, "whatif", directory)
    reference_s = 2 * WORK_S + (BYTES - 1) / 5e9
    assert result["reference_s"] == pytest.approx(reference_s, rel=1e-12)
    assert result["bounds"]["no-communication"] == pytest.approx(2 * WORK_S, rel=1e-12)
    assert result["bounds"]["no-computation"] == pytest.approx((BYTES - 1) / 5e9, rel=1e-12)
    assert len(result["rows"]) == 4 * 12
    for row in result["rows"]:
        time_s = 2 * WORK_S + row["latency_s"] + (BYTES - 1) / row["bandwidth_bytes_per_s"]
        assert row["time_s"] == pytest.approx(time_s, rel=1e-9)
        assert row["normalised_time"] == pytest.approx(time_s / reference_s, rel=1e-9)
        assert (row["level"], row["progress_model"]) == ("traced", "offload")


def test_overheads_count_when_they_are_requested(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = ("--latency", "4us", "--bandwidth", "1GB/s")
    (plain,) = document(capsys, "whatif", directory, *one)["rows"]
    (costly,) = document(capsys, "whatif", directory, *one, "--overhead", "3us")["rows"]
    assert costly["time_s"] - plain["time_s"] == pytest.approx(6e-6, rel=1e-9)


def test_ranks_of_one_node_have_a_separate_latency(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = ("--latency", "4us", "--bandwidth", "1GB/s")
    result = [
        document(capsys, "whatif", directory, *one, *node)["rows"] for node in ((), ("--node", "2:0.5us"))
    ]
    (separate,), (together,) = result
    assert separate["time_s"] - together["time_s"] == pytest.approx(3.5e-6, rel=1e-9)
    (still_apart,) = document(capsys, "whatif", directory, *one, "--node", "1:0.5us")["rows"]
    assert still_apart["time_s"] == separate["time_s"]


def test_a_profile_gives_its_own_network(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fitted = {"size_min_bytes": 1, "size_max_bytes": 8, "latency_s": 3e-6, "gap_s_per_byte": 1e-9}
    fitted |= {"overhead_send_s": 1e-6, "overhead_receive_s": 2e-6}
    (row,) = document(capsys, "whatif", directory, "--profile", profile(tmp_path / "p.json", [fitted]))[
        "rows"
    ]
    assert row["latency_s"] == 3e-6 and row["bandwidth_bytes_per_s"] == pytest.approx(1e9)
    assert row["time_s"] == pytest.approx(2 * WORK_S + 6e-6 + (BYTES - 1) * 1e-9, rel=1e-9)


def test_progress_models_cost_what_waits(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--latency", "1us", "--bandwidth", "1GB/s", "--eager", "1KiB")
    result = document(capsys, "whatif", directory, *options, "--progress-model", "offload,eager-only")
    offload, eager_only = (row["time_s"] for row in result["rows"])
    # The sender asks at 100 us, when the receiver is already waiting: both answer at once.
    assert offload == pytest.approx(2 * WORK_S + 3e-6 + (BYTES - 1) * 1e-9, rel=1e-9)
    assert eager_only == pytest.approx(offload, rel=1e-12)


def test_the_text_says_what_was_assumed(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(["whatif", str(directory), "--latency", "1us,8us"]) == 0
    text = capsys.readouterr().out
    for part in (
        "1 messages",
        "reference (zero latency, 5 GB/s) 220 us",
        "level traced, progress offload",
        "8 us",
    ):
        assert part in " ".join(text.replace("\n#", "").split())
    assert widest(text) <= 80


def test_invalid_input_is_refused(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """tests/python/options has the other options."""
    line = refusal(capsys, "whatif", directory, "--progress-model", "magic", "--eager", "1KiB")
    assert "choose from offload, eager-only, inside-calls" in line


def test_a_damaged_trace_is_refused_with_its_position(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = directory / "rank-000001.trace"
    data = bytearray(file.read_bytes())
    data[4096:4100] = b"XXXX"
    file.write_bytes(data)
    assert f"{file}: byte 4096: there is no block" in refusal(capsys, "whatif", directory)
    assert "is no directory; name one that `stretto trace` wrote" in refusal(
        capsys, "whatif", directory / "nowhere"
    )


def test_potential_names_places_and_what_would_help(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = document(capsys, "potential", directory, "--latency", "1us", "--bandwidth", "1GB/s")
    assert result["cost"] == {"latency_s": 1e-6, "gap_s_per_byte": 1e-9, "overhead_s": 0.0, "times": []}
    sites = {site["call"]: site for site in result["sites"]}
    # 50 us of 101 us: what the receiver computes between posting and waiting.
    assert sites["MPI_Irecv"]["covered_s"] == pytest.approx(50e-6)
    assert sites["MPI_Irecv"]["advice"].startswith("start it 51 us earlier")
    assert sites["MPI_Send"]["verdict"] == "blocking" and sites["MPI_Send"]["where"] == "app+0x1234"
    assert exit_status(["potential", str(directory), "--latency", "4us", "--bandwidth", "945MB/s"]) == 0
    text = capsys.readouterr().out
    assert "costs of a message: 4 us, 945 MB/s" in text and "app+0x1234: blocks; send" in " ".join(
        text.split()
    )
    assert exit_status(["potential", str(directory)]) == 0
    text = capsys.readouterr().out
    assert "How long its messages travel is not known" in " ".join(text.split()) and " - " in text
    assert widest(text) <= 80


@pytest.mark.parametrize(("eager", "latencies"), [((), (9e-6,)), (("--eager", "64KiB"), (3e-6,) * 3)])
def test_a_handshake_counts_once(
    eager: tuple[str, ...],
    latencies: tuple[float, ...],
    directory: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """L above a break contains it; with a limit of eager messages the replay does it."""
    short = {"size_min_bytes": 1, "size_max_bytes": 65536, "latency_s": 3e-6, "gap_s_per_byte": 2e-9}
    long = {"size_min_bytes": 65537, "size_max_bytes": 1 << 23, "latency_s": 9e-6, "gap_s_per_byte": 1e-9}
    words = ("--profile", profile(tmp_path / "p.json", [short, long]), *eager)
    (row,) = document(capsys, "whatif", directory, *words, warns=True)["rows"]
    assert row["time_s"] == pytest.approx(2 * WORK_S + sum(latencies) + (BYTES - 1) * 1e-9, rel=1e-9)
