# SPDX-License-Identifier: BSD-3-Clause
"""Compute rates of the probes FT and SPMV, taken from results for a profile."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stretto.data.groups import grouped
from stretto.data.profile import ComputeEntry, Figure
from stretto.data.results import ResultRow
from stretto.model.problem import FFT_WORK, SPMV_WORK


def compute_rates(rows: Sequence[ResultRow]) -> tuple[ComputeEntry, ...]:
    """Seconds per flop: one entry per row length for transforms, and one for sparse products.

    They come from T_w, the computation alone. A transform's rate is that of the run nearest to scale 1; the
    products' rate is that of the run with most flops.
    """
    alone = [row for row in rows if row.axes.get("quantity") == "T_w" and row.value and _flops(row) > 0]
    of_ft = (row for row in alone if row.axes.get("probe") == "ft" and "row_length" in row.axes)
    transforms = grouped(of_ft, lambda row: int(row.axes["row_length"]))
    entries = [
        _entry(FFT_WORK, min(same, key=_distance_to_scale_1), length)
        for length, same in sorted(transforms.items())
    ]
    products = [row for row in alone if row.axes.get("probe") == "spmv"]
    if products:
        entries.append(_entry(SPMV_WORK, max(products, key=_flops)))
    return tuple(entries)


def _flops(row: ResultRow) -> float:
    return float(row.axes.get("flops", 0.0))


def _distance_to_scale_1(row: ResultRow) -> float:
    return abs(math.log(max(float(row.axes.get("scale", 1.0)), 1e-9)))


def _entry(kind: str, row: ResultRow, row_length: int | None = None) -> ComputeEntry:
    flops = _flops(row)

    def each(value: float | None) -> float | None:
        return None if value is None else value / flops

    figure = Figure(each(row.value), each(row.ci95_low), each(row.ci95_high), row.n)
    return ComputeEntry(kind, figure, row_length)
