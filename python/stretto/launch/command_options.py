# SPDX-License-Identifier: BSD-3-Clause
"""The options of a command that starts another one, and the wrappers of programs that are known."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

NOTHING: frozenset[str] = frozenset()
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_NUMBER = re.compile(r"-\d+")


@dataclass(frozen=True)
class CommandOptions:
    """The options of a command, without dashes, by their number of arguments.

    Attributes:
        none: Options without an argument, or whose optional argument is in the same word.
        one: Options with one argument.
        two: Options with two.
        pairs: Of `two`, those whose name and value may be one word, `A=1`.
        file: Options with one argument: a file that names the programs.
        attached: Whether an argument may follow a short option in its word, `-n2`, flags be joined, and long
            options be abbreviated.
        equals: Whether `--option=argument` is one word.
        operands: The number of words between the options and the command.
        assignments: Whether `NAME=VALUE` may stand before the command.
        numeric: Whether `-10` is an option.
    """

    none: frozenset[str] = NOTHING
    one: frozenset[str] = NOTHING
    two: frozenset[str] = NOTHING
    pairs: frozenset[str] = NOTHING
    file: frozenset[str] = NOTHING
    attached: bool = False
    equals: bool = True
    operands: int = 0
    assignments: bool = False
    numeric: bool = False

    def arguments(self, words: Sequence[str]) -> int | None:
        """The number of words that are arguments of the option `words[0]`; None where it is unknown."""
        name, equals, value = words[0].lstrip("-").partition("=")
        if equals and self.equals:
            if name not in self.two or (name in self.pairs and "=" in value):
                return 0
            return 1
        if self.numeric and _NUMBER.fullmatch(words[0]):
            return 0
        count = self._count(words[0].lstrip("-"))
        if count == 2 and name in self.pairs and "=" in words[1]:
            return 1
        if count is None and self.attached:
            return self._abbreviated(name) if words[0].startswith("--") else self._joined(words[0][1:])
        return count

    def _count(self, name: str) -> int | None:
        for count, known in enumerate((self.none, self.one, self.two)):
            if name in known:
                return count
        return None

    def _joined(self, letters: str) -> int | None:
        """Of short options in one word: only the last may have its argument in the next one."""
        for place, letter in enumerate(letters, start=1):
            if place > 1 and not letter.isalpha():  # an optional argument of the flag before it
                return 0
            count = self._count(letter)
            if count != 0:
                return None if count is None else count if place == len(letters) else 0
        return 0

    def _abbreviated(self, name: str) -> int | None:
        counts = {self._count(known) for known in self.none | self.one if known.startswith(name)}
        return counts.pop() if len(counts) == 1 else None


class UnknownWord(Exception):
    """A word of a command line that is not understood; `word` and why."""

    def __init__(self, word: str, reason: str) -> None:
        super().__init__(f"{word}: {reason}")
        self.word = word


def behind_options(words: Sequence[str], begin: int, end: int, options: CommandOptions) -> int:
    """The index of the first word from `begin` on that belongs to the command that is started.

    Raises:
        UnknownWord: an option is unknown, or a file names the programs.
    """
    index = begin
    while index < end:
        word = words[index]
        if word == "--":
            index += 1
            break
        if word.startswith("-") and word != "-":
            if word.lstrip("-").partition("=")[0] in options.file:
                raise UnknownWord(word, "its file names the programs, which is not read")
            count = options.arguments((*words[index:end], ""))
            if count is None:
                raise UnknownWord(word, "is no option that is known here")
            index += 1 + count
        else:
            break
    while options.assignments and index < end and _ASSIGNMENT.fullmatch(words[index]):
        index += 1
    return index + options.operands


def names(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


WRAPPERS: Mapping[str, CommandOptions] = {
    "env": CommandOptions(
        names("i ignore-environment 0 null v debug block-signal default-signal ignore-signal"),
        names("u unset C chdir"),
        attached=True,
        assignments=True,
    ),
    "nice": CommandOptions(one=names("n adjustment"), attached=True, numeric=True),
    "ionice": CommandOptions(names("t ignore"), names("c class n classdata"), attached=True),
    "nohup": CommandOptions(),
    "numactl": CommandOptions(
        names("l localalloc a all b balancing strict"),
        names(
            "i interleave w weighted-interleave P preferred-many p preferred m membind "
            "N cpunodebind C physcpubind cpubind"
        ),
        attached=True,
    ),
    "setsid": CommandOptions(names("c ctty f fork w wait"), attached=True),
    "stdbuf": CommandOptions(one=names("i input o output e error"), attached=True),
    "taskset": CommandOptions(names("a all-tasks c cpu-list"), attached=True, operands=1),
    "chrt": CommandOptions(
        names("f fifo r rr o other b batch i idle d deadline R reset-on-fork v verbose a all-tasks"),
        names("T sched-runtime P sched-period D sched-deadline"),
        attached=True,
        operands=1,
    ),
    "time": CommandOptions(
        names("p portability v verbose a append q quiet"), names("o output f format"), attached=True
    ),
    "timeout": CommandOptions(
        names("foreground preserve-status v verbose"),
        names("k kill-after s signal"),
        attached=True,
        operands=1,
    ),
}
"""Commands that start the command behind their own options."""


def behind_wrappers(words: Sequence[str], begin: int, end: int) -> int:
    """The index of the first word from `begin` on that is neither a wrapper nor belongs to one.

    Raises:
        UnknownWord: an option of a wrapper is unknown.
    """
    index = begin
    while index < end and (options := WRAPPERS.get(Path(words[index]).name)):
        behind = behind_options(words, index + 1, end, options)
        if behind >= end:  # it wraps nothing: it is the program
            break
        index = behind
    return index
