# SPDX-License-Identifier: BSD-3-Clause
"""Time-independent traces of SimGrid as traces of stretto; test_time_independent.py replays them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from processes import has_program, needs_built
from traced_runs import events_of

from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import NO_PEER, Event
from stretto.errors import UserError
from stretto.native.foreign import convert_time_independent, is_time_independent

pytestmark = needs_built(has_program("stretto-foreign", "none"), "STRETTO-FOREIGN")

SENDER = ("init", "compute 1000", "isend 1 7 10 0", "compute 500", "wait 0 1 7", "finalize")
RECEIVER = ("init", "irecv 0 7 10 0", "sleep 0.001", "wait 0 1 7", "finalize")


def write(directory: Path, actions: Mapping[int, Sequence[str]]) -> Path:
    """An index and a file per rank, as `smpirun -trace-ti` writes them."""
    (directory / "run.txt_files").mkdir()
    names = [f"run.txt_files/rank-{rank}.txt" for rank in actions]
    for name, (rank, own) in zip(names, actions.items()):
        (directory / name).write_text("".join(f"{rank} {one}\n" for one in own), encoding="utf-8")
    (directory / "run.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    return directory / "run.txt"


def converted(source: Path, directory: Path, flops_rate: float = 1e9) -> tuple[list[list[Event]], object]:
    """The records of each rank behind MPI_Init, and what is left out."""
    directory.mkdir()
    left_out = convert_time_independent(source, directory, flops_rate)
    read = [events_of(file) for file in open_trace(directory)]
    assert {events[0].name for events in read} == {"MPI_Init"}
    return [events[1:] for events in read], left_out


def test_actions_become_calls_between_computation(tmp_path: Path) -> None:
    source = write(tmp_path, {0: SENDER, 1: RECEIVER})
    assert is_time_independent(source)
    (sent, received), left_out = converted(source, tmp_path / "trace", 2e9)
    assert not left_out
    assert [(one.name, one.kind, round(one.begin_s * 1e9)) for one in sent] == [
        ("MPI_Isend", "isend", 500),
        ("MPI_Wait", "wait", 750),
        ("completion", "completion", 750),
        ("MPI_Finalize", "plain", 750),
    ]
    assert (sent[0].peer, sent[0].tag, sent[0].size_bytes) == (1, 7, 80)
    assert sent[2].request == sent[0].request and received[2].request == received[0].request
    assert [(one.name, round(one.begin_s * 1e9)) for one in received[:2]] == [
        ("MPI_Irecv", 0),
        ("MPI_Wait", 1_000_000),
    ]
    assert {one.duration_s for one in sent + received} == {0.0}


@pytest.mark.parametrize(
    ("action", "name", "sent", "extra", "root"),
    [
        ("barrier", "MPI_Barrier", 0, 0, NO_PEER),
        ("bcast 10 1 0", "MPI_Bcast", 80, 0, 1),
        ("bcast 10", "MPI_Bcast", 10, 0, 0),
        ("reduce 10 0 1 1", "MPI_Reduce", 40, 0, 1),
        ("allreduce 10 0 3", "MPI_Allreduce", 20, 0, NO_PEER),
        ("scan 4 0 1", "MPI_Scan", 16, 0, NO_PEER),
        ("gather 3 5 1 1 2", "MPI_Gather", 12, 10, 1),
        ("scatter 3 5 1 1 2", "MPI_Scatter", 24, 5, 1),
        ("allgather 3 3 1 1", "MPI_Allgather", 12, 24, NO_PEER),
        ("alltoall 3 3 1 1", "MPI_Alltoall", 24, 24, NO_PEER),
        ("alltoallv 9 4 5 7 3 4 1 0", "MPI_Alltoallv", 36, 56, NO_PEER),
        ("gatherv 4 1 3 1 1 0", "MPI_Gatherv", 16, 32, 1),
        ("scatterv 1 3 4 1 1 0", "MPI_Scatterv", 16, 32, 1),
        ("allgatherv 4 4 5 1 1", "MPI_Allgatherv", 16, 36, NO_PEER),
        ("reducescatter 4 5 0 1", "MPI_Reduce_scatter", 36, 0, NO_PEER),
    ],
)
def test_collectives_have_the_bytes_of_their_elements(
    action: str, name: str, sent: int, extra: int, root: int, tmp_path: Path
) -> None:
    own = ("init", action, "finalize")
    (events, _), left_out = converted(write(tmp_path, {0: own, 1: own}), tmp_path / "trace")
    assert not left_out
    (one,) = events[:-1]
    assert (one.name, one.kind, one.size_bytes, one.extra, one.peer) == (
        name,
        "collective",
        sent,
        extra,
        root,
    )


def test_elements_without_a_type_are_doubles_where_init_has_a_word(tmp_path: Path) -> None:
    own = ("init 1", "bcast 10", "finalize")
    (events, _), _ = converted(write(tmp_path, {0: own, 1: own}), tmp_path / "trace")
    assert events[0].size_bytes == 80


def test_flops_of_a_reduction_follow_it(tmp_path: Path) -> None:
    own = ("init", "allreduce 1 3000 0", "reducescatter 1 1 500 0", "finalize")
    (events, _), _ = converted(write(tmp_path, {0: own, 1: own}), tmp_path / "trace")
    assert [round(one.begin_s * 1e9) for one in events] == [0, 3000, 3500]


def test_one_file_an_index_and_a_directory_are_the_same_trace(tmp_path: Path) -> None:
    index = write(tmp_path, {0: SENDER, 1: RECEIVER})
    one_file = tmp_path / "all.txt"
    mixed = [f"{rank} {line}\n" for lines in zip(SENDER, (*RECEIVER, "#")) for rank, line in enumerate(lines)]
    one_file.write_text("# of both\n\n" + "".join(mixed).replace("1 #\n", ""), encoding="utf-8")
    sources = (index, one_file, tmp_path / "run.txt_files")
    assert all(map(is_time_independent, sources))
    first, second, third = (converted(one, tmp_path / f"of-{i}")[0] for i, one in enumerate(sources))
    assert first == second == third


def test_a_wait_for_all_ends_what_is_open(tmp_path: Path) -> None:
    own = ("init", "irecv 1 1 8 6", "irecv 1 2 8 6", "isend 1 3 8 6", "wait 1 0 2", "waitall 2", "finalize")
    other = ("init", "send 0 1 8 6", "send 0 2 8 6", "recv 0 3 8 6", "finalize")
    (events, _), _ = converted(write(tmp_path, {0: own, 1: other}), tmp_path / "trace")
    started = [one.request for one in events if one.kind in ("irecv", "isend")]
    over = [one.request for one in events if one.kind == "completion"]
    assert over == [started[1], started[0], started[2]]


def test_what_is_not_understood_is_counted(tmp_path: Path) -> None:
    own = (
        "init", "comm_size 2", "irecv -333 -444 100 1", "wait -333 0 -444", "send 1 1 10 -1", "ibarrier", "waitAny 2",
        "Ssend -333 3 0 1", "isend 1 5 1 6", "test 0 1 5", "bcast 10 0 -1", "finalize",
    )  # fmt: skip
    (events, _), left_out = converted(write(tmp_path, {0: own, 1: RECEIVER}), tmp_path / "trace")
    assert left_out == {
        "irecv without a source": 1, "send of a derived datatype": 1, "ibarrier": 1, "waitany": 1,
        "bcast of a derived datatype": 1, "request without a wait": 1,
    }  # fmt: skip
    names = [one.name for one in events]
    assert names == [
        "MPI_Irecv", "MPI_Wait", "MPI_Send", "MPI_Ssend", "MPI_Isend", "MPI_Test", "MPI_Bcast", "MPI_Finalize",
    ]  # fmt: skip
    assert [one.kind for one in events if one.name == "MPI_Irecv"] == ["without_message"]


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        (("init", "compute 5"), "the actions of rank 0 end without finalize: they are cut off"),
        (("init", "send 1 1"), "rank-0.txt:2: send with too few numbers: it is cut off"),
        (("init", ""), "rank-0.txt:2: has no action: it is cut off"),
        (("init", "compute -1", "finalize"), "rank-0.txt:2: -1 is no number of flops"),
        (("init", "compute nan", "finalize"), "rank-0.txt:2: nan is no number of flops"),
        (
            ("init", "compute 1e300", "send 1 1 1 6", "finalize"),
            "rank-0.txt:3: a time that no record can hold",
        ),
        (("init", "send 2 1 8 6", "finalize"), "rank-0.txt:2: a message with rank 2 of 2, tag 1"),
        (("init", "bcast 8 2 6", "finalize"), "rank-0.txt:2: root 2 of 2 ranks"),
        (("init", "send one 1 8 6", "finalize"), "rank-0.txt:2: one is no whole number"),
        (("init", "finalize", "barrier"), "rank-0.txt:3: an action behind finalize"),
    ],
)
def test_a_wrong_action_is_named_with_its_place(actions: Sequence[str], reason: str, tmp_path: Path) -> None:
    source = write(tmp_path, {0: actions, 1: ("init", "finalize")})
    (tmp_path / "trace").mkdir()
    with pytest.raises(UserError) as error:
        convert_time_independent(source, tmp_path / "trace", 1e9)
    assert reason in str(error.value)
    assert str(error.value).startswith(f"{source}: is no time-independent trace that can be read (")
    assert not list((tmp_path / "trace").iterdir())


def test_files_of_other_ranks_and_missing_ones_are_named(tmp_path: Path) -> None:
    (tmp_path / "trace").mkdir()
    source = write(tmp_path, {0: SENDER, 2: RECEIVER})
    with pytest.raises(UserError, match=r"rank-2\.txt:1: rank 2 of 2"):
        convert_time_independent(source, tmp_path / "trace", 1e9)
    (tmp_path / "all.txt").write_text("0 init\n2 init\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"all\.txt: has no action of rank 1"):
        convert_time_independent(tmp_path / "all.txt", tmp_path / "trace", 1e9)
    source.write_text("run.txt_files/rank-9.txt\n", encoding="utf-8")
    assert is_time_independent(source)
    with pytest.raises(UserError, match=r"names run\.txt_files/rank-9\.txt, which is not there"):
        convert_time_independent(source, tmp_path / "trace", 1e9)


def test_schedules_and_other_texts_are_no_such_traces(tmp_path: Path) -> None:
    for text in ("num_ranks 2\n", "", "12 monkeys\n", "0\n", "\0\0"):
        (tmp_path / "other.txt").write_text(text, encoding="utf-8")
        assert not is_time_independent(tmp_path / "other.txt") and not is_time_independent(tmp_path)
    assert not is_time_independent(tmp_path / "missing.txt")
