# SPDX-License-Identifier: BSD-3-Clause
"""Arguments reach C with the value that the caller gave, or are refused: nothing is cut or wraps around."""

from typing import Any

import numpy as np
import pytest

from stretto.rma.arguments import SIZE_MAX, indices_of, numbers_of, refused_together, size_of, sizes_of
from stretto.rma.errors import ArgumentError


@pytest.mark.parametrize("value", [0, 7, True, np.int8(3), np.uint64(SIZE_MAX), SIZE_MAX])
def test_whole_numbers_are_sizes(value: Any) -> None:
    assert size_of("count", value) == int(value)


@pytest.mark.parametrize("value", [-1, 2**64, 2.0, 2.7, "2", None, 1j, [2], np.float64(4), np.int8(-1)])
def test_what_is_no_size_is_refused_by_name(value: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^count: "):
        size_of("count", value)
    with pytest.raises(ArgumentError, match=r"^count: "):
        sizes_of("count", (1, value))


@pytest.mark.parametrize(
    "values",
    [
        [2**32],
        [-1],
        [0.5],
        [1.0],
        [1j],
        ["1"],
        [2**64],
        np.array([2**32], np.uint64),
        np.array([-1], np.int8),
    ],
)
def test_what_is_no_column_is_refused(values: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^matrix: "):
        indices_of("matrix", values, np.uint32)


def test_columns_keep_their_values() -> None:
    assert indices_of("matrix", [0, 2**32 - 1], np.uint32).tolist() == [0, 2**32 - 1]
    assert indices_of("matrix", np.array([3, 1], np.int64)[::-1], np.uint32).tolist() == [1, 3]
    assert indices_of("matrix", [], np.uint32).size == 0, "an empty list of Python is one of floats"


def test_complex_numbers_do_not_become_real() -> None:
    for values in ([1 + 2j], np.array([1j], np.complex64), ["1"], [object()]):
        with pytest.raises(ArgumentError, match=r"^x: "):
            numbers_of("x", values, float)
    assert numbers_of("x", [1, 2.5, True], float).tolist() == [1, 2.5, 1]
    assert numbers_of("x", [1, 2.5j], complex).tolist() == [1, 2.5j]


def test_the_others_are_told_of_a_refusal_and_of_nothing_else() -> None:
    messages: list[int] = []

    def refuse() -> int:
        messages.append(1)
        return 1

    with refused_together(refuse):
        size_of("count", 3)
    assert not messages
    with pytest.raises(ArgumentError), refused_together(refuse):
        size_of("count", -3)
    assert messages == [1]
