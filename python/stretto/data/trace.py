# SPDX-License-Identifier: BSD-3-Clause
"""Reads the recorder's traces, one file per rank: typed headers and definitions, records as arrays.

Headers are read from the file. The native `stretto-analyse` reads and checks the records, packed or not, and
hands them over as version 1 has them. Only one block of a thread is in memory at a time.
"""

from __future__ import annotations

import mmap
import struct
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from stretto.data.fields import Members, Place
from stretto.data.files import decode_json, minor_version
from stretto.data.trace_heads import BLOCK, BLOCK_MAGIC, BlockHeads
from stretto.data.trace_records import (
    DEFINITION,
    FIRST_CALL,
    RECORD,
    SPECIAL,
    Block,
    Definitions,
    Event,
    PeerBytes,
    Records,
    Site,
    TraceContext,
    TraceHeader,
    Variable,
    call_numbers,
)
from stretto.errors import UserError
from stretto.native.child import bound
from stretto.native.programs import native_program

MAJOR, PACKED_MAJOR, _LIMITED_MAJOR = 1, 2, 3
MAGIC = b"strtrace"
_TRAILER_MAGIC = b"strailer"
_HEADER = struct.Struct("<8sHHIIIQqQII")
_TRAILER = struct.Struct("<QQQQQ8s")
_LARGEST_HEADER = 1 << 24
_PAGE_BYTES = 4096
_MASK = (1 << 48) - 1
MAX_RANKS = 1 << 24

OnRecords = Callable[[int], None]
"""Called with the number of records read since its last call."""


def ignore_count(_: int) -> None:
    """An `OnRecords` that does nothing."""


class TraceFile:
    """The trace of one rank. The constructor reads the header, `blocks` the records.

    Raises:
        UserError: The file violates docs/formats.md; the message has the position in bytes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.place = Place(path)
        self._map = _mapped(path)
        self.header, self._first_block = self._read_header()
        self.definitions = Definitions()
        end, self.complete, self.lost = self._read_trailer()
        self.heads = BlockHeads(self._map, self._first_block, end, self.complete, self._major == PACKED_MAJOR)

    def blocks(self) -> Iterator[Block]:
        """All blocks in the order of their start; stores definitions during the iteration.

        Raises:
            UserError: The trace is damaged.
        """
        with self.written("--plain") as plain:
            at = len(plain.read(self._first_block)) + BLOCK.size
            while (head := plain.read(BLOCK.size)).startswith(BLOCK_MAGIC):
                if len(head) < BLOCK.size:
                    break  # the reader says why
                _, thread, size, used, *_ = BLOCK.unpack(head)
                data = plain.read(size - BLOCK.size)
                if len(data) < used:
                    break
                yield self._block(thread, np.frombuffer(data, RECORD, used // RECORD.itemsize), at)
                at += size

    @contextmanager
    def written(self, option: str) -> Iterator[IO[bytes]]:
        """What `stretto-analyse` writes of the trace with this option.

        Raises:
            UserError: At the end, if the trace is damaged.
        """
        command = [str(native_program("stretto-analyse", "none")), option, str(self.path)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=bound()
        ) as reader:
            assert reader.stdout is not None and reader.stderr is not None
            yield reader.stdout
            reader.stdout.read()
            message = reader.stderr.read().decode(errors="replace").strip()
        if reader.returncode:
            raise UserError(message.removeprefix("stretto-analyse: ") or f"{self.path}: cannot be read")

    def _block(self, thread: int, records: Records, offset: int) -> Block:
        """A block of these records, which lie at `offset`; stores its definitions."""
        kept = self._take_definitions(records)
        return Block(thread, records if kept.all() else records[kept], offset, kept)

    @property
    def record_count(self) -> int:
        """The number of records without definitions; reads the file, unless its records are packed."""
        if self.heads.packed:
            return self.heads.records
        return sum(len(block.records) for block in self.blocks())

    def events(self, records: Records) -> Iterator[Event]:
        """The records of a block."""
        for record in records.tolist():
            yield self.event(record)

    def event(self, record: Sequence[int]) -> Event:
        """The event of one record, given as its `tolist`."""
        begin, duration, size, peer, tag, request, count, extra = record
        call = begin >> 48
        name, kind = self.call(call)
        return Event(
            name, kind, (begin & _MASK) * 1e-9, (duration & _MASK) * 1e-9, duration >> 48, size & _MASK,
            size >> 48, peer, tag, request, count, extra,
        )  # fmt: skip

    @property
    def died_in(self) -> str:
        """The call in which the first thread was when the process died; empty: in none, or it did not die."""
        number = self.heads.last_call
        known = not self.complete and FIRST_CALL <= number < FIRST_CALL + len(self.header.calls)
        return self.call(number)[0] if known else ""

    def call(self, number: int) -> tuple[str, str]:
        """The name and kind of a call by its number."""
        if number in SPECIAL:
            return SPECIAL[number], SPECIAL[number]
        return self.header.calls[number - FIRST_CALL]

    def _read_header(self) -> tuple[TraceHeader, int]:
        if len(self._map) < _HEADER.size or self._map[: len(MAGIC)] != MAGIC:
            raise self.place.error("is no trace; name a rank-*.trace that `stretto trace` wrote")
        (_, major, _, length, rank, ranks, epoch, offset, error, text_bytes, record_bytes) = (
            _HEADER.unpack_from(self._map)
        )
        if major == _LIMITED_MAJOR:
            raise self.place.error(
                "was recorded with --limit, and no trace has been cut out of it; "
                f"`stretto-analyse --cut {self.path.parent}` does so, or says why it cannot"
            )
        if major not in (MAJOR, PACKED_MAJOR):
            correction = "update stretto" if major > PACKED_MAJOR else "record it again"
            raise self.place.error(
                f"is a trace {major}.x, and this stretto reads {MAJOR}.x and {PACKED_MAJOR}.x; {correction}"
            )
        self._major = major
        if record_bytes != RECORD.itemsize:
            raise self._wrong(52, f"records of {record_bytes} bytes")
        fits = _HEADER.size + text_bytes <= length <= min(len(self._map), _LARGEST_HEADER)
        if not fits or length % _PAGE_BYTES:
            raise self._wrong(12, "a header is longer than the file, or its text than the header")
        if not 0 <= rank < ranks <= MAX_RANKS:
            raise self._wrong(16, f"rank {rank} of {ranks}")
        text = self._map[_HEADER.size : _HEADER.size + text_bytes].decode("utf-8", errors="replace")
        members = Members.of(decode_json(text, self.place), self.place)
        minor_version(members.members.get("schema"), "trace", major, self.place)
        mpi = members.object("mpi")
        header = TraceHeader(
            rank, ranks, epoch, offset, error,
            host=members.text("host", ""),
            family=mpi.text("family", ""),
            library=mpi.text("library", ""),
            command=members.texts("command"),
            created_utc=members.text("created_utc", ""),
            calls=tuple(_name_and_kind(item, place) for item, place in members.items("calls")),
            cores=members.integer("cores", 0, default=0),
            limit_bytes=members.integer("limit_bytes", 0, default=0) or None,
            kept_ns=_kept_ns(members),
        )  # fmt: skip
        return header, length

    def _read_trailer(self) -> tuple[int, bool, int]:
        """Reads the end of the blocks, whether the file is complete, and the number of lost records."""
        at = len(self._map) - _TRAILER.size
        if at < self._first_block:
            return len(self._map), False, 0
        _, blocks, index, _, lost, magic = _TRAILER.unpack_from(self._map, at)
        if magic != _TRAILER_MAGIC:
            return len(self._map), False, 0
        if index + 24 * blocks != at or index < self._first_block:
            raise self._wrong(at, "the trailer does not fit the file")
        return index, True, lost

    def _take_definitions(self, records: Records) -> NDArray[np.bool_]:
        """Stores the definitions of a block; returns a mask of the other records."""
        keep = np.ones(len(records), dtype=bool)
        next_record = 0
        for index in np.flatnonzero(call_numbers(records) == DEFINITION).tolist():
            if index < next_record:
                continue  # inside the payload of another definition
            next_record = index + self._define(records, index)
            keep[index:next_record] = False
        return keep

    def _define(self, records: Records, index: int) -> int:
        """Stores one definition; returns its length in records."""
        record = records[index]
        length = int(record["bytes_and_context"]) & _MASK
        taken = 1 + -(-length // RECORD.itemsize)
        payload = records[index + 1 : index + taken].tobytes()[:length]
        number, what = int(record["peer"]), int(record["request"])
        known = self.definitions
        module = known.modules.get(int(record["tag"]), "")
        if what == 1:
            known.modules[number] = payload.decode("utf-8", errors="replace")
        elif what == 7:
            known.build_ids[number] = payload.hex()
        elif what == 2:
            known.sites[number] = Site(module, int(record["extra"]))
        elif what == 5:
            frames = struct.iter_unpack("<QQ", payload[: len(payload) // 16 * 16])
            known.callers[number] = tuple(Site(known.modules.get(one, ""), at) for one, at in frames)
        elif what == 6:
            known.variables[number] = Variable(int(record["count"]), module, int(record["extra"]))
        elif what == 8:
            pairs = tuple(struct.iter_unpack("<QQ", payload[: len(payload) // 16 * 16]))
            sent = int(record["count"])
            known.peer_bytes[number] = PeerBytes(pairs[:sent], pairs[sent:])
        elif what == 9:
            runs = struct.iter_unpack("<iiI", payload[: len(payload) // 12 * 12])
            most = self.header.ranks
            known.groups[number] = tuple((*run, min(count, most)) for *run, count in runs)
        elif what in (3, 4):
            known.contexts[number] = _context(record, payload, what == 4)
        return taken

    def _wrong(self, where: int, what: str) -> UserError:
        return self.place.error(f"byte {where}: {what}; the trace is damaged, record it again")


def _context(record: Any, payload: bytes, window: bool) -> TraceContext:
    sides: tuple[list[int], list[int]] = ([], [])
    for index, (first, stride, count) in enumerate(struct.iter_unpack("<iiI", payload)):
        side = sides[0 if index < int(record["count"]) else 1]
        side.extend(first + stride * step for step in range(count))
    members, remote = tuple(sides[0]), tuple(sides[1])
    return TraceContext(int(record["extra"]), int(record["tag"]), members, remote, window)


def _kept_ns(members: Members) -> tuple[int, int] | None:
    if members.members.get("kept") is None:
        return None
    kept = members.object("kept")
    return kept.integer("from_ns", 0), kept.integer("end_ns", 0)


def is_trace(path: Path) -> bool:
    """Whether the file has the magic number of a trace."""
    if not path.is_file():  # a pipe would be waited for
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def _mapped(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:  # the file is empty
        raise Place(path).error("is empty; record it again") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(f"{path}: cannot be read ({reason}); check the path and its permissions") from None


def _name_and_kind(item: object, place: Place) -> tuple[str, str]:
    if isinstance(item, list) and len(item) == 2 and all(isinstance(one, str) for one in item):
        return item[0], item[1]
    raise place.error("is no name and kind of a call; the trace is damaged, record it again")
