# SPDX-License-Identifier: BSD-3-Clause
"""Traces are read completely; those of killed processes are read; damaged ones are refused."""

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trace_bytes import CALLS, NUMBER, block, record, trace, world

from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace, record_count
from stretto.data.trace_records import Site
from stretto.data.traced_part import part_of
from stretto.errors import UserError
from stretto.report.views.artefact import artefact_lines

RECORDS = world(0, 2) + b"".join(
    (
        record(NUMBER["MPI_Init"], 0, 5000),
        record(NUMBER["MPI_Isend"], 15_000, 700, size=4096, peer=1, tag=7, request=1),
        record(NUMBER["MPI_Wait"], 20_000, 900, count=1),
        record(2, 20_000, 900, request=1),
        record(NUMBER["MPI_Finalize"], 30_000, 10),
    )
)

UNKNOWN = 16 + len(CALLS)  # the first number that the header does not name


def written(tmp_path: Path, data: bytes, name: str = "rank-000000.trace") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def test_records_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = TraceFile(written(tmp_path, trace(0, 2, [block(RECORDS)])))
    events = [event for one in file.blocks() for event in file.events(one.records)]
    assert [event.name for event in events] == [
        "MPI_Init", "MPI_Isend", "MPI_Wait", "completion", "MPI_Finalize",
    ]  # fmt: skip
    sent = events[1]
    assert (sent.kind, sent.size_bytes, sent.peer, sent.tag, sent.request) == ("isend", 4096, 1, 7, 1)
    assert (sent.begin_s, sent.duration_s) == pytest.approx((15e-6, 0.7e-6))
    assert file.definitions.contexts[0].members == (0, 1)
    assert file.definitions.sites == {1: Site("/bin/app", 0x1234)}
    assert file.complete and file.header.ranks == 2 and file.header.command == ("./app",)


def test_a_killed_process_leaves_its_records(tmp_path: Path) -> None:
    data = trace(0, 2, [block(RECORDS)], complete=False)
    file = TraceFile(written(tmp_path, data + b"\0" * 4096))  # a block that was made and not begun
    assert sum(len(one.records) for one in file.blocks()) == 5
    assert not file.complete


def test_a_payload_that_looks_like_a_definition_is_none(tmp_path: Path) -> None:
    path = record(1, 0, request=3) * 2  # a module's path, as far as the reader is to know
    records = record(1, 0, size=len(path), peer=5, request=1) + path + record(NUMBER["MPI_Barrier"], 1)
    file = TraceFile(written(tmp_path, trace(0, 1, [block(records)])))
    assert [len(one.records) for one in file.blocks()] == [1]
    assert file.definitions.contexts == {}


def test_dump_shows_all_of_it(tmp_path: Path) -> None:
    lines = list(artefact_lines(written(tmp_path, trace(0, 2, [block(RECORDS)]))))
    assert (
        "0.000015000 MPI_Isend thread=0 duration_s=7e-07 site=1 size_bytes=4096 context=0 peer=1 tag=7 request=1"
        in lines
    )
    assert "communicator 0 key=0000000000000001 rank=0 members=[0, 1]" in lines
    assert lines[-2:] == ["lost 0", "complete"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty; record it again"),
        (b"strtracX" + b"\0" * 100, "is no trace; name a rank-*.trace"),
        (trace(0, 2, [], major=3), "was recorded with --limit, and no trace has been cut out of it"),
        (trace(0, 2, [], major=4), "is a trace 4.x, and this stretto reads 1.x and 2.x; update stretto"),
        (trace(3, 2, []), "byte 16: rank 3 of 2; the trace is damaged"),
        (trace(0, 2, [b"X" + block(RECORDS)[1:]]), "byte 4096: there is no block where one should begin"),
        (
            trace(0, 1, [block(record(NUMBER["MPI_Barrier"], 1) + record(UNKNOWN, 2))]),
            f"byte {4096 + 48 + 48}: call {UNKNOWN}, which the header does not name",
        ),
        (trace(0, 2, [block(world(0, 3))]), "byte 4144: a communicator with members that are no ranks"),
    ],
)
def test_damage_is_refused_with_its_position(tmp_path: Path, data: bytes, message: str) -> None:
    path = written(tmp_path, data)
    with pytest.raises(UserError) as refused:
        list(TraceFile(path).blocks())
    assert str(refused.value).startswith(f"{path}: ") and message in str(refused.value)


def test_all_ranks_have_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"has no rank-\*\.trace"):
        open_trace(tmp_path)
    written(tmp_path, trace(1, 2, []), "rank-000001.trace")
    with pytest.raises(UserError, match="rank 0 of 2 is missing"):
        open_trace(tmp_path)


@settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_headers_of_any_damaged_file_are_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    damaged = bytearray(
        trace(0, 2, [block(RECORDS), block(RECORDS[192:], 1)], complete=data.draw(st.booleans()))
    )
    interesting = st.one_of(st.integers(0, 400), st.integers(4096, 4700), st.integers(0, len(damaged) - 1))
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(interesting)] = data.draw(st.integers(0, 255))
    at = data.draw(interesting)
    damaged[at : at + data.draw(st.integers(0, 12))] = data.draw(st.binary(max_size=48))
    whole = st.one_of(st.just(len(damaged)), st.integers(0, len(damaged)))
    path = written(tmp_path, bytes(damaged[: data.draw(whole)]))
    try:
        file = TraceFile(path)
        part_of([file])
        assert file.heads.core_wait and file.heads.records >= 0
    except UserError as error:
        assert "\n" not in str(error) and len(str(error)) < 1000


def test_blocks_have_the_positions_of_records_and_definitions(tmp_path: Path) -> None:
    first, second = TraceFile(
        written(tmp_path, trace(0, 2, [block(RECORDS), block(RECORDS[240:], 3)]))
    ).blocks()
    assert (first.thread, first.offset, second.thread, second.offset) == (0, 4096 + 48, 3, 8192 + 48)
    assert first.kept.tolist() == [False] * 5 + [True] * 5 and second.kept.all()


@pytest.mark.parametrize(("length", "records"), [(1, 1), (48, 1), (49, 2)])
def test_a_definition_ends_where_its_payload_does(tmp_path: Path, length: int, records: int) -> None:
    definition = (
        record(1, 0, size=length, peer=4, request=1) + b"x" * length + b"\0" * (48 * records - length)
    )
    fits = written(tmp_path, trace(0, 1, [block(definition + record(NUMBER["MPI_Barrier"], 1))]))
    file = TraceFile(fits)
    assert [len(one.records) for one in file.blocks()] == [1]
    assert file.definitions.modules == {4: "x" * length}
    at_the_end = TraceFile(written(tmp_path, trace(0, 1, [block(definition)])))
    assert [len(one.records) for one in at_the_end.blocks()] == [0]


def communicator(runs: list[tuple[int, int, int]], own: int, rank: int = 1) -> bytes:
    payload = b"".join(struct.pack("<iiI", *run) for run in runs)
    made: bytes = record(1, 0, size=len(payload), peer=7, tag=rank, request=3, count=own, extra=9)
    return made + payload.ljust(48, b"\0")


def test_runs_of_members_are_of_either_side(tmp_path: Path) -> None:
    one = communicator([(0, 2, 2), (3, 1, 1), (1, 4, 2)], own=2)
    file = TraceFile(written(tmp_path, trace(0, 6, [block(one)])))
    list(file.blocks())
    result = file.definitions.contexts[7]
    assert (result.members, result.remote, result.key, result.rank, result.window) == (
        (0, 2, 3),
        (1, 5),
        9,
        1,
        False,
    )


def test_members_of_other_programs_are_no_ranks_of_this_one(tmp_path: Path) -> None:
    """A spawned program of one rank has an intercommunicator to its parents, however many these are."""
    path = written(tmp_path, trace(0, 1, [block(communicator([(0, 1, 1), (-2, 0, 3)], own=1, rank=0))]))
    file = TraceFile(path)
    list(file.blocks())
    (context,) = file.definitions.contexts.values()
    assert context.members == (0,) and context.remote == (-2, -2, -2)


def test_a_run_may_begin_with_a_rank_and_end_with_a_member_of_another_program(tmp_path: Path) -> None:
    file = TraceFile(written(tmp_path, trace(0, 1, [block(communicator([(0, -2, 2)], own=1))])))
    list(file.blocks())
    assert file.definitions.contexts[7].members == (0, -2)


def test_files_bound_how_many_records_there_are(tmp_path: Path) -> None:
    files = [TraceFile(written(tmp_path, trace(0, 2, [block(RECORDS)]), name)) for name in ("a", "b")]
    assert record_count(files) == 10
    with pytest.raises(UserError, match="a communicator with members that are no ranks"):
        record_count([TraceFile(written(tmp_path, trace(0, 1, [block(world(0, 2))])))])
