# SPDX-License-Identifier: BSD-3-Clause
"""What the commands about collectives have in common: the functions of a profile, operations, p and sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.data.sizes import parse_size, parse_size_range
from stretto.errors import UserError
from stretto.model.collective.functions import Functions
from stretto.model.collective.of_profile import functions_of, most_members, own_sizes, size_steps
from stretto.options.choices import choose

_MOST_MEMBERS = 1 << 20


@dataclass(frozen=True)
class CollectiveRequest:
    """Which calls are asked about: all of `operations`, with each of `members`, at each of `sizes`."""

    file: str
    functions: Functions
    operations: Sequence[str]
    members: Sequence[int]
    sizes: Sequence[int]


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


def _count(option: str, text: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 2 <= int(text) <= _MOST_MEMBERS):
        raise UserError(f"{option}: '{text}' is not a number of ranks within 2 to {_MOST_MEMBERS}")
    return int(text)


def _sizes(text: str) -> list[int]:
    """`80,1KiB,64KiB` one by one, `80:1MiB` in steps of four."""
    if ":" in text:
        return size_steps(*parse_size_range(text))
    return list(dict.fromkeys(parse_size(part) for part in text.split(",")))
