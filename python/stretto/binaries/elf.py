# SPDX-License-Identifier: BSD-3-Clause
"""Program headers of ELF files of 64 bits: what the system's loader reads of a program."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

MAGIC = b"\x7fELF"
OF_64_BITS = MAGIC + b"\x02\x01"
"""The begin of a file of 64 bits, little-endian."""
HEAD_BYTES = 64
INTERPRETER, NOTES = 3, 4
"""Kinds of segments: the name of the loader, and notes."""
_SEGMENT = struct.Struct("<IIQQQQQQ")


@dataclass(frozen=True)
class Segment:
    """A part of the file."""

    kind: int
    offset: int
    length_bytes: int
    align: int


def is_elf(path: str) -> bool:
    """Whether a file begins as ELF files do; not where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def segments(file: BinaryIO, head: bytes) -> list[Segment]:
    """The segments of a file that begins with `head`, HEAD_BYTES long. Those that a damaged file lacks are
    left out.
    """
    (place,) = struct.unpack_from("<Q", head, 32)
    size, count = struct.unpack_from("<HH", head, 54)
    file.seek(place)
    table = file.read(size * count)
    found = []
    for index in range(len(table) // size if size >= _SEGMENT.size else 0):
        kind, _, offset, _, _, length, _, align = _SEGMENT.unpack_from(table, index * size)
        found.append(Segment(kind, offset, length, align))
    return found
