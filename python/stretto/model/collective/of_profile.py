# SPDX-License-Identifier: BSD-3-Clause
"""The runtime functions of a profile and the range of calls that they cover."""

from __future__ import annotations

from pathlib import Path

from stretto.data.collectives import ALGORITHMS, RuntimeFunction
from stretto.data.published import read_named
from stretto.data.sizes import size_steps
from stretto.errors import UserError
from stretto.model.collective.functions import Functions
from stretto.model.collective.two_phase import grids_of


def functions_of(profile: Path, algorithm: str) -> Functions:
    """The runtime functions of a profile, given as a file or by name.

    Raises:
        UserError: It is no profile, or has no functions for `algorithm`.
    """
    if algorithm not in ALGORITHMS:
        raise UserError(f"--algorithm: unknown '{algorithm}'; choose from {', '.join(ALGORITHMS)}")
    functions = Functions.of(read_named(profile), algorithm)
    if functions.operations():
        return functions
    there = sorted({entry.algorithm for entry in functions.entries})
    if there:
        raise UserError(f"{profile}: has runtime functions of --algorithm {', '.join(there)} only")
    raise UserError(
        f"{profile}: has no runtime functions; `stretto probe collective` measures them, or take a published "
        "profile: --profile clic"
    )


def max_members(functions: Functions) -> int:
    """The largest p within the range of a function that has a grid."""
    largest = max(entry.members_max for entry in _known_functions(functions))
    return next((p for p in range(largest, 3, -1) if grids_of(p)), largest)


def own_sizes(functions: Functions) -> list[int]:
    """The sizes from the smallest that a function covers to the largest, at most 8 MiB."""
    selected = _known_functions(functions)
    low = min(entry.size_min_bytes for entry in selected)
    return size_steps(max(low, 1), min(max(entry.size_max_bytes for entry in selected), 8 << 20))


def _known_functions(functions: Functions) -> list[RuntimeFunction]:
    return [entry for entry in functions.entries if entry.algorithm == functions.algorithm]
