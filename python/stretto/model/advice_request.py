# SPDX-License-Identifier: BSD-3-Clause
"""A request for advice."""

from __future__ import annotations

from dataclasses import dataclass

from stretto.model.parameters import Source


@dataclass(frozen=True)
class AdviceRequest:
    """The profile, and the given sizes; None means each subject's default sizes.

    `scale` None balances computation and communication.
    """

    source: Source
    ranks: int
    rows: int | None = None
    row_length: int | None = None
    scale: float | None = None
    matrix_rows: int | None = None
    nonzero_ratio: float | None = None
    flops_per_s: float | None = None
