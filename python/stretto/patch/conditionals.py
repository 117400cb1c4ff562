# SPDX-License-Identifier: BSD-3-Clause
"""The preprocessor's directives in a source: what `#if` makes conditional, and all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_OPENS = (b"if", b"ifdef", b"ifndef")
_GOES_ON = (b"elif", b"else", b"elifdef", b"elifndef")


@dataclass(frozen=True)
class Conditional:
    """From an `#if` to its `#endif`. `lines`: those of its directives; `has_code`: of its branches."""

    lines: tuple[int, ...]
    has_code: tuple[bool, ...]

    def branch(self, line: int) -> int:
        """The branch of a line, from 1 on; 0: it is in none. A directive counts to what stands before it."""
        before = sum(one < line for one in self.lines)
        return 0 if before == len(self.lines) else before

    def branches(self) -> list[tuple[int, int, bool]]:
        """The first and the last line of each branch, and whether it has code."""
        ends = zip(self.lines, self.lines[1:], self.has_code)
        return [(one + 1, other - 1, code) for one, other, code in ends]


@dataclass(frozen=True)
class Directives:
    """The conditionals of a source, outer ones first; `others`: lines of directives that are of none."""

    conditionals: tuple[Conditional, ...] = ()
    others: frozenset[int] = frozenset()

    def within(self, first: int, last: int) -> int | None:
        """The first line of a directive in some lines."""
        every = [*self.others, *(line for one in self.conditionals for line in one.lines)]
        return min((line for line in every if first <= line <= last), default=None)

    def not_compiled(self, first: int, last: int, compiled: Sequence[int]) -> list[tuple[int, int]]:
        """Branches with code in some lines, none of which is a line that is compiled."""
        found: list[tuple[int, int]] = []
        for one in self.conditionals:
            if first <= one.lines[0] and one.lines[-1] <= last:
                for begin, end, has_code in one.branches():
                    known = any(begin <= line <= end for line in compiled)
                    inside = any(other[0] <= begin and end <= other[1] for other in found)
                    if has_code and not known and not inside:
                        found.append((begin, end))
        return found


def directives_of(lines: Sequence[bytes]) -> Directives:
    """The directives of a source. Where `#if` and `#endif` do not match, none is taken for a conditional."""
    opened: list[list[int]] = []
    closed: list[list[int]] = []
    others: set[int] = set()
    every = {number for number, line in enumerate(lines, 1) if line.lstrip().startswith(b"#")}
    for number, line in enumerate(lines, 1):
        if number not in every:
            continue
        word = _word(line)
        if word in _OPENS:
            opened.append([number])
        elif opened and word in (*_GOES_ON, b"endif"):
            opened[-1].append(number)
            if word == b"endif":
                closed.append(opened.pop())
        elif word in (*_GOES_ON, b"endif"):
            return Directives(others=frozenset(every))
        else:
            others.add(number)
    if opened:
        return Directives(others=frozenset(every))
    made = (
        Conditional(tuple(one), tuple(_has_code(lines[a : b - 1]) for a, b in zip(one, one[1:])))
        for one in sorted(closed)
    )
    return Directives(tuple(made), frozenset(others))


def _word(line: bytes) -> bytes:
    words = line.lstrip()[1:].split(maxsplit=1)
    return words[0].partition(b"(")[0].partition(b"/")[0] if words else b""


def _has_code(lines: Sequence[bytes]) -> bool:
    """Whether there is more than blank lines, directives and comments of one line."""
    return any(line.strip() and not line.lstrip().startswith((b"#", b"//")) for line in lines)
