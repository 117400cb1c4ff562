# SPDX-License-Identifier: BSD-3-Clause
"""Durations of a clean run: accesses keep their place between the same two calls."""

from pathlib import Path

import pytest
from trace_bytes import NUMBER, block, record, trace, trace_file, world

from stretto.data.trace import TraceFile
from stretto.data.trace_records import CONSUMED, PRODUCED, REGION, CoreWait, Event
from stretto.errors import UserError
from stretto.potential.clean import take_durations


def written(directory: Path, *records: bytes) -> TraceFile:
    return trace_file(directory, block(world(0, 2) + b"".join(records)))


def events(file: TraceFile) -> list[Event]:
    again = TraceFile(file.path)
    return [event for one in again.blocks() for event in again.events(one.records)]


def run(scale: int, *, tag: int = 3, watched: bool = False) -> list[bytes]:
    """A message sent, and one received and read; watched, all takes `scale` times as long."""
    number = {"request": 1} if watched else {}
    data = [
        record(PRODUCED, 500 * scale, tag=8, request=1, extra=400 * scale),
        record(CONSUMED, 2_500 * scale, tag=8, request=1, extra=2_600 * scale),
        record(CONSUMED, 0, tag=8, request=1, count=1),
    ]
    return [
        record(NUMBER["MPI_Init"], 0, 100 * scale),
        record(NUMBER["MPI_Send"], 1_100 * scale, 50 * scale, size=8, peer=1, tag=tag, **number),
        record(NUMBER["MPI_Recv"], 1_500 * scale, 500 * scale, size=8, peer=1, tag=tag, **number),
        *(data if watched else []),
        record(NUMBER["MPI_Finalize"], 4_000 * scale, 10 * scale),
    ]


def test_what_lies_between_calls_keeps_its_fraction_of_the_way(tmp_path: Path) -> None:
    watched = written(tmp_path / "watched", *run(7, watched=True))
    take_durations([watched], [written(tmp_path / "clean", *run(1))])
    result = {(event.name, event.count): event for event in events(watched)}
    assert result["MPI_Recv", 0].begin_s == pytest.approx(1.5e-6)
    assert result["MPI_Recv", 0].duration_s == pytest.approx(500e-9)
    assert result["produced", 0].begin_s == pytest.approx(500e-9)
    assert result["produced", 0].extra == 400
    assert result["consumed", 0].begin_s == pytest.approx(2.5e-6)
    assert result["consumed", 1].begin_s == 0  # never stays never
    assert result["MPI_Send", 0].request == 1 and result["MPI_Send", 0].site == 1


def test_the_time_of_waiting_for_a_core_is_the_clean_runs(tmp_path: Path) -> None:
    def waited(directory: Path, waited_ms: tuple[int, int]) -> TraceFile:
        calls = block(world(0, 2) + b"".join(run(1)), waited_ms=waited_ms)
        return trace_file(directory, calls, block(b"", waited_ms=waited_ms))

    watched = waited(tmp_path / "watched", (900, 1000))
    take_durations([watched], [waited(tmp_path / "clean", (3, 500))])
    assert TraceFile(watched.path).heads.core_wait == CoreWait(0.003, 0.5)


def test_work_before_sends_and_after_arrivals_takes_as_long_as_the_computation_around_them(
    tmp_path: Path,
) -> None:
    """Watched, what comes before the sends takes 10 times as long, and what comes after the receives 2 times.
    Another call stands between the work and its send."""

    def calls(before: int, after: int) -> list[bytes]:
        records, now = [], 0
        for _ in range(3):
            now += 100 * before
            records.append(record(NUMBER["MPI_Barrier"], now, 10, site=3))
            records.append(record(NUMBER["MPI_Send"], now + 10, 10, size=8, peer=1, site=1))
            records.append(record(NUMBER["MPI_Recv"], now + 20, 10, size=8, peer=1, site=2))
            now += 30 + 100 * after
        return [*records, record(NUMBER["MPI_Finalize"], now, 10, site=3)]

    work = [
        record(REGION, 0, 0, size=3_000, site=1, peer=-2, count=1),
        record(REGION, 0, 0, size=600, site=2, peer=-2),
    ]
    watched = written(tmp_path / "watched", *calls(10, 2), *work)
    take_durations([watched], [written(tmp_path / "clean", *calls(1, 1))])
    sent, arrived = (event.size_bytes for event in events(watched) if event.name == "region")
    assert sent == 500  # the computation from send to send takes a sixth of the time: 2,400 and 400
    assert arrived == 115  # from the receives to the calls after them: 2,600 and 500 of 600


def test_other_calls_are_refused_and_named(tmp_path: Path) -> None:
    watched = written(tmp_path / "watched", *run(7, watched=True))
    before = watched.path.read_bytes()
    text = (
        r"call 2 of rank 0 is MPI_Send of 8 bytes with 1, tag 4, and MPI_Send of .* tag 3 in .*: another tag;"
    )
    with pytest.raises(UserError, match=text):
        take_durations([watched], [written(tmp_path / "clean", *run(1, tag=4))])
    text = "call 4 of rank 0 is none, and MPI_Finalize of 0 bytes .*the clean run makes fewer calls"
    with pytest.raises(UserError, match=text):
        take_durations([watched], [written(tmp_path / "short", *run(1)[:-1])])
    with pytest.raises(
        UserError, match=r"call 5 of rank 0 is MPI_Finalize .*: the clean run makes more calls"
    ):
        take_durations([watched], [written(tmp_path / "long", *run(1), run(1)[-1])])
    elsewhere = run(1)
    elsewhere[1] = record(NUMBER["MPI_Send"], 1_100, 50, size=8 | 1 << 48, peer=1, tag=3)
    with pytest.raises(UserError, match=": another communicator;"):
        take_durations([watched], [written(tmp_path / "elsewhere", *elsewhere)])
    with pytest.raises(UserError, match="is of 2 ranks, and this run of 1"):
        take_durations([watched], [written(tmp_path / "two", *run(1))] * 2)
    assert watched.path.read_bytes() == before


@pytest.mark.parametrize("poll", [("MPI_Test", "test"), ("MPI_Win_test", "synchronise")])
def test_how_often_was_polled_does_not_matter(poll: tuple[str, str], tmp_path: Path) -> None:
    from trace_bytes import CALLS

    assert poll not in CALLS  # it is one of a trace of its own
    polls = (*CALLS, poll)
    number = 16 + len(CALLS)

    def polled(directory: Path, times: int) -> TraceFile:
        one = [record(number, 1_200 + 10 * i, 1, count=0) for i in range(times)]
        first, *rest = run(1)
        file = written(directory, first, *one, *rest)
        data = trace(0, 2, [block(world(0, 2) + b"".join((first, *one, *rest)))], calls=polls)
        file.path.write_bytes(data)
        return TraceFile(file.path)

    watched = polled(tmp_path / "watched", 9)
    take_durations([watched], [polled(tmp_path / "clean", 2)])
    result = events(watched)
    # The nine polls lie between the ends of calls around them, which both runs have at the same times.
    assert [(one.name, one.begin_s) for one in result if one.name != poll[0]] == [
        ("MPI_Init", 0.0),
        ("MPI_Send", pytest.approx(1.1e-6)),
        ("MPI_Recv", pytest.approx(1.5e-6)),
        ("MPI_Finalize", pytest.approx(4e-6)),
    ]
    assert [one.begin_s for one in result if one.name == poll[0]] == pytest.approx(
        [(1_200 + 10 * i) * 1e-9 for i in range(9)]
    )


def test_after_the_last_call_time_goes_on_as_it_did(tmp_path: Path) -> None:
    last = record(CONSUMED, 28_070 + 500, tag=8, request=1, count=2, extra=28_070 + 700)
    watched = written(tmp_path / "watched", *run(7, watched=True), last)
    take_durations([watched], [written(tmp_path / "clean", *run(1))])
    result = events(watched)[-1]
    assert (result.name, result.count) == ("consumed", 2)
    assert result.begin_s == pytest.approx((4_010 + 500) * 1e-9) and result.extra == 4_010 + 700


def test_threads_take_their_own_times(tmp_path: Path) -> None:
    """The second thread of the watched run is three times as slow, the first seven times."""

    def threads(directory: Path, first: int, second: int) -> TraceFile:
        own = block(world(0, 2) + b"".join(run(first)))
        return trace_file(directory, own, block(b"".join(run(second)), thread=1))

    watched = threads(tmp_path / "watched", 7, 3)
    take_durations([watched], [threads(tmp_path / "clean", 1, 2)])
    by_thread = {
        one.thread: [event.begin_s for event in TraceFile(watched.path).events(one.records)]
        for one in TraceFile(watched.path).blocks()
    }
    assert by_thread[0] == pytest.approx([0, 1.1e-6, 1.5e-6, 4e-6])
    assert by_thread[1] == pytest.approx([0, 2.2e-6, 3e-6, 8e-6])


def test_calls_are_compared_over_the_borders_of_blocks(tmp_path: Path) -> None:
    """The same calls lie in one block of the clean run and in three of the watched one."""
    calls = run(7)
    first = block(world(0, 2) + calls[0])
    watched = trace_file(tmp_path / "watched", first, block(calls[1]), block(b"".join(calls[2:])))
    take_durations([watched], [written(tmp_path / "clean", *run(1))])
    assert [event.begin_s for event in events(watched)] == pytest.approx([0, 1.1e-6, 1.5e-6, 4e-6])
    other = trace_file(tmp_path / "watched", first, block(calls[1]), block(calls[3]))
    with pytest.raises(
        UserError, match=r"call 3 of rank 0 is MPI_Recv .* and MPI_Finalize .*: another call;"
    ):
        take_durations([other], [written(tmp_path / "again", *run(1))])


def test_the_difference_is_named(tmp_path: Path) -> None:
    watched = written(tmp_path / "watched", *run(7, watched=True))
    longer = run(1)
    longer[1] = record(NUMBER["MPI_Send"], 1_100, 50, size=16, peer=1, tag=3)
    with pytest.raises(
        UserError, match=r": another number of bytes; record the same run of the same program$"
    ):
        take_durations([watched], [written(tmp_path / "longer", *longer)])
    elsewhere = run(1)
    elsewhere[1] = record(NUMBER["MPI_Send"], 1_100, 50, size=8, peer=0, tag=3)
    with pytest.raises(UserError, match=": another rank to talk to;"):
        take_durations([watched], [written(tmp_path / "elsewhere", *elsewhere)])
    with pytest.raises(UserError, match=r"is of 2 ranks, and this run of 1; record the same run$"):
        take_durations([watched], [written(tmp_path / "two", *run(1))] * 2)


def test_of_a_long_past_the_last_calls_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory for few calls: all that follow are still moved by the calls around them."""
    monkeypatch.setattr("stretto.potential.clean._MAX_CALLS", 4)

    def barriers(directory: Path, scale: int) -> TraceFile:
        directory.mkdir()
        blocks = [
            block(
                (world(0, 2) if first == 0 else b"")
                + b"".join(
                    record(NUMBER["MPI_Barrier"], scale * (100 * number + 10), scale * 20)
                    for number in range(first, first + 3)
                )
            )
            for first in range(0, 30, 3)
        ]
        return trace_file(directory, *blocks)

    watched = barriers(tmp_path / "watched", 5)
    take_durations([watched], [barriers(tmp_path / "clean", 1)])
    result = events(watched)
    assert [one.begin_s for one in result] == pytest.approx(
        [1e-9 * (100 * number + 10) for number in range(30)]
    )
    assert [one.duration_s for one in result] == pytest.approx([2e-8] * 30)
