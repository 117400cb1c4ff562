# SPDX-License-Identifier: BSD-3-Clause
"""What the commands about collectives have in common: the functions of a profile, operations, p and sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.data.collectives import ALGORITHMS, RuntimeFunction
from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.data.sizes import parse_size, parse_size_range
from stretto.errors import UserError
from stretto.model.collective.functions import Functions
from stretto.model.collective.two_phase import grids_of
from stretto.options.choices import choose

_STEP = 4  # of a range of sizes
_MOST_MEMBERS = 1 << 20


@dataclass(frozen=True)
class CollectiveRequest:
    """Which calls are asked about: all of `operations`, with each of `members`, at each of `sizes`."""

    file: str
    functions: Functions
    operations: Sequence[str]
    members: Sequence[int]
    sizes: Sequence[int]


def functions_of(profile: Path, algorithm: str) -> Functions:
    """The runtime functions of a profile, which may be one by name.

    Raises:
        UserError: It has none for `algorithm`, or is no profile.
    """
    if algorithm not in ALGORITHMS:
        raise UserError(f"--algorithm: unknown '{algorithm}'; choose from {', '.join(ALGORITHMS)}")
    functions = Functions.of(read_profile(profile_path(profile)), algorithm)
    if functions.operations():
        return functions
    there = sorted({entry.algorithm for entry in functions.entries})
    if there:
        raise UserError(f"{profile}: has runtime functions of --algorithm {', '.join(there)} only")
    raise UserError(
        f"{profile}: has no runtime functions; `stretto probe collective` measures them, or take a published "
        "profile: --profile clic"
    )


def collective_request(
    profile: Path, operations: str | None, members: str | None, sizes: str | None, algorithm: str
) -> CollectiveRequest:
    """Checks what was asked; where nothing was: all operations, the most ranks and the profile's sizes.

    Raises:
        UserError: As `functions_of`; or an operation, a number of ranks or a size is wrong.
    """
    functions = functions_of(profile, algorithm)
    known = functions.operations()
    return CollectiveRequest(
        str(profile),
        functions,
        choose("--operation", operations, known) if operations else known,
        [_count("--ranks", part) for part in members.split(",")] if members else [most_members(functions)],
        _sizes(sizes) if sizes else own_sizes(functions),
    )


def most_members(functions: Functions) -> int:
    """The largest p that any function holds for and that makes a grid."""
    largest = max(entry.members_max for entry in _mine(functions))
    return next((p for p in range(largest, 3, -1) if grids_of(p)), largest)


def own_sizes(functions: Functions) -> list[int]:
    """From the smallest size that any function holds for, up to 512 KiB or to the largest."""
    mine = _mine(functions)
    low = min(entry.size_min_bytes for entry in mine)
    return _steps(max(low, 1), min(max(entry.size_max_bytes for entry in mine), 512 << 10))


def _mine(functions: Functions) -> list[RuntimeFunction]:
    return [entry for entry in functions.entries if entry.algorithm == functions.algorithm]


def _count(option: str, text: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 2 <= int(text) <= _MOST_MEMBERS):
        raise UserError(f"{option}: '{text}' is not a number of ranks within 2 to {_MOST_MEMBERS}")
    return int(text)


def _sizes(text: str) -> list[int]:
    """`80,1KiB,64KiB` one by one, `80:1MiB` in steps of four."""
    if ":" in text:
        return _steps(*parse_size_range(text))
    return list(dict.fromkeys(parse_size(part) for part in text.split(",")))


def _steps(low: int, high: int) -> list[int]:
    found, size = [], max(low, 1)
    while size < high:
        found.append(size)
        size *= _STEP
    return [*found, high]
