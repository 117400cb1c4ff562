# SPDX-License-Identifier: BSD-3-Clause
"""What the cursors of libclang's syntax tree are: expressions without casts, operators, kinds of types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clang.cindex import CursorKind, StorageClass, TypeKind

from stretto.patch.known_calls import HOLDERS

Cursor = Any  # libclang has no types

_TRANSPARENT = (
    CursorKind.UNEXPOSED_EXPR,
    CursorKind.PAREN_EXPR,
    CursorKind.CSTYLE_CAST_EXPR,
    CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CXX_REINTERPRET_CAST_EXPR,
    CursorKind.CXX_CONST_CAST_EXPR,
)
POINTERS = (TypeKind.POINTER, TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
ARRAYS = (
    TypeKind.CONSTANTARRAY,
    TypeKind.VARIABLEARRAY,
    TypeKind.INCOMPLETEARRAY,
    TypeKind.DEPENDENTSIZEDARRAY,
)


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


def is_array(kind: Any) -> bool:
    """Whether a type is an array, and no pointer to one."""
    return kind.get_canonical().kind in ARRAYS


def is_holder(cursor: Cursor) -> bool:
    """Whether an expression names a variable of a type of std with memory of its own."""
    inner = stripped(cursor)
    if inner.kind != CursorKind.DECL_REF_EXPR or inner.referenced is None:
        return False
    spelled = inner.referenced.type.get_canonical().spelling.removeprefix("const ")
    return spelled.startswith("std::") and any(name in spelled for name in HOLDERS)


def is_reference(declaration: Cursor) -> bool:
    """Whether a parameter is a reference of C++."""
    return declaration.type.get_canonical().kind in POINTERS[1:]


def is_pointer(kind: Any) -> bool:
    return kind.get_canonical().kind in POINTERS


def is_address(kind: Any) -> bool:
    return kind.get_canonical().kind in (TypeKind.POINTER, *ARRAYS)


def is_local(declaration: Cursor) -> bool:
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
