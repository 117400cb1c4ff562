# SPDX-License-Identifier: BSD-3-Clause
"""The functions whose bodies are known: those that allocate what they return, and exchanges of pointers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clang.cindex import CursorKind

from stretto.patch.clang_cursors import Cursor, is_pointer, operator_of, stripped, walk
from stretto.patch.clang_memory import Origins
from stretto.patch.clang_swaps import swapped_parameters
from stretto.patch.known_calls import ALLOCATE, ALLOCATE_BEHIND
from stretto.patch.statements import is_fresh


class Functions:
    """Functions of a source, and of the files of the program that it includes."""

    def __init__(self, bodies: Mapping[str, Cursor]) -> None:
        """`bodies`: their definitions, by their USR."""
        self._bodies = bodies
        self._allocates: dict[str, bool] = {}

    def body_of(self, call: Cursor) -> Cursor | None:
        """What a call carries out; None: not known, as where the type of the object decides at run time."""
        called = call.referenced
        if called is None or (called.kind == CursorKind.CXX_METHOD and called.is_virtual_method()):
            return None
        return self._bodies.get(called.get_usr())

    def allocates(self, call: Cursor) -> bool:
        """Whether nothing but the value of a call points to the memory to which it points."""
        body = self.body_of(call)
        if body is None:
            return call.spelling in ALLOCATE and self.is_of_library(call)
        name = body.get_usr()
        if name not in self._allocates:
            self._allocates[name] = False  # of a function that calls itself
            self._allocates[name] = self._returns_fresh(body)
        return self._allocates[name]

    def resizes(self, call: Cursor) -> bool:
        """Whether a call is realloc, whose value may be its first argument."""
        return call.spelling == "realloc" and self.is_of_library(call)

    def fills(self, call: Cursor) -> Cursor | None:
        """The argument that points to a pointer to which a call assigns memory that it allocates."""
        index, arguments = ALLOCATE_BEHIND.get(call.spelling), list(call.get_arguments())
        known = index is not None and index < len(arguments) and self.is_of_library(call)
        return stripped(arguments[index]) if known and index is not None else None

    def swaps(self, call: Cursor) -> Sequence[Cursor]:
        """The two variables whose values a call exchanges; empty: it does something else."""
        body, arguments = self.body_of(call), list(call.get_arguments())
        known: tuple[int, int, bool] | None = None
        if body is not None:
            known = swapped_parameters(body)
        elif call.spelling == "swap" and call.referenced is not None and len(arguments) == 2:
            parent = call.referenced.semantic_parent
            known = (
                (0, 1, False) if parent.kind == CursorKind.NAMESPACE and parent.spelling == "std" else None
            )
        if known is None or max(known[:2]) >= len(arguments):
            return ()
        named = [_pointer_at(arguments[index], known[2]) for index in known[:2]]
        found = [one for one in named if one is not None]
        return found if len(found) == 2 else ()

    def is_of_library(self, call: Cursor) -> bool:
        """Whether a call is of a function of the system or of MPI, and of no method with its name."""
        called = call.referenced
        if called is None or called.kind != CursorKind.FUNCTION_DECL or called.get_usr() in self._bodies:
            return False
        return bool(called.location.is_in_system_header) or str(called.spelling).startswith("MPI_")

    def _returns_fresh(self, body: Cursor) -> bool:
        origins, below = Origins(body, self), list(walk(body))
        if any(one.kind == CursorKind.LAMBDA_EXPR for one in below):
            return False  # its returns are others
        values = [next(iter(one.get_children()), None) for one in below if one.kind == CursorKind.RETURN_STMT]
        found = [origins.behind(one).origins if one is not None else None for one in values]
        known = [one for one in found if one is not None]
        return len(known) == len(found) and any(known) and all(map(is_fresh, frozenset().union(*known)))


def _pointer_at(argument: Cursor, is_address: bool) -> Cursor | None:
    """The pointer whose address an argument is, or to which it is a reference."""
    one = stripped(argument)
    if is_address:
        if one.kind != CursorKind.UNARY_OPERATOR or operator_of(one) != "&":
            return None
        one = stripped(next(iter(one.get_children())))
    known = one.kind == CursorKind.DECL_REF_EXPR and one.referenced is not None and is_pointer(one.type)
    return one.referenced if known else None
