# SPDX-License-Identifier: BSD-3-Clause
"""A request for advice."""

from __future__ import annotations

from dataclasses import dataclass

from stretto.model.parameters import Source


@dataclass(frozen=True)
class AdviceRequest:
    """The profile, and the requested sizes; None means the default sizes of each subject.

    Attributes:
        source: The profile.
        ranks: The number of ranks.
        rows: FT: rows per rank.
        row_length: FT: complex numbers per row.
        scale: FT: transforms of each row; None balances computation and communication.
        matrix_rows: SPMV: the order of the matrix.
        nonzero_ratio: SPMV: the fraction of nonzeros; None balances computation and communication.
        flops_per_s: The compute rate of a rank; None: the profile's.
    """

    source: Source
    ranks: int
    rows: int | None = None
    row_length: int | None = None
    scale: float | None = None
    matrix_rows: int | None = None
    nonzero_ratio: float | None = None
    flops_per_s: float | None = None
