# SPDX-License-Identifier: BSD-3-Clause
"""Where statements that start messages, or wait for them, may move in their block: as far as the rules and
what a trace has seen allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from stretto.patch.rules import crossing
from stretto.patch.statements import Block, Statement

LocalKind = Literal["wait later", "start earlier"]
"""Kinds of change within a block; docs/restructuring.md shows them."""


_DIRECTIVE = "a directive of the preprocessor"


class Evidence(Protocol):
    """What a trace has seen of the data of the messages of some statements, over all iterations."""

    def followed(self, moved: Sequence[Statement]) -> bool:
        """Whether it was followed for each of the statements."""

    def seen_in(self, moved: Sequence[Statement], other: Statement) -> int:
        """Of how many messages the data was first accessed, or last stored to, in another statement."""


@dataclass(frozen=True)
class Move:
    """Statements that change places with those of lines `over`.

    Attributes:
        first, last: Their own lines.
        before: The line before which they stand then.
        crossed: The statements that they move across.
        assumed: What must hold besides, line by line.
        stops: Why they do not move further.
    """

    kind: LocalKind
    first: int
    last: int
    before: int
    crossed: tuple[Statement, ...]
    assumed: tuple[str, ...]
    stops: str


def move_of(block: Block, line: int, kind: LocalKind, evidence: Evidence) -> Move | str:
    """The move of the call at a line; or why it stays: one line, for people.

    Args:
        block: The block of the call.
        line: A line of the call.
        kind: Of the change.
        evidence: What the trace has seen.
    """
    statements = block.statements
    role = "wait" if kind == "wait later" else "start"
    here = [index for index, one in enumerate(statements) if one.first <= line <= one.last]
    if not here:
        return "its value is used, or it is the only statement of an if or of a loop"
    at = next((index for index in here if statements[index].role == role), here[0])
    if statements[at].role != role:
        call = statements[at].call or "the statement"
        return f"{call} neither starts nor completes messages as a call of its own"
    first, last = _group(statements, at, role)
    moved = statements[first : last + 1]
    for one in moved:
        if one.unfit:
            return one.unfit
    if (directive := block.directives.within(moved[0].first, moved[-1].last)) is not None:
        return f"line {directive}: {_DIRECTIVE}"
    later = kind == "wait later"
    others = statements[last + 1 :] if later else tuple(reversed(statements[:first]))
    crossed: list[Statement] = []
    assumed: list[Sequence[str]] = []  # of each
    stops, stopped = "there the block ends" if later else "there the block begins", False
    for one in others:
        between = (moved[-1].last + 1, one.last) if later else (one.first, moved[0].first - 1)
        known = replace(block.directives, conditionals=())
        directive = known.within(*between) or block.directives.within(one.first, one.last)
        count = evidence.seen_in(moved, one)
        verdict = crossing(moved, one, evidence.followed(moved) and count == 0)
        if directive is not None:
            stops = f"line {directive}: {_DIRECTIVE}"
        elif verdict.refused:
            stops = verdict.refused
        elif count:
            did = "was first accessed" if later else "was last stored to"
            stops = f"line {one.first}: the data of {count} messages {did} here"
        else:
            crossed.append(one)
            assumed.append(verdict.assumed)
            continue
        stopped = True
        break
    while crossed and isinstance(
        before := _line_before(block, moved[0].first, others, len(crossed), later), str
    ):
        stops = stops if stopped and _DIRECTIVE not in before else before
        del crossed[-1], assumed[-1]
    if not crossed or isinstance(before, str):
        return stops
    span = (moved[-1].last, before) if later else (before, moved[0].first)
    for begin, end in block.directives.not_compiled(*span, [one.first for one in crossed]):
        lines = f"line {begin}" if begin == end else f"lines {begin}-{end}"
        assumed.append([f"{lines}: not compiled here, and not looked at"])
    every = tuple(dict.fromkeys(text for texts in assumed for text in texts))
    return Move(kind, moved[0].first, moved[-1].last, before, tuple(crossed), every, stops)


def _group(statements: Sequence[Statement], at: int, role: str) -> tuple[int, int]:
    """The first and the last of the statements of one role around one, which move together."""
    first = last = at
    while first > 0 and statements[first - 1].role == role:
        first -= 1
    while last + 1 < len(statements) and statements[last + 1].role == role:
        last += 1
    return first, last


def _line_before(
    block: Block, origin: int, others: Sequence[Statement], count: int, later: bool
) -> int | str:
    """The line before which the moved statements, at `origin`, stand then; or why there is none."""
    furthest, neighbour = others[count - 1], others[count] if count < len(others) else None
    after = neighbour if later else furthest
    if after is None:
        if not block.owns_last_line or block.last <= furthest.last:
            return f"line {block.last}: the end of the block shares the line with a statement"
        return _outside(block, origin, furthest, block.last)
    before = furthest if later else neighbour
    if not after.begins_line or (before is not None and before.last >= after.first):
        return f"line {after.first}: a statement shares the line with other code or a comment"
    return _outside(block, origin, before, after.first)


def _outside(block: Block, origin: int, before: Statement | None, line: int) -> int | str:
    """A line that is compiled whenever `origin` is, before a line and behind a statement."""
    for one in block.directives.conditionals:
        branch = one.branch(origin)
        if branch == one.branch(line):
            continue
        furthest = block.first if before is None else before.last
        if branch or furthest >= one.lines[0]:
            at = one.lines[branch if line > origin or not branch else branch - 1]
            return f"line {at}: {_DIRECTIVE}"
        return one.lines[0]
    return line
