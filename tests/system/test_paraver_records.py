# SPDX-License-Identifier: BSD-3-Clause
"""Paraver traces as traces of stretto: what is read, and counts and bytes against a plain count of the file's lines."""

import gzip
from collections import Counter
from pathlib import Path

import pytest
from paraver_traces import (
    ALLREDUCE,
    ALLTOALL,
    BCAST,
    COLLECTIVES,
    FINALIZE,
    IALLREDUCE,
    INIT,
    IRECV,
    ISEND,
    MESSAGES,
    OTHERS,
    PROBE,
    RECV,
    SEND,
    SENDRECV,
    STARTALL,
    WAIT,
    WAITALL,
    Paraver,
    program,
)
from processes import has_program, needs_built
from traced_runs import events_of

from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import NO_PEER, Event
from stretto.data.trace_walk import MessageEnd, walk
from stretto.errors import UserError
from stretto.native.foreign import convert_paraver

pytestmark = needs_built(has_program("stretto-foreign", "none"), "STRETTO-FOREIGN")


def converted(source: Path) -> tuple[list[list[Event]], Counter[str]]:
    """The records of each rank, and what is left out."""
    directory = source.parent / "trace"
    directory.mkdir()
    left_out = convert_paraver(source, directory)
    return [events_of(file) for file in open_trace(directory)], left_out


def test_calls_messages_and_sites_are_read(tmp_path: Path) -> None:
    """MPI_Irecv's receive is posted at the end of its call, as Extrae has it."""
    trace = Paraver().begun()
    trace.call(1, MESSAGES, SEND, 5000, 6000, ":42000059:5:70000001:5:80000001:7:70000002:4")
    trace.call(2, MESSAGES, IRECV, 1500, 1600, ":70000001:4:80000001:0")
    trace.call(2, MESSAGES, WAIT, 1700, 7000)
    trace.message(1, (5000, 6000), 2, (1600, 7000), 800)
    for task in (1, 2):
        trace.call(task, OTHERS, FINALIZE, 9000, 9500)
    source = trace.write(tmp_path)
    (first, second), left_out = converted(source)
    assert not left_out
    init, sent, ended = first
    assert (init.name, sent.name, sent.kind, ended.name) == ("MPI_Init", "MPI_Send", "send", "MPI_Finalize")
    assert (sent.peer, sent.tag, sent.size_bytes) == (1, 3, 800)
    assert sent.begin_s == pytest.approx(5e-6) and sent.duration_s == pytest.approx(1e-6)
    assert [(one.name, one.kind, one.peer, one.request) for one in second[1:4]] == [
        ("MPI_Irecv", "irecv", 0, 1),
        ("MPI_Wait", "wait", NO_PEER, 0),
        ("completion", "completion", NO_PEER, 1),
    ]
    places = [
        [site.module for site in file.definitions.sites.values()] for file in open_files(tmp_path / "trace")
    ]
    known = [[place for place in rank if not place.startswith("unknown caller of MPI_")] for rank in places]
    assert known == [["Domain::step solver.cc:12"], ["solve"]]


def open_files(directory: Path) -> list:  # type: ignore[type-arg]
    files = open_trace(directory)
    for file in files:
        list(file.blocks())
    return files


def test_times_without_a_unit_are_microseconds(tmp_path: Path) -> None:
    trace = Paraver(tasks=1, unit="")
    trace.call(1, OTHERS, INIT, 0, 5)
    trace.call(1, MESSAGES, PROBE, 7, 9)
    ((_, probe),), left_out = converted(trace.write(tmp_path))
    assert (probe.begin_s, probe.duration_s) == (pytest.approx(7e-6), pytest.approx(2e-6))
    assert left_out == {"MPI_Probe without its message": 1}


def test_waits_end_what_no_record_says_the_end_of(tmp_path: Path) -> None:
    """MPI_Wait for a receive ends that alone, one for nothing known the oldest send, MPI_Waitall all."""
    trace = Paraver().begun()
    for at in (2000, 2100, 2200):
        trace.call(1, MESSAGES, ISEND, at, at + 50)
        trace.message(1, (at, at + 50), 2, (at, at + 900), at)
        trace.call(2, MESSAGES, RECV, at, at + 90)
    trace.records = [
        (time, line.replace(":2900:", ":2090:").replace(":3000:", ":2190:").replace(":3100:", ":2290:"))
        for time, line in trace.records
    ]
    trace.call(1, COLLECTIVES, IALLREDUCE, 2260, 2270, ":50100001:8:50100002:8:50100004:1")
    trace.call(1, MESSAGES, IRECV, 2280, 2290)
    trace.message(2, (2400, 2450), 1, (2290, 2600), 16)
    trace.call(2, MESSAGES, SEND, 2400, 2450)
    for at, value in ((2500, WAIT), (2700, WAIT), (2800, WAITALL)):
        trace.call(1, MESSAGES, value, at, at + 100)
    (first, _), left_out = converted(trace.write(tmp_path))
    assert not left_out
    requests = {one.name: one.request for one in first if one.kind in ("irecv", "icollective")}
    sends = [one.request for one in first if one.kind == "isend"]
    over: list[list[int]] = []
    for one in first:
        if one.kind == "wait":
            over.append([])
        elif one.kind == "completion":
            over[-1].append(one.request)
    assert over == [[requests["MPI_Irecv"]], [sends[0]], [*sends[1:], requests["MPI_Iallreduce"]]]


def test_persistent_requests_and_both_halves(tmp_path: Path) -> None:
    trace = Paraver().begun()
    for task, other in ((1, 2), (2, 1)):
        trace.call(task, MESSAGES, SENDRECV, 2000, 2500)
        trace.message(task, (2000, 2500), other, (2000, 2500), 40 * task)
        trace.call(task, OTHERS, STARTALL, 3000, 3100)
        trace.message(task, (3050, 3050), other, (3050, 3900), 80 * task, tag=4)
        trace.call(task, MESSAGES, WAITALL, 3500, 3900)
    (first, _), left_out = converted(trace.write(tmp_path))
    assert not left_out
    assert [(one.kind, one.peer, one.size_bytes, one.count) for one in first[1:6]] == [
        ("sendrecv", 1, 40, 0), ("receive_half", 1, 80, 0),
        ("startall", NO_PEER, 0, 2), ("started", 1, 80, 0), ("started", 1, 160, 1),
    ]  # fmt: skip


def test_collectives_have_roots_members_and_bytes(tmp_path: Path) -> None:
    """A root says that it is one; others learn it from the root's call of the same number."""
    trace = Paraver(tasks=3, communicators="c:1:2:2:3:1\nc:1:3:2:1:9\n").begun()
    for task in (1, 2, 3):
        at = 2000 + task
        own = ":50100001:64:50100002:0:50100003:1" if task == 2 else ":50100001:0:50100002:64"
        trace.call(task, COLLECTIVES, BCAST, at, 2500, f"{own}:50100004:1")
        trace.call(task, COLLECTIVES, ALLTOALL, at + 1000, 3500, ":50100001:10:50100002:0:50100004:1")
    for task in (1, 3):
        trace.call(task, COLLECTIVES, ALLREDUCE, 4000, 4500, ":50100001:8:50100002:8:50100004:2")
        trace.call(task, COLLECTIVES, BCAST, 5000, 5500, ":50100002:8:50100004:2")
    trace.call(1, COLLECTIVES, ALLREDUCE, 6000, 6500, ":50100001:8:50100002:8:50100004:3")
    ranks, left_out = converted(trace.write(tmp_path))
    assert left_out == {"MPI_Bcast without a root": 2, "MPI_Allreduce of an unknown communicator": 1}
    for rank, events in enumerate(ranks):
        bcast, alltoall, *others = events[1:]
        assert (bcast.peer, bcast.size_bytes, bcast.extra) == (1, 64, 0)
        assert (alltoall.size_bytes, alltoall.extra, alltoall.context) == (30, 30, bcast.context)
        assert [one.kind for one in others] == {
            0: ["collective", "collective", "without_message"],
            1: [],
            2: ["collective"] * 2,
        }[rank]
    files = open_files(tmp_path / "trace")
    members = [[context.members for context in file.definitions.contexts.values()] for file in files]
    assert members == [[(0, 1, 2), (2, 0)], [(0, 1, 2)], [(0, 1, 2), (2, 0)]]


def test_what_is_not_understood_is_counted(tmp_path: Path) -> None:
    trace = Paraver().begun()
    trace.call(1, MESSAGES, ISEND, 2000, 2100)  # to nobody, or its other half is missing
    trace.call(1, MESSAGES, 99, 2200, 2300)
    trace.records.append((2400, f"2:1:1:1:1:2400:{MESSAGES}:0"))
    trace.records.append((2500, f"2:1:1:1:1:2500:{MESSAGES}:{WAIT}"))
    trace.message(1, (2600, 2700), 2, (2600, 2800), 8)
    trace.call(1, MESSAGES, ISEND, 3000, 3100)
    trace.message(1, (3000, 3100), 2, (3000, 3200), 8)
    trace.call(2, MESSAGES, RECV, 3000, 3200)
    _, left_out = converted(trace.write(tmp_path))
    assert left_out == {
        "MPI_Isend without a message": 1,
        f"call {MESSAGES}:99 without a name of MPI": 1,
        "end of a call without its begin": 1,
        "call without an end": 1,
        "send or receive outside of a call": 2,
        "request without an end": 1,
    }


def test_the_application_with_mpi_is_taken(tmp_path: Path) -> None:
    """Another one may be hardware counters; its tasks are no ranks."""
    source = Paraver(application=2).begun().write(tmp_path)
    text = source.read_text(encoding="utf-8") + "2:1:1:1:1:2000:30000000:3:30000100:3:220:80000\n"
    source.write_text(text, encoding="utf-8")
    ranks, left_out = converted(source)
    assert len(ranks) == 2 and not left_out
    init = [f"2:1:1:3:1:{at}:{OTHERS}:{value}\n" for at, value in ((2000, INIT), (2100, 0))]
    source.write_text(text + "".join(init), encoding="utf-8")
    (tmp_path / "trace").rename(tmp_path / "before")
    ranks, left_out = converted(source)
    assert len(ranks) == 3 and left_out == {"call of another application": 2}


def counted_by_lines(
    text: str,
) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]], int, Counter[str]]:
    """Counts and bytes of messages by sender and receiver, bytes of collectives, and calls of these by name."""
    counts, sizes, calls = Counter[tuple[int, int]](), Counter[tuple[int, int]](), Counter[str]()
    collective_bytes = 0
    for line in text.splitlines():
        words = line.split(":")
        if words[0] == "3":
            pair = int(words[3]) - 1, int(words[9]) - 1
            counts[pair] += 1
            sizes[pair] += int(words[13])
        elif words[0] == "2":
            pairs = dict(zip(words[6::2], words[7::2]))
            if (value := pairs.get(str(COLLECTIVES), "0")) != "0":
                calls[{"10": "MPI_Allreduce", "11": "MPI_Alltoall"}[value]] += 1
                collective_bytes += int(pairs["50100001"])
    return counts, sizes, collective_bytes, calls


@pytest.mark.parametrize("seed", range(4))
def test_counts_and_bytes_are_those_of_the_lines(seed: int, tmp_path: Path) -> None:
    tasks = 2 + seed
    source = program(seed, tasks).write(tmp_path)
    counts, sizes, collective_bytes, calls = counted_by_lines(source.read_text(encoding="utf-8"))
    ranks, left_out = converted(source)
    assert not left_out
    found, found_sizes = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for file in open_trace(tmp_path / "trace"):
        for end in walk(file):
            if isinstance(end, MessageEnd) and not end.sends:
                found[end.channel[:2]] += 1
                found_sizes[end.channel[:2]] += end.size_bytes
    assert (found, found_sizes) == (counts, sizes) and counts.total() > 10
    collectives = [one for events in ranks for one in events if one.kind == "collective"]
    assert Counter(one.name for one in collectives) == calls and calls.total() > 10
    members = {"MPI_Allreduce": 1, "MPI_Alltoall": tasks}
    assert sum(one.size_bytes // members[one.name] for one in collectives) == collective_bytes


def test_a_compressed_trace_is_the_same(tmp_path: Path) -> None:
    source = program(1, 3).write(tmp_path)
    plain, _ = converted(source)
    (tmp_path / "trace").rename(tmp_path / "before")
    packed = source.with_suffix(".prv.gz")
    packed.write_bytes(gzip.compress(source.read_bytes()))
    assert converted(packed)[0] == plain
    (tmp_path / "trace").rename(tmp_path / "again")
    for damaged in (packed.read_bytes()[:-100], packed.read_bytes()[:5], b"plain", b""):
        packed.write_bytes(damaged)
        with pytest.raises(UserError, match=r"run\.prv\.gz: is no Paraver trace that can be read \([^\n]+\)"):
            convert_paraver(packed, tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("#Paraver", "#Vampir", "its first line is no header of Paraver"),
        ("_ns", "_parsecs", "its first line is no header of Paraver"),
        (":1:2(1:1,1:1)", ":3:2(1:1,1:1)", "its header says 3 applications and describes 1"),
        (":1:2(1:1,1:1)", ":1:999999999(1:1,1:1)", "its header says 1 applications and describes 0"),
        ("c:1:1:2:1:2", "c:1:1:two", "'c:1:1:two' is no communicator"),
        ("2:1:1:1:1:0:50000003:31", "2:1:1:1:1:0:50000003", "'2:1:1:1:1:0:50000003' is no event"),
        ("2:1:1:1:1:0:50000003:31", "2:1:1:1:1:zero:50000003:31", "'2:1:1:1:1:zero:50000003:31' is no record"),
        ("2:1:1:1:1:0:50000003:31", "2:1:1:7:1:0:50000003:31", "an event of thread 1 of task 7 of 2"),
        (":800:3\n", ":800\n", "is no communication"),
        (":2:1:2:1:1600:7000:800", ":2:1:5:1:1600:7000:800", "a message of a task beyond 2"),
        (":50000003:0:42000050:77\n", ":50000003:0:42000050:7", "it ends within a record, '2:"),
    ],
)  # fmt: skip
def test_a_wrong_or_truncated_trace_is_refused(old: str, new: str, reason: str, tmp_path: Path) -> None:
    trace = Paraver().begun()
    trace.call(1, MESSAGES, SEND, 5000, 6000)
    trace.call(2, MESSAGES, RECV, 1600, 7000)
    trace.message(1, (5000, 6000), 2, (1600, 7000), 800)
    trace.call(2, OTHERS, FINALIZE, 9000, 9500)
    source = trace.write(tmp_path)
    text = source.read_text(encoding="utf-8")
    head, found, tail = text.rpartition(old) if old.endswith("77\n") else text.partition(old)
    assert found
    source.write_text(head + new + tail, encoding="utf-8")
    with pytest.raises(UserError) as error:
        converted(source)
    assert reason in str(error.value) and "\n" not in str(error.value)
    assert str(error.value).startswith(f"{source}: is no Paraver trace that can be read (")
    assert not list((tmp_path / "trace").iterdir())


def test_missing_names_and_traces_without_mpi_are_refused(tmp_path: Path) -> None:
    source = Paraver().begun().write(tmp_path)
    (tmp_path / "run.pcf").rename(tmp_path / "other.pcf")
    with pytest.raises(UserError, match=r"run\.pcf, which names its MPI calls, is not next to it"):
        convert_paraver(source, tmp_path)
    (tmp_path / "other.pcf").rename(tmp_path / "run.pcf")
    source.write_text(Paraver().text() + "2:1:1:1:1:5:42000050:8\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"run\.prv: holds no MPI \(no MPI call is in it\)"):
        convert_paraver(source, tmp_path)


def test_a_directory_with_a_trace_is_refused(tmp_path: Path) -> None:
    """What is half written is removed at an error, and nothing else."""
    source = Paraver().begun().write(tmp_path)
    (tmp_path / "rank-000007.trace").write_text("other", encoding="utf-8")
    with pytest.raises(UserError, match=r"holds a trace; name an empty directory"):
        convert_paraver(source, tmp_path)
    assert (tmp_path / "rank-000007.trace").is_file()
