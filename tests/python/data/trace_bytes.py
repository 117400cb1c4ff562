# SPDX-License-Identifier: BSD-3-Clause
"""Traces as bytes in the format of docs/formats.md, for tests of readers."""

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stretto.data.trace import TraceFile

CALLS = (
    ("MPI_Init", "plain"),
    ("MPI_Send", "send"),
    ("MPI_Recv", "recv"),
    ("MPI_Isend", "isend"),
    ("MPI_Irecv", "irecv"),
    ("MPI_Wait", "wait"),
    ("MPI_Barrier", "collective"),
    ("MPI_Finalize", "plain"),
    ("MPI_Mprobe", "mprobe"),
    ("MPI_Mrecv", "mrecv"),
)
NUMBER = {name: 16 + index for index, (name, _) in enumerate(CALLS)}


def record(
    call: int, begin: int, duration: int = 0, *, size: int = 0, context: int = 0, peer: int = 0, tag: int = 0,
    request: int = 0, count: int = 0, extra: int = 0, site: int = 1,
) -> bytes:  # fmt: skip
    return struct.pack(
        "<QQQiiIIQ",
        begin | call << 48, duration | site << 48, size | context << 48, peer, tag, request, count, extra,
    )  # fmt: skip


def world(rank: int, ranks: int) -> bytes:
    """The definition of communicator 0, and of a call site in a program."""
    members = struct.pack("<iiI", 0, 1, ranks).ljust(48, b"\0")
    module = b"/bin/app"
    return b"".join(
        (
            record(1, 0, size=12, context=0, peer=0, tag=rank, request=3, count=1, extra=1),
            members,
            record(1, 0, size=len(module), peer=0, request=1),
            module.ljust(48, b"\0"),
            record(1, 0, peer=1, tag=0, request=2, extra=0x1234),
        )
    )


def block(records: bytes, thread: int = 0, *, waited_ms: tuple[int, int] = (0, 0)) -> bytes:
    size = -(-(48 + len(records)) // 4096) * 4096
    head = struct.pack("<4sIQQQQII", b"sblk", thread, size, len(records), 0, 0, *waited_ms)
    return (head + records).ljust(size, b"\0")


def trace(
    rank: int,
    ranks: int,
    blocks: Sequence[bytes],
    *,
    complete: bool = True,
    major: int = 1,
    calls: Sequence[tuple[str, str]] = CALLS,
    cores: int | None = None,
    lost: int = 0,
) -> bytes:
    members = {"schema": f"stretto.trace/{major}.0", "host": "node", "command": ["./app"], "calls": calls}
    text = json.dumps(members if cores is None else members | {"cores": cores}).encode()
    size = -(-(56 + len(text)) // 4096) * 4096
    head = struct.pack("<8sHHIIIQqQII", b"strtrace", major, 0, size, rank, ranks, 0, 0, 0, len(text), 48)
    data = (head + text).ljust(size, b"\0")
    index = b""
    for one in blocks:
        (used,) = struct.unpack_from("<Q", one, 16)
        index += struct.pack("<QQII", len(data), 0, used // 48, 0)
        data += one
    if complete:
        data += index + struct.pack("<QQQQQ8s", 0, len(blocks), len(data), 0, lost, b"strailer")
    return data


def trace_file(directory: Path, *blocks: bytes, rank: int = 0, ranks: int = 2, **more: Any) -> TraceFile:
    """The trace of one rank, written to the directory; `more` as `trace` takes it."""
    directory.mkdir(exist_ok=True)
    path = directory / f"rank-{rank:06}.trace"
    path.write_bytes(trace(rank, ranks, blocks, **more))
    return TraceFile(path)


def rank_files(directory: Path, *ranks: Sequence[bytes], **more: Any) -> list[TraceFile]:
    """The traces of all ranks, of a block each."""
    return [
        trace_file(
            directory, block(world(rank, len(ranks)) + b"".join(records)), rank=rank, ranks=len(ranks), **more
        )
        for rank, records in enumerate(ranks)
    ]


def message_that_is_awaited(directory: Path, size: int) -> list[TraceFile]:
    """Rank 0 computes 100 us and sends; rank 1 posts, computes 50 us, waits, computes 100 us."""
    sender = (
        record(NUMBER["MPI_Init"], 0, 1000),
        record(NUMBER["MPI_Send"], 101_000, 500, size=size, peer=1),
        record(NUMBER["MPI_Finalize"], 101_500),
    )
    receiver = (
        record(NUMBER["MPI_Init"], 0, 1000),
        record(NUMBER["MPI_Irecv"], 1000, 0, size=size, peer=0, request=1),
        record(NUMBER["MPI_Wait"], 51_000, 900_000, count=1),
        record(2, 51_000, 900_000, request=1),
        record(NUMBER["MPI_Finalize"], 1_051_000),
    )
    return rank_files(directory, sender, receiver)
