# SPDX-License-Identifier: BSD-3-Clause
"""What an expression names, and where pointers come from, by libclang's syntax tree.

Origins are those of all assignments of a function, whatever their order: a variable that was ever assigned a
pointer of unknown origin has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clang.cindex import CursorKind, StorageClass, TypeKind

from stretto.patch.known_calls import ALLOCATE, ELEMENTS, HOLDERS
from stretto.patch.statements import Memory, Origin

Cursor = Any  # libclang has no types

_TRANSPARENT = (
    CursorKind.UNEXPOSED_EXPR,
    CursorKind.PAREN_EXPR,
    CursorKind.CSTYLE_CAST_EXPR,
    CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CXX_REINTERPRET_CAST_EXPR,
    CursorKind.CXX_CONST_CAST_EXPR,
)
_POINTERS = (TypeKind.POINTER, TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
_ARRAYS = (
    TypeKind.CONSTANTARRAY,
    TypeKind.VARIABLEARRAY,
    TypeKind.INCOMPLETEARRAY,
    TypeKind.DEPENDENTSIZEDARRAY,
)
UNKNOWN = "unknown"


def stripped(cursor: Cursor) -> Cursor:
    """The expression without casts and parentheses."""
    while cursor.kind in _TRANSPARENT:
        inner = [
            one
            for one in cursor.get_children()
            if one.kind not in (CursorKind.TYPE_REF, CursorKind.NAMESPACE_REF)
        ]
        if len(inner) != 1:
            return cursor
        cursor = inner[0]
    return cursor


def text_of(cursor: Cursor) -> str:
    """The source of an expression, by its tokens."""
    return "".join(token.spelling for token in cursor.get_tokens()) or cursor.spelling or "an expression"


def operator_of(cursor: Cursor) -> str:
    """The operator of a unary or binary expression; empty where a macro hides it."""
    tokens = list(cursor.get_tokens())
    children = list(cursor.get_children())
    if cursor.kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
        after, before = children[0].extent.end.offset, children[1].extent.start.offset
        between = [
            t.spelling for t in tokens if after <= t.extent.start.offset < before and t.spelling not in "()"
        ]
        return between[0] if len(between) == 1 else ""
    if cursor.kind == CursorKind.UNARY_OPERATOR and len(children) == 1 and tokens:
        if tokens[0].extent.end.offset <= children[0].extent.start.offset:
            return str(tokens[0].spelling)
        return str(tokens[-1].spelling) if tokens[-1].spelling in ("++", "--") else ""
    return ""


def walk(cursor: Cursor) -> Iterator[Cursor]:
    """The cursor and all below it."""
    yield cursor
    for one in cursor.get_children():
        yield from walk(one)


def unique(declaration: Cursor) -> str:
    """A name of a variable that no other has, which ends with what the source calls it."""
    return f"{declaration.location.offset}@{declaration.spelling}"


class Origins:
    """Where the pointers of one function come from."""

    def __init__(self, function: Cursor) -> None:
        self._given: dict[str, set[Origin]] = {}
        self._from: dict[str, set[str]] = {}
        self._declared: dict[str, Cursor] = {}
        self._addressed = set(_addressed(function))
        for cursor in walk(function):
            children = list(cursor.get_children())
            if cursor.kind == CursorKind.VAR_DECL and _is_pointer(cursor.type) and children:
                value = children[-1]
                if value.kind.is_expression():
                    self._assign(unique(cursor), value)
            elif (
                cursor.kind == CursorKind.BINARY_OPERATOR
                and len(children) == 2
                and operator_of(cursor) in ("=", "")
            ):
                target = stripped(children[0])
                if target.kind == CursorKind.DECL_REF_EXPR and _is_pointer(target.type):
                    self._assign(unique(target.referenced), children[1])
            elif cursor.kind == CursorKind.UNARY_OPERATOR and operator_of(cursor) in ("&", ""):
                self._escape(stripped(children[0]) if children else cursor)

    def of_variable(self, declaration: Cursor) -> frozenset[Origin]:
        """All that a variable points to; for one that is no pointer, itself."""
        return self._closure(declaration, set())

    def behind(self, expression: Cursor) -> Memory:
        """What is behind a pointer, or in an array."""
        return self._behind(stripped(expression))

    def _behind(self, cursor: Cursor) -> Memory:
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
            known = _is_pointer(cursor.referenced.type) or is_array(cursor.referenced.type)
            origins = self.of_variable(cursor.referenced) if known else frozenset({(UNKNOWN, "")})
            return Memory(cursor.spelling, unique(cursor.referenced), origins)
        if cursor.kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
            side = next((one for one in children if _is_address(one.type)), None)
            if side is not None:
                return _part(self._behind(stripped(side)))
        if cursor.kind == CursorKind.UNARY_OPERATOR and children and operator_of(cursor) in ("&", "++", "--"):
            inner = stripped(children[0])
            return self.named(inner) if operator_of(cursor) == "&" else _part(self._behind(inner))
        if cursor.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR and cursor.type.get_canonical().kind in _ARRAYS:
            return _part(self._behind(stripped(children[0])))
        if cursor.kind == CursorKind.MEMBER_REF_EXPR and cursor.type.get_canonical().kind in _ARRAYS:
            return _part(self.named(cursor))
        if cursor.kind == CursorKind.CALL_EXPR:
            if cursor.spelling in ELEMENTS and children and (holder := self.holder(cursor)) is not None:
                return holder
            if cursor.spelling in ALLOCATE:
                return Memory(text_of(cursor), "", frozenset({("allocated", str(cursor.location.offset))}))
        if cursor.kind == CursorKind.CXX_NEW_EXPR:
            return Memory(text_of(cursor), "", frozenset({("allocated", str(cursor.location.offset))}))
        if cursor.kind in (CursorKind.INTEGER_LITERAL, CursorKind.CXX_NULL_PTR_LITERAL_EXPR):
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
        by_value = one.referenced.type.get_canonical().kind not in _POINTERS
        known = one.referenced.kind == CursorKind.VAR_DECL and by_value
        origin = ("allocated", name) if known else ("parameter", name)
        return Memory(one.spelling, name, frozenset({origin}))

    def _assign(self, name: str, value: Cursor) -> None:
        inner = stripped(value)
        memory = self._value(inner)
        if memory is None:
            self._given.setdefault(name, set()).add((UNKNOWN, ""))
        elif isinstance(memory, str):
            self._from.setdefault(name, set()).add(memory)
        else:
            self._given.setdefault(name, set()).update(memory)

    def _value(self, cursor: Cursor) -> str | set[Origin] | None:
        """The variable whose value an expression has, or its origins; None: they are not known."""
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
            if cursor.referenced.type.get_canonical().kind in _ARRAYS:
                return {("array", unique(cursor.referenced))}
            if not _is_pointer(cursor.referenced.type):
                return None  # an integer that holds an address
            self._declared[unique(cursor.referenced)] = cursor.referenced
            return unique(cursor.referenced)
        if (
            cursor.kind == CursorKind.BINARY_OPERATOR
            and len(children) == 2
            and operator_of(cursor) in ("+", "-")
        ):
            side = next((one for one in children if _is_address(one.type)), None)
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
            _is_local(declaration) and kind not in (*_ARRAYS, TypeKind.RECORD) and name not in self._addressed
        )
        return ("own" if alone else "array", name)

    def _escape(self, cursor: Cursor) -> None:
        """The address of a pointer is taken: whoever has it may change the pointer."""
        if (
            cursor.kind == CursorKind.DECL_REF_EXPR
            and _is_pointer(cursor.type)
            and cursor.referenced is not None
        ):
            self._given.setdefault(unique(cursor.referenced), set()).add((UNKNOWN, ""))

    def _closure(self, declaration: Cursor, visited: set[str]) -> frozenset[Origin]:
        name = unique(declaration)
        if not _is_pointer(declaration.type):
            return frozenset({self._itself(declaration)})
        visited.add(name)
        found: set[Origin] = set(self._given.get(name, ()))
        if declaration.kind == CursorKind.PARM_DECL:
            alone = declaration.type.is_restrict_qualified()
            found.add(("allocated", name) if alone else ("parameter", name))
        elif declaration.semantic_parent is not None and not _is_local(declaration):
            found |= {("parameter", name), (UNKNOWN, "a global pointer")}
        for other in self._from.get(name, ()):
            if other not in visited:
                source = self._declared.get(other)
                found |= self._closure(source, visited) if source is not None else {(UNKNOWN, "")}
        return frozenset(found or {(UNKNOWN, "")})


def is_array(kind: Any) -> bool:
    """Whether a type is an array, and no pointer to one."""
    return kind.get_canonical().kind in _ARRAYS


def is_holder(cursor: Cursor) -> bool:
    """Whether an expression names a variable of a type of std with memory of its own."""
    inner = stripped(cursor)
    if inner.kind != CursorKind.DECL_REF_EXPR or inner.referenced is None:
        return False
    spelled = inner.referenced.type.get_canonical().spelling.removeprefix("const ")
    return spelled.startswith("std::") and any(name in spelled for name in HOLDERS)


def is_reference(declaration: Cursor) -> bool:
    """Whether a parameter is a reference of C++."""
    return declaration.type.get_canonical().kind in _POINTERS[1:]


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
    return Memory(memory.text, memory.variable, memory.origins, True)


def _is_pointer(kind: Any) -> bool:
    return kind.get_canonical().kind in _POINTERS


def _is_address(kind: Any) -> bool:
    return kind.get_canonical().kind in (TypeKind.POINTER, *_ARRAYS)


def _is_local(declaration: Cursor) -> bool:
    parent = declaration.semantic_parent
    return (
        parent.kind
        in (
            CursorKind.FUNCTION_DECL,
            CursorKind.CXX_METHOD,
            CursorKind.FUNCTION_TEMPLATE,
            CursorKind.CONSTRUCTOR,
        )
        and declaration.storage_class != StorageClass.STATIC
    )
