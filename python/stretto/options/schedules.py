# SPDX-License-Identifier: BSD-3-Clause
"""Options of the probes ft and spmv: their problems and schedules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from stretto.data.sample_columns import FT_SCHEDULES, SPMV_SCHEDULES
from stretto.errors import UserError
from stretto.options.choices import FT_SWEEPS, SPMV_SWEEPS
from stretto.options.declare import Request, option
from stretto.options.kinds import Kind, ListOf, Number, Text, Whole

BALANCE = "balance"
_SWEEPS: Mapping[str, Mapping[str, str]] = {"ft": FT_SWEEPS, "spmv": SPMV_SWEEPS}
_PANEL = "Probes ft and spmv"
_BOTH = ("ft", "spmv")
_both = partial(option, probes=_BOTH, panel=_PANEL)
_ft = partial(option, probes=("ft",), panel=_PANEL)
_spmv = partial(option, probes=("spmv",), panel=_PANEL)


@dataclass(frozen=True)
class Schedule(Kind[str]):
    """A schedule of ft or of spmv."""

    metavar: str = "S"

    def parse(self, text: str) -> str:
        name, equals, chunks = text.partition("=")
        if text in (*FT_SCHEDULES, *SPMV_SCHEDULES) and text != "chunks":
            return text
        if name == "chunks" and equals and chunks.isascii() and chunks.isdigit():
            return text
        raise UserError(
            f"unknown '{text}'; ft has exchange, slabs, pencils and chunks=X, spmv bulk, gather and scatter"
        )


@dataclass(frozen=True)
class Scale(Kind[float | None]):
    """Computation in multiples of one transform per row; None: `balance`, as long as the communication."""

    high: float = 10_000
    metavar: str = "F"

    def parse(self, text: str) -> float | None:
        correction = f"give {BALANCE}, or a number from 0 to {self.high:g}"
        return None if text == BALANCE else Number(high=self.high, correction=correction).parse(text)

    def text(self, value: float | None) -> str:
        return BALANCE if value is None else f"{value:g}"


@dataclass(frozen=True)
class Scales(ListOf[float | None]):
    """A list of scales. A request file has the numbers in one member, and a flag for balance in another."""

    def native(self, name: str, value: tuple[float | None, ...] | None) -> dict[str, Any]:
        scales = value or ()
        return {name: [scale for scale in scales if scale is not None], BALANCE: None in scales}


_COUNT = Whole(1, correction="give whole numbers from 1 on, such as 4")


@dataclass(frozen=True, kw_only=True)
class ScheduleOptions(Request):
    """Problems and schedules; an empty member means the sweep's values, or the probe's defaults."""

    sweep: Annotated[
        str, _both("--sweep", Text("NAME"), "An experiment by name: `stretto list`.", native="sweep")
    ] = ""
    rows: Annotated[tuple[int, ...], _ft("--rows", ListOf(_COUNT), "ft: rows of a rank.", native="rows")] = ()
    matrix_rows: Annotated[
        tuple[int, ...],
        _spmv("--matrix-rows", ListOf(_COUNT), "spmv: order of the matrix.", native="matrix_rows"),
    ] = ()
    row_length: Annotated[
        tuple[int, ...],
        _ft("--row-length", ListOf(_COUNT), "ft: complex elements of a row.", native="row_lengths"),
    ] = ()
    scale: Annotated[
        tuple[float | None, ...],
        _ft(
            "--scale",
            Scales(Scale(), correction="give fractions of a row's flops from 0 to 10000, or balance"),
            "ft: flops over those of one transform a row, or balance.",
            native="scales",
        ),
    ] = ()
    planes: Annotated[
        int, _ft("--planes", _COUNT, "ft: planes of a slab, each a message.", native="planes")
    ] = 1
    schedules: Annotated[
        tuple[str, ...],
        _both(
            "--schedules",
            ListOf(Schedule()),
            "ft: exchange, slabs, pencils, chunks=X; spmv: bulk, gather, scatter.",
            native="schedules",
        ),
    ] = ()
    prefetch: Annotated[
        tuple[int, ...],
        _spmv(
            "--prefetch",
            ListOf(Whole(0, correction="give whole numbers from 0 on, such as 4")),
            "spmv: blocks that are fetched ahead, 0 to P-1.",
            native="prefetch",
        ),
    ] = ()
    nonzeros: Annotated[
        tuple[float, ...],
        _spmv(
            "--nonzeros",
            ListOf(Number(high=1), correction="give nonzeros over the order squared, 0 to 1, such as 4e-6"),
            "spmv: nonzeros over the order squared, such as 4e-6.",
            native="nonzero_ratios",
        ),
    ] = ()

    def check_schedules(self, probes: Sequence[str], ranks: int) -> None:
        """Raises UserError where an option does not fit the probes or the number of ranks."""
        for probe, sweeps in _SWEEPS.items():
            if self.sweep and probe in probes and self.sweep not in sweeps:
                raise UserError(f"--sweep: {probe} has no '{self.sweep}'; choose from {', '.join(sweeps)}")
        if "ft" in probes:
            self._check_rows(ranks)
        for depth in self.prefetch:
            if depth > max(1, ranks - 1):
                raise UserError(f"--prefetch {depth}: beyond P-1: with {ranks} ranks give 0 to {ranks - 1}")

    def _check_rows(self, ranks: int) -> None:
        parts = ranks * self.planes
        what = f"{ranks} ranks" + (f" x {self.planes} planes" if self.planes > 1 else "")
        for row in self.rows:
            if row % parts:
                below = row // parts * parts
                correction = f"{below} or {below + parts}" if below else str(parts)
                raise UserError(f"--rows {row}: not a multiple of {what}: give {correction}")
