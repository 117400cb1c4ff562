# SPDX-License-Identifier: BSD-3-Clause
"""Reads sparse matrices in Matrix Market and Harwell-Boeing format with SciPy.

The header is compared with the file's size before memory is allocated. Nothing in a file is executed, and
packed files are refused. docs/decisions/untrusted-input.md says why a newline is appended.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from stretto.data.fields import Place
from stretto.errors import UserError

if TYPE_CHECKING:
    import scipy.sparse

Matrix: TypeAlias = "scipy.sparse.csr_array[np.float64]"
_Stored: TypeAlias = Any  # a coo_array of any element type
LARGEST_ORDER = 2**32 - 2
_FREE_ORDER = 10**6  # rows or columns that need no nonzeros
_ORDER_PER_NONZERO = 100
_MARKET = b"%%matrixmarket"
_BYTES_PER_ENTRY = {"coordinate": 4, "array": 2}  # the shortest entries: "1 1\n" and "1\n"
_HARWELL_BOEING_LINE = 80
_PACKED = {b"\x1f\x8b": "gunzip", b"BZ": "bunzip2", b"\xfd7": "unxz"}


def read_matrix(path: Path) -> Matrix:
    """The real matrix in a file as compressed rows in double precision, shape (rows, columns).

    Symmetric and skew-symmetric matrices are completed. Duplicate entries are summed. Entries of a pattern
    are 1.

    Raises:
        UserError: The file is unreadable, neither format, shorter than its header says, or complex.
    """
    place = Place(path)
    first, size_bytes = _begin_of(path)
    if (tool := _PACKED.get(first[:2])) is not None:
        raise place.error(f"is packed; unpack it first ({tool})")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if first[: len(_MARKET)].lower() == _MARKET:
                result = _market(path, size_bytes)
            else:
                result = _harwell_boeing(path, place)
            return _checked(result)
    except UserError:
        raise
    except MemoryError:
        raise place.error("does not fit into memory; take a larger machine") from None
    except Exception as error:  # SciPy's readers raise many types
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise place.error(
            f"is no Matrix Market and no Harwell-Boeing matrix that SciPy reads ({reason}); "
            "correct it, or write it with scipy.io.mmwrite"
        ) from None


def _begin_of(path: Path) -> tuple[bytes, int]:
    """The first bytes of a regular file, and its size."""
    try:
        if path.exists() and not path.is_file():
            raise UserError(f"{path}: is not a regular file; name a matrix")
        with path.open("rb") as file:
            return file.read(_HARWELL_BOEING_LINE), path.stat().st_size
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(f"{path}: cannot be read ({reason}); name a matrix") from None


def _market(path: Path, size_bytes: int) -> _Stored:
    import scipy.io  # imported on use, because it is slow and few commands read a matrix
    import scipy.sparse

    data = path.read_bytes() + b"\n"  # SciPy 1.17 reads beyond a number at the end of the file
    rows, columns, entries, layout, field, _ = scipy.io.mminfo(io.BytesIO(data))
    place = Place(path)
    if field == "complex":
        raise place.error("is complex, and only real matrices are multiplied; give its real part")
    _check_order(rows, columns, entries, place)
    most = size_bytes // _BYTES_PER_ENTRY[layout]
    if not 0 <= entries <= most:
        raise place.error(
            f"promises {entries} entries, and can hold {most}; it was cut off, or its sizes are wrong"
        )
    return scipy.sparse.coo_array(scipy.io.mmread(io.BytesIO(data)))


def _harwell_boeing(path: Path, place: Place) -> _Stored:
    """Reads half-stored matrices as unsymmetric ones, which SciPy supports, and completes them."""
    import scipy.io
    import scipy.sparse

    lines = path.read_text(encoding="latin-1").splitlines(keepends=True)
    kind = lines[2][:3].upper() if len(lines) > 2 else ""
    if len(kind) != 3 or kind[0] not in "RPC" or kind[1] not in "SUHZR" or kind[2] not in "AE":
        raise Place(path, line=min(len(lines), 3) or 1).error(
            "names no Harwell-Boeing type such as RUA, and no %%MatrixMarket stands in line 1; "
            "give a matrix in one of these formats"
        )
    if kind[0] != "R" or kind[2] != "A":
        raise Place(path, line=3).error(f"is of type {kind}; only assembled real matrices (R?A) are read")
    rows, columns, entries = (int(lines[2][at : at + 14]) for at in (14, 28, 42))
    _check_order(rows, columns, entries, place)
    lines[2] = "RUA" + lines[2][3:]
    result = scipy.io.hb_read(io.StringIO("".join(lines)))
    result.check_format(full_check=True)
    stored = scipy.sparse.coo_array(result)
    if kind[1] in "UR":
        return stored
    mirrored = -stored.T if kind[1] == "Z" else stored.T
    return scipy.sparse.coo_array(stored + mirrored - scipy.sparse.diags_array(mirrored.diagonal()))


def _check_order(rows: int, columns: int, entries: int, place: Place) -> None:
    """Refuses a header whose matrix would take far more memory than the file."""
    largest = min(max(_FREE_ORDER, _ORDER_PER_NONZERO * entries), LARGEST_ORDER)
    if not (0 <= rows <= largest and 0 <= columns <= largest and entries >= 0):
        raise place.error(
            f"says {rows} rows, {columns} columns and {entries} nonzeros; at most {largest} rows and columns "
            "are read for so few"
        )


def _checked(stored: _Stored) -> Matrix:
    matrix: Matrix = stored.astype(np.float64).tocsr()
    matrix.sum_duplicates()
    matrix.check_format(full_check=True)
    return matrix
