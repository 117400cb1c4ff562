# SPDX-License-Identifier: BSD-3-Clause
"""Whether the programs and libraries of a trace are still those that were recorded, by their build ids."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from stretto.binaries.elf import HEAD_BYTES, NOTES, OF_64_BITS, segments

_BUILD_ID = 3
_MAX_NOTES = 1 << 20  # bytes


@dataclass(frozen=True)
class Modules:
    """The modules of a trace whose files may be others now.

    Attributes:
        rebuilt: Their files have other build ids than what was recorded: they say nothing of its functions.
        newer: They have no build id, and their files are newer than the trace.
    """

    rebuilt: frozenset[str] = frozenset()
    newer: frozenset[str] = frozenset()

    def sentences(self) -> list[str]:
        """What a reader of the names has to know; empty where nothing has changed."""
        found = []
        if self.rebuilt:
            found.append(
                f"{_some(self.rebuilt)}: built again since it was recorded; its functions and lines are not "
                "given, record it again"
            )
        if self.newer:
            found.append(
                f"{_some(self.newer)}: newer than the trace, and without a build id (-Wl,--build-id); "
                "functions and lines may be those of another build"
            )
        return found


def _some(paths: Iterable[str]) -> str:
    first, *rest = sorted(paths)
    return f"{first} and {len(rest)} more" if rest else first


def changed_modules(recorded: Mapping[str, Set[str]], created_utc: str) -> Modules:
    """Compares the files of today with those that were recorded then, by their paths and build ids."""
    begun = _seconds(created_utc)
    rebuilt = {
        path for path, ids in recorded.items() if ids and Path(path).is_file() and ids != {build_id_of(path)}
    }
    newer = {
        path for path, ids in recorded.items() if not ids and begun is not None and _is_newer(path, begun)
    }
    return Modules(frozenset(rebuilt), frozenset(newer))


def _is_newer(path: str, begun: float) -> bool:
    try:
        return Path(path).is_file() and Path(path).stat().st_mtime > begun + 1  # the text has whole seconds
    except OSError:
        return False


def _seconds(created_utc: str) -> float | None:
    try:
        return datetime.fromisoformat(created_utc.replace("Z", "+00:00")).timestamp()
    except ValueError:
        return None


def build_id_of(path: str) -> str:
    """The GNU build id of a 64-bit ELF file, in hexadecimal digits; empty: it has none."""
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD_BYTES)
            if len(head) < HEAD_BYTES or not head.startswith(OF_64_BITS):
                return ""
            for one in segments(file, head):
                if one.kind == NOTES and one.length_bytes <= _MAX_NOTES:
                    file.seek(one.offset)
                    notes = file.read(one.length_bytes)
                    if found := _build_id_among(notes, 8 if one.align == 8 else 4):
                        return found
    except (OSError, ValueError, OverflowError, struct.error):
        return ""
    return ""


def _build_id_among(notes: bytes, step: int) -> str:
    at = 0
    while at + 12 <= len(notes):
        name_bytes, length, kind = struct.unpack_from("<III", notes, at)
        content = -(-(at + 12 + name_bytes) // step) * step
        if kind == _BUILD_ID and notes[at + 12 : at + 12 + name_bytes] == b"GNU\0":
            return notes[content : content + length].hex()
        at = -(-(content + length) // step) * step
    return ""
