# SPDX-License-Identifier: BSD-3-Clause
"""The command line of an MPI program: its launcher, and where each program begins and ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stretto.errors import UserError
from stretto.launch.command_options import UnknownWord, behind_options, behind_wrappers
from stretto.launch.launcher_options import launcher_options
from stretto.launch.mpi import MpiLibrary
from stretto.options.launchers import LAUNCHERS, is_launcher, launcher_name

_BETWEEN_PROGRAMS = ":"
_WITH_SUBCOMMAND = ("flux",)
_ASK = "name the program with --program"


@dataclass(frozen=True)
class Program:
    """The words of a program: wrappers from `begin` on, the program itself, its arguments up to `end`."""

    begin: int
    program: int
    end: int


@dataclass(frozen=True)
class CommandLine:
    """A command line that is understood, or of which the program is not known.

    Attributes:
        words: All words, unchanged.
        launcher: The index of the launcher; None: the command starts no ranks that are known.
        sections: Begin and end of the launcher's options and program, one for each program.
        programs: One for each section; none where a word is not understood.
        unknown: The word that is not understood, and why; empty: all are.
    """

    words: tuple[str, ...]
    launcher: int | None
    sections: tuple[tuple[int, int], ...]
    programs: tuple[Program, ...]
    unknown: str = ""

    @property
    def is_by_mpi(self) -> bool:
        """Whether an MPI's own launcher starts the ranks."""
        return self.launcher is not None and launcher_name(self.words[self.launcher]) in LAUNCHERS

    def checked(self) -> CommandLine:
        """Itself. Raises UserError where its program is not known."""
        if self.unknown:
            raise UserError(f"{self.unknown}; {_ASK}")
        return self

    def replaced(self, program: Sequence[str]) -> tuple[str, ...]:
        """The words with another program and its arguments in each program's place; wrappers stay.

        Raises:
            UserError: the program is not known.
        """
        words = list(self.words)
        for one in reversed(self.checked().programs):
            words[one.program : one.end] = program
        return tuple(words)

    def inserted(self, options: Sequence[str], each: bool = False) -> tuple[str, ...]:
        """The words with more options of the launcher: of the first program, or of each of them."""
        words = list(self.words)
        for begin, _ in reversed(self.sections if each else self.sections[:1]):
            words[begin:begin] = options
        return tuple(words)


def find_launcher(words: Sequence[str]) -> int | None:
    """The index of the launcher, which may stand behind wrappers; None where there is none."""
    try:
        index = behind_wrappers(words, 0, len(words))
    except UnknownWord:
        return None
    return index if index < len(words) and is_launcher(words[index]) else None


def read_command(words: Sequence[str], mpi: MpiLibrary | None, program: str | None = None) -> CommandLine:
    """Reads a command line.

    Args:
        words: The command line.
        mpi: The MPI of its launcher; None: not known.
        program: The word that is the program, where the user has named it.

    Raises:
        UserError: `program` is not among the words.
    """
    launcher = find_launcher(words)
    sections = tuple(_sections(words, launcher))
    found: list[Program] = []
    unknown = ""
    for begin, end in sections:
        try:
            found.append(_program(words, launcher, begin, end, mpi))
        except UnknownWord as error:
            unknown = unknown or _shown(error, words, launcher)
    if program is not None:
        found = list(_named(words, sections, program, found))
        unknown = unknown if len(found) < len(sections) else ""
    return CommandLine(tuple(words), launcher, sections, () if unknown else tuple(found), unknown)


def _sections(words: Sequence[str], launcher: int | None) -> Iterator[tuple[int, int]]:
    if launcher is None:
        yield 0, len(words)
        return
    begin = launcher + 1 + (launcher_name(words[launcher]) in _WITH_SUBCOMMAND)
    for index in range(begin, len(words)):
        if words[index] == _BETWEEN_PROGRAMS:
            yield begin, index
            begin = index + 1
    yield begin, len(words)


def _program(
    words: Sequence[str], launcher: int | None, begin: int, end: int, mpi: MpiLibrary | None
) -> Program:
    first = begin
    if launcher is not None:
        options = launcher_options(launcher_name(words[launcher]), mpi)
        if options is None:
            raise UnknownWord(words[launcher], "its options are not known here")
        first = behind_options(words, begin, end, options)
    program = behind_wrappers(words, first, end)
    if program >= end:
        raise UnknownWord(words[end - 1], "no program follows it")
    return Program(first, program, end)


def _named(
    words: Sequence[str], sections: Sequence[tuple[int, int]], program: str, found: Sequence[Program]
) -> Iterator[Program]:
    """The programs, with those of this name where the user says that they begin."""
    named = 0
    for begin, end in sections:
        known = next((one for one in found if begin <= one.begin < end), None)
        if program in words[begin:end]:
            named += 1
            index = words.index(program, begin, end)
            yield Program(min(known.begin, index) if known else index, index, end)
        elif known is not None:
            yield known
    if not named:
        raise UserError(f"--program {program}: is no word of the command behind --")


def _shown(error: UnknownWord, words: Sequence[str], launcher: int | None) -> str:
    if launcher is None or error.word == words[launcher]:
        return str(error)
    return f"{launcher_name(words[launcher])} ... {error}"
