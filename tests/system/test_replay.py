# SPDX-License-Identifier: BSD-3-Clause
"""`stretto replay`: its figures, its JSON, and refusals with their status."""

import json
import subprocess
from pathlib import Path

import pytest
from replays import needs_replay, profile
from screens import document, refusal

from stretto.commands import exit_status
from stretto.native.programs import native_program

pytestmark = needs_replay

PING_PONG = """num_ranks 2

rank 0 {
l1: send 1001b to 1 tag 5
l2: recv 1001b from 1 tag 6
l2 requires l1
}

rank 1 {
l1: recv 1001b from 0 tag 5
l2: send 1001b to 0 tag 6
l2 requires l1
}
"""
BOTH_RECEIVE_FIRST = """num_ranks 2
rank 0 {
l1: recv 8b from 1
l2: send 8b to 1
l2 requires l1
}
rank 1 {
l1: recv 8b from 0
l2: send 8b to 0
l2 requires l1
}
"""
NETWORK = "L=2us,o=1us,g=1us,G=1ns"
ONE_WAY_S = 1e-6 + 1000e-9 + 2e-6 + 1e-6


@pytest.fixture
def ping_pong(tmp_path: Path) -> Path:
    file = tmp_path / "ping pong.goal"
    file.write_text(PING_PONG, encoding="ascii")
    return file


def test_the_document_has_the_fixed_members(ping_pong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = document(capsys, "replay", ping_pong, "--loggp", NETWORK)
    assert result["makespan_s"] == pytest.approx(2 * ONE_WAY_S, rel=1e-9)
    assert (result["operations"], result["events"], result["ranks"]) == (4, 6, 2)
    assert result["operations_per_second"] > 0


def test_the_effective_model_stands_with_the_figures(
    ping_pong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_status(["replay", str(ping_pong), "--loggp", "L=2us,o_s=1us,o_r=3us,G=0.2ns,S=64KiB"]) == 0
    text = capsys.readouterr().out
    assert "makespan" in text
    for part in ("L=2us", "o_r=3us", "g=0s", "G=0.2ns/B", "rendezvous above 64KiB", "2 ranks, 4 operations"):
        assert part in text


def test_several_networks_share_one_schedule(ping_pong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    networks = [f"L={latency}us,o=1us" for latency in range(1, 9)]
    result = document(capsys, "replay", ping_pong, *(f"--loggp={network}" for network in networks))
    assert (result["ranks"], result["operations"]) == (2, 4)
    makespans = [one["makespan_s"] for one in result["replays"]]
    assert makespans == pytest.approx([2 * (2 + latency) * 1e-6 for latency in range(1, 9)])


def test_a_profile_gives_each_size_its_range(
    ping_pong: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unresolved = {"value": None, "reason": "rendezvous"}
    low = {"size_min_bytes": 1, "size_max_bytes": 1000, "latency_s": 1e-6, "overhead_receive_s": 5e-6}
    high = {"size_min_bytes": 1001, "size_max_bytes": 10**6, "latency_s": 9e-6, "gap_s_per_byte": 1e-9}
    high["overhead_receive_s"] = unresolved  # that of the range below it
    result = document(capsys, "replay", ping_pong, "--profile", profile(tmp_path / "p.json", [low, high]))
    assert result["makespan_s"] == pytest.approx(2 * (9e-6 + 1000e-9 + 5e-6), rel=1e-9)
    assert [one["from_bytes"] for one in result["network"]["ranges"]] == [0, 1001]


def test_a_profile_that_does_not_know_its_latency_is_refused(
    ping_pong: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fitted = {"size_min_bytes": 1, "size_max_bytes": 8, "latency_s": {"value": None, "reason": "noise"}}
    file = profile(tmp_path / "p.json", [fitted])
    text = refusal(capsys, "replay", ping_pong, "--profile", file)
    assert text.startswith(f"{file}: lacks latency_s of sends; `stretto probe latency")
    file = profile(tmp_path / "put.json", [fitted], operation="put")
    assert "lacks the costs of sends" in refusal(capsys, "replay", ping_pong, "--profile", file)


def test_a_deadlock_names_ranks_and_operations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "head.goal"
    file.write_text(BOTH_RECEIVE_FIRST, encoding="ascii")
    text = refusal(capsys, "replay", file, "--loggp", NETWORK, status=3)
    assert text.startswith(f"deadlock: rank 0 l1 ({file}:3) 'recv 8b from 1 tag 0' waits for rank 1 l2 ")
    assert text.endswith(f"waits for rank 0 l1 ({file}:3) 'recv 8b from 1 tag 0'")


def test_unreceived_messages_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lost.goal"
    file.write_text("num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\n}\n", encoding="ascii")
    assert exit_status(["replay", str(file), "--loggp", "L=1us"]) == 0
    assert capsys.readouterr().err == "stretto: warning: 1 messages are never received\n"


def test_a_wrong_schedule_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wrong.goal"
    file.write_text(PING_PONG.replace("l2 requires l1", "l2 requires l9", 1), encoding="ascii")
    line = refusal(capsys, "replay", file, "--loggp", NETWORK)
    assert line.startswith(f"{file}:6: rank 0 has no operation 'l9' above")


def test_invalid_input_is_refused(
    ping_pong: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refusal(capsys, "replay", ping_pong).startswith("of which network? give --profile FILE")
    assert "L=1h: give a time" in refusal(capsys, "replay", ping_pong, "--loggp", "L=1h")
    assert "no/file: cannot be read" in refusal(capsys, "replay", tmp_path / "no/file", "--loggp", "L=1")
    assert "has no rank-*.trace in it" in refusal(capsys, "replay", tmp_path, "--loggp", "L=1")


def native(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    command = [native_program("stretto-replay", "none"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=60, check=False)


def test_both_formats_give_the_same(ping_pong: Path, tmp_path: Path) -> None:
    binary, text = tmp_path / "p.bin", tmp_path / "p.goal"
    assert native(ping_pong, "--write", binary).returncode == 0
    assert native(binary, "--write", text).returncode == 0
    makespans = {
        json.loads(native(f, "--loggp", NETWORK).stdout)["makespan_s"] for f in (ping_pong, binary, text)
    }
    assert len(makespans) == 1
