# SPDX-License-Identifier: BSD-3-Clause
"""What a user asked of the probes ft and spmv: read and checked before anything is started."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from stretto.commands.choices import FT_SWEEPS, SPMV_SWEEPS
from stretto.data.sample_columns import FT_SCHEDULES, SPMV_SCHEDULES
from stretto.errors import UserError

_LARGEST_SCALE = 10_000
_LARGEST_COUNT = 2**31 - 1
_SWEEPS = {"ft": FT_SWEEPS, "spmv": SPMV_SWEEPS}


@dataclass(frozen=True)
class ScheduleOptions:
    """The texts of a command line; None where the option was not given."""

    sweep: str | None = None
    rows: str | None = None
    row_length: str | None = None
    scale: str | None = None
    planes: str | None = None
    schedules: str | None = None
    prefetch: str | None = None
    nonzeros: str | None = None

    def arguments(self, probes: Sequence[str], ranks: int) -> list[str]:
        """Those of the native program.

        Args:
            probes: What is to run.
            ranks: How many; they must divide the rows of ft.

        Raises:
            UserError: one of them is wrong, or goes with none of the probes; names the option.
        """
        given = {option_of(f.name): text for f in fields(self) if (text := getattr(self, f.name)) is not None}
        if given and not set(probes) & set(_SWEEPS):
            raise UserError(f"{next(iter(given))} is for the probes ft and spmv: name one of them")
        for option, text in given.items():
            _CHECKS[option](option, text)
        if self.sweep is not None:
            _check_sweep(self.sweep, probes)
        if self.rows is not None:
            _check_rows(self.rows, self.planes, probes, ranks)
        if self.prefetch is not None:
            _check_prefetch(self.prefetch, ranks)
        return [word for option, text in given.items() for word in (option, text)]


def option_of(field: str) -> str:
    """`row_length` is given as `--row-length`."""
    return "--" + field.replace("_", "-")


def _whole(low: int) -> Callable[[str, str], None]:
    def check(option: str, text: str) -> None:
        for part in text.split(","):
            if not part.isascii() or not part.isdigit() or not low <= int(part) <= _LARGEST_COUNT:
                raise UserError(f"{option} {text}: give whole numbers from {low} on, such as {max(low, 4)}")

    return check


def _numbers(high: float, words: str, also: str = "") -> Callable[[str, str], None]:
    def check(option: str, text: str) -> None:
        for part in text.split(","):
            if part == also and also:
                continue
            try:
                number = float(part)
            except ValueError:
                number = math.nan
            if not 0 <= number <= high:
                raise UserError(f"{option} {text}: {words}")

    return check


def _schedules(option: str, text: str) -> None:
    for part in text.split(","):
        name, equals, chunks = part.partition("=")
        known = part in (*FT_SCHEDULES, *SPMV_SCHEDULES) and part != "chunks"
        if not known and not (name == "chunks" and equals and chunks.isascii() and chunks.isdigit()):
            raise UserError(
                f"{option}: unknown '{part}'; ft has exchange, slabs, pencils and chunks=X, "
                "spmv bulk, gather and scatter"
            )


def _any_text(_: str, __: str) -> None:
    """What is checked elsewhere."""


_CHECKS: dict[str, Callable[[str, str], None]] = {
    "--sweep": _any_text,
    "--rows": _whole(1),
    "--row-length": _whole(1),
    "--scale": _numbers(
        _LARGEST_SCALE, "give fractions of a row's flops from 0 to 10000, or balance", "balance"
    ),
    "--planes": _whole(1),
    "--schedules": _schedules,
    "--prefetch": _whole(0),
    "--nonzeros": _numbers(1, "give nonzeros over the order squared, 0 to 1, such as 4e-6"),
}


def _check_sweep(sweep: str, probes: Sequence[str]) -> None:
    for probe, sweeps in _SWEEPS.items():
        if probe in probes and sweep not in sweeps:
            raise UserError(f"--sweep: {probe} has no '{sweep}'; choose from {', '.join(sweeps)}")


def _check_rows(rows: str, planes: str | None, probes: Sequence[str], ranks: int) -> None:
    if {"ft", "spmv"} <= set(probes):
        raise UserError("--rows means rows for ft and the order of the matrix for spmv: run the two apart")
    if "ft" not in probes:
        return
    parts = ranks * int(planes if planes is not None else 1)
    what = f"{ranks} ranks" + (f" x {planes} planes" if planes is not None else "")
    for row in map(int, rows.split(",")):
        if row % parts:
            below = row // parts * parts
            mend = f"{below} or {below + parts}" if below else str(parts)
            raise UserError(f"--rows {row}: not a multiple of {what}: give {mend}")


def _check_prefetch(prefetch: str, ranks: int) -> None:
    for depth in map(int, prefetch.split(",")):
        if depth > max(1, ranks - 1):
            raise UserError(f"--prefetch {depth}: beyond P-1: with {ranks} ranks give 0 to {ranks - 1}")
