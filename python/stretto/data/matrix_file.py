# SPDX-License-Identifier: BSD-3-Clause
"""Writes the binary matrix format that native programs map (docs/formats.md)."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from stretto.data.matrix import Matrix
from stretto.errors import UserError

MAGIC = b"strmatrx"
MAJOR, MINOR = 1, 0
_HEADER = struct.Struct("<8sHHIQQQQQQ")
_ALIGNMENT = 64


def write_matrix(path: Path, matrix: Matrix) -> None:
    """Writes compressed rows: a header, then starts, columns and values, each aligned to 64 bytes.

    Raises:
        UserError: The file cannot be written.
    """
    arrays = (
        np.ascontiguousarray(matrix.indptr, dtype="<u8"),
        np.ascontiguousarray(matrix.indices, dtype="<u4"),
        np.ascontiguousarray(matrix.data, dtype="<f8"),
    )
    offsets = []
    end = _HEADER.size
    for array in arrays:
        offsets.append(-(-end // _ALIGNMENT) * _ALIGNMENT)
        end = offsets[-1] + array.nbytes
    rows, columns = matrix.shape
    header = _HEADER.pack(MAGIC, MAJOR, MINOR, _HEADER.size, rows, columns, matrix.nnz, *offsets)
    try:
        with path.open("wb") as file:
            file.write(header)
            for offset, array in zip(offsets, arrays, strict=True):
                file.seek(offset)
                file.write(array.data)
            file.truncate(end)
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror}); choose another place") from None
