# SPDX-License-Identifier: BSD-3-Clause
"""The subjects of the fuzz test: traces of stretto and of other tools, with their makers and readers."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from stretto.data.paraver_conversion import convert_paraver
from stretto.data.time_independent import convert_time_independent
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import COMPLETION, CONSUMED, PRODUCED, RECEIVE_HALF, STARTED
from stretto.data.trace_writer import TraceRecord, TraceWriter
from stretto.errors import UserError

GOLDEN = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Subject:
    """The files of a seed and their reader."""

    name: str
    make: Callable[[Path], None]
    read: Callable[[Path], None]


def make_trace(directory: Path) -> None:
    """A rank with calls of every kind."""
    about = {"host": "node", "command": ["./app"], "mpi": {"family": "mpich", "library": "MPICH"}}
    with TraceWriter(directory / "rank-000000.trace", 0, 1, about) as writer:
        writer.communicator(0, 0, 1, [0])
        site = writer.site(0, "/bin/app", 0x1234)
        calls: tuple[tuple[str, str, dict[str, int]], ...] = (
            ("MPI_Init", "plain", {}),
            ("MPI_Irecv", "irecv", {"peer": -1, "tag": -1, "size_bytes": 8, "request": 1}),
            ("MPI_Isend", "isend", {"peer": 0, "tag": 3, "size_bytes": 8, "request": 2}),
            ("MPI_Mprobe", "mprobe", {"peer": 0, "tag": 3, "size_bytes": 8, "request": 3, "count": 1}),
            ("MPI_Mrecv", "mrecv", {"peer": 0, "tag": 3, "size_bytes": 8, "request": 3}),
            ("MPI_Waitall", "waitall", {"count": 2}),
            ("MPI_Sendrecv", "sendrecv", {"peer": 0, "tag": 4, "size_bytes": 16, "request": 4}),
            ("MPI_Allreduce", "collective", {"size_bytes": 8}),
            ("MPI_Startall", "startall", {"count": 1}),
            ("MPI_Finalize", "plain", {}),
        )
        behind: dict[str, list[TraceRecord]] = {
            "MPI_Isend": [
                TraceRecord(PRODUCED, 100 + part, request=2, count=part, tag=8, extra=90) for part in range(8)
            ],
            "MPI_Waitall": [
                TraceRecord(COMPLETION, 9000, context=0, peer=0, tag=3, request=1, count=1, size_bytes=8),
                TraceRecord(COMPLETION, 9000, context=0, request=2),
                *(TraceRecord(CONSUMED, 9100 + part, request=1, count=part, tag=8) for part in range(8)),
            ],
            "MPI_Sendrecv": [TraceRecord(RECEIVE_HALF, 11_000, context=0, peer=0, tag=4, request=5)],
            "MPI_Startall": [TraceRecord(STARTED, 13_000, context=0, tag=5, request=6, extra=1 << 16)],
        }
        for step, (name, kind, members) in enumerate(calls):
            number = writer.call(name, kind)
            record = TraceRecord(number, 2000 * step, duration_ns=500, site=site, context=0, **members)
            for one in (record, *behind.get(name, ())):
                writer.add(step % 2, one)


def read_trace(directory: Path) -> None:
    """Reads the trace in Python; the native readers have tests of their own."""
    _read(TraceFile(directory / "rank-000000.trace"))


def _read(file: TraceFile) -> None:
    for block in file.blocks():
        for _ in file.events(block.records):
            pass


def make_packed_trace(directory: Path) -> None:
    """The rank of the golden trace with packed records."""
    text = (GOLDEN / "trace-2.0.zlib.base64").read_text(encoding="ascii")
    (directory / "rank-000000.trace").write_bytes(zlib.decompress(base64.b64decode(text)))


def make_paraver(directory: Path) -> None:
    """Two ranks, a message with a request, and a collective."""
    lines = ["#Paraver (28/11/2026 at 16:37):9000_ns:1(2):1:2(1:1,1:1),1", "c:1:1:2:1:2"]
    for rank, calls in (
        (1, ((0, 3, 31), (2000, 1, 3), (3000, 1, 6))),
        (2, ((0, 3, 31), (1000, 1, 4), (2000, 1, 5))),
    ):
        for begin, kind, value in (*calls, (5000, 2, 10)):
            about = ":50100001:8:50100002:8:50100004:1" if kind == 2 else ""
            lines.append(f"2:{rank}:1:{rank}:1:{begin}:5000000{kind}:{value}{about}")
            lines.append(f"2:{rank}:1:{rank}:1:{begin + 900}:5000000{kind}:0")
    lines.append("3:1:1:1:1:2000:2900:2:1:2:1:1900:2900:800:3")
    (directory / "run.prv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    names = {
        1: "3 MPI_Isend\n4 MPI_Irecv\n5 MPI_Wait\n6 MPI_Waitall",
        2: "10 MPI_Allreduce",
        3: "31 MPI_Init",
    }
    blocks = (f"EVENT_TYPE\n9 5000000{kind} MPI\nVALUES\n{values}\n\n" for kind, values in names.items())
    (directory / "run.pcf").write_text("".join(blocks), encoding="utf-8")


def read_paraver(directory: Path) -> None:
    """Converts a Paraver trace, and reads the result."""
    _read_converted(directory, lambda made: convert_paraver(directory / "run.prv", made))


def make_actions(directory: Path) -> None:
    """Two ranks of a time-independent trace in a file each, and their index."""
    own = ("init", "compute 1e6", "isend {} 3 100 0", "irecv {} 3 100 0", "waitall 2", "alltoallv 9 4 5 7 3 4 1 0",
           "gatherv 4 1 3 1 1 0", "reduce 10 7 1 1", "sleep 0.5", "finalize")  # fmt: skip
    for rank in range(2):
        lines = (f"{rank} {one.format(1 - rank)}\n" for one in own)
        (directory / f"rank-{rank}.txt").write_text("".join(lines), encoding="utf-8")
    (directory / "index.txt").write_text("rank-0.txt\nrank-1.txt\n", encoding="utf-8")


def read_actions(directory: Path) -> None:
    """Converts a time-independent trace, and reads the result."""
    _read_converted(directory, lambda made: convert_time_independent(directory / "index.txt", made, 1e9))


def _read_converted(directory: Path, convert: Callable[[Path], object]) -> None:
    made = _emptied(directory / "made")
    try:
        convert(made)
    except (ValueError, OSError) as error:
        if "\n" in str(error):
            raise AssertionError(f"more than a line: {error}") from None
        raise UserError(str(error)) from None
    _read_made(made)


def _emptied(directory: Path) -> Path:
    directory.mkdir(exist_ok=True)
    for old in directory.iterdir():
        old.unlink()
    return directory


def _read_made(made: Path) -> None:
    try:
        for file in open_trace(made):
            _read(file)
    except UserError as error:
        raise AssertionError(f"the trace that was made of it is refused: {error}") from None


TRACE = Subject("trace", make_trace, read_trace)
PACKED = Subject("packed", make_packed_trace, read_trace)
PARAVER = Subject("paraver", make_paraver, read_paraver)
ACTIONS = Subject("actions", make_actions, read_actions)
