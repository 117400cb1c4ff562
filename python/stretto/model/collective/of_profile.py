# SPDX-License-Identifier: BSD-3-Clause
"""The runtime functions of a profile, and the calls that they reach."""

from __future__ import annotations

from pathlib import Path

from stretto.data.collectives import ALGORITHMS, RuntimeFunction
from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.errors import UserError
from stretto.model.collective.functions import Functions
from stretto.model.collective.two_phase import grids_of

_STEP = 4  # of a range of sizes


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


def most_members(functions: Functions) -> int:
    """The largest p that any function holds for and that makes a grid."""
    largest = max(entry.members_max for entry in _mine(functions))
    return next((p for p in range(largest, 3, -1) if grids_of(p)), largest)


def own_sizes(functions: Functions) -> list[int]:
    """From the smallest size that any function holds for, up to 512 KiB or to the largest."""
    mine = _mine(functions)
    low = min(entry.size_min_bytes for entry in mine)
    return size_steps(max(low, 1), min(max(entry.size_max_bytes for entry in mine), 512 << 10))


def _mine(functions: Functions) -> list[RuntimeFunction]:
    return [entry for entry in functions.entries if entry.algorithm == functions.algorithm]


def size_steps(low: int, high: int) -> list[int]:
    """From `low` to `high`, each four times the one before; `high` itself always."""
    found, size = [], max(low, 1)
    while size < high:
        found.append(size)
        size *= _STEP
    return [*found, high]
