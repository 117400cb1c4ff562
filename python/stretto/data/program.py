# SPDX-License-Identifier: BSD-3-Clause
"""What the traces of all ranks say of the program: its files, its call sites, and how long the traces are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Place = tuple[str, int]
"""A module's path and an address in it, as the module's file has it."""


@dataclass(frozen=True)
class Program:
    """Of all ranks.

    Attributes:
        records: The number of records without definitions.
        modules: The build ids of each file, by its path; none where it has none.
        call_sites: The callers of the first call at each place, the nearest first.
    """

    records: int
    modules: Mapping[str, frozenset[str]]
    call_sites: Mapping[Place, tuple[Place, ...]]


def program_in(answer: Mapping[str, Any]) -> Program:
    """The program in an answer of stretto-analyse with the part `sites` or `program`."""
    return Program(
        answer["records"],
        {path: frozenset(build_ids) for path, build_ids in answer["modules"]},
        {
            (module, address): tuple((path, at) for path, at in callers)
            for module, address, callers in answer["call_sites"]
        },
    )
