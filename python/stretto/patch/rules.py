# SPDX-License-Identifier: BSD-3-Clause
"""What forbids to move statements that start messages, or wait for them, across another one.

Two memories may be the same where an origin of both is the same, or where one is not known. What a trace has
seen can then decide: in its words it is an assumption, and never a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stretto.patch.statements import Access, Buffer, Memory, Origin, Statement

Overlap = Literal["no", "perhaps", "yes"]
_FRESH = frozenset({"array", "allocated"})
"""Kinds of origins that no parameter of the function can point to."""


@dataclass(frozen=True)
class Verdict:
    """Whether statements may move across another one. `assumed`: what must hold for it, line by line."""

    refused: str = ""
    assumed: tuple[str, ...] = ()


def crossing(moved: Sequence[Statement], crossed: Statement, trace_saw_none: bool) -> Verdict:
    """Whether `moved`, which stand next to each other, may move across a statement.

    Args:
        moved: Starts of messages, or waits.
        crossed: The statement next to them.
        trace_saw_none: The recorder has followed the data of the messages, and has seen no access of this
            statement to it, in any iteration.
    """
    if crossed.effects.hurdles:
        hurdle = crossed.effects.hurdles[0]
        return Verdict(f"line {hurdle.line}: {hurdle.text}")
    needed = {memory.variable for one in moved for memory in (*one.uses, *one.requests)}
    needed |= {buffer.memory.variable for one in moved for buffer in one.buffers}
    if moved[0].role == "start" and (declared := needed & crossed.effects.declares):
        return Verdict(f"line {crossed.first}: declares {_plain(min(declared))}, which the statement needs")
    for access in crossed.effects.accesses:
        if reason := _own_variable(moved, access):
            return Verdict(f"line {access.line}: {reason}")
    assumed: list[str] = []
    for one in moved:
        for buffer in one.buffers:
            # A trace has the last stores to what is sent, and the first accesses to what arrives.
            seen = trace_saw_none and buffer.is_sent == (one.role == "start")
            # A start names its buffer where it stands; what a wait completes was named before.
            apart = buffer.memory.apart if one.role == "start" else frozenset()
            verdict = _buffer(buffer, crossed, seen, apart)
            if verdict.refused:
                return verdict
            assumed += verdict.assumed
    return Verdict(assumed=tuple(dict.fromkeys(assumed)))


def overlap(one: Memory, other: Memory) -> Overlap:
    """Whether two memories share bytes."""
    if any(kind != "unknown" for kind, _ in one.origins & other.origins):
        return "yes"
    pairs = [(a, b) for a in one.origins for b in other.origins]
    return "perhaps" if any(_may_be_same(a, b) for a, b in pairs) else "no"


def _may_be_same(one: Origin, other: Origin) -> bool:
    kinds = {one[0], other[0]}
    if one == other or "own" in kinds:
        return one == other
    if "unknown" in kinds:
        return True
    if kinds <= _FRESH:
        return False
    return kinds == {"parameter"}  # a parameter is older than what the function allocates


def _own_variable(moved: Sequence[Statement], access: Access) -> str:
    """Whether an access concerns a variable of the moved statements themselves."""
    for one in moved:
        for memory in one.requests:
            if overlap(memory, access.memory) == "yes":
                return f"uses {memory.text}, which {one.call} uses"
        for memory in one.uses:
            if access.stores and overlap(memory, access.memory) == "yes":
                return f"changes {memory.text}, which {one.call} uses"
    return ""


def _buffer(buffer: Buffer, crossed: Statement, trace_saw_none: bool, apart: frozenset[str]) -> Verdict:
    """Whether the statement leaves alone what MPI reads or writes. `apart`: variables that lead elsewhere."""
    assumed = []
    name = buffer.memory.text
    for access in crossed.effects.accesses:
        if (buffer.is_sent and not access.stores) or access.memory.variable in apart:
            continue
        shared = overlap(buffer.memory, access.memory)
        if shared == "no":
            continue
        does = "stores to" if access.stores else "branches on" if access.in_condition else "loads from"
        same_name = access.memory.text == name or (
            buffer.memory.variable != "" and access.memory.variable == buffer.memory.variable
        )
        traced = trace_saw_none and access.memory.part and not access.may_be_unseen
        if (shared == "yes" or same_name) and not (same_name and (traced or buffer.memory.part)):
            if same_name:
                return Verdict(f"line {access.line}: {does} {name}, the buffer of the message")
            other = access.memory.text
            return Verdict(
                f"line {access.line}: {does} {other}, which may be {name}, the buffer of the message"
            )
        what = "other elements than the message's" if same_name else f"not the memory of {name}"
        if not (traced if same_name else trace_saw_none):
            may = f"{does} {access.memory.text}, which may be part of {name}, the buffer of the message"
            return Verdict(f"line {access.line}: {may}")
        assumed.append(f"line {access.line}: {access.memory.text} is {what}; no iteration touched it")
    return Verdict(assumed=tuple(assumed))


def _plain(unique: str) -> str:
    return unique.rpartition("@")[2] or unique
