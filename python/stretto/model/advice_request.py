# SPDX-License-Identifier: BSD-3-Clause
"""What is to be advised on."""

from __future__ import annotations

from dataclasses import dataclass

from stretto.model.parameters import Source


@dataclass(frozen=True)
class AdviceRequest:
    """The profile, and the sizes that were given; None where a subject shall take its own.

    `scale` None is that which balances computation and communication.
    """

    source: Source
    ranks: int
    rows: int | None = None
    row_length: int | None = None
    scale: float | None = None
    matrix_rows: int | None = None
    nonzero_ratio: float | None = None
    flops_per_s: float | None = None
