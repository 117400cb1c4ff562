# SPDX-License-Identifier: BSD-3-Clause
"""Exchanges of two pointers, `t = a; a = b; b = t`, in a function or as a function of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clang.cindex import CursorKind

from stretto.patch.clang_cursors import Cursor, is_local, is_reference, operator_of, stripped, unique, walk


@dataclass(frozen=True)
class _Place:
    """A variable, or what is behind a pointer to it."""

    declaration: Cursor
    is_behind: bool

    def same(self, other: _Place) -> bool:
        return (unique(self.declaration), self.is_behind) == (unique(other.declaration), other.is_behind)


@dataclass(frozen=True)
class Swap:
    """Three statements that exchange two places. `stores`: the hashes of the assignments to them."""

    one: _Place
    other: _Place
    stores: frozenset[int]


def swaps_of(function: Cursor) -> Iterator[Swap]:
    """The exchanges among the statements of a function."""
    for block in walk(function):
        if block.kind == CursorKind.COMPOUND_STMT:
            inside = list(block.get_children())
            for three in zip(inside, inside[1:], inside[2:]):
                if (swap := _swap(*three)) is not None:
                    yield swap


def swapped_parameters(function: Cursor) -> tuple[int, int, bool] | None:
    """The two parameters behind which a function exchanges pointers, and does nothing else; whether they are
    pointers, not references.
    """
    block = next((one for one in function.get_children() if one.kind == CursorKind.COMPOUND_STMT), None)
    inside = [] if block is None else list(block.get_children())
    if len(inside) != 3 or (swap := _swap(*inside)) is None:
        return None
    parameters = [unique(one) for one in function.get_children() if one.kind == CursorKind.PARM_DECL]
    places = (swap.one, swap.other)
    is_behind = swap.one.is_behind
    if all(one.is_behind == is_behind != is_reference(one.declaration) for one in places):
        names = [unique(one.declaration) for one in places]
        if names[0] != names[1] and set(names) <= set(parameters):
            return parameters.index(names[0]), parameters.index(names[1]), is_behind
    return None


def _swap(keeps: Cursor, first: Cursor, second: Cursor) -> Swap | None:
    kept, stores = _assigned(keeps), [_assigned(first), _assigned(second)]
    if kept is None or stores[0] is None or stores[1] is None:
        return None
    (temporary, one), (to_one, other), (to_other, back) = kept, stores[0], stores[1]
    if not (one.same(to_one) and other.same(to_other) and back.same(temporary)):
        return None
    own = is_local(temporary.declaration) and not is_reference(temporary.declaration)
    if temporary.is_behind or not own or one.same(other) or temporary.same(one) or temporary.same(other):
        return None
    return Swap(one, other, frozenset({first.hash, second.hash}))


def _assigned(statement: Cursor) -> tuple[_Place, _Place] | None:
    """Where a statement stores to, and from where, if it does nothing else."""
    children = list(statement.get_children())
    if statement.kind == CursorKind.DECL_STMT and len(children) == 1:
        declared, given = children[0], list(children[0].get_children())
        value = _place(given[-1]) if given and declared.kind == CursorKind.VAR_DECL else None
        return None if value is None else (_Place(declared, False), value)
    if statement.kind == CursorKind.BINARY_OPERATOR and len(children) == 2 and operator_of(statement) == "=":
        target, value = map(_place, children)
        return None if target is None or value is None else (target, value)
    return None


def _place(expression: Cursor) -> _Place | None:
    one, is_behind = stripped(expression), False
    if one.kind == CursorKind.UNARY_OPERATOR and operator_of(one) == "*":
        one, is_behind = stripped(next(iter(one.get_children()))), True
    if one.kind != CursorKind.DECL_REF_EXPR or one.referenced is None:
        return None
    return _Place(one.referenced, is_behind)
