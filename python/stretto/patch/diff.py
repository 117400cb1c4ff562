# SPDX-License-Identifier: BSD-3-Clause
"""Moves of whole lines within a source, as a unified diff that `patch -p1` and `git apply` take."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class LineMove:
    """Lines `first` to `last`, from 1 on, move to before line `before`; `comment` stands above the diff."""

    first: int
    last: int
    before: int
    comment: tuple[str, ...] = ()

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last line that change places."""
        return min(self.first, self.before), max(self.last, self.before - 1)


def moved(text: bytes, moves: Sequence[LineMove]) -> bytes:
    """The text with the lines moved; their spans are disjoint. Ends of lines stay as they are, and a last
    line without one gets one only where it is no longer the last.
    """
    lines = _lines(text)
    for one in moves:
        block = lines[one.first - 1 : one.last]
        if one.before > one.last:
            lines[one.first - 1 : one.before - 1] = [*lines[one.last : one.before - 1], *block]
        else:
            lines[one.before - 1 : one.last] = [*block, *lines[one.before - 1 : one.first - 1]]
    return b"".join(lines)


def unified(name: str, before: bytes, after: bytes) -> bytes:
    """The diff of a file whose path below the folder of the sources is `name`; bytes, as sources may be."""
    old = _lines(before)
    new = _lines(after)
    label = name.encode() if name.isascii() and " " not in name else name.encode() + b"\t"
    found = difflib.diff_bytes(difflib.unified_diff, old, new, b"a/" + label, b"b/" + label, lineterm=b"\n")
    parts = []
    for line in found:
        if line.startswith((b"--- ", b"+++ ")):
            parts.append(line.rstrip(b"\n") + b"\n")
        elif line.endswith(b"\n"):
            parts.append(line)
        else:
            parts.append(line + b"\n\\ No newline at end of file\n")
    return b"".join(parts)


def _lines(text: bytes) -> list[bytes]:
    """Lines by their line feeds only: a diff counts no others."""
    pieces = text.split(b"\n")
    return [piece + b"\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])
