# SPDX-License-Identifier: BSD-3-Clause
"""The statistics that the preloaded two-phase collectives write at the end of a program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import UserError

_ROW = re.compile(
    r"(?P<operation>[a-z-]+) +(?P<members>\d+) +(?P<size>\d+) +(?P<form>\S+(?: undecided)?) +(?P<calls>\d+) +"
    r"(?P<us>[\d.]+) +(?P<predicted_us>[\d.]+|-)"
)


@dataclass(frozen=True)
class CollectiveCalls:
    """Calls of one operation, number of ranks, size and form.

    Attributes:
        grid: Whether they ran in two phases.
        calls: Of one rank.
        time_s: The mean call on the slowest rank.
        predicted_s: What the profile says of one call; None where it says nothing.
    """

    operation: str
    members: int
    size_bytes: int
    grid: bool
    calls: int
    time_s: float
    predicted_s: float | None


def read_collective_calls(path: Path) -> tuple[CollectiveCalls, ...]:
    """The rows of the table; other tables in the file are skipped.

    Raises:
        UserError: the file cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    return tuple(_calls(row) for line in lines if (row := _ROW.fullmatch(line.strip())))


def _calls(row: re.Match[str]) -> CollectiveCalls:
    predicted = None if row["predicted_us"] == "-" else float(row["predicted_us"]) * 1e-6
    return CollectiveCalls(
        row["operation"],
        int(row["members"]),
        int(row["size"]),
        "x" in row["form"],
        int(row["calls"]),
        float(row["us"]) * 1e-6,
        predicted,
    )
