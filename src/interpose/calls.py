# SPDX-License-Identifier: BSD-3-Clause
"""The calls of calls.txt, and the parameters of their wrappers in each preloaded library."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from words import WORDS, Word


@dataclass(frozen=True)
class Call:
    """A call to wrap. `kind` is a function of note.hpp; `large`: its counts are MPI_Count.

    `marks` say where MPI reads each word's arguments; empty: everywhere.
    """

    name: str
    kind: str
    words: tuple[str, ...]
    marks: tuple[str, ...]
    large: bool = False

    @property
    def has_fortran_wrapper(self) -> bool:
        """Not with characters, because their hidden lengths depend on the compiler, nor with large counts."""
        return not self.large and not {"chars", "char_lists", "stringtag"} & set(self.words)

    @property
    def has_counts(self) -> bool:
        return any(re.search(r"\b[NDA]\b", one) for word in self.words for one in WORDS[word].types)


def every_call() -> Iterator[Call]:
    """The calls of calls.txt: those of each row, and their variants for large counts."""
    for call in _rows(Path(__file__).with_name("calls.txt").read_text(encoding="utf-8")):
        yield call
        if call.has_counts:
            yield replace(call, name=f"{call.name}_c", large=True)


def _rows(text: str) -> Iterator[Call]:
    for row in text.splitlines():
        if not row.strip() or row.startswith("#"):
            continue
        name, kind, *words = row.split()
        yield _call(name.lstrip("*"), kind, words)
        if name.startswith("*"):
            yield _call(f"I{name[1:].lower()}", f"i{kind}", [*words, "new_request"])
            yield _call(f"{name[1:]}_init", f"{kind}_init", [*words, "info", "new_request"])


def _call(name: str, kind: str, marked: list[str]) -> Call:
    split = [word.partition("@") for word in marked]
    return Call(name, kind, tuple(word for word, _, _ in split), tuple(mark for _, _, mark in split))


def declared_calls(header: str) -> dict[str, str]:
    """The calls that an MPI declares, with their parameters. The words take this MPI's types."""
    declared = dict(re.findall(r"\bMPI_(\w+)\s*(\([^)]*\))", header))
    if "const" not in declared.get("Pready_list", "const"):  # so in Open MPI 5
        WORDS["partition_list"] = replace(WORDS["partition_list"], types=("int*",))
    return declared


def fortran_suffixes(header: str) -> list[str]:
    """The suffixes of the Fortran functions that an MPI's library calls, from its header.

    Open MPI's library for mpi_f08 exports names without descriptors; MPICH's calls the C functions. The
    header of MPI's standard ABI has nothing of Fortran.
    """
    if "MPI_Status_f2c" not in header:  # other names are macros in MPICH or in Open MPI
        return []
    return ["_", "_f08_"] if "ompi_communicator_t" in header else ["_"]


def write_wrappers(wrappers_for: Callable[[str], str]) -> None:
    """Writes the wrappers for a header: both files are named on the command line, `MPI.H OUTPUT`."""
    header, output = (Path(argument) for argument in sys.argv[1:])
    text = wrappers_for(header.read_text(encoding="utf-8", errors="replace"))
    if not output.is_file() or output.read_text(encoding="utf-8") != text:
        output.write_text(text, encoding="utf-8")


class Parameters:
    """The parameters of a call's wrapper: a0, a1 and so on, some for each word."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.by_word: list[tuple[str, ...]] = []
        self.named: dict[str, str] = {}
        """The first parameter of each word, where the word first occurs."""
        self.names: list[str] = []
        for word in call.words:
            begin = len(self.names)
            self.names += [f"a{begin + index}" for index in range(len(WORDS[word].types))]
            self.by_word.append(tuple(self.names[begin:]))
            self.named.setdefault(word, self.names[begin])

    def type_of(self, name: str) -> str:
        """The C type of a parameter."""
        types = [one for word, _ in self.words() for one in word.types]
        return types[self.names.index(name)]

    def words(self) -> Iterator[tuple[Word, tuple[str, ...]]]:
        """Each word with its parameters."""
        for word, names in zip(self.call.words, self.by_word, strict=True):
            yield WORDS[word], names

    def declared_in_c(self) -> str:
        """The list of parameters in C, with the types of counts that the call has."""
        large = self.call.large
        kinds = {"N": "MPI_Count" if large else "int", "D": "MPI_Aint" if large else "int"}
        kinds["A"] = "MPI_Count" if large else "MPI_Aint"
        types = (one for word, _ in self.words() for one in word.types)
        typed = (re.sub(r"\b[NDA]\b", lambda found: kinds[found[0]], one) for one in types)
        return ", ".join(f"{one} {name}" for one, name in zip(typed, self.names, strict=True))

    def declared_in_fortran(self, error: str = "error") -> str:
        """The list of parameters for Fortran, where each is an address; the last is the error."""
        return ", ".join(f"void* {name}" for name in [*self.names, error])
