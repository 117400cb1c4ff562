# SPDX-License-Identifier: BSD-3-Clause
"""What runs of a program print: which of its numbers differ from run to run, as times do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from stretto.data.groups import grouped

_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")

Varying = Mapping[bytes, frozenset[int]]
"""By a line without its numbers: which of them, counted from 0, differ between two runs of one program."""


def varying(one: bytes, other: bytes) -> Varying | None:
    """What differs between two runs, whose lines may come in any order; None: more than numbers."""
    lines, others = Counter(one.splitlines()), Counter(other.splitlines())
    mine = grouped((lines - others).elements(), _words)
    found = {}
    theirs = grouped((others - lines).elements(), _words)
    if mine.keys() != theirs.keys():
        return None
    for words, left in mine.items():
        right = theirs[words]
        if len(left) != len(right):
            return None
        pairs = zip(sorted(map(_numbers, left)), sorted(map(_numbers, right)))
        found[words] = frozenset(
            at for before, after in pairs for at, (old, new) in enumerate(zip(before, after)) if old != new
        )
    return found


def comparable(text: bytes, known: Varying) -> list[bytes]:
    """The lines of a run, sorted, without the numbers that vary."""
    return sorted(_comparable(line, known) for line in text.splitlines())


def _comparable(line: bytes, known: Varying) -> bytes:
    places = known.get(_words(line), frozenset())
    kept = (b"#" if at in places else number for at, number in enumerate(_numbers(line)))
    if not places:
        return line
    return b" ".join(b"".join(_alternating(_NUMBER.split(line), kept)).split())  # columns may shift


def _alternating(words: Sequence[bytes], numbers: Iterable[bytes]) -> Iterable[bytes]:
    for word, number in zip(words, [*numbers, b""]):
        yield word
        yield number


def _words(line: bytes) -> bytes:
    return b" ".join(b"#".join(_NUMBER.split(line)).split())


def _numbers(line: bytes) -> list[bytes]:
    return _NUMBER.findall(line)
