# SPDX-License-Identifier: BSD-3-Clause
"""A trace as spans and messages: both ends of a message match, for all kinds of calls."""

from pathlib import Path

from trace_bytes import NUMBER, block, record, trace, world

from stretto.data.timeline import Message, Timeline, timeline_in
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import CANCELLED
from stretto.data.trace_walk import Span, walk
from stretto.potential.messages import analysed


def written(directory: Path, *ranks: bytes) -> list[TraceFile]:
    for rank, records in enumerate(ranks):
        data = trace(rank, len(ranks), [block(world(rank, len(ranks)) + records)])
        (directory / f"rank-{rank:06}.trace").write_bytes(data)
    return open_trace(directory)


def timeline_of(files: list[TraceFile], max_calls: int) -> Timeline:
    return timeline_in(analysed(files, "timeline", max_calls=max_calls))


def times(timeline: Timeline) -> list[tuple[int, int]]:
    """When messages were sent and received, in ns on the trace's clock."""
    begin = timeline.begin
    return sorted((one.sent + begin, one.received + begin) for one in timeline.messages)


def sends(*times_us: int, tag: int = 7) -> bytes:
    return b"".join(
        record(NUMBER["MPI_Send"], 1000 * at, 500, size=8 + at, peer=1, tag=tag) for at in times_us
    )


def test_the_kth_message_meets_the_kth_receive_whether_it_blocks_or_not(tmp_path: Path) -> None:
    receiver = b"".join(
        (
            record(NUMBER["MPI_Irecv"], 1000, size=8, peer=0, tag=7, request=1),
            record(NUMBER["MPI_Recv"], 2000, 18_000, size=8, peer=0, tag=7),
            record(NUMBER["MPI_Wait"], 25_000, 1000, count=1),
            record(2, 25_000, request=1),
        )
    )
    result = timeline_of(written(tmp_path, sends(10, 12), receiver), 100)
    assert result.whole and [len(lane.begin) for lane in result.lanes] == [2, 3]
    # The first one was posted first, although the second one completed first.
    assert times(result) == [(10_000, 26_000), (12_000, 20_000)]
    assert {(one.from_lane, one.to_lane, one.tag) for one in result.messages} == {(0, 1, 7)}


def test_a_receive_from_any_source_has_its_source_from_the_completion(tmp_path: Path) -> None:
    receiver = b"".join(
        (
            record(NUMBER["MPI_Irecv"], 1000, size=8, peer=-1, tag=-1, request=1),
            record(NUMBER["MPI_Wait"], 2000, 3000, count=1),
            record(2, 2000, request=1, count=1, peer=0, tag=9, size=8),
        )
    )
    result = timeline_of(written(tmp_path, sends(2, tag=9), receiver), 100)
    assert times(result) == [(2000, 5000)] and result.messages[0].tag == 9


def test_what_started_is_drawn_where_it_starts(tmp_path: Path) -> None:
    sender = b"".join(
        (
            record(NUMBER["MPI_Wait"], 1000, 10, count=1),
            record(4, 4000, size=8, peer=1, tag=7, request=3, count=0),
        )
    )
    receiver = record(NUMBER["MPI_Recv"], 2000, 3000, size=8, peer=0, tag=7)
    assert times(timeline_of(written(tmp_path, sender, receiver), 100)) == [(4000, 5000)]


def test_a_long_trace_is_cut_at_one_time_for_all(tmp_path: Path) -> None:
    receiver = b"".join(
        record(NUMBER["MPI_Recv"], 1000 * at, 900, size=8, peer=0, tag=7) for at in range(1, 101)
    )
    result = timeline_of(written(tmp_path, sends(*range(1, 101)), receiver), 40)
    assert not result.whole and result.begin + result.length == 21_500
    assert all(begin <= result.length for lane in result.lanes for begin in lane.begin)
    assert [len(lane.begin) for lane in result.lanes] == [21, 21]
    assert len(result.messages) == 20  # the last of the senders ends where nobody looks any more


def test_messages_to_proc_null_have_no_ends(tmp_path: Path) -> None:
    (file,) = written(tmp_path, record(NUMBER["MPI_Send"], 1000, 10, size=8, peer=-2))
    assert [type(item) for item in walk(file)] == [Span]


def test_recorded_data_accesses_give_a_message_its_times(tmp_path: Path) -> None:
    """Blocking operations also have a request, which has no wait."""
    sender = record(NUMBER["MPI_Send"], 9000, 500, size=8, peer=1, tag=7, request=4) + b"".join(
        record(5, at, request=4, count=part, tag=2) for part, at in ((1, 8000), (0, 3000))
    )
    receiver = record(NUMBER["MPI_Recv"], 2000, 9000, size=8, peer=0, tag=7, request=6) + b"".join(
        record(6, at, request=6, count=part, tag=2) for part, at in ((0, 12_000), (1, 0))
    )
    result = timeline_of(written(tmp_path, sender, receiver), 100)
    # The timeline begins with the receive, at 2000 ns.
    assert result.messages == (Message(0, 1, 7000, 9000, 8, 7, [1000, 6000], [10_000]),)
    assert [len(lane.begin) for lane in result.lanes] == [1, 1]


def test_calls_alone_are_those_of_all_records_but_about_data(tmp_path: Path) -> None:
    records = b"".join(
        (
            record(NUMBER["MPI_Send"], 1000, 500, size=8, peer=1, tag=7, request=1),
            record(5, 900, request=1, count=0, tag=8),  # produced
            record(NUMBER["MPI_Barrier"], 2000, 100),
            record(NUMBER["MPI_Irecv"], 3000, 100, size=8, peer=1, tag=7, request=2),
            record(NUMBER["MPI_Wait"], 4000, 100, count=1),
            record(NUMBER["MPI_Recv"], 5000, 100, size=8, peer=1, tag=7),
            record(NUMBER["MPI_Finalize"], 6000, 100),
        )
    )
    file, _ = written(tmp_path, records, b"")
    counted: list[int] = []
    items = list(walk(file, counted.append))
    spans = [item for item in items if isinstance(item, Span)]
    assert [(span.name, span.category) for span in spans] == [
        ("MPI_Send", "send"),
        ("MPI_Barrier", "collective"),
        ("MPI_Irecv", "start"),
        ("MPI_Wait", "wait"),
        ("MPI_Recv", "receive"),
        ("MPI_Finalize", "other"),
    ]
    assert sum(counted) == 7


def completed(request: int, begin: int, *, count: int = 0) -> bytes:
    return record(NUMBER["MPI_Wait"], begin, 500, count=1) + record(2, begin, request=request, count=count)


def test_a_complete_timeline_has_the_times_of_its_calls(tmp_path: Path) -> None:
    result = timeline_of(written(tmp_path, sends(10, 12), record(NUMBER["MPI_Barrier"], 3000, 100)), 100)
    assert result.whole and (result.begin, result.length) == (3000, 9500)


def test_a_message_without_its_other_end_does_not_hide_later_ones(tmp_path: Path) -> None:
    receiver = record(NUMBER["MPI_Recv"], 30_000, 100, size=8, peer=0, tag=9)
    result = timeline_of(written(tmp_path, sends(10, tag=7) + sends(20, tag=9), receiver), 100)
    assert [(one.tag, one.size_bytes) for one in result.messages] == [(9, 28)]


def test_receives_after_a_cancelled_one_move_forward_by_one(tmp_path: Path) -> None:
    receiver = b"".join(
        (
            *(record(NUMBER["MPI_Irecv"], 1000 + n, size=8, peer=0, tag=7, request=n) for n in (1, 2, 3)),
            record(NUMBER["MPI_Irecv"], 1010, size=8, peer=0, tag=8, request=4),
            completed(1, 5000, count=CANCELLED),
            completed(2, 20_000),
            completed(3, 30_000),
            completed(4, 40_000),
        )
    )
    result = timeline_of(written(tmp_path, sends(10, 12) + sends(14, tag=8), receiver), 100)
    assert times(result) == [(10_000, 20_500), (12_000, 30_500), (14_000, 40_500)]
    assert {one.tag: one.sent + result.begin for one in result.messages} == {7: 12_000, 8: 14_000}


def test_a_matched_probe_takes_its_message_out_of_the_queue(tmp_path: Path) -> None:
    receiver = b"".join(
        (
            record(NUMBER["MPI_Mprobe"], 15_000, 100, size=18, peer=0, tag=7, request=5, count=1),
            record(NUMBER["MPI_Recv"], 16_000, 1000, size=20, peer=0, tag=7),
            record(NUMBER["MPI_Mrecv"], 20_000, 3000, size=18, peer=0, tag=7, request=5),
        )
    )
    result = timeline_of(written(tmp_path, sends(10, 12), receiver), 100)
    assert times(result) == [(10_000, 23_000), (12_000, 17_000)]


def test_messages_of_an_undefined_communicator_match(tmp_path: Path) -> None:
    sender = record(NUMBER["MPI_Send"], 1000, 10, size=8, peer=1, tag=7, context=9)
    receiver = record(NUMBER["MPI_Recv"], 2000, 10, size=8, peer=0, tag=7, context=9)
    assert len(timeline_of(written(tmp_path, sender, receiver), 100).messages) == 1


def test_spans_of_messages_have_their_peer(tmp_path: Path) -> None:
    calls = ("MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Barrier", "MPI_Finalize")
    records = b"".join(record(NUMBER[name], 1000 * n, 10, peer=1, size=8) for n, name in enumerate(calls, 1))
    file, _ = written(tmp_path, records, b"")
    peers = {item.name: item.peer for item in walk(file) if isinstance(item, Span)}
    assert peers == dict(zip(calls, (1, 1, 1, -2, -2), strict=True))
