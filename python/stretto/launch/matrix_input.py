# SPDX-License-Identifier: BSD-3-Clause
"""`stretto run spmv --matrix`: passes a matrix to the native program, and checks its product with SciPy."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stretto.data.matrix import Matrix, read_matrix
from stretto.data.matrix_file import write_matrix
from stretto.errors import UserError

GENERATED = "av41092-like"
TOLERANCE = 1e-12  # relative to the sum of a row's absolute terms


@dataclass(frozen=True)
class MatrixInput:
    """Settings for the native program; `matrix` and `product` are set only where a file was given."""

    settings: Mapping[str, str] = field(default_factory=dict)
    matrix: Matrix | None = None
    product: Path | None = None

    def check(self, document: dict[str, Any]) -> None:
        """Adds `scipy_deviation`; sets `verified` to false where the deviation exceeds TOLERANCE."""
        if self.matrix is None or self.product is None:
            return
        rows, columns = self.matrix.shape
        saved = np.fromfile(self.product, dtype="<f8")
        deviation = deviation_of(self.matrix, saved[:columns], saved[columns : columns + rows])
        document["scipy_deviation"] = deviation
        document["verified"] = document["verified"] and deviation <= TOLERANCE


@contextmanager
def matrix_input(kernel: str, matrix: str | None) -> Iterator[MatrixInput]:
    """Writes the binary form of a matrix, and removes it after the run.

    The file lies next to the matrix where that directory is writable, because ranks on other nodes see it.

    Raises:
        UserError: the kernel takes no matrix, or the matrix cannot be read.
    """
    if matrix is None:
        yield MatrixInput()
        return
    if kernel != "spmv":
        raise UserError(f"--matrix {matrix}: is for the kernel spmv; {kernel} makes its own")
    if matrix == GENERATED:
        yield MatrixInput({"matrix": GENERATED})
        return
    source = Path(matrix)
    result = read_matrix(source)
    place = source.absolute().parent
    with tempfile.TemporaryDirectory(
        prefix=".stretto-matrix-", dir=place if os.access(place, os.W_OK) else None
    ) as directory:
        binary, product = Path(directory) / "matrix", Path(directory) / "product"
        write_matrix(binary, result)
        yield MatrixInput({"matrix": str(binary), "save": str(product)}, result, product)


def deviation_of(matrix: Matrix, x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> float:
    """The largest difference between `y` and the product, relative to the sum of the row's absolute terms.

    The deviation is 1 unless `y` is NaN or infinite exactly where the product is.
    """
    with np.errstate(all="ignore"):
        truth = matrix @ x
        scale = abs(matrix) @ np.abs(x)
        relative = np.abs(y - truth) / np.maximum(scale, np.finfo(float).tiny)
        relative[np.isnan(truth) & np.isnan(y) | (truth == y)] = 0
    return float(np.nan_to_num(relative, nan=1, posinf=1).max(initial=0))
