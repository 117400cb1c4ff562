# SPDX-License-Identifier: BSD-3-Clause
"""The trace reader reads what the trace writer wrote: calls, sites, communicators, blocks of threads."""

import struct
from pathlib import Path

import pytest

from bench.harness.trace_writer import TraceRecord, TraceWriter
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace, record_count
from stretto.data.trace_records import NO_CONTEXT, NO_PEER, Event, Site

MOST = (1 << 48) - 1


def events_of(file: TraceFile) -> list[tuple[int, Event]]:
    return [(block.thread, event) for block in file.blocks() for event in file.events(block.records)]


def test_records_come_back_as_they_were_added(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "rank-000001.trace", 1, 3, {"host": "node", "command": ["a", "b"]}) as writer:
        send, wait = writer.call("MPI_Isend", "isend"), writer.call("MPI_Wait", "wait")
        assert (send, wait, writer.call("MPI_Isend", "isend")) == (16, 17, 16)
        first, second = writer.site(0, "/bin/app", 0x10), writer.site(0, "/bin/app", 0x20)
        third = writer.site(2, "/lib/other", 0x10)
        assert (first, second, third, writer.site(5, "/bin/app", 0x10)) == (1, 2, 3, 1)
        writer.communicator(0, 7, 0xABC, (2, 1, 0))
        writer.add(0, TraceRecord(send, 1000, 200, first, 64, 7, 2, -1, 5, 1, 1 << 63))
        writer.add(2, TraceRecord(wait, 5000, 300, third))
    file = TraceFile(tmp_path / "rank-000001.trace")
    (thread, sent), (other, waited) = events_of(file)
    assert (thread, other) == (0, 2)
    assert sent == Event(
        "MPI_Isend", "isend", pytest.approx(1e-6), pytest.approx(2e-7), 1, 64, 7, 2, -1, 5, 1, 1 << 63
    )  # type: ignore[arg-type]
    assert (waited.name, waited.site, waited.context, waited.peer) == ("MPI_Wait", 3, NO_CONTEXT, NO_PEER)
    assert (waited.size_bytes, waited.tag, waited.request, waited.count, waited.extra) == (0, 0, 0, 0, 0)
    known = file.definitions
    assert known.sites == {1: Site("/bin/app", 0x10), 2: Site("/bin/app", 0x20), 3: Site("/lib/other", 0x10)}
    context = known.contexts[7]
    assert (context.key, context.rank, context.members, context.remote) == (0xABC, 1, (2, 1, 0), ())
    assert file.complete and file.lost == 0
    header = file.header
    assert (header.rank, header.ranks, header.host, header.command) == (1, 3, "node", ("a", "b"))


def test_a_block_ends_when_it_is_full_and_definitions_are_not_torn_apart(tmp_path: Path) -> None:
    count = 5000
    with TraceWriter(tmp_path / "rank-000000.trace", 0, 1, {}) as writer:
        call = writer.call("MPI_Barrier", "collective")
        for number in range(count):
            writer.site(0, f"/a/module/whose/name/is/longer/than/one/record/{number}", number)
            writer.add(0, TraceRecord(call, number, site=number + 1))
    file = TraceFile(tmp_path / "rank-000000.trace")
    blocks = [len(block.kept) for block in file.blocks()]
    assert len(blocks) > 1
    assert [event.site for _, event in events_of(file)] == list(range(1, count + 1))
    assert file.definitions.sites[count].module.endswith(f"/{count - 1}")
    assert record_count([file]) == count


def test_packed_blocks_stand_behind_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "rank-000000.trace"
    with TraceWriter(path, 0, 1, {}) as writer:
        call = writer.call("MPI_Barrier", "collective")
        writer.add(3, TraceRecord(call, 1, 1))
        writer.add_block(3, TraceRecord(call, 2, 3).packed() + TraceRecord(call, 4, 5).packed(), 2, 9)
        writer.add(3, TraceRecord(call, 6, 1))
    result = events_of(TraceFile(path))
    assert [(thread, round(1e9 * event.begin_s)) for thread, event in result] == [
        (3, 1),
        (3, 2),
        (3, 4),
        (3, 6),
    ]
    records, blocks, index, end_ns, lost, magic = struct.unpack("<QQQQQ8s", path.read_bytes()[-48:])
    assert (records, blocks, end_ns, lost, magic) == (4, 2, 9, 0, b"strailer")
    entries = [struct.unpack_from("<QQII", path.read_bytes(), index + 24 * one) for one in range(blocks)]
    assert [(begin_ns, count, thread) for _, begin_ns, count, thread in entries] == [(1, 3, 3), (6, 1, 3)]
    headers = [struct.unpack_from("<4sIQQQ", path.read_bytes(), at) for at, *_ in entries]
    assert [(thread, begin_ns) for _, thread, _, _, begin_ns in headers] == [(3, 1), (3, 6)]
    assert [path.read_bytes()[at : at + 4] for at, _, _, _ in entries] == [b"sblk", b"sblk"]


@pytest.mark.parametrize("members", [(0,), (3, 2, 0, 1), (0, 2, 4, 1, 3, 5), (1, 0), tuple(range(4000))])
def test_members_of_a_communicator_come_back(tmp_path: Path, members: tuple[int, ...]) -> None:
    path = tmp_path / "rank-000000.trace"
    with TraceWriter(path, 0, len(members), {}) as writer:
        writer.communicator(0, 1, 5, members)
        writer.communicator(0, 2, 6, members[::-1])
    file = TraceFile(path)
    list(file.blocks())
    contexts = file.definitions.contexts
    assert (contexts[1].members, contexts[2].members) == (members, members[::-1])
    assert path.stat().st_size < (1 << 16) + 2 * 4096 + 48


def test_the_end_is_that_of_the_record_that_ends_last(tmp_path: Path) -> None:
    path = tmp_path / "rank-000000.trace"
    with TraceWriter(path, 0, 1, {}) as writer:
        call = writer.call("MPI_Barrier", "collective")
        writer.add(0, TraceRecord(call, 100, 50))
        writer.add(0, TraceRecord(call, 120, 10))
    assert struct.unpack("<QQQQQ8s", path.read_bytes()[-48:])[3] == 150


def test_a_file_is_complete_only_where_no_error_came(tmp_path: Path) -> None:
    path = tmp_path / "rank-000000.trace"
    with pytest.raises(KeyError), TraceWriter(path, 0, 1, {}) as writer:
        writer.add(0, TraceRecord(writer.call("MPI_Init", "plain"), 0))
        raise KeyError("what the caller does wrong")
    assert b"strailer" not in path.read_bytes() and path.read_bytes()[:8] != b"strtrace"


def test_the_largest_members_fit() -> None:
    packed = TraceRecord(16, MOST, MOST, 0xFFFF, MOST, 0xFFFF, -(1 << 31), 1, 2, 3, (1 << 64) - 1).packed()
    begin, duration, size, peer, tag, request, count, extra = struct.unpack("<QQQiiIIQ", packed)
    assert (begin & MOST, begin >> 48, duration & MOST, duration >> 48) == (MOST, 16, MOST, 0xFFFF)
    assert (size & MOST, size >> 48, peer, tag, request, count) == (MOST, 0xFFFF, -(1 << 31), 1, 2, 3)
    assert extra == (1 << 64) - 1


def test_files_of_all_ranks_make_a_trace(tmp_path: Path) -> None:
    for rank in (1, 0):
        with TraceWriter(tmp_path / f"rank-{rank:06}.trace", rank, 2, {}) as writer:
            writer.add(0, TraceRecord(writer.call("MPI_Init", "plain"), 0))
    assert [file.header.rank for file in open_trace(tmp_path)] == [0, 1]
