# SPDX-License-Identifier: BSD-3-Clause
"""What the headers of a trace's blocks say: records, waiting for a core, where a file or its process ended.

No record is read.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from stretto.data.trace_records import RECORD, CoreWait, CutBlock

BLOCK = struct.Struct("<4sIQQQQ8x")
BLOCK_MAGIC = b"sblk"
_WAIT, _WAIT_AT = struct.Struct("<II"), 40  # in the header of a block


@dataclass(frozen=True)
class BlockHeads:
    """The headers of the blocks of a mapped file, as far as they are valid.

    Attributes:
        first: Where the first block begins.
        end: Where the blocks end.
        complete: Whether the process ended the file.
        packed: Whether records are packed.
    """

    data: mmap.mmap
    first: int
    end: int
    complete: bool
    packed: bool

    def places(self, thread: int | None = None) -> Iterator[int]:
        """The positions of the headers of a thread's blocks, or of all."""
        at = self.first
        while at + BLOCK.size <= self.end:
            magic, of, size, *_ = BLOCK.unpack_from(self.data, at)
            if magic != BLOCK_MAGIC or size == 0 or at + size > self.end:
                return
            if thread is None or of == thread:
                yield at
            at += size

    @property
    def records(self) -> int:
        """The number of records; where they are not packed, with definitions."""
        return sum(self._records_in(BLOCK.unpack_from(self.data, at)[3]) for at in self.places())

    @property
    def core_wait(self) -> CoreWait:
        """What the last block of the first thread says."""
        return CoreWait(*(1e-3 * one for one in self._core_wait_ms()))

    def copy_core_wait(self, other: BlockHeads, data: mmap.mmap) -> None:
        """Writes what `other` says of waiting to `data`, this file's bytes."""
        for at in self.places(thread=0):
            _WAIT.pack_into(data, at + _WAIT_AT, *other._core_wait_ms())

    @property
    def cut(self) -> CutBlock | None:
        """The block within which the file was cut off; None: it was not."""
        at = self.first
        for last in self.places():
            at = last + int(BLOCK.unpack_from(self.data, last)[2])
        head = self.data[at : min(at + BLOCK.size, self.end)]
        if self.complete or not head or not head.startswith(BLOCK_MAGIC[: len(head)]):
            return None
        if len(head) < BLOCK.size:
            return CutBlock(0, None)
        _, _, _, use, first_ns, _ = BLOCK.unpack(head)
        return CutBlock(self._records_in(use), 1e-9 * first_ns)

    @property
    def last_begin_s(self) -> float:
        """When the last block begins, in seconds of the run; 0 without blocks."""
        return max((1e-9 * BLOCK.unpack_from(self.data, at)[4] for at in self.places()), default=0.0)

    @property
    def last_call(self) -> int:
        """The number of the call in which the first thread was when the process ended; 0: in none."""
        last = max(self.places(thread=0), default=None)
        return 0 if last is None else int(BLOCK.unpack_from(self.data, last)[-1]) >> 48

    def _core_wait_ms(self) -> tuple[int, int]:
        last = max(self.places(thread=0), default=None)
        return (0, 0) if last is None else _WAIT.unpack_from(self.data, last + _WAIT_AT)

    def _records_in(self, use: int) -> int:
        """The number of records, by the used bytes that the header of a block states."""
        return (use >> 32) % (1 << 28) + (use >> 60) if self.packed else use // RECORD.itemsize
