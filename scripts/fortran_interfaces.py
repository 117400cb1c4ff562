# SPDX-License-Identifier: BSD-3-Clause
"""What the generators of Fortran modules share: reads C headers, and writes interface bodies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Function:
    """A function of a C header: its result's type, its name, and its parameters as C declares them."""

    result: str
    name: str
    parameters: tuple[str, ...]


def without_comments(header: str) -> str:
    """A header without comments."""
    return re.sub(r"/\*.*?\*/", "", header, flags=re.S)


def functions(header: str) -> Iterator[Function]:
    """All functions that a header declares, in its order."""
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", without_comments(header), flags=re.M)
    for found in re.finditer(r"^([A-Za-z_][\w ]*?[ *]+)(\w+)\(([^;{]*)\);", text, flags=re.M | re.S):
        parameters = [" ".join(one.split()) for one in found[3].split(",")]
        if parameters == ["void"]:
            parameters = []
        yield Function(found[1].strip(), found[2], tuple(parameters))


def constants(header: str) -> Iterator[tuple[str, int]]:
    """The constants of a header that stand for one number."""
    known: dict[str, int] = {}
    for name, value in re.findall(r"^#define (\w+) (\(?-?[\w +]+\)?)\s*(?:/\*.*)?$", header, flags=re.M):
        words = re.sub(r"[A-Z_]+", lambda word: str(known.get(word[0], word[0])), value).strip("() ")
        if re.fullmatch(r"-?\d+(?: \+ \d+)*", words):
            known[name] = sum(int(part) for part in words.split(" + "))
            yield name, known[name]


def parameters(numbers: Mapping[str, int]) -> str:
    """The constants in Fortran."""
    return "".join(f"  integer(c_int), parameter :: {name} = {value}\n" for name, value in numbers.items())


def interface(
    function: Function,
    declare: Callable[[str], tuple[str, str]],
    results: Mapping[str, str],
    *,
    types: tuple[str, ...],
    bound: str | None = None,
    name: str | None = None,
) -> str:
    """A function's interface body.

    Args:
        function: Of C.
        declare: Gives the name of a parameter and its declaration in Fortran.
        results: The types of results in Fortran; `void` is a subroutine.
        types: The derived types of the module.
        bound: The name in C, where another function is called.
        name: The name in Fortran, where it is another.
    """
    declared = [declare(one) for one in function.parameters]
    names = ", ".join(one for one, _ in declared)
    kind = "subroutine" if function.result == "void" else "function"
    result = "" if function.result == "void" else results[function.result] + " "
    texts = result + "".join(text for _, text in declared)
    imported = sorted(set(re.findall(r"\b(?:c_\w+|" + "|".join(types) + r")\b", texts)))
    lines = [
        f"    {result}{kind} {name or function.name}({names}) &",
        f'        bind(c, name="{bound or function.name}")',
    ]
    if imported:
        lines.append(f"      import :: {', '.join(imported)}")
    lines += [f"      {text}" for _, text in declared]
    return "\n".join([*wrapped(lines), f"    end {kind}", ""])


def wrapped(lines: list[str]) -> Iterator[str]:
    """Lines of at most 110 characters."""
    for line in lines:
        while len(line) > 110:
            cut = line.rindex(", ", 0, 106) + 1
            yield line[:cut] + " &"
            line = "          " + line[cut:]
        yield line


def write(file: Path, text: str) -> None:
    """Writes a file where it differs, so that nothing is compiled again for nothing."""
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
