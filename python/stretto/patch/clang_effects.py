# SPDX-License-Identifier: BSD-3-Clause
"""What a statement does, by libclang's syntax tree: its loads and stores, and what nothing moves across.

A function whose body is in the same source, or in a file of the program that it includes, does what its
body does. Any other function has to be a known one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from clang.cindex import CursorKind

from stretto.patch.clang_cursors import (
    Cursor,
    is_array,
    is_holder,
    is_reference,
    operator_of,
    stripped,
    text_of,
    unique,
    walk,
)
from stretto.patch.clang_functions import Functions
from stretto.patch.clang_memory import Origins
from stretto.patch.known_calls import ELEMENTS, PURE, TOUCHES
from stretto.patch.statements import Access, Effects, Hurdle, Memory

_LOOPS = (CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT, CursorKind.CXX_FOR_RANGE_STMT)
_LEAVES = {
    CursorKind.RETURN_STMT: "returns",
    CursorKind.GOTO_STMT: "jumps",
    CursorKind.INDIRECT_GOTO_STMT: "jumps",
    CursorKind.LABEL_STMT: "a label, to which the program may jump",
    CursorKind.CASE_STMT: "a case of a switch",
    CursorKind.DEFAULT_STMT: "a case of a switch",
    CursorKind.ASM_STMT: "assembler, whose effect is not known",
    CursorKind.CXX_THROW_EXPR: "throws an exception",
    CursorKind.CXX_TRY_STMT: "catches exceptions",
    CursorKind.LAMBDA_EXPR: "a function object, whose effect is not known",
}
_NAMES_MEMORY = (
    CursorKind.ARRAY_SUBSCRIPT_EXPR,
    CursorKind.DECL_REF_EXPR,
    CursorKind.MEMBER_REF_EXPR,
    CursorKind.UNARY_OPERATOR,
    CursorKind.VAR_DECL,
)
_JUMPS = (CursorKind.CONTINUE_STMT, CursorKind.BREAK_STMT, CursorKind.GOTO_STMT)
_ASSIGNS = (CursorKind.COMPOUND_ASSIGNMENT_OPERATOR,)
_MAX_DEPTH = 8
"""Calls of functions of the source are followed so deep."""


class EffectsOf:
    """The effects of statements of one function."""

    def __init__(self, function: Cursor, functions: Functions, depth: int = 0) -> None:
        self.origins = Origins(function, functions)
        self._functions = functions
        self._depth = depth

    def statement(self, cursor: Cursor) -> Effects:
        """What one statement does."""
        accesses: list[Access] = []
        hurdles: list[Hurdle] = []
        calls: set[str] = set()
        self._visit(cursor, accesses, hurdles, calls, frozenset(), guarded=_leaves_early(cursor))
        declares = {unique(one) for one in walk(cursor) if one.kind == CursorKind.VAR_DECL}
        hurdles.sort(key=lambda one: one.line)
        takes_time = any(one.kind in _LOOPS or one.kind == CursorKind.CALL_EXPR for one in walk(cursor))
        return Effects(tuple(accesses), tuple(hurdles), frozenset(declares), frozenset(calls), takes_time)

    def _visit(
        self,
        cursor: Cursor,
        accesses: list[Access],
        hurdles: list[Hurdle],
        calls: set[str],
        inside: frozenset[str],
        condition: bool = False,
        guarded: bool = False,
    ) -> None:
        """Adds what a cursor does. `inside`: `break` and `continue` of these stay within the statement.
        `guarded`: whether a branch decides if it is carried out.
        """
        kind, line = cursor.kind, cursor.location.line
        children = list(cursor.get_children())

        def visit(
            one: Cursor, within: frozenset[str] = inside, decides: bool = condition, branch: bool = False
        ) -> None:
            self._visit(one, accesses, hurdles, calls, within, decides, guarded or branch)

        def access(memory: Memory, stores: bool) -> None:
            accesses.append(Access(memory, stores, line, condition, guarded))

        for one in (cursor, *map(stripped, children)):  # the target of an assignment is not visited itself
            if watched := _watched(one):
                hurdles.append(Hurdle(line, watched))
        if kind in _LEAVES and not (
            kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT) and "break" in inside
        ):
            hurdles.append(Hurdle(line, _LEAVES[kind]))
        if kind == CursorKind.BREAK_STMT and "break" not in inside:
            hurdles.append(Hurdle(line, "leaves the block by break"))
        elif kind == CursorKind.CONTINUE_STMT and "continue" not in inside:
            hurdles.append(Hurdle(line, "leaves the block by continue"))
        elif kind in _LOOPS:
            body = children[0] if kind == CursorKind.DO_STMT else children[-1]
            for one in children:
                visit(one, inside | {"break", "continue"}, condition or one != body)
        elif kind == CursorKind.SWITCH_STMT:
            for index, one in enumerate(children):
                visit(one, inside | {"break"}, condition or index == 0, index > 0)
        elif kind in (CursorKind.IF_STMT, CursorKind.CONDITIONAL_OPERATOR):
            for index, one in enumerate(children):
                visit(one, inside, condition or index == 0, index > 0)
        elif kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
            sign = operator_of(cursor)
            if sign in ("=", ""):  # one that a macro hides may assign
                self._target(children[0], access, visit)
                if sign == "":
                    visit(children[0])
            else:
                visit(children[0])
            visit(children[1], branch=sign in ("&&", "||", ""))
        elif kind in _ASSIGNS and len(children) == 2:
            self._target(children[0], access, visit)
            visit(children[0])
            visit(children[1])
        elif kind == CursorKind.UNARY_OPERATOR and children:
            sign = operator_of(cursor)
            if sign == "&":
                self._address(stripped(children[0]), visit)
                return
            if sign in ("++", "--", ""):
                self._target(children[0], access, visit)
            if sign in ("*", ""):
                access(self.origins.behind(children[0]), False)
            visit(children[0])
        elif kind == CursorKind.CXX_UNARY_EXPR:
            pass  # sizeof and its like load nothing
        elif kind == CursorKind.ARRAY_SUBSCRIPT_EXPR or kind == CursorKind.MEMBER_REF_EXPR:
            access(self.origins.named(cursor), False)
            for one in children:
                visit(one)
        elif kind == CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
            is_variable = cursor.referenced.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL)
            if is_variable and (holder := self.origins.holder(cursor)) is not None:
                access(holder, True)  # as a whole: what is done with it is not known here
            elif is_variable and not is_array(cursor.type):  # an array's name is an address
                access(self.origins.named(cursor), False)
        elif kind == CursorKind.CALL_EXPR:
            self._call(cursor, accesses, hurdles, calls, guarded)
            of_holder = cursor.spelling in ELEMENTS and self.origins.holder(cursor) is not None
            for one in cursor.get_arguments() if of_holder else children:
                if not of_holder or not is_holder(one):
                    visit(one)
        elif kind == CursorKind.VAR_DECL:
            for one in children:
                visit(one)
        else:
            if kind.name.startswith("OMP_"):
                hurdles.append(Hurdle(line, "a directive of OpenMP"))
            for one in children:
                visit(one)

    def _target(
        self, cursor: Cursor, access: Callable[[Memory, bool], None], visit: Callable[[Cursor], None]
    ) -> None:
        """What an assignment stores to, and what it loads to know where."""
        target = stripped(cursor)
        access(self.origins.named(target), True)
        if target.kind in (
            CursorKind.ARRAY_SUBSCRIPT_EXPR,
            CursorKind.MEMBER_REF_EXPR,
            CursorKind.UNARY_OPERATOR,
        ):
            for one in target.get_children():
                inner = stripped(one)
                if inner.kind != CursorKind.MEMBER_REF_EXPR or target.kind != CursorKind.MEMBER_REF_EXPR:
                    visit(one)
        elif target.kind != CursorKind.DECL_REF_EXPR:
            visit(target)

    def _address(self, cursor: Cursor, visit: Callable[[Cursor], None]) -> None:
        """What the address of something depends on: not on its value."""
        if cursor.kind != CursorKind.DECL_REF_EXPR:
            for one in cursor.get_children():
                visit(one)

    def _call(
        self, cursor: Cursor, accesses: list[Access], hurdles: list[Hurdle], calls: set[str], guarded: bool
    ) -> None:
        line, name = cursor.location.line, cursor.spelling
        body = self._functions.body_of(cursor)
        arguments = list(cursor.get_arguments())
        if name.upper().startswith(("MPI_", "PMPI_")):
            hurdles.append(Hurdle(line, f"another call of MPI, {name}"))
        elif name in TOUCHES and self._functions.is_of_library(cursor):
            loads, stores = TOUCHES[name]
            for index, one in enumerate(arguments):
                if index in loads | stores:
                    accesses.append(
                        Access(self.origins.behind(one), index in stores, line, may_be_unseen=True)
                    )
        elif name in ELEMENTS and (holder := self.origins.holder(cursor)) is not None:
            accesses.append(Access(replace(holder, part=True), False, line, may_be_unseen=guarded))
        elif body is not None and self._depth < _MAX_DEPTH:
            calls.add(name)
            self._called(body, arguments, line, accesses, hurdles, calls, guarded)
        elif self._functions.allocates(cursor) or (name in PURE and self._functions.is_of_library(cursor)):
            return
        else:
            hurdles.append(Hurdle(line, f"calls {name or text_of(cursor)}, whose effect is not known"))

    def _called(
        self,
        body: Cursor,
        arguments: Sequence[Cursor],
        line: int,
        accesses: list[Access],
        hurdles: list[Hurdle],
        calls: set[str],
        guarded: bool,
    ) -> None:
        """Adds what a function of the source does, as the caller sees it."""
        inner = EffectsOf(body, self._functions, self._depth + 1)
        block = next((one for one in body.get_children() if one.kind == CursorKind.COMPOUND_STMT), None)
        parameters = [one for one in body.get_children() if one.kind == CursorKind.PARM_DECL]
        if block is None:
            return
        found = inner.statement(block)
        for hurdle in found.hurdles:
            if hurdle.text != "returns":
                hurdles.append(Hurdle(line, f"calls {body.spelling}: {hurdle.text}"))
        calls |= found.calls
        given = {unique(one): self._given(one, argument) for one, argument in zip(parameters, arguments)}
        names = {*found.declares, *(unique(one) for one in parameters)}
        local = {(kind, name) for name in names for kind in ("own", "array")}
        for one in found.accesses:
            for memory in self._seen_outside(one.memory, given, local, body.spelling):
                accesses.append(
                    Access(memory, one.stores, line, one.in_condition, guarded or one.may_be_unseen)
                )

    def _given(self, parameter: Cursor, argument: Cursor) -> Memory:
        """What a pointer or reference of a called function leads to."""
        if (holder := self.origins.holder(argument)) is not None:
            return holder
        return self.origins.named(argument) if is_reference(parameter) else self.origins.behind(argument)

    def _seen_outside(
        self, memory: Memory, given: Mapping[str, Memory], local: set[tuple[str, str]], function: str
    ) -> Iterator[Memory]:
        """What a memory of a called function is to its caller; nothing for the function's own variables."""
        others = set()
        for origin in memory.origins:
            kind, name = origin
            if origin in local or (kind == "allocated" and name not in given):
                continue
            if name in given and kind in ("parameter", "allocated"):
                yield replace(given[name], part=True)
            else:
                others.add(origin)
        if others:
            yield Memory(f"{memory.text} of {function}", memory.variable, frozenset(others), True)


def _leaves_early(cursor: Cursor) -> bool:
    """Whether a part of a statement, or of a function's body, may be left out by a jump."""
    inside = list(cursor.get_children())
    last = inside[-1] if cursor.kind == CursorKind.COMPOUND_STMT and inside else None
    return any(
        one.kind in _JUMPS or (one.kind == CursorKind.RETURN_STMT and (last is None or one != last))
        for one in walk(cursor)
    )


def _watched(cursor: Cursor) -> str:
    """Why an expression or a declaration keeps its place, as others may watch what it does; empty: nobody."""
    if cursor.kind == CursorKind.UNEXPOSED_EXPR and len(list(cursor.get_children())) > 1:
        return "an expression whose effect is not known"  # as the compilers' atomic functions
    if cursor.kind not in _NAMES_MEMORY:
        return ""
    spelling = cursor.type.get_canonical().spelling
    does = "declares" if cursor.kind == CursorKind.VAR_DECL else "uses"
    for word, what in (("volatile", "volatile"), ("_Atomic", "atomic"), ("std::atomic", "atomic")):
        if word in spelling:
            return f"{does} {cursor.spelling or 'memory'}, which is {what}"
    return ""


def is_message_call(cursor: Cursor) -> bool:
    """Whether an expression is a call of MPI."""
    return cursor.kind == CursorKind.CALL_EXPR and str(cursor.spelling).upper().startswith("MPI_")
