# SPDX-License-Identifier: BSD-3-Clause
"""Names of variables: static ones by their symbols (binutils' nm), allocated ones by what allocates them."""

from __future__ import annotations

import bisect
import re
from collections.abc import Container, Iterable, Mapping
from pathlib import Path

from stretto.binaries.symbols import lines_of, name_sites, plain_name
from stretto.data.program import Place
from stretto.data.trace_records import BY_ALLOCATION, BY_SYMBOL, ON_A_STACK, Variable
from stretto.data.variables import variable_at

_SYMBOL = re.compile(r"([0-9a-f]+) ([0-9a-f]+) [bBdDrRuVvGgSs] (.+)")


def name_variables(places: Iterable[Place], rebuilt: Container[str] = ()) -> Mapping[Place, str]:
    """The name of each place that `variable_at` knows; `rebuilt` as for `name_sites`."""
    known = {place: variable_at(place) for place in places}
    allocations = {
        (one.module, one.address) for one in known.values() if one is not None and one.known == BY_ALLOCATION
    }
    sites = name_sites(allocations, rebuilt=rebuilt)
    modules = {one.module for one in known.values() if one is not None and one.known == BY_SYMBOL}
    symbols = {module: _symbols(module) if module not in rebuilt else [] for module in modules}
    return {place: _name(one, sites, symbols) for place, one in known.items()}


def _name(
    variable: Variable | None,
    sites: Mapping[Place, str],
    symbols: Mapping[str, list[tuple[int, int, str]]],
) -> str:
    if variable is None:
        return "data whose variable is not known"
    if variable.known == ON_A_STACK:
        return "data on the stack"
    if variable.known == BY_ALLOCATION:
        return f"allocated by {sites[variable.module, variable.address]}"
    of_module = symbols[variable.module]
    index = bisect.bisect_right(of_module, (variable.address, 1 << 64, "")) - 1
    if index >= 0 and variable.address < of_module[index][1]:
        return of_module[index][2]
    return f"{Path(variable.module).name}+0x{variable.address:x}"


def _symbols(module: str) -> list[tuple[int, int, str]]:
    """Begin, end and name of the data of a module, in ascending order."""
    found = []
    for line in lines_of(["nm", "-CS", "--defined-only", module]):
        match = _SYMBOL.fullmatch(line)
        if match:
            begin = int(match[1], 16)
            found.append((begin, begin + int(match[2], 16), plain_name(match[3])))
    return sorted(found)
