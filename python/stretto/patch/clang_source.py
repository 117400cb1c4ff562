# SPDX-License-Identifier: BSD-3-Clause
"""A source in C or C++, parsed by libclang: the block in which a call of MPI is a statement."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from clang.cindex import (
    CursorKind,
    Diagnostic,
    Index,
    LibclangError,
    StorageClass,
    TranslationUnit,
    TranslationUnitLoadError,
)

from stretto.errors import UserError
from stretto.patch.clang_cursors import Cursor, stripped, unique, walk
from stretto.patch.clang_effects import EffectsOf, is_message_call
from stretto.patch.clang_functions import Functions
from stretto.patch.conditionals import directives_of
from stretto.patch.messages import MESSAGES, Message
from stretto.patch.sources import C_SUFFIXES
from stretto.patch.statements import Block, Buffer, Effects, Hurdle, Memory, Statement

_OWN = (StorageClass.NONE, StorageClass.AUTO, StorageClass.REGISTER)
"""Storage of variables that only their function names."""
_FUNCTIONS = (
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.FUNCTION_TEMPLATE,
)


class ParsedSource:
    """The syntax tree of a source. Raises UserError where it has errors, or libclang cannot be loaded."""

    def __init__(self, path: Path, text: bytes, options: Sequence[str]) -> None:
        language = "c" if path.suffix in C_SUFFIXES else "c++"
        self.path, self._name = path, str(path)
        self._lines = text.split(b"\n")  # as a diff and the compiler count them
        try:
            self._unit = Index.create().parse(
                str(path),
                args=["-x", language, *options],
                options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
            )
        except (LibclangError, TranslationUnitLoadError) as error:
            raise UserError(f"{path}: libclang cannot read it ({str(error).splitlines()[0]})") from None
        for one in self._unit.diagnostics:
            if one.severity >= Diagnostic.Error:
                where = f"{path}:{one.location.line}: {one.spelling}"
                raise UserError(f"{where}; give the options that it is compiled with in CPPFLAGS")
        # Most of what stands at the top are macros of headers: their place would cost more than the parser.
        top = [one for one in self._unit.cursor.get_children() if one.kind != CursorKind.MACRO_DEFINITION]
        top = [one for one in top if not one.location.is_in_system_header]
        own = [one for one in top if self._is_here(one)]
        self._macros = [one.extent for one in own if one.kind == CursorKind.MACRO_INSTANTIATION]
        self._functions = [
            one for each in own for one in walk(each) if one.kind in _FUNCTIONS and one.is_definition()
        ]
        # What an included file of the program defines is compiled with this source, too.
        included = [one for one in top if not self._is_here(one) and one.kind in _FUNCTIONS]
        bodies = [*self._functions, *(one for one in included if one.is_definition())]
        self._known = Functions({one.get_usr(): one for one in bodies})
        self._directives = directives_of(self._lines)

    def block_of(self, line: int) -> Block | str:
        """The block of the call of MPI at a line; or why there is none: one line, for people."""
        function = next((one for one in self._functions if _lines(one)[0] <= line <= _lines(one)[1]), None)
        if function is None:
            return "is in no function of this source"
        calls = [
            one for one in walk(function) if is_message_call(one) and _lines(one)[0] <= line <= _lines(one)[1]
        ]
        if not calls:
            return "no call of MPI stands in this line of the source: a macro or another source holds it"
        if len(calls) > 1:
            return "several calls of MPI share the line"
        if self._in_macro(calls[0]):
            return "a macro holds the statement"
        for one in walk(function):
            if one.kind == CursorKind.COMPOUND_STMT:
                for child in one.get_children():
                    if stripped(child) == calls[0]:
                        return self._block(function, one)
        return "its value is used, or it is the only statement of an if or of a loop"

    def _is_here(self, cursor: Cursor) -> bool:
        file = cursor.location.file
        return file is not None and file.name == self._name

    def _in_macro(self, call: Cursor) -> bool:
        begin = call.extent.start.offset
        return any(one.start.offset <= begin < one.end.offset for one in self._macros)

    def _block(self, function: Cursor, compound: Cursor) -> Block:
        effects = EffectsOf(function, self._known)
        starts = list(self._starts(function, effects))
        statements = []
        for child in compound.get_children():
            first, last = _lines(child)
            if not self._is_here(child):
                hurdle = Hurdle(compound.extent.start.line, "this block includes statements of another file")
                statements.append(Statement(0, 0, Effects(hurdles=(hurdle,)), begins_line=False))
                continue
            does = effects.statement(child)
            made = Statement(first, last, does, begins_line=self._begins_line(child))
            call = stripped(child)
            if is_message_call(call) and (message := MESSAGES.get(call.spelling)) is not None:
                made = self._message(made, call, message, effects, starts, function)
                unfit = "a macro holds the statement" if self._in_macro(call) else made.unfit
                made = replace(made, unfit=unfit or self._shares_lines(child))
            statements.append(made)
        end = compound.extent.end
        line = self._lines[end.line - 1] if end.line <= len(self._lines) else b""
        return Block(
            function.spelling,
            tuple(statements),
            compound.extent.start.line,
            end.line,
            not line[: end.column - 2].strip(),
            self._directives,
        )

    def _shares_lines(self, cursor: Cursor) -> str:
        """Whether other code stands in the lines of a statement; comments may."""
        end = cursor.extent.end
        after = self._lines[end.line - 1][end.column - 1 :].strip()
        rest = after.removeprefix(b";").strip()
        comment = (
            not rest
            or rest.startswith(b"//")
            or (rest.startswith(b"/*") and rest.find(b"*/") == len(rest) - 2)
        )
        if not self._begins_line(cursor) or not after.startswith(b";") or not comment:
            return "other code stands in the same line"
        return ""

    def _begins_line(self, cursor: Cursor) -> bool:
        start = cursor.extent.start
        goes_on = start.line > 1 and self._lines[start.line - 2].rstrip().endswith(b"\\")
        return not goes_on and not self._lines[start.line - 1][: start.column - 1].strip()

    def _message(
        self,
        made: Statement,
        call: Cursor,
        message: Message,
        effects: EffectsOf,
        starts: Sequence[tuple[Memory, Buffer]],
        function: Cursor,
    ) -> Statement:
        arguments = list(call.get_arguments())
        used = [_variable(one, effects) for one in arguments]
        requests = [used[index] for index in message.written if index < len(used)]
        known = tuple(one for one in requests if one is not None)
        buffers: tuple[Buffer, ...] = ()
        unfit = ""
        if message.role == "start":
            buffers = (Buffer(effects.origins.behind(arguments[message.buffer]), message.is_sent),)
        elif requests[0] is not None:
            name = requests[0].variable
            buffers = tuple(buffer for request, buffer in starts if request.variable == name)
            if not buffers or not self._only_in_calls(function, name):
                unfit = f"which messages {requests[0].text} stands for is not known in this function"
        if any(not buffer.memory.origins for buffer in buffers):
            unfit = unfit or "its buffer is no memory that has a name, as MPI_BOTTOM"
        if None in requests[:1]:
            unfit = unfit or "its request is no variable of the function"
        return replace(
            made,
            role=message.role,
            call=str(call.spelling),
            uses=tuple(access.memory for one in arguments for access in effects.statement(one).accesses),
            requests=known,
            buffers=buffers,
            unfit=unfit,
        )

    def _starts(self, function: Cursor, effects: EffectsOf) -> Iterator[tuple[Memory, Buffer]]:
        """The messages that a function starts, each with its request."""
        for one in walk(function):
            message = MESSAGES.get(one.spelling) if is_message_call(one) else None
            if message is None or message.role != "start" or not message.written:
                continue
            arguments = list(one.get_arguments())
            if len(arguments) <= max(message.written):
                continue
            request = _variable(arguments[message.written[0]], effects)
            if request is not None:
                yield request, Buffer(effects.origins.behind(arguments[message.buffer]), message.is_sent)

    def _only_in_calls(self, function: Cursor, name: str) -> bool:
        """Whether a request is used by calls of MPI of this function alone, which are all known."""
        inside: set[int] = set()
        for one in walk(function):
            if is_message_call(one) and one.spelling in MESSAGES:
                inside |= {below.location.offset for below in walk(one)}
        uses = [
            one.location.offset
            for one in walk(function)
            if one.kind == CursorKind.DECL_REF_EXPR and one.referenced is not None
            and unique(one.referenced) == name
        ]  # fmt: skip
        local = any(
            one.kind == CursorKind.VAR_DECL and unique(one) == name and one.storage_class in _OWN
            for one in walk(function)
        )
        return local and all(offset in inside for offset in uses)


def _variable(argument: Cursor, effects: EffectsOf) -> Memory | None:
    """The variable that an argument is, or whose address it is."""
    memory = effects.origins.named(stripped(argument))
    inner = stripped(argument)
    if inner.kind == CursorKind.UNARY_OPERATOR or inner.kind == CursorKind.BINARY_OPERATOR:
        memory = effects.origins.behind(inner)
    return memory if memory.variable else None


def _lines(cursor: Cursor) -> tuple[int, int]:
    return cursor.extent.start.line, cursor.extent.end.line


def parse_options(compiler: str, source: Path, more: Sequence[str]) -> list[str]:
    """The options for libclang: the include paths of an MPI's compiler wrapper, and of its compiler.

    Args:
        compiler: The wrapper, such as mpicc.
        source: The file that is parsed.
        more: Further options, which stand first.

    Raises:
        UserError: there is no such compiler.
    """
    if shutil.which(compiler) is None:
        raise UserError(f"{compiler}: no such compiler; its include paths are needed to read {source.name}")
    shown: list[str] = []
    for question in ("-show", "--showme"):  # of MPICH, of Open MPI
        done = subprocess.run([compiler, question, "-c", "x.c"], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip():
            shown = shlex.split(done.stdout)
            break
    paths = [word for word in shown if word.startswith(("-I", "-D", "-isystem"))]
    own = []
    if shown and shutil.which(shown[0]):
        asked = subprocess.run(
            [shown[0], "-print-file-name=include"], capture_output=True, text=True, check=False
        )
        if Path(asked.stdout.strip()).is_dir():
            own = ["-isystem", asked.stdout.strip()]
    return [*more, f"-I{source.parent}", *paths, *own]
