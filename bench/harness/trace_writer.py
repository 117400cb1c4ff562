# SPDX-License-Identifier: BSD-3-Clause
"""Writes one rank's trace in version 1 of the recorder's format, for traces of programs that do not exist."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from stretto.data.trace_records import DEFINITION, FIRST_CALL, NO_CONTEXT, NO_PEER

_HEADER_BYTES = 1 << 16
_BLOCK_RECORDS = 4096
_PAGE_BYTES = 4096
_RECORD = struct.Struct("<QQQiiIIQ")
_SITE, _MODULE, _COMMUNICATOR = 2, 1, 3


@dataclass(frozen=True)
class TraceRecord:
    """One record; its call decides which members are used (docs/formats.md)."""

    call: int
    begin_ns: int
    duration_ns: int = 0
    site: int = 0
    size_bytes: int = 0
    context: int = NO_CONTEXT
    peer: int = NO_PEER
    tag: int = 0
    request: int = 0
    count: int = 0
    extra: int = 0

    def packed(self) -> bytes:
        """The bytes of the record in the file."""
        return _RECORD.pack(
            self.begin_ns | self.call << 48,
            self.duration_ns | self.site << 48,
            self.size_bytes | self.context << 48,
            self.peer, self.tag, self.request, self.count, self.extra,
        )  # fmt: skip


def trace_name(rank: int) -> str:
    """The name of a rank's file."""
    return f"rank-{rank:06}.trace"


class TraceWriter:
    """The file of one rank. Leaving the context without an error marks the file as complete."""

    def __init__(self, path: Path, rank: int, ranks: int, members: Mapping[str, Any]) -> None:
        self._file = path.open("wb")
        self._file.truncate(_HEADER_BYTES)
        self._file.seek(_HEADER_BYTES)
        self._rank, self._ranks, self._members = rank, ranks, dict(members)
        self._calls: dict[tuple[str, str], int] = {}
        self._sites: dict[tuple[str, int], int] = {}
        self._modules: dict[str, int] = {}
        self._pending: dict[int, list[bytes]] = {}
        self._first_ns: dict[int, int] = {}  # of the blocks that are pending
        self._index = b""
        self._records = 0
        self._end_ns = 0

    def __enter__(self) -> TraceWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._file:
            if error is None:
                self._finish()

    def call(self, name: str, kind: str) -> int:
        """The number of a call."""
        return FIRST_CALL + self._calls.setdefault((name, kind), len(self._calls))

    def site(self, thread: int, module: str, address: int) -> int:
        """The number of a call site, from 1; defines a new site in this thread's block."""
        if (module, address) not in self._sites:
            if module not in self._modules:
                number = self._modules.setdefault(module, len(self._modules))
                self._define(thread, _MODULE, number, payload=module.encode("utf-8", errors="replace"))
            number = 1 + self._sites.setdefault((module, address), len(self._sites))
            self._define(thread, _SITE, number, tag=self._modules[module], extra=address)
        return 1 + self._sites[module, address]

    def communicator(self, thread: int, number: int, key: int, members: Sequence[int]) -> None:
        """Defines a communicator by its members (ranks of the world), of which this rank must be one."""
        runs = _runs(members)
        payload = b"".join(struct.pack("<iiI", *run) for run in runs)
        self._define(
            thread, _COMMUNICATOR, number, payload, tag=members.index(self._rank), count=len(runs), extra=key
        )

    def add(self, thread: int, record: TraceRecord) -> None:
        """Appends a record of a thread."""
        self._end_ns = max(self._end_ns, record.begin_ns + record.duration_ns)
        self._append(thread, [record.packed()], record.begin_ns)

    def add_block(self, thread: int, records: bytes, begin_ns: int, end_ns: int) -> None:
        """Appends many encoded records of a thread to its block.

        Args:
            thread: Their thread.
            records: The encoded records.
            begin_ns: The earliest begin of a record.
            end_ns: The end of the last record.
        """
        self._end_ns = max(self._end_ns, end_ns)
        self._append(thread, [records], begin_ns)
        self._write_block(thread)

    def _define(self, thread: int, what: int, number: int, payload: bytes = b"", **more: int) -> None:
        record = TraceRecord(
            DEFINITION, 0, size_bytes=len(payload), context=0, peer=number, request=what, **more
        )
        padded = payload.ljust(-(-len(payload) // _RECORD.size) * _RECORD.size, b"\0")
        self._append(thread, [record.packed(), padded])

    def _append(self, thread: int, parts: Sequence[bytes], begin_ns: int | None = None) -> None:
        """Appends parts to one block, undivided. `begin_ns`: when they begin; None of definitions."""
        pending = self._pending.setdefault(thread, [])
        pending.append(b"".join(parts))
        if begin_ns is not None:
            self._first_ns[thread] = min(begin_ns, self._first_ns.get(thread, begin_ns))
        if len(pending) >= _BLOCK_RECORDS:
            self._write_block(thread)

    def _write_block(self, thread: int) -> None:
        data = b"".join(self._pending.pop(thread))
        first_ns = self._first_ns.pop(thread, 0)
        at = self._file.tell()
        size = -(-(_RECORD.size + len(data)) // _PAGE_BYTES) * _PAGE_BYTES
        head = struct.pack("<4sIQQQ16x", b"sblk", thread, size, len(data), first_ns)
        self._file.write((head + data).ljust(size, b"\0"))
        self._index += struct.pack("<QQII", at, first_ns, len(data) // _RECORD.size, thread)
        self._records += len(data) // _RECORD.size

    def _finish(self) -> None:
        for thread in sorted(self._pending):
            self._write_block(thread)
        at, blocks = self._file.tell(), len(self._index) // 24
        self._file.write(self._index)
        self._file.write(struct.pack("<QQQQQ8s", self._records, blocks, at, self._end_ns, 0, b"strailer"))
        text = json.dumps(
            {**self._members, "schema": "stretto.trace/1.0", "calls": list(self._calls)}
        ).encode()
        head = struct.pack(
            "<8sHHIIIQqQII",
            b"strtrace", 1, 0, _HEADER_BYTES, self._rank, self._ranks, 0, 0, 0, len(text), _RECORD.size,
        )  # fmt: skip
        self._file.seek(0, os.SEEK_SET)
        self._file.write(head + text)


def _runs(members: Sequence[int]) -> list[tuple[int, int, int]]:
    """The members as runs: the first, the stride and the count of each."""
    runs: list[tuple[int, int, int]] = []
    for member in members:
        first, stride, count = runs[-1] if runs else (0, 0, 0)
        if count == 1 or (count and member == first + stride * count):
            runs[-1] = first, member - first if count == 1 else stride, count + 1
        else:
            runs.append((member, 1, 1))
    return runs
