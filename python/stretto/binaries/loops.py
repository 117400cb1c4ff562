# SPDX-License-Identifier: BSD-3-Clause
"""The source lines of the loops in which instructions stand, from binutils' objdump and addr2line.

The loop of an instruction is the largest one around it, in its function, that does not communicate: neither
by calls of MPI, nor by calls of the program's own functions from which a trace has calls. Jumps and
calls are those of x86-64: in code of another processor no loop is found, and an instruction has its own line.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from stretto.binaries.symbols import Location, addresses_of, functions_of, lines_of, locate
from stretto.data.program import Place

_INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\s+(\S+)(?:\s+(?:([0-9a-f]+) )?(.*))?$")
_MESSAGES = re.compile(r"<P?MPI_|<p?mpi_", re.IGNORECASE)


@dataclass(frozen=True)
class Lines:
    """Lines of a function in one source file.

    Attributes:
        begin: The address of the function; 0: not known.
        calls: The addresses of the functions that a loop calls itself.
    """

    function: str
    file: str
    first: int
    last: int
    begin: int = 0
    calls: frozenset[int] = frozenset()

    def __str__(self) -> str:
        through = f"-{self.last}" if self.last != self.first else ""
        return f"{self.function} {self.file}:{self.first}{through}"


@dataclass(frozen=True)
class _Loop:
    first: int
    last: int


def loop_lines(
    places: Iterable[Place], rebuilt: Container[str] = (), communicating: Iterable[Place] = ()
) -> Mapping[Place, Lines]:
    """The lines around each address; its own where it is in no loop. Addresses without lines are absent.

    Args:
        places: The addresses.
        rebuilt: As for `name_sites`.
        communicating: Where calls return to that communicate: call sites and their callers.
    """
    wanted = list(places)
    located = locate(wanted, rebuilt)
    found: dict[Place, Lines] = {}
    returns = addresses_of(communicating)
    for module in {module for module, _ in wanted}:
        known = {
            address: location
            for (name, address), location in located.items()
            if name == module and location is not None
        }
        functions = functions_of(module) if known else []
        for address, location in known.items():
            calls = returns.get(module, [])
            found[module, address] = _lines_of(module, address, location, functions, calls)
    return found


def _lines_of(
    module: str,
    address: int,
    location: Location,
    functions: Sequence[tuple[int, int]],
    returns: Sequence[int],
) -> Lines:
    own = Lines(location.function, location.file, location.line, location.line)
    index = bisect.bisect_right(functions, (address, 1 << 64)) - 1
    if index < 0 or address >= functions[index][1]:
        return own
    begin = functions[index][0]
    instructions = _instructions(module, *functions[index])
    communicating = _communicating(instructions, returns)
    loop = _loop_of(instructions, address, communicating)
    if loop is None:
        return replace(own, begin=begin)
    inside = [one for one in instructions if loop.first <= one.address <= loop.last]
    # As of calls, the address behind an instruction stands for it.
    of_loop = [(module, one.address + 1) for one in inside]
    of_calls = [(module, call + 1) for call in communicating]
    located = locate({*of_loop, *of_calls})
    lines = [
        one.line
        for one in (located[place] for place in of_loop)
        if one is not None and (one.file, one.function) == (location.file, location.function)
    ]
    parting = [
        one.line
        for one in (located[place] for place in of_calls)
        if one is not None and one.file == location.file
    ]
    calls = frozenset(one.target for one in inside if one.name.startswith("call") and one.target is not None)
    lines = _between(parting, location.line, lines)
    return Lines(location.function, location.file, min(lines), max(lines), begin, calls)


def _between(calls: Sequence[int], own: int, lines: Sequence[int]) -> list[int]:
    """The instruction's own line, and those of a loop's lines that no line of a communicating call parts from
    it: a compiler may put an instruction of an outer loop into the inner one.
    """
    above = max((line for line in calls if line < own), default=0)
    below = min((line for line in calls if line > own), default=max([own, *lines]) + 1)
    return [own, *(line for line in lines if above < line < below)]


@dataclass(frozen=True)
class _Instruction:
    address: int
    name: str
    target: int | None
    text: str


def _instructions(module: str, begin: int, end: int) -> list[_Instruction]:
    command = [
        "objdump",
        "-d",
        "--no-show-raw-insn",
        f"--start-address={begin}",
        f"--stop-address={end}",
        module,
    ]
    found = []
    for line in lines_of(command):
        match = _INSTRUCTION.match(line)
        if match:
            target = int(match[3], 16) if match[3] else None
            found.append(_Instruction(int(match[1], 16), match[2], target, match[4] or ""))
    return found


def _communicating(instructions: Sequence[_Instruction], returns: Sequence[int]) -> list[int]:
    """The addresses of a function's calls that communicate. `returns`: behind those of any function."""
    begin, end = instructions[0].address, instructions[-1].address
    calls = {one.address for one in instructions if _MESSAGES.search(one.text)}
    return sorted(calls | {one - 1 for one in returns if begin <= one - 1 <= end})


def _loop_of(instructions: Sequence[_Instruction], address: int, calls: Sequence[int] = ()) -> _Loop | None:
    """The largest loop around the address that does not communicate. `calls`: those that do."""
    best: _Loop | None = None
    for before, one in zip([None, *instructions], instructions):
        if not one.name.startswith("j") or one.target is None or not one.target <= address - 1 <= one.address:
            continue
        if before is not None and before.name.startswith("call") and "<stretto_memory_" in before.text:
            continue  # the return from a call that lies behind the function's code
        loop = _Loop(one.target, one.address)
        if any(loop.first <= call <= loop.last for call in calls):
            continue
        if best is None or loop.last - loop.first > best.last - best.first:
            best = loop
    return best
