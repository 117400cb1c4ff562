# SPDX-License-Identifier: BSD-3-Clause
"""OTF2 archives as traces: those written by the OTF2 library, and damaged ones."""

import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from processes import has_program, needs_built
from screens import document, refusal
from traced_runs import events_of

from stretto.commands import exit_status
from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import Event
from stretto.data.trace_walk import MessageEnd, walk
from stretto.errors import UserError
from stretto.launch.trace_source import trace_directory
from stretto.native.foreign import convert_otf2

otf2 = pytest.importorskip(
    "otf2",
    reason="THE PACKAGE otf2 IS NOT INSTALLED: archives are not tested; pip install otf2 (Python 3.10 or 3.11)",
)
pytestmark = needs_built(has_program("stretto-foreign", "none"), "STRETTO-FOREIGN")
BYTES = 100_001
SHARES = ("transfer_s", "late_s", "progress_s", "cores_s")
US = 1_000  # ticks: the clock runs in nanoseconds


class Program:
    """Writes the events of one rank, call by call, `at` in microseconds."""

    def __init__(self, archive: Any, writer: Any, regions: dict[str, Any], world: Any) -> None:
        self.archive, self.writer, self.regions, self.world = archive, writer, regions, world

    def call(self, name: str, begin_us: float, end_us: float, *events: tuple[str, Any]) -> None:
        definitions = self.archive.definitions
        if name not in self.regions:
            self.regions[name] = definitions.region(name, source_file="solver.f90", begin_line_number=12)
        self.writer.enter(int(begin_us * US), self.regions[name])
        for method, arguments in events:
            getattr(self.writer, method)(int(begin_us * US), **arguments)
        self.writer.leave(int(end_us * US), self.regions[name])

    def message(self, peer: int) -> dict[str, Any]:
        return {"communicator": self.world, "msg_tag": 3, "msg_length": BYTES}


@contextmanager
def two_ranks(directory: Path) -> Iterator[tuple[Program, Program]]:
    """Writes an archive of two ranks."""
    with otf2.writer.open(str(directory), timer_resolution=1_000_000_000) as written:
        definitions = written.definitions
        node = definitions.system_tree_node("node")
        groups = [definitions.location_group(f"rank {rank}", system_tree_parent=node) for rank in range(2)]
        places = [definitions.location("main", group=group) for group in groups]
        definitions.group(
            "", group_type=otf2.GroupType.COMM_LOCATIONS, paradigm=otf2.Paradigm.MPI, members=places
        )
        members = definitions.group(
            "world", group_type=otf2.GroupType.COMM_GROUP, paradigm=otf2.Paradigm.MPI, members=places
        )
        world = definitions.comm("world", group=members)
        regions: dict[str, Any] = {
            "solve": definitions.region("solve", source_file="a/solver.f90", begin_line_number=7)
        }
        sender, receiver = (
            Program(written, written.event_writer_from_location(place), regions, world) for place in places
        )
        yield sender, receiver


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rank 0 computes 100 us and sends; rank 1 posts, computes 50 us, waits, computes 100 us; both sum up."""
    directory = tmp_path_factory.mktemp("otf2") / "archive"
    with two_ranks(directory) as (sender, receiver):
        summing = {"collective_op": otf2.CollectiveOp.ALLREDUCE, "communicator": sender.world}
        summing |= {"root": 0xFFFFFFFF, "size_sent": 8, "size_received": 8}
        sender.call("MPI_Init", 0, 1)
        sender.writer.enter(1 * US, sender.regions["solve"])
        sender.call("MPI_Send", 101, 102, ("mpi_send", {"receiver": 1} | sender.message(1)))
        sender.call("MPI_Allreduce", 102, 900, ("mpi_collective_begin", {}), ("mpi_collective_end", summing))
        sender.writer.leave(900 * US, sender.regions["solve"])
        receiver.call("MPI_Init", 0, 1)
        receiver.call("MPI_Irecv", 1, 1, ("mpi_irecv_request", {"request_id": 5}))
        over = {"sender": 0, "request_id": 5} | receiver.message(0)
        receiver.call("MPI_Wait", 51, 700, ("mpi_irecv", over))
        receiver.call(
            "MPI_Allreduce", 800, 900, ("mpi_collective_begin", {}), ("mpi_collective_end", summing)
        )
    return directory / "traces.otf2"


def events(directory: Path, rank: int) -> list[Event]:
    return events_of(open_trace(directory)[rank])


def test_calls_become_records(archive: Path, tmp_path: Path) -> None:
    convert_otf2(archive, tmp_path)
    sent = [(e.name, e.kind, e.peer, e.tag, e.size_bytes) for e in events(tmp_path, 0)]
    assert sent == [
        ("MPI_Init", "plain", -2, 0, 0),
        ("MPI_Send", "send", 1, 3, BYTES),
        ("MPI_Allreduce", "collective", -2, 0, 8),
    ]
    posted, waited, over = events(tmp_path, 1)[1:4]
    assert (posted.name, posted.peer, posted.tag, posted.size_bytes) == ("MPI_Irecv", 0, 3, BYTES)
    assert (waited.name, waited.count, over.request) == ("MPI_Wait", 1, posted.request)
    assert waited.begin_s == pytest.approx(51e-6) and waited.duration_s == pytest.approx(649e-6)
    file = open_trace(tmp_path)[0]
    list(file.blocks())
    assert [site.module for site in file.definitions.sites.values()] == [
        "unknown caller of MPI_Init",
        "solve solver.f90:7",
    ]


def test_one_sided_operations_are_counted(tmp_path: Path) -> None:
    """They count as computation, and the first line says how many there are."""
    with two_ranks(tmp_path / "archive") as (origin, target):
        window = origin.archive.definitions.rma_win("window", comm=origin.world)
        moved = {"win": window, "remote": 1, "bytes": BYTES, "matching_id": 1}
        synchronised = {
            "collective_op": otf2.CollectiveOp.CREATE_HANDLE, "sync_level": otf2.RmaSyncLevel.PROCESS,
            "win": window, "root": 0, "bytes_sent": 0, "bytes_received": 0,
        }  # fmt: skip
        for one in (origin, target):
            one.call("MPI_Init", 0, 1)
            one.call("MPI_Win_create", 1, 2, ("rma_win_create", {"win": window}))
            if one is origin:
                one.call("MPI_Put", 5, 6, ("rma_put", moved))
                one.call("MPI_Get", 6, 7, ("rma_get", moved | {"matching_id": 2}))
            fence = [("rma_collective_begin", {}), ("rma_collective_end", synchronised)]
            one.call("MPI_Win_fence", 8, 20, *fence)
    (tmp_path / "trace").mkdir()
    left_out = convert_otf2(tmp_path / "archive" / "traces.otf2", tmp_path / "trace")
    assert left_out == {"RmaWinCreate": 2, "RmaPut": 1, "RmaGet": 1, "RmaCollectiveEnd": 2}
    names = [one.name for one in events(tmp_path / "trace", 0)]
    assert names == ["MPI_Init", "MPI_Win_create", "MPI_Put", "MPI_Get", "MPI_Win_fence"]


def test_probed_messages_are_received_in_the_order_of_their_probes(tmp_path: Path) -> None:
    with two_ranks(tmp_path / "archive") as (sender, receiver):
        for one in (sender, receiver):
            one.call("MPI_Init", 0, 1)
        for at, size in ((10, 100), (12, 200)):
            sent = {"receiver": 1} | sender.message(1) | {"msg_length": size}
            sender.call("MPI_Send", at, at + 1, ("mpi_send", sent))
        found = {"sender": 0, "communicator": receiver.world, "tag": 3}
        receiver.call("MPI_Probe", 20, 21, ("mpi_probe", found | {"message_id": 0}))
        receiver.call("MPI_Mprobe", 21, 22, ("mpi_probe", found | {"message_id": 7}))
        receiver.call("MPI_Improbe", 23, 24, ("mpi_probe", found | {"message_id": 8}))
        request = {"message_id": 8, "request_id": 5}
        receiver.call("MPI_Imrecv", 25, 26, ("mpi_imrecv_request", request))
        receiver.call("MPI_Wait", 30, 40, ("mpi_imrecv", {"request_id": 5, "msg_length": 200}))
        receiver.call("MPI_Mrecv", 50, 60, ("mpi_mrecv", {"message_id": 7, "msg_length": 100}))
    (tmp_path / "trace").mkdir()
    assert not convert_otf2(tmp_path / "archive" / "traces.otf2", tmp_path / "trace")
    read = [(one.name, one.kind, one.count, one.request) for one in events(tmp_path / "trace", 1)[1:]]
    assert read == [
        ("MPI_Probe", "probe", 1, 0),
        ("MPI_Mprobe", "mprobe", 1, 1),
        ("MPI_Improbe", "improbe", 1, 2),
        ("MPI_Imrecv", "imrecv", 0, 2),
        ("MPI_Wait", "wait", 1, 0),
        ("completion", "completion", 0, 2),
        ("MPI_Mrecv", "mrecv", 0, 1),
    ]
    ends = [
        one for file in open_trace(tmp_path / "trace") for one in walk(file) if isinstance(one, MessageEnd)
    ]
    received = {(one.number, one.size_bytes): round(one.time_s * 1e6) for one in ends if not one.sends}
    assert received == {(1, 200): 40, (0, 100): 60}
    assert {(one.number, one.size_bytes) for one in ends if one.sends} == received.keys()
    assert exit_status(["replay", str(tmp_path / "archive" / "traces.otf2"), "--loggp", "L=2us,G=1ns"]) == 0


def test_what_is_not_understood_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with two_ranks(tmp_path / "archive") as (sender, receiver):
        for one in (sender, receiver):
            one.call("MPI_Init", 0, 1)
        sender.call("MPI_Send", 10, 11, ("mpi_send", {"receiver": 1} | sender.message(1)))
        # A cancelled receive, whose number the next one has again.
        receiver.call("MPI_Irecv", 1, 2, ("mpi_irecv_request", {"request_id": 5}))
        receiver.call("MPI_Cancel", 3, 4, ("mpi_request_cancelled", {"request_id": 5}))
        receiver.call("MPI_Irecv", 5, 6, ("mpi_irecv_request", {"request_id": 5}))
        over = {"sender": 0, "request_id": 5} | receiver.message(0)
        receiver.call("MPI_Wait", 20, 30, ("mpi_irecv", over))
        for at in (40, 42):
            receiver.call("MPI_Mrecv", at, at + 1)
        receiver.call("MPI_Mrecv", 50, 51, ("mpi_mrecv", {"message_id": 7, "msg_length": 100}))
    made = trace_directory(tmp_path / "archive" / "traces.otf2")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"stretto: warning: {tmp_path / 'archive' / 'traces.otf2'}: not understood: ")
    counted = line.split("not understood: ")[1].removesuffix("; what follows is without it").split(", ")
    assert sorted(counted) == [
        "1 MpiIrecvRequest without an end",
        "1 MpiMrecv without a probe",
        "3 MPI_Mrecv without its message",
    ]
    (end,) = [one for one in walk(open_trace(made)[1]) if isinstance(one, MessageEnd)]
    assert (end.number, end.size_bytes) == (0, BYTES) and end.posted_s == pytest.approx(5e-6)


def test_an_archive_is_replayed_like_a_trace(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = document(capsys, "whatif", archive, "--latency", "2us", "--bandwidth", "1GB/s")["rows"]
    # To the receiver's wait, its 100 us, then one exchange of 8 bytes.
    assert row["time_s"] == pytest.approx(100e-6 + 2e-6 + 100e-6 + 100e-6 + 2e-6 + 7e-9, rel=1e-9)
    replayed = document(capsys, "replay", archive, "--loggp", "L=2us,G=1ns")
    assert replayed["makespan_s"] == pytest.approx(row["time_s"], rel=1e-12)
    sites = document(capsys, "potential", archive)["sites"]
    assert "solve solver.f90:7" in {site["where"] for site in sites}


def test_the_first_sentence_is_that_of_the_archives_own_regions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 190 us, 60 are in calls that communicate: also in those whose messages the archive does not have."""
    functions = (
        "MPI_Init", "MPI_Comm_split", "work", "MPI_Comm_rank", "MPI_Win_fence", "MPI_Win_fence", "MPI_Put",
        "MPI_Barrier", "MPI_Irecv", "work", "MPI_Finalize",
    )  # fmt: skip
    found = small_archive(tmp_path / "a", functions)
    answer = document(capsys, "potential", found)
    assert answer["time"]["run_s"] == pytest.approx(190e-6, abs=1e-12)
    assert answer["time"]["communication_s"] == pytest.approx(60e-6, abs=1e-12)
    named = {(one["call"], one["where"]): sum(one[name] for name in SHARES) for one in answer["waits"]}
    assert named == {
        (name, f"unknown caller of {name}"): pytest.approx(seconds, abs=1e-12)
        for name, seconds in (
            ("MPI_Comm_split", 10e-6), ("MPI_Win_fence", 20e-6), ("MPI_Put", 10e-6), ("MPI_Barrier", 10e-6),
            ("MPI_Irecv", 10e-6),
        )
    }  # fmt: skip
    # In a replay their time is kept: nothing else says how long they take.
    replayed = document(capsys, "replay", found, "--loggp", "L=2us,G=1ns")
    assert replayed["makespan_s"] == pytest.approx(190e-6, abs=1e-12)


def test_predictions_name_the_archive(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(["whatif", str(archive), "--latency", "2us", "--bandwidth", "1GB/s"]) == 0
    text = "".join(capsys.readouterr().out.replace("\n# ", "").split())
    assert f"{archive}:1messages" in text and "stretto-trace-" not in text


@pytest.mark.parametrize("seed", range(5))
def test_a_damaged_archive_is_a_user_error(seed: int, archive: Path, tmp_path: Path) -> None:
    """A damaged archive is refused, or read where the damage is valid."""
    damaged = tmp_path / "archive"
    shutil.copytree(archive.parent, damaged)
    chance = random.Random(seed)
    files = sorted(path for path in damaged.rglob("*") if path.is_file())
    target = chance.choice(files)
    data = bytearray(target.read_bytes())
    if seed % 2:
        del data[chance.randrange(len(data)) :]
    else:
        for _ in range(1 + seed):
            data[chance.randrange(len(data))] = chance.randrange(256)
    target.write_bytes(data)
    try:
        convert_otf2(damaged / "traces.otf2", tmp_path)
    except UserError as error:
        assert str(error).startswith(str(damaged)) and "\n" not in str(error)


def test_an_invalid_archive_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "traces.otf2"
    assert "is no file; name the anchor file" in refusal(capsys, "whatif", file)
    file.write_bytes(b"no archive")
    assert str(file) in refusal(capsys, "potential", file)


def test_two_ranks_of_one_process_are_refused(tmp_path: Path) -> None:
    """Otherwise, a rank without a trace would be written."""
    with otf2.writer.open(str(tmp_path / "archive"), timer_resolution=1_000_000_000) as written:
        definitions = written.definitions
        process = definitions.location_group(
            "rank 0", system_tree_parent=definitions.system_tree_node("node")
        )
        places = [definitions.location(name, group=process) for name in ("main", "other")]
        definitions.group(
            "", group_type=otf2.GroupType.COMM_LOCATIONS, paradigm=otf2.Paradigm.MPI, members=places
        )
        for place in places:
            written.event_writer_from_location(place).enter(0, definitions.region("MPI_Init"))
    with pytest.raises(UserError, match="two ranks in one process"):
        convert_otf2(tmp_path / "archive" / "traces.otf2", tmp_path)


def small_archive(directory: Path, names: tuple[str, ...]) -> Path:
    """One rank that is in each of these functions for 10 us, one after another."""
    with otf2.writer.open(str(directory), timer_resolution=1_000_000_000) as written:
        node = written.definitions.system_tree_node("node")
        group = written.definitions.location_group("rank 0", system_tree_parent=node)
        place = written.definitions.location("main", group=group)
        program = Program(written, written.event_writer_from_location(place), {}, None)
        for number, name in enumerate(names):
            program.call(name, 20 * number, 20 * number + 10)
    return directory / "traces.otf2"


@pytest.mark.parametrize("before", ["MPI_Initialized", "MPI_T_init_thread", "MPI_Initialized()"])
def test_what_is_called_before_mpi_init_does_not_begin_the_run(tmp_path: Path, before: str) -> None:
    found = small_archive(tmp_path / "a", (before, "MPI_Init()", "main", "MPI_Finalize()"))
    (tmp_path / "trace").mkdir()
    convert_otf2(found, tmp_path / "trace")
    assert [one.name for one in events(tmp_path / "trace", 0)] == ["MPI_Init", "MPI_Finalize"]


def test_an_archive_without_mpi_is_said_to_have_none(tmp_path: Path) -> None:
    found = small_archive(tmp_path / "a", ("kernel", "copy"))
    (tmp_path / "trace").mkdir()
    with pytest.raises(UserError, match=r"traces\.otf2: holds no MPI"):
        convert_otf2(found, tmp_path / "trace")
