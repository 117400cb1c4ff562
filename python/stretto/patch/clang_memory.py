# SPDX-License-Identifier: BSD-3-Clause
"""What an expression names, and where pointers come from, by libclang's syntax tree.

Origins are those of all assignments of a function, whatever their order: a variable that was ever assigned a
pointer of unknown origin has one. What is loaded from memory is unknown, too, so that it does not matter
where else a pointer is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from clang.cindex import CursorKind, TypeKind

from stretto.patch.clang_cursors import (
    ARRAYS,
    POINTERS,
    Cursor,
    is_address,
    is_array,
    is_holder,
    is_local,
    is_pointer,
    is_reference,
    operator_of,
    stripped,
    text_of,
    unique,
    walk,
)
from stretto.patch.clang_swaps import Swap, swaps_of
from stretto.patch.known_calls import ELEMENTS
from stretto.patch.statements import Memory, Origin

UNKNOWN = "unknown"
_NULL = (
    CursorKind.INTEGER_LITERAL,
    CursorKind.CXX_NULL_PTR_LITERAL_EXPR,
    CursorKind.GNU_NULL_EXPR,
)


class CalledFunctions(Protocol):
    """What is known of the functions that calls name: `clang_functions.Functions`."""

    def allocates(self, call: Cursor) -> bool: ...

    def resizes(self, call: Cursor) -> bool: ...

    def fills(self, call: Cursor) -> Cursor | None: ...

    def swaps(self, call: Cursor) -> Sequence[Cursor]: ...


class Origins:
    """Where the pointers of one function come from."""

    def __init__(self, function: Cursor, functions: CalledFunctions) -> None:
        self._functions = functions
        self._given: dict[str, set[Origin]] = {}
        self._from: dict[str, set[str]] = {}
        self._declared: dict[str, Cursor] = {}
        self._swapped: dict[str, set[str]] = {}
        self._shared: set[str] = set()  # assigned otherwise than fresh memory, or in an exchange
        self._addressed = set(_addressed(function))
        self._swaps = {one: swap for swap in swaps_of(function) for one in swap.stores}
        self._known: set[int] = set()  # where an address is taken for a call whose effect on it is known
        for cursor in walk(function):
            self._read(cursor, list(cursor.get_children()))
        self._apart = self._never_the_same()

    def _read(self, cursor: Cursor, children: list[Cursor]) -> None:
        """Adds what a cursor assigns to pointers."""
        if cursor.kind == CursorKind.VAR_DECL and is_pointer(cursor.type) and children:
            value = children[-1]
            if is_reference(cursor):
                self._escape(stripped(value))
            if value.kind.is_expression():
                self._assign(cursor, value)
        elif (
            cursor.kind == CursorKind.BINARY_OPERATOR
            and len(children) == 2
            and operator_of(cursor) in ("=", "")
        ):
            target = stripped(children[0])
            if target.kind == CursorKind.DECL_REF_EXPR and is_pointer(target.type):
                self._assign(target.referenced, children[1], self._swaps.get(cursor.hash))
        elif cursor.kind == CursorKind.UNARY_OPERATOR and operator_of(cursor) in ("&", ""):
            if cursor.hash not in self._known:
                self._escape(stripped(children[0]) if children else cursor)
        elif cursor.kind == CursorKind.LAMBDA_EXPR:
            for one in walk(cursor):
                self._escape(one)
        elif cursor.kind in (CursorKind.CALL_EXPR, CursorKind.INIT_LIST_EXPR):
            self._pass(cursor, children)

    def _pass(self, cursor: Cursor, children: list[Cursor]) -> None:
        """Adds what a call may do to pointers of which it gets the address, or references."""
        if cursor.kind == CursorKind.CALL_EXPR and len(pair := self._functions.swaps(cursor)) == 2:
            self._known |= {stripped(one).hash for one in cursor.get_arguments()}
            for one, other in (pair, reversed(pair)):
                self._declared[unique(one)] = one
                self._from.setdefault(unique(other), set()).add(unique(one))
                self._swapped.setdefault(unique(other), set()).add(unique(one))
                if not _is_own(one):
                    self._shared.add(unique(one))
            return
        if cursor.kind == CursorKind.CALL_EXPR and (filled := self._functions.fills(cursor)) is not None:
            inner = stripped(next(iter(filled.get_children()), filled))
            if filled.kind == CursorKind.UNARY_OPERATOR and inner.kind == CursorKind.DECL_REF_EXPR:
                self._known.add(filled.hash)
                if is_pointer(inner.type):
                    if not _is_own(inner.referenced):
                        self._shared.add(unique(inner.referenced))
                    self._given.setdefault(unique(inner.referenced), set()).add(_fresh(cursor))
        for one in children:  # a value that is passed is converted first
            self._escape(one)

    def _never_the_same(self) -> frozenset[str]:
        """Variables that never point to the same memory at the same time: each gets memory of its own, and
        they exchange it among themselves.
        """
        found = (self._swapped.keys() | self._given.keys()) - self._shared
        while unfit := {one for one in found if not self._swapped.get(one, set()) <= found}:
            found -= unfit
        return frozenset(found)

    def of_variable(self, declaration: Cursor) -> frozenset[Origin]:
        """All that a variable points to; for one that is no pointer, itself."""
        return self._closure(declaration, set())

    def behind(self, expression: Cursor) -> Memory:
        """What is behind a pointer, or in an array."""
        return self._behind(stripped(expression))

    def _behind(self, cursor: Cursor) -> Memory:
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
            known = is_pointer(cursor.referenced.type) or is_array(cursor.referenced.type)
            origins = self.of_variable(cursor.referenced) if known else frozenset({(UNKNOWN, "")})
            name = unique(cursor.referenced)
            apart = self._apart - {name} if name in self._apart else frozenset()
            return Memory(cursor.spelling, name, origins, apart=apart)
        if cursor.kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
            side = next((one for one in children if is_address(one.type)), None)
            if side is not None:
                return _part(self._behind(stripped(side)))
        if cursor.kind == CursorKind.UNARY_OPERATOR and children and operator_of(cursor) in ("&", "++", "--"):
            inner = stripped(children[0])
            return self.named(inner) if operator_of(cursor) == "&" else _part(self._behind(inner))
        if cursor.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR and cursor.type.get_canonical().kind in ARRAYS:
            return _part(self._behind(stripped(children[0])))
        if cursor.kind == CursorKind.MEMBER_REF_EXPR and cursor.type.get_canonical().kind in ARRAYS:
            return _part(self.named(cursor))
        if cursor.kind == CursorKind.CALL_EXPR:
            if cursor.spelling in ELEMENTS and children and (holder := self.holder(cursor)) is not None:
                return holder
            if self._functions.allocates(cursor):
                return Memory(text_of(cursor), "", frozenset({_fresh(cursor)}))
            if self._functions.resizes(cursor):
                before = self._behind(stripped(next(iter(cursor.get_arguments()))))
                return Memory(text_of(cursor), "", before.origins | {_fresh(cursor)})
        if cursor.kind == CursorKind.CXX_NEW_EXPR and _is_plain_new(cursor):
            return Memory(text_of(cursor), "", frozenset({_fresh(cursor)}))
        if cursor.kind in _NULL:
            return Memory("null", "", frozenset())
        if cursor.kind == CursorKind.CONDITIONAL_OPERATOR and len(children) == 3:
            both = [self._behind(stripped(one)) for one in children[1:]]
            return Memory(text_of(cursor), "", both[0].origins | both[1].origins, True)
        return Memory(text_of(cursor), "", frozenset({(UNKNOWN, "")}))

    def named(self, cursor: Cursor) -> Memory:
        """What an expression that can be assigned to names."""
        cursor = stripped(cursor)
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
            name = unique(cursor.referenced)
            if is_reference(cursor.referenced):
                return Memory(cursor.spelling, name, self.of_variable(cursor.referenced), True)
            return Memory(cursor.spelling, name, frozenset({self._itself(cursor.referenced)}))
        if cursor.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR and children:
            return _part(self._behind(stripped(children[0])))
        if cursor.kind == CursorKind.UNARY_OPERATOR and children and operator_of(cursor) == "*":
            return self._behind(stripped(children[0]))
        if cursor.kind == CursorKind.MEMBER_REF_EXPR and children:
            base = children[0]
            whole = (
                self.behind(base) if base.type.get_canonical().kind == TypeKind.POINTER else self.named(base)
            )
            return Memory(text_of(cursor), whole.variable, whole.origins, True)
        if cursor.kind == CursorKind.CALL_EXPR and cursor.spelling in ELEMENTS:
            holder = self.holder(cursor)
            if holder is not None:
                return _part(holder)
        return Memory(text_of(cursor), "", frozenset({(UNKNOWN, "")}), True)

    def holder(self, call: Cursor) -> Memory | None:
        """The object of std whose elements a call gives access to."""
        one = stripped(call)
        if one.kind == CursorKind.CALL_EXPR:
            of = next(iter(one.get_children()), one)
            if of.kind == CursorKind.MEMBER_REF_EXPR:  # the method; the object stands below it
                of = next(iter(of.get_children()), of)
            one = stripped(of)
        if not is_holder(one):
            return None
        name = unique(one.referenced)
        by_value = one.referenced.type.get_canonical().kind not in POINTERS
        known = one.referenced.kind == CursorKind.VAR_DECL and by_value
        origin = ("allocated", name) if known else ("parameter", name)
        return Memory(one.spelling, name, frozenset({origin}))

    def _assign(self, variable: Cursor, value: Cursor, swap: Swap | None = None) -> None:
        inner, name = stripped(value), unique(variable)
        memory = self._value(inner)
        if memory is None:
            self._given.setdefault(name, set()).add((UNKNOWN, ""))
        elif isinstance(memory, str):
            self._from.setdefault(name, set()).add(memory)
        else:
            self._given.setdefault(name, set()).update(memory)
        places = () if swap is None else (swap.one, swap.other)
        if places and not any(one.is_behind for one in places):
            self._swapped.setdefault(name, set()).update(unique(one.declaration) for one in places)
        elif not (
            (inner.kind == CursorKind.CXX_NEW_EXPR and _is_plain_new(inner))
            or (inner.kind == CursorKind.CALL_EXPR and self._functions.allocates(inner))
        ):  # fmt: skip
            self._shared.add(name)
        if not _is_own(variable):
            self._shared.add(name)

    def _value(self, cursor: Cursor) -> str | set[Origin] | None:
        """The variable whose value an expression has, or its origins; None: they are not known."""
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
            if cursor.referenced.type.get_canonical().kind in ARRAYS:
                return {("array", unique(cursor.referenced))}
            if not is_pointer(cursor.referenced.type):
                return None  # an integer that holds an address
            self._declared[unique(cursor.referenced)] = cursor.referenced
            return unique(cursor.referenced)
        if (
            cursor.kind == CursorKind.BINARY_OPERATOR
            and len(children) == 2
            and operator_of(cursor) in ("+", "-")
        ):
            side = next((one for one in children if is_address(one.type)), None)
            return None if side is None else self._value(stripped(side))
        if cursor.kind == CursorKind.UNARY_OPERATOR and operator_of(cursor) == "&" and children:
            inner = stripped(children[0])
            if inner.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
                return self._value(stripped(next(iter(inner.get_children()))))
            if inner.kind == CursorKind.DECL_REF_EXPR and inner.referenced is not None:
                return {("array", unique(inner.referenced))}
            return None
        memory = self._behind(cursor)
        return None if any(kind == UNKNOWN for kind, _ in memory.origins) else set(memory.origins)

    def _itself(self, declaration: Cursor) -> Origin:
        """The memory of a variable: its own, where no pointer to it can exist."""
        name = unique(declaration)
        kind = declaration.type.get_canonical().kind
        alone = (
            is_local(declaration) and kind not in (*ARRAYS, TypeKind.RECORD) and name not in self._addressed
        )
        return ("own" if alone else "array", name)

    def _escape(self, cursor: Cursor) -> None:
        """The address of a pointer is taken: whoever has it may change the pointer."""
        if (
            cursor.kind == CursorKind.DECL_REF_EXPR
            and is_pointer(cursor.type)
            and cursor.referenced is not None
        ):
            self._given.setdefault(unique(cursor.referenced), set()).add((UNKNOWN, ""))
            self._shared.add(unique(cursor.referenced))

    def _closure(self, declaration: Cursor, visited: set[str]) -> frozenset[Origin]:
        name = unique(declaration)
        if not is_pointer(declaration.type):
            return frozenset({self._itself(declaration)})
        visited.add(name)
        found: set[Origin] = set(self._given.get(name, ()))
        if declaration.kind == CursorKind.PARM_DECL:
            alone = declaration.type.is_restrict_qualified()
            found.add(("allocated", name) if alone else ("parameter", name))
        elif declaration.semantic_parent is not None and not is_local(declaration):
            found |= {("parameter", name), (UNKNOWN, "a global pointer")}
        for other in self._from.get(name, ()):
            if other not in visited:
                source = self._declared.get(other)
                found |= self._closure(source, visited) if source is not None else {(UNKNOWN, "")}
        return frozenset(found or {(UNKNOWN, "")})


def _addressed(cursor: Cursor) -> Iterator[str]:
    """The variables whose address is taken, but for arguments of MPI, or to which references are made."""
    if cursor.kind == CursorKind.CALL_EXPR and str(cursor.spelling).upper().startswith("MPI_"):
        return
    children = list(cursor.get_children())
    takes = cursor.kind == CursorKind.UNARY_OPERATOR and operator_of(cursor) in ("&", "")
    refers = cursor.kind == CursorKind.VAR_DECL and is_reference(cursor)
    if takes or refers or cursor.kind == CursorKind.LAMBDA_EXPR:
        for one in walk(cursor):
            if one.kind == CursorKind.DECL_REF_EXPR and one.referenced is not None:
                yield unique(one.referenced)
    for one in children:
        yield from _addressed(one)


def _part(memory: Memory) -> Memory:
    return replace(memory, part=True)


def _is_own(variable: Cursor) -> bool:
    """Whether a variable is one of the function, and no parameter: it has no value that its caller knows."""
    return variable.kind == CursorKind.VAR_DECL and is_local(variable)


def _fresh(cursor: Cursor) -> Origin:
    """Memory that an expression allocates."""
    return ("allocated", str(cursor.location.offset))


def _is_plain_new(cursor: Cursor) -> bool:
    """Whether an expression allocates as the library does: neither in memory that it is given, nor as a class
    of the program says.
    """
    made = cursor.type.get_pointee().get_canonical()
    words = [token.spelling for token in cursor.get_tokens()][:2]
    return words[:1] == ["new"] and words[1:] != ["("] and made.kind != TypeKind.RECORD
