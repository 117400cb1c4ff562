# SPDX-License-Identifier: BSD-3-Clause
"""Function names and lines of call sites, from binutils' addr2line where it is installed."""

from __future__ import annotations

import bisect
import re
import shutil
import subprocess
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from stretto.data.groups import grouped
from stretto.data.program import Place

_SYSTEM = ("/usr/include/", "/usr/lib/", "/usr/local/include/", "/opt/rh/")
_LIBRARY = "/include/c++/"
"""In the path of a header of the C++ library, wherever a compiler is installed."""
_START = frozenset(("__libc_start_call_main", "__libc_start_main", "__libc_start_main_impl", "_start"))
"""What calls `main`: the C library, and the code with which every program begins."""
_INTERPRETER = re.compile(
    r"_?Py(Eval|Object|Function|CFunction|Vectorcall|Run|Method)_?\w*|\w*_vectorcall\w*"
)
"""Functions of Python's interpreter, which say nothing about the program that it runs."""
_CYTHON = re.compile(r"__pyx_(?:pw|pf|f)_(\w+)(?:\.\w+)*")
_FORTRAN = re.compile(r"__(\w+?)_MOD_(\w+)")
_CLONE = re.compile(r"(?:\.(?:constprop|part|isra|cold|lto_priv)|(?<!_omp_fn)\.\d+)+$")
"""What GCC adds to the symbol of a function that it has copied, or that is internal to one of Fortran."""
_SYMBOL = re.compile(r"\s*\d+: ([0-9a-f]+)\s+(\d+|0x[0-9a-f]+) (?:FUNC|IFUNC)\s+\w+\s+\w+\s+(?!UND)\S+ ")
_LARGEST_FUNCTION = 1 << 20
_TIMEOUT_S = 60
_MAX_NAMES = 3


@dataclass(frozen=True)
class Location:
    """A function, the name of its source file, and a line in it; line 0: only the function is known."""

    function: str
    file: str
    line: int


def name_sites(
    places: Iterable[Place],
    callers: Mapping[Place, Sequence[Place]] | None = None,
    rebuilt: Container[str] = (),
) -> Mapping[Place, str]:
    """The name of each return address.

    `function file.cpp:12` with debug information; without it the function with its `callers`, as far as these
    have symbols: `CommBrick::forward_comm <- Verlet::run`. `module+0x1a2b` where there is no symbol either;
    `module+0x1a2b in main` where it is known that what starts the program has called it. The files of
    `rebuilt` modules are others than those that were recorded, and are not read.
    """
    wanted = list(places)
    callers = callers or {}
    found = _frames({*wanted, *(one for place in wanted for one in callers.get(place, ()))}, rebuilt)
    return {place: _name(place, found, callers.get(place, ())) for place in wanted}


def locate(places: Iterable[Place], rebuilt: Container[str] = ()) -> Mapping[Place, Location | None]:
    """Where each return address stands in the source; None where addr2line has no line."""
    found = _frames(places, rebuilt)
    return {place: one if one is not None and one.line else None for place, one in found.items()}


@dataclass(frozen=True)
class Frame:
    """A function and the line of it that was running, 0: unknown; `path` as the debug information has it."""

    function: str
    path: str
    line: int


def addresses_of(places: Iterable[Place]) -> Mapping[str, list[int]]:
    """The addresses of each module."""
    by_module = grouped(places, lambda place: place[0])
    return {module: [address for _, address in each] for module, each in by_module.items()}


def frames_of(places: Iterable[Place], rebuilt: Container[str] = ()) -> Mapping[Place, tuple[Frame, ...]]:
    """The frames of each return address: where functions were inlined several, the innermost first. Empty
    without debug information; `rebuilt` as for `name_sites`.
    """
    found: dict[Place, tuple[Frame, ...]] = {}
    for module, addresses in addresses_of(places).items():
        blocks = _addr2line(module, addresses) if module not in rebuilt else []
        for index, address in enumerate(addresses):
            found[module, address] = tuple(one for one in blocks[index] if one.line) if blocks else ()
    return found


def _name(place: Place, found: Mapping[Place, Location | None], callers: Sequence[Place]) -> str:
    module, address = place
    location = found[place]
    if location is not None and location.line:
        return f"{location.function} {location.file}:{location.line}"
    name = Path(module).name or "unknown"
    if not address:  # `name` is the site's
        return name
    chain = [f"{name}+0x{address:x}" if location is None else location.function]
    for caller in callers:
        one = found[caller]
        if one is None or one.function in _START or len(chain) == _MAX_NAMES:
            break
        if _INTERPRETER.fullmatch(one.function):
            break
        if one.function != chain[-1]:
            chain.append(one.function)
    if location is None and callers and (nearest := found[callers[0]]) and nearest.function in _START:
        return f"{chain[0]} in main"
    return " <- ".join(chain) + ("" if location is None else f" ({name})")


def _frames(places: Iterable[Place], rebuilt: Container[str]) -> Mapping[Place, Location | None]:
    """Function and line of each return address; line 0 where only a symbol is known, None without one."""
    found: dict[Place, Location | None] = {}
    for module, addresses in addresses_of(places).items():
        blocks = _addr2line(module, addresses) if module not in rebuilt else []
        for index, address in enumerate(addresses):
            found[module, address] = _location(blocks[index]) if blocks else None
        without_line = [place for place in found if place[0] == module and _has_symbol_only(found[place])]
        functions = functions_of(module) if without_line else []
        for place in without_line:
            if _begin(functions, place[1] - 1) is None:  # addr2line has named the symbol before it
                found[place] = None
    return found


def functions_of(module: str) -> Sequence[tuple[int, int]]:
    """Begin and end of every function with a symbol, in ascending order."""
    file = Path(module)
    return _functions_of(module, file.stat().st_mtime_ns) if file.is_file() else []


@lru_cache(maxsize=16)
def _functions_of(module: str, _changed_ns: int) -> Sequence[tuple[int, int]]:
    found = set()
    for line in lines_of(["readelf", "-sW", module]):
        match = _SYMBOL.match(line)
        if match:
            begin, size = int(match[1], 16), int(match[2], 0)
            if 0 < size <= _LARGEST_FUNCTION:
                found.add((begin, begin + size))
    return sorted(found)


def lines_of(command: Sequence[str], given: str = "") -> list[str]:
    """The lines that a program prints of the file in its last word; none where it is missing or fails."""
    if shutil.which(command[0]) is None or not Path(command[-1]).is_file():
        return []
    try:
        done = subprocess.run(
            command,
            input=given,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.splitlines()


def _has_symbol_only(location: Location | None) -> bool:
    return location is not None and location.line == 0


def _begin(functions: Sequence[tuple[int, int]], address: int) -> int | None:
    """Where the function of an address begins; None: it is in none."""
    index = bisect.bisect_right(functions, (address, 1 << 64)) - 1
    return functions[index][0] if index >= 0 and address < functions[index][1] else None


def _addr2line(module: str, addresses: list[int]) -> list[list[Frame]]:
    """Of each address the inlined functions, the innermost first. Empty where addr2line cannot be run.

    The answers of binutils 2.40 depend on earlier questions: it reads the symbol of a Fortran function at the
    first address in it, and names an inlined function by that symbol once. So each function's first address
    is asked before all others, and each address twice. The second answer is the same in every order.
    """
    # A return address follows its call, and may belong to the next source line.
    asked = [max(address - 1, 0) for address in addresses]
    functions = functions_of(module)
    begins = {one for address in asked if (one := _begin(functions, address)) is not None}
    queries = [*sorted(begins), *(address for address in asked for _ in range(2))]
    blocks: list[list[str]] = []
    command = ["addr2line", "-a", "-f", "-i", "-C", "-e", module]
    for line in lines_of(command, "".join(f"0x{one:x}\n" for one in queries)):
        if line.startswith("0x"):
            blocks.append([])
        elif blocks:
            blocks[-1].append(line)
    if len(blocks) != len(queries):
        return []
    answers = blocks[len(begins) :][1::2]
    return [[_frame(*frame) for frame in zip(lines[::2], lines[1::2])] for lines in answers]


def _frame(function: str, where: str) -> Frame:
    """A function as addr2line prints it, and its file and line."""
    path, _, line = where.partition(" (discriminator")[0].rpartition(":")
    is_known = line.isdigit() and not where.startswith("??")
    return Frame(plain_name(function), path, int(line) if is_known else 0)


def _location(frames: Sequence[Frame]) -> Location | None:
    """The innermost function that is no part of a compiler's or the system's headers."""
    own = [one for one in frames if not one.path.startswith(_SYSTEM) and _LIBRARY not in one.path]
    for one in own or frames:
        if one.line:
            return Location(one.function, Path(one.path).name, one.line)
        if one.function != "??":
            return Location(one.function, "", 0)
    return None


def plain_name(function: str) -> str:
    """A function's name without return type, parameters, template arguments and what compilers add."""
    function = _CLONE.sub("", function)
    if function == "MAIN__":  # of a Fortran program
        return "main"
    fortran = _FORTRAN.fullmatch(function)
    if fortran:
        return f"{fortran[1]}::{fortran[2]}"
    cython = _CYTHON.fullmatch(function)
    if cython:
        return ".".join(_cython_scopes(cython[1]))
    name = function.replace("(anonymous namespace)::", "").replace("operator()", "operator\0")
    name = re.sub(r"\{lambda[^}]*\}", "lambda", name)
    if "operator<" not in name and "operator>" not in name and "operator-" not in name:
        while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
            name = shorter
    name = name.partition("(")[0].replace("\0", "()").strip()
    return name if "operator" in name else name.rpartition(" ")[2]


def _cython_scopes(mangled: str) -> Iterator[str]:
    """Package, module, class and function of what Cython has named `6mpi4py_3MPI_4Comm_135Alltoall`: each
    scope with its length, the function with its number or without one.
    """
    while (scope := re.match(r"(\d+)", mangled)) is not None:
        end = scope.end() + int(scope[1])
        if not mangled.startswith("_", end):
            break
        yield mangled[scope.end() : end]
        mangled = mangled[end + 1 :]
    yield mangled.lstrip("0123456789")
