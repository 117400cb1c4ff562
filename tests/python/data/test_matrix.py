# SPDX-License-Identifier: BSD-3-Clause
"""Matrix files are read as by SciPy, or refused with one line, without a traceback or much memory."""

import itertools
import struct
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from stretto.data.matrix import read_matrix
from stretto.data.matrix_file import write_matrix
from stretto.errors import UserError

MARKET = """%%MatrixMarket matrix coordinate real general
% a comment
3 4 4
1 1 1.5
1 4 -2
3 2 3e-3
3 2 1
"""


def harwell_boeing(kind: str = "RUA") -> str:
    """The 3 x 3 matrix with 1, 2, 3 on its diagonal and 4 in row 3 of column 1."""
    lines = [
        f"{'a title':72s}{'KEY':8s}",
        f"{3:14d}{1:14d}{1:14d}{1:14d}{0:14d}",
        f"{kind:3s}{'':11s}{3:14d}{3:14d}{4:14d}{0:14d}",
        f"{'(4I3)':16s}{'(4I3)':16s}{'(4E15.8)':20s}{'':20s}",
        "".join(f"{one:3d}" for one in (1, 3, 4, 5)),
        "".join(f"{one:3d}" for one in (1, 3, 2, 3)),
        "".join(f"{one:15.8E}" for one in (1.0, 4.0, 2.0, 3.0)),
    ]
    return "\n".join(lines) + "\n"


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "matrix.mtx"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_matrix_market_agrees_with_scipy(tmp_path: Path) -> None:
    path = written(tmp_path, MARKET)
    result = read_matrix(path)
    assert np.array_equal(result.toarray(), scipy.io.mmread(path).toarray())
    assert result.nnz == 3, "entries that stand twice are one"


@pytest.mark.parametrize(
    ("symmetry", "field"),
    [
        *itertools.product(["general", "symmetric"], ["real", "integer", "pattern"]),
        ("skew-symmetric", "real"),  # which patterns cannot be
        ("skew-symmetric", "integer"),
    ],
)
def test_every_symmetry_and_field_of_matrix_market(tmp_path: Path, symmetry: str, field: str) -> None:
    value = {"real": " 2.5", "integer": " 2", "pattern": ""}[field]
    text = f"%%MatrixMarket matrix coordinate {field} {symmetry}\n3 3 2\n2 1{value}\n3 1{value}\n"
    result = read_matrix(written(tmp_path, text)).toarray()
    number = float(value or 1)
    mirrored = {"general": 0.0, "symmetric": number, "skew-symmetric": -number}[symmetry]
    assert result.tolist() == [[0, mirrored, mirrored], [number, 0, 0], [number, 0, 0]]


def test_a_dense_matrix_market_file_is_a_matrix_too(tmp_path: Path) -> None:
    path = tmp_path / "dense.mtx"
    scipy.io.mmwrite(path, np.array([[1.0, 0.0], [np.nan, 4.0]]))
    assert np.array_equal(read_matrix(path).toarray(), [[1, 0], [np.nan, 4]], equal_nan=True)


@pytest.mark.parametrize(
    ("kind", "above"), [("RUA", 0.0), ("RSA", 4.0), ("rsa", 4.0), ("RZA", -4.0), ("RRA", 0.0)]
)
def test_harwell_boeing_with_its_symmetry(tmp_path: Path, kind: str, above: float) -> None:
    text = harwell_boeing(kind)
    if kind == "RZA":  # whose diagonal is zero
        text = text.replace("1.00000000E+00", "0.00000000E+00")
        text = text.replace("2.00000000E+00", "0.00000000E+00").replace("3.00000000E+00", "0.00000000E+00")
    result = read_matrix(written(tmp_path, text)).toarray()
    assert (result[2, 0], result[0, 2]) == (4.0, above)
    assert np.diag(result).tolist() == ([0, 0, 0] if kind == "RZA" else [1, 2, 3])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no Harwell-Boeing type"),
        ("hello\nthere\nyou\n", "names no Harwell-Boeing type"),
        (harwell_boeing("CUA"), "is of type CUA"),
        (harwell_boeing("PUA"), "is of type PUA"),
        (harwell_boeing("RUE"), "is of type RUE"),
        (MARKET.replace("real", "complex").replace("1.5", "1.5 1"), "is complex"),
        (MARKET.replace("3 4 4", "3 4 5"), "SciPy"),
        (MARKET.replace("3 4 4", "3 4 999999999999"), "promises 999999999999 entries"),
        (MARKET.replace("3 4 4", "99999999999 4 4"), "99999999999 rows"),
        (MARKET.replace("1 4 -2", "1 5 -2"), "SciPy"),
        (MARKET.replace("1 4 -2", "0 4 -2"), "SciPy"),
        ("%%MatrixMarket matrix array real general\n99999 99999\n1\n", "promises"),
        (b"\x1f\x8b\x08\x00 packed", "unpack it first (gunzip)"),
        (b"\x80\x04\x95pickled", "names no Harwell-Boeing type"),
    ],
)
def test_invalid_input_is_one_line(tmp_path: Path, text: str | bytes, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UserError) as caught:
        read_matrix(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value) and len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["nowhere.mtx", "."])
def test_a_matrix_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="name a matrix"):
        read_matrix(tmp_path / name)


@pytest.mark.parametrize("text", [MARKET, harwell_boeing(), harwell_boeing("RSA")], ids=["mtx", "rua", "rsa"])
def test_mutated_files_are_read_or_refused(tmp_path: Path, text: str) -> None:
    random = np.random.default_rng(11)
    refused = 0
    for trial in range(100):
        data = bytearray(text.encode())
        match trial % 4:
            case 0:  # cut off
                del data[random.integers(len(data)) :]
            case 1:  # a byte that is any
                data[random.integers(len(data))] = random.integers(256)
            case 2:  # a longer number
                at = random.integers(len(data))
                data[at:at] = b"9" * int(random.integers(1, 20))
            case _:  # a line less
                lines = bytes(data).splitlines(keepends=True)
                del lines[random.integers(len(lines))]
                data = bytearray(b"".join(lines))
        try:
            matrix = read_matrix(written(tmp_path, bytes(data)))
        except UserError as error:
            refused += 1
            assert str(error).isprintable() and len(str(error)) < 500
        else:
            matrix.check_format(full_check=True)
            assert max(matrix.shape) <= 10**6
    assert refused > 30, "the mutations hardly hurt"


def test_the_binary_form_is_as_formats_md_says(tmp_path: Path) -> None:
    matrix = read_matrix(written(tmp_path, MARKET))
    path = tmp_path / "binary"
    write_matrix(path, matrix)
    data = path.read_bytes()
    magic, major, minor, header_bytes, *numbers = struct.unpack_from("<8sHHIQQQQQQ", data)
    assert (magic, major, minor, header_bytes) == (b"strmatrx", 1, 0, 64)
    assert numbers[:3] == [3, 4, 3]
    start, column, value = numbers[3:]
    assert np.frombuffer(data, "<u8", 4, start).tolist() == [0, 2, 2, 3]
    assert np.frombuffer(data, "<u4", 3, column).tolist() == [0, 3, 1]
    assert np.frombuffer(data, "<f8", 3, value).tolist() == [1.5, -2, 1.003]
    assert len(data) == value + 24


def test_a_matrix_of_nothing_has_a_binary_form(tmp_path: Path) -> None:
    write_matrix(tmp_path / "binary", scipy.sparse.csr_array((0, 0)))
    assert struct.unpack_from("<QQQ", (tmp_path / "binary").read_bytes(), 16) == (0, 0, 0)


def test_columns_have_four_bytes_in_the_file(tmp_path: Path) -> None:
    matrix = read_matrix(written(tmp_path, MARKET))
    write_matrix(tmp_path / "narrow", matrix)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    write_matrix(tmp_path / "wide", matrix)
    assert (tmp_path / "wide").read_bytes() == (tmp_path / "narrow").read_bytes()


def test_a_matrix_may_have_rows_and_no_entries(tmp_path: Path) -> None:
    empty = read_matrix(written(tmp_path, "%%MatrixMarket matrix coordinate real general\n5 4 0\n"))
    assert empty.shape == (5, 4) and empty.nnz == 0
    with pytest.raises(UserError, match="negative"):
        read_matrix(written(tmp_path, "%%MatrixMarket matrix coordinate real general\n5 4 -1\n"))
