# SPDX-License-Identifier: BSD-3-Clause
"""Function names and lines of call sites, from binutils' addr2line where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

Place = tuple[str, int]
"""A module's path and an address in it, as the module's file has it."""


@dataclass(frozen=True)
class Location:
    """A function, the name of its source file, and a line in it."""

    function: str
    file: str
    line: int


def name_sites(places: Iterable[Place]) -> Mapping[Place, str]:
    """`function file.cpp:12` of each return address; `module+0x1a2b` where addr2line has no answer."""
    names = {}
    for (module, address), found in locate(places).items():
        name = Path(module).name or "unknown"
        plain = f"{name}+0x{address:x}" if address else name  # no address: `name` is the site's
        names[module, address] = f"{found.function} {found.file}:{found.line}" if found else plain
    return names


def locate(places: Iterable[Place]) -> Mapping[Place, Location | None]:
    """Where each return address stands in the source; None where addr2line has no answer."""
    by_module: dict[str, list[int]] = {}
    for module, address in places:
        by_module.setdefault(module, []).append(address)
    found: dict[Place, Location | None] = {}
    for module, addresses in by_module.items():
        lines = _addr2line(module, addresses)
        for index, address in enumerate(addresses):
            found[module, address] = _location(lines[2 * index : 2 * index + 2])
    return found


def _addr2line(module: str, addresses: list[int]) -> list[str]:
    """Two lines per address: the function, then file and line. Empty where addr2line cannot be run."""
    program = shutil.which("addr2line")
    if program is None or not Path(module).is_file():
        return []
    # A return address follows its call, and may belong to the next source line.
    queries = "".join(f"0x{max(address - 1, 0):x}\n" for address in addresses)
    try:
        done = subprocess.run(
            [program, "-f", "-C", "-e", module],
            input=queries,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    lines = done.stdout.splitlines()
    return lines if len(lines) == 2 * len(addresses) else []


def _location(lines: list[str]) -> Location | None:
    if len(lines) != 2 or lines[1].startswith("??"):
        return None
    function, where = lines
    path, _, line = where.partition(" ")[0].rpartition(":")
    if not line.isdigit():
        return None
    name = function.replace("(anonymous namespace)::", "").partition("(")[0]
    return Location(name, Path(path).name, int(line))
