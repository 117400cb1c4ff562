# SPDX-License-Identifier: BSD-3-Clause
"""`stretto trace` on a program that makes every kind of call, under every MPI that is built."""

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from processes import completed, needs_built
from traced_runs import LAUNCHERS, ROOT, events_of, launch, message_ends, parameters, stretto

from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.errors import UserError
from stretto.launch.cores import usable_cores
from stretto.native.programs import native_library, native_program

BUILT = [name for name in LAUNCHERS if (ROOT / "build" / name / "tests" / "traced_program").is_file()]
pytestmark = needs_built(BUILT, "TRACED_PROGRAM")
RANKS = 3


def traced(preset: str, directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = ROOT / "build" / preset / "tests" / "traced_program"
    command = launch(preset, str(program), *arguments, ranks=RANKS)
    return stretto(preset, "trace", "-o", str(directory), "--", *command)


@pytest.fixture(scope="module", params=parameters(BUILT))
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[TraceFile]:
    directory = tmp_path_factory.mktemp("trace") / request.param
    done = traced(request.param, directory)
    assert done.returncode == 0, done.stderr
    assert f"records of {RANKS} ranks" in done.stderr
    return open_trace(directory)


def test_every_rank_has_all_its_calls(run: list[TraceFile]) -> None:
    for file in run:
        names = Counter(event.name for event in events_of(file))
        assert file.complete
        assert names["MPI_Init_thread"] == names["MPI_Finalize"] == 1
        assert (
            names["MPI_Irecv"] - 2
            == names["MPI_Isend"]
            == names["MPI_Waitall"] - names["MPI_Pready_range"] // 2
            == 2
        )
        assert names["MPI_Startall"] - names["MPI_Pready_range"] // 2 == 2 and names["MPI_Waitany"] == 4
        for once in (
            "MPI_Allreduce",
            "MPI_Ibcast",
            "MPI_Gather",
            "MPI_Allgather",
            "MPI_Put",
            "MPI_Cancel",
            "MPI_Imrecv",
            "MPI_Intercomm_create",
            "MPI_Neighbor_allgather",
        ):
            assert names[once] == 1, once


def test_messages_say_where_they_came_from(run: list[TraceFile]) -> None:
    for file in run:
        left = (file.header.rank - 1) % RANKS
        events = events_of(file)
        posted = next(event for event in events if event.name == "MPI_Irecv")
        assert (posted.peer, posted.tag, posted.size_bytes) == (-1, 7, 800)
        done = next(
            event for event in events if event.name == "completion" and event.request == posted.request
        )
        world = file.definitions.contexts[posted.context]
        assert (world.members[done.peer], done.tag, done.size_bytes) == (left, 7, 800)
        half = next(event for event in events if event.name == "receive_half")
        assert (half.peer, half.tag, half.size_bytes) == (left, 8, 80)


def test_a_started_operation_is_completed_once(run: list[TraceFile]) -> None:
    for file in run:
        events = events_of(file)
        kinds = ("isend", "irecv", "imrecv", "started", "icollective")
        started = {event.request for event in events if event.kind in kinds}
        completed = [event.request for event in events if event.name == "completion"]
        assert started == set(completed) and len(completed) == len(started)


def test_both_ends_of_every_message_are_one_message(run: list[TraceFile]) -> None:
    """Also of those that were probed and then received in another order, and next to one that was cancelled."""
    ends = message_ends(run)
    assert len(ends) >= RANKS * 12
    for pair in ends.values():
        received, sent = sorted(pair, key=lambda end: end.sends)
        assert (received.sends, sent.sends) == (False, True)
        assert sent.size_bytes == received.size_bytes
        assert sent.time_s <= received.time_s


def test_a_matched_message_keeps_its_number(run: list[TraceFile]) -> None:
    for file in run:
        events = events_of(file)
        probed = [event for event in events if event.kind in ("mprobe", "improbe") and event.request]
        received = {event.request: event for event in events if event.kind in ("mrecv", "imrecv")}
        assert [(event.tag, event.size_bytes) for event in probed] == [(31, 8), (31, 16), (32, 24)]
        for event in probed:
            one = received[event.request]
            assert (one.peer, one.tag, one.size_bytes, one.context) == (
                event.peer, event.tag, event.size_bytes, event.context,
            )  # fmt: skip


def test_all_members_know_a_communicator_by_one_key(run: list[TraceFile]) -> None:
    keys: dict[tuple[int, ...], set[int]] = {}
    for file in run:
        list(file.blocks())
        for context in file.definitions.contexts.values():
            if not context.window and not context.remote:
                keys.setdefault(context.members, set()).add(context.key)
                assert context.members[context.rank] == file.header.rank
    everybody, odd, even = (0, 1, 2), (1,), (2, 0)
    assert {members: len(result) for members, result in keys.items()} == {
        everybody: 3,
        odd: 2,
        even[::-1]: 1,
        even: 1,
    }


def test_every_call_site_has_its_own_number(run: list[TraceFile]) -> None:
    events = events_of(run[0])
    assert len({event.site for event in events if event.name == "MPI_Barrier"}) == 4
    sites = run[0].definitions.sites
    assert all(sites[event.site].module.endswith("traced_program") for event in events if event.site)


def test_collectives_have_the_bytes_of_all_blocks(run: list[TraceFile]) -> None:
    block = 4
    for file in run:
        of_root = RANKS * block if file.header.rank == 0 else 0
        found = {event.name: (event.size_bytes, event.extra) for event in events_of(file)}
        assert found["MPI_Alltoall"] == (RANKS * block, RANKS * block)
        assert found["MPI_Allgather"] == (0, RANKS * block)  # in place
        assert found["MPI_Gather"] == (block, of_root)
        assert found["MPI_Scatter"] == (of_root, block)
        assert found["MPI_Neighbor_allgather"] == (block, 2 * block)


def test_collectives_with_counts_have_the_bytes_of_each_rank(run: list[TraceFile]) -> None:
    number = 4
    for file in run:
        rank = file.header.rank
        calls = [event for event in events_of(file) if event.name == "MPI_Alltoallv"]
        assert len(calls) == 2 and calls[0].tag == calls[1].tag < 0
        after, before = (rank + 1) % RANKS, (rank - 1) % RANKS
        exchanged = file.definitions.peer_bytes[-calls[0].tag]
        assert exchanged.sent == ((after, number * (after + 1)),)
        assert exchanged.received == ((before, number * (rank + 1)),)
        assert len(file.definitions.peer_bytes) == 1, "equal counts are written once"


def test_a_trace_is_a_schedule_that_ends(run: list[TraceFile]) -> None:
    directory = str(run[0].path.parent)
    program = native_program("stretto-replay", "none")
    done = completed([program, directory, "--loggp=L=2us,o=1us"])
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["unreceived"] == 0 and result["ranks"] == RANKS
    assert result["trace"]["messages"] >= RANKS * 6
    not_modelled = result["trace"]["as_computation"]
    for name in ("MPI_Neighbor_allgather", "MPI_Barrier"):  # the last between two groups
        assert not_modelled[name] == RANKS, name
    puts = 1
    assert result["trace"]["one_sided"] == puts * RANKS


@pytest.mark.parametrize("way", ["abort", "kill"])
def test_records_of_an_aborted_program_are_kept(way: str, tmp_path: Path) -> None:
    done = traced(BUILT[0], tmp_path / "t", way)
    assert done.returncode in {"abort": (7,), "kill": (9, 137)}[way], done.stderr
    assert "without MPI_Finalize: rank 0" in done.stderr, done.stderr
    names = [event.name for event in events_of(open_trace(tmp_path / "t")[0])]
    assert names[-3:].count("receive_half") == 1
    assert ("MPI_Abort" in names) == (way == "abort")
    assert "MPI_Win_fence" in names


@pytest.mark.slow
@pytest.mark.skipif(
    len(usable_cores()) < 2, reason="ONE CORE: ranks bound to one of several cores are not tested"
)
def test_ranks_that_were_kept_from_a_core_are_said_first(tmp_path: Path) -> None:
    halo = (str(ROOT / "build" / BUILT[0] / "proxies" / "halo_1d"), "--columns", "4096", "--steps", "200")
    one_core = ("taskset", "--cpu-list", str(min(os.sched_getaffinity(0))))
    directory = tmp_path / "trace"
    done = stretto(
        BUILT[0], "trace", "-o", str(directory), "--", *one_core, *launch(BUILT[0], *halo, ranks=2)
    )
    assert done.returncode == 0, done.stderr
    if all(file.heads.core_wait.of_s == 0 for file in open_trace(directory)):
        pytest.skip("NOT TESTED: this kernel does not count how long threads wait for a core")
    assert re.search(r"warning: \S+ was busy: rank [01] waited \d+ % of its time for a core", done.stderr)
    assert re.match(r"\S+ was busy: rank", stretto(BUILT[0], "potential", str(directory)).stdout)
    shown = json.loads(stretto(BUILT[0], "potential", "--json", str(directory)).stdout)
    assert shown["busy"]["share"] > 0.2 and shown["crowded"] is None


def test_a_program_without_mpi_leaves_nothing(tmp_path: Path) -> None:
    done = stretto(
        BUILT[0], "trace", "-o", str(tmp_path / "t"), "--mpi", str(LAUNCHERS[BUILT[0]]), "--", "true"
    )
    assert done.returncode == 0 and "warning: nothing was recorded" in done.stderr
    assert not (tmp_path / "t").exists()


@pytest.mark.slow
def test_an_untraceable_program_is_refused(tmp_path: Path) -> None:
    refused = stretto(BUILT[0], "trace", "-o", str(tmp_path / "t"), "--", "true")
    assert refused.returncode == 2 and "name the MPI with --mpi" in refused.stderr
    refused = stretto(BUILT[0], "trace", "-o", str(tmp_path), "--mpi", str(LAUNCHERS[BUILT[0]]), "--", "true")
    assert refused.returncode == 2 and "exists: choose another with -o" in refused.stderr
    refused = stretto(BUILT[0], "trace", "-o", str(tmp_path / "t"), "--", "no-such-command")
    assert refused.returncode == 2 and "no such command" in refused.stderr


def test_a_library_that_is_not_built_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"libstretto_nothing\.so for mpich is not built"):
        native_library("libstretto_nothing.so", "mpich")
