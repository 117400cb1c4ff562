# SPDX-License-Identifier: BSD-3-Clause
"""`stretto replay`: its figures, its JSON, and refusals with their status."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from replays import needs_replay

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


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert exit_status(["replay", *arguments, "--json"]) == 0
    text = capsys.readouterr()
    assert text.err == ""
    result: dict[str, Any] = json.loads(text.out)
    return result


def error_of(capsys: pytest.CaptureFixture[str], status: int, *arguments: str) -> str:
    capsys.readouterr()
    assert exit_status(["replay", *arguments]) == status
    text = capsys.readouterr()
    assert text.out == ""
    assert text.err.count("\n") == 1
    return text.err.removeprefix("stretto: ").strip()


def test_the_document_has_the_fixed_members(ping_pong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = document(capsys, str(ping_pong), "--loggp", NETWORK)
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
    result = document(capsys, str(ping_pong), *(f"--loggp={network}" for network in networks))
    assert (result["ranks"], result["operations"]) == (2, 4)
    makespans = [one["makespan_s"] for one in result["replays"]]
    assert makespans == pytest.approx([2 * (2 + latency) * 1e-6 for latency in range(1, 9)])


def test_seconds_and_suffixes_say_the_same(ping_pong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suffixes = document(capsys, str(ping_pong), "--loggp", NETWORK)
    seconds = document(capsys, str(ping_pong), "--loggp", "L=2e-6,o=1e-6,g=1e-6,G=1e-9")
    assert seconds["makespan_s"] == pytest.approx(suffixes["makespan_s"], rel=1e-14)


def profile(path: Path, ranges: list[dict[str, Any]], **entry: str) -> str:
    common = {"transport": "mpi-two-sided", "operation": "send", "locality": "remote"}
    loggp = [{**common, **entry, "ranges": ranges}]
    path.write_text(json.dumps({"schema": "stretto.profile/1.0", "loggp": loggp}), encoding="utf-8")
    return str(path)


def test_a_profile_gives_each_size_its_range(
    ping_pong: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unresolved = {"value": None, "reason": "rendezvous"}
    low = {"size_min_bytes": 1, "size_max_bytes": 1000, "latency_s": 1e-6, "overhead_receive_s": 5e-6}
    high = {"size_min_bytes": 1001, "size_max_bytes": 10**6, "latency_s": 9e-6, "gap_s_per_byte": 1e-9}
    high["overhead_receive_s"] = unresolved  # that of the range below it
    result = document(capsys, str(ping_pong), "--profile", profile(tmp_path / "p.json", [low, high]))
    assert result["makespan_s"] == pytest.approx(2 * (9e-6 + 1000e-9 + 5e-6), rel=1e-9)
    assert [one["from_bytes"] for one in result["network"]["ranges"]] == [0, 1001]


def test_a_profile_that_does_not_know_its_latency_is_refused(
    ping_pong: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fitted = {"size_min_bytes": 1, "size_max_bytes": 8, "latency_s": {"value": None, "reason": "noise"}}
    file = profile(tmp_path / "p.json", [fitted])
    text = error_of(capsys, 2, str(ping_pong), "--profile", file)
    assert text.startswith(f"{file}: lacks latency_s of sends; `stretto probe latency")
    file = profile(tmp_path / "put.json", [fitted], operation="put")
    assert "lacks the costs of sends" in error_of(capsys, 2, str(ping_pong), "--profile", file)


def test_a_deadlock_names_ranks_and_operations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "head.goal"
    file.write_text(BOTH_RECEIVE_FIRST, encoding="ascii")
    text = error_of(capsys, 3, str(file), "--loggp", NETWORK)
    assert text.startswith(f"deadlock: rank 0 l1 ({file}:3) 'recv 8b from 1 tag 0' waits for rank 1 l2 ")
    assert text.endswith(f"waits for rank 0 l1 ({file}:3) 'recv 8b from 1 tag 0'")


def test_unreceived_messages_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lost.goal"
    file.write_text("num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\n}\n", encoding="ascii")
    assert exit_status(["replay", str(file), "--loggp", "L=1us"]) == 0
    assert capsys.readouterr().err == "stretto: warning: 1 messages are never received\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "{file}:1: expected 'num_ranks N' instead of the end of the file"),
        (
            PING_PONG.replace("l2 requires l1", "l2 requires l9", 1),
            "{file}:6: rank 0 has no operation 'l9' above",
        ),
        (PING_PONG.replace("to 1", "to 2"), "{file}:4: there is no rank '2': num_ranks says 2"),
        (PING_PONG[:-2], "{file}:13: expected an operation, a label or '}}' instead of the end of the file"),
        (
            PING_PONG.replace("l2 requires l1", "l1 requires l1", 1),
            "{file}:4: the dependencies of rank 0 lead",
        ),
    ],
)
def test_a_wrong_schedule_is_refused_with_its_line(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wrong.goal"
    file.write_text(text, encoding="ascii")
    assert error_of(capsys, 2, str(file), "--loggp", NETWORK).startswith(message.format(file=file))


def test_invalid_input_is_refused(
    ping_pong: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert error_of(capsys, 2, str(ping_pong)).startswith("of which network? give --profile FILE")
    assert "L=1h: give a time" in error_of(capsys, 2, str(ping_pong), "--loggp", "L=1h")
    assert "no/file: cannot be read" in error_of(capsys, 2, str(tmp_path / "no/file"), "--loggp", "L=1")
    assert "has no rank-*.trace in it" in error_of(capsys, 2, str(tmp_path), "--loggp", "L=1")


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


def test_the_same_question_has_the_same_answer(ping_pong: Path) -> None:
    answers = [json.loads(native(ping_pong, "--loggp", NETWORK).stdout) for _ in range(3)]
    assert len({answer["makespan_s"] for answer in answers}) == 1


def test_files_with_accidents_never_end_it_by_a_signal(tmp_path: Path) -> None:
    random_bytes = random.Random(7)
    binary = tmp_path / "good.bin"
    (tmp_path / "good.goal").write_text(PING_PONG, encoding="ascii")
    assert native(tmp_path / "good.goal", "--write", binary).returncode == 0
    statuses = set()
    for seed in (PING_PONG.encode(), binary.read_bytes()):
        for _ in range(150):
            accident = bytearray(seed)
            for _ in range(random_bytes.randint(1, 3)):
                accident[random_bytes.randrange(len(accident))] = random_bytes.randrange(256)
            file = tmp_path / "accident"
            file.write_bytes(accident[: random_bytes.randint(1, len(accident))])
            done = native(file, "--loggp", NETWORK)
            statuses.add(done.returncode)
            assert done.returncode in (0, 2, 3), done.stderr
            assert (done.stderr.count(b"\n") == 1) == (done.returncode != 0)
    assert 2 in statuses
