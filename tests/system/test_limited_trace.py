# SPDX-License-Identifier: BSD-3-Clause
"""Traces with a limit of size: the end of a run, in which all messages and collectives meet as they did."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import completed, needs_built
from traced_runs import (
    compiled,
    environment,
    events_of,
    launch,
    message_ends,
    preset_fixture,
    recorder_of,
    stretto,
    traced,
)

from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.data.trace_names import traces_in
from stretto.data.trace_walk import MessageEnd

BUILT = [name for name in ("mpich", "openmpi") if recorder_of(name).is_file()]
pytestmark = [
    pytest.mark.slow,
    needs_built(BUILT, "THE RECORDER"),
]

LIMIT_KIB, STEPS = 300, 2000
"""For two ranks; of so many steps only a part fits."""
LEFT_OUT = "MPI call across the cut"
NETWORK = "--loggp=L=2us,o=1us,g=1us,G=0.1ns"
preset = preset_fixture(BUILT)


@pytest.fixture(scope="module")
def periodic(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(preset, "periodic.c", tmp_path_factory.mktemp("periodic"))


@pytest.fixture(scope="module")
def short_threads(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(preset, "short_threads.c", tmp_path_factory.mktemp("program"))


def record(
    preset: str, program: Path, directory: Path, *arguments: object, ranks: int = 2, limit: str | None = None
) -> subprocess.CompletedProcess[str]:
    options = [] if limit is None else ["--limit", limit]
    return traced(preset, directory, program, *arguments, ranks=ranks, options=options)


def unmatched(traces: list[TraceFile]) -> list[list[MessageEnd]]:
    """Messages without another end, or with one of other bytes or an earlier time."""
    messages = message_ends(traces)
    assert len(messages) > 100
    return [ends for ends in messages.values() if not _meet(ends)]


def _meet(ends: list[MessageEnd]) -> bool:
    if sorted(end.sends for end in ends) != [False, True]:
        return False
    received, sent = sorted(ends, key=lambda end: end.sends)
    return sent.size_bytes == received.size_bytes and sent.time_s < received.time_s + 1e-5


def calls(file: TraceFile) -> Iterator[tuple[str, int, int]]:
    for event in events_of(file):
        if event.kind not in ("completion", "started"):
            yield event.name, event.tag, event.size_bytes


def sizes(directory: Path, stop: threading.Event, found: list[int]) -> None:
    while not stop.wait(0.005):
        found.append(sum(one.stat().st_size for one in directory.glob("*") if one.exists()))


@pytest.mark.parametrize(("seed", "ranks"), [(1, 2), (2, 3)])
def test_all_that_is_kept_meets_as_in_the_run(
    preset: str, periodic: Path, tmp_path: Path, seed: int, ranks: int
) -> None:
    directory, limit = tmp_path / "t", LIMIT_KIB + 130 * (ranks - 2)
    stop, found = threading.Event(), list[int]()
    watcher = threading.Thread(target=sizes, args=(directory, stop, found))
    watcher.start()
    try:
        done = record(preset, periodic, directory, seed, STEPS, ranks=ranks, limit=f"{limit}KiB")
    finally:
        stop.set()
        watcher.join()
    assert done.returncode == 0, done.stderr
    assert "stretto: The last " in done.stderr and f"s were kept (limit {limit}KiB)" in done.stderr
    assert LIMIT_KIB << 9 < max(found) <= limit << 10
    assert [one.name for one in directory.iterdir() if not one.name.endswith(".trace")] == []
    traces = open_trace(directory)
    assert unmatched(traces) == []
    replayed = stretto(preset, "replay", str(directory), NETWORK, "--json")
    assert replayed.returncode == 0, replayed.stderr
    document = json.loads(replayed.stdout)
    assert document["unreceived"] == 0
    assert document["kept"]["limit_bytes"] == limit << 10
    assert 0 < document["kept"]["kept_s"] < document["kept"]["run_s"]


def test_the_kept_records_are_the_last_ones(preset: str, periodic: Path, tmp_path: Path) -> None:
    for name, limit in (("whole", None), ("end", f"{LIMIT_KIB}KiB")):
        done = record(preset, periodic, tmp_path / name, 4, STEPS, limit=limit)
        assert done.returncode == 0, done.stderr
    for whole, end in zip(open_trace(tmp_path / "whole"), open_trace(tmp_path / "end")):
        expected, kept = list(calls(whole)), list(calls(end))
        assert kept[0][0] == "MPI_Init"
        assert 100 < len(kept) < len(expected)
        left_out = 0
        for was, found in zip(expected[1 - len(kept) :], kept[1:]):
            left_out += found[0] == LEFT_OUT
            assert found in (was, (LEFT_OUT, 0, 0))
        assert left_out < 20


@pytest.mark.matrix_but("openmpi")
def test_threads_that_have_ended_leave_their_blocks(preset: str, short_threads: Path, tmp_path: Path) -> None:
    directory = tmp_path / "t"
    done = record(preset, short_threads, directory, 100, limit=f"{LIMIT_KIB}KiB")
    assert done.returncode == 0 and "lost" not in done.stderr, done.stderr
    assert "stretto: The last " in done.stderr
    assert unmatched(open_trace(directory)) == []


@pytest.mark.matrix_but("openmpi")
def test_a_thread_takes_the_space_of_few_calls(preset: str, short_threads: Path, tmp_path: Path) -> None:
    directory, threads = tmp_path / "t", 300
    done = record(preset, short_threads, directory, threads)
    assert done.returncode == 0, done.stderr
    for file in traces_in(directory):
        assert file.stat().st_size < (threads + 10) * 4096


@pytest.mark.matrix_but("openmpi")
def test_files_that_grow_beyond_the_limit_are_named(preset: str, periodic: Path, tmp_path: Path) -> None:
    done = record(preset, periodic, tmp_path / "t", 1, 100, "dups", limit=f"{LIMIT_KIB}KiB")
    assert done.returncode == 0
    assert f"KiB, more than --limit {LIMIT_KIB}KiB: communicators" in done.stderr
    within = record(preset, periodic, tmp_path / "u", 1, 100, limit=f"{LIMIT_KIB}KiB")
    assert within.returncode == 0 and "more than --limit" not in within.stderr


@pytest.mark.matrix_but("openmpi")
def test_tools_say_that_it_is_a_part_of_the_run(preset: str, periodic: Path, tmp_path: Path) -> None:
    directory, page = tmp_path / "t", tmp_path / "page.html"
    assert record(preset, periodic, directory, 5, STEPS, limit=f"{LIMIT_KIB}KiB").returncode == 0
    for command in ("potential", "whatif"):
        done = stretto(preset, command, str(directory))
        assert done.stdout.startswith("The last "), done.stderr
        assert json.loads(stretto(preset, command, str(directory), "--json").stdout)["kept"]["kept_s"] > 0
    assert stretto(preset, "report", str(directory), "-o", str(page)).returncode == 0
    assert "were kept (limit 300KiB): all figures are of that part of the run." in page.read_text("utf-8")


@pytest.mark.matrix_but("openmpi")
def test_a_run_below_the_limit_is_whole(preset: str, periodic: Path, tmp_path: Path) -> None:
    """Also where a rank dies."""
    for ending, status in (("", 0), ("kill", None)):
        directory = tmp_path / f"t{ending}"
        done = record(preset, periodic, directory, 6, 50, ending, limit="8MiB")
        assert "were kept" not in done.stderr and "--limit" not in done.stderr
        assert (done.returncode == 0) == (status == 0)
        traces = open_trace(directory)
        assert [one.complete for one in traces] == [status == 0, status == 0]
        assert ("MPI_Init", 0, 0) in list(calls(traces[0]))[:1]
        assert status is None or unmatched(traces) == []


@pytest.mark.matrix_but("openmpi", ending=["freed"])
@pytest.mark.parametrize(
    ("ending", "why"),
    [
        ("kill", "ended without MPI_Finalize, so it is not known which of its messages were received"),
        ("freed", "frees the request of a receive that has not ended"),
    ],
)
def test_what_cannot_be_cut_is_refused(
    preset: str, periodic: Path, tmp_path: Path, ending: str, why: str
) -> None:
    done = record(preset, periodic, tmp_path / "t", 7, STEPS, ending, limit=f"{LIMIT_KIB}KiB")
    assert "stretto: warning: " in done.stderr and why in done.stderr
    for command in ("potential", "whatif", "report", "show"):
        name = tmp_path / "t" / "rank-000000.trace" if command == "show" else tmp_path / "t"
        refused = stretto(preset, command, str(name))
        assert refused.returncode == 2, command
        assert "was recorded with --limit, and no trace has been cut out of it" in refused.stderr
    again = completed([recorder_of(preset).parents[1] / "bin" / "stretto-analyse", "--cut", tmp_path / "t"])
    assert again.returncode == 1 and why in again.stderr


@pytest.mark.matrix_but("openmpi")
def test_a_limit_that_holds_nothing_is_refused(preset: str, periodic: Path, tmp_path: Path) -> None:
    known = stretto(
        preset,
        "trace",
        "--limit",
        "200KiB",
        "-n",
        "4",
        "-o",
        str(tmp_path / "a"),
        "--",
        str(periodic),
        "1",
        "1",
    )
    assert known.returncode == 2 and not (tmp_path / "a").exists()
    assert known.stderr == "stretto: --limit 200KiB: give at least 480KiB for 4 ranks\n"
    late = record(preset, periodic, tmp_path / "b", 1, 1, limit="200KiB")
    assert late.returncode == 2 and not (tmp_path / "b").exists()
    assert "stretto: --limit 200KiB: give at least 288KiB for 2 ranks\n" in late.stderr
    failed = record(preset, periodic, tmp_path / "b", 1, 1, "kill", limit="200KiB")
    assert failed.returncode not in (0, 2) and not (tmp_path / "b").exists()
    assert "give at least 288KiB for 2 ranks; " in failed.stderr
    assert record(preset, periodic, tmp_path / "b", 1, 1, limit="288KiB").returncode == 0


@pytest.mark.parametrize("limit", ["0", "x", "-1", "", "64", "1e400"])
def test_wrong_limits_are_named(tmp_path: Path, limit: str) -> None:
    done = stretto(BUILT[0], "trace", f"--limit={limit}", "-o", str(tmp_path / "t"), "--", "true")
    assert done.returncode == 2
    assert done.stderr.startswith("stretto: --limit") and done.stderr.count("\n") == 1


def test_watched_data_has_no_limit(tmp_path: Path) -> None:
    options = ["--memory", "byte", "--limit", "1MiB", "-o", str(tmp_path / "t")]
    done = stretto(BUILT[0], "trace", *options, "--", "true")
    assert done.returncode == 2 and done.stderr.startswith("stretto: --limit: ")


SMALL_DISK = 'mount -t tmpfs -o size=200k none "$0" || exit 99; shift 0; "$@"'


@pytest.mark.matrix_but("openmpi")
def test_a_full_disk_ends_the_recording_alone(periodic: Path, preset: str, tmp_path: Path) -> None:
    recorder = [str(Path(sys.executable).parent / "stretto"), "trace", "--force", "--limit", "1MiB"]
    command = [*recorder, "-o", str(tmp_path), "--", *launch(preset, str(periodic), "8", "2000", ranks=2)]
    done = completed(
        ["unshare", "-m", "sh", "-c", SMALL_DISK, tmp_path, *command], timeout=120, env=environment(preset)
    )
    if done.returncode in (1, 99) and "stretto" not in done.stderr:
        pytest.skip("NO PERMISSION TO MOUNT: the full disk is not tested")
    assert done.returncode == 0, done.stderr
    assert "records were lost: the disk of the trace was full" in done.stderr
