# SPDX-License-Identifier: BSD-3-Clause
"""The subjects of the fuzz test: traces of stretto, with their makers and readers."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.harness.trace_writer import TraceRecord, TraceWriter
from stretto.data.trace import TraceFile
from stretto.data.trace_records import COMPLETION, CONSUMED, PRODUCED, RECEIVE_HALF, STARTED

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
    file = TraceFile(directory / "rank-000000.trace")
    for block in file.blocks():
        for _ in file.events(block.records):
            pass


def make_packed_trace(directory: Path) -> None:
    """The rank of the golden trace with packed records."""
    text = (GOLDEN / "trace-2.0.zlib.base64").read_text(encoding="ascii")
    (directory / "rank-000000.trace").write_bytes(zlib.decompress(base64.b64decode(text)))


TRACE = Subject("trace", make_trace, read_trace)
PACKED = Subject("packed", make_packed_trace, read_trace)
