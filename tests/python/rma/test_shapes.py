# SPDX-License-Identifier: BSD-3-Clause
"""Parts of arrays become blocks that have the same elements."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stretto.rma.shapes import Blocks, blocks, contiguous_part, part_of


def bytes_of(base: int, counts: tuple[int, ...], strides: tuple[int, ...]) -> Iterator[int]:
    """The addresses of the bytes of blocks, in the order of the elements."""
    if not strides:
        yield from range(base, base + counts[0])
        return
    for i in range(counts[-1]):
        yield from bytes_of(base + i * strides[-1], counts[:-1], strides[:-1])


@st.composite
def parts(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """The shape of an array, and an index of a part of it."""
    shape = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)))
    where = []
    for count in shape:
        begin = draw(st.integers(0, count - 1))
        end = draw(st.integers(begin + 1, count))
        where.append(draw(st.sampled_from([begin, slice(begin, end), slice(begin, end, 2), slice(None)])))
    return shape, tuple(where[: draw(st.integers(1, len(where)))])


@given(parts())
def test_blocks_are_the_bytes_of_the_part(case: tuple[tuple[int, ...], tuple[Any, ...]]) -> None:
    shape, where = case
    numbers = np.arange(np.prod(shape), dtype=np.uint16).reshape(shape)
    offset, part = part_of(shape, numbers.dtype, where)
    local = contiguous_part(part.shape, numbers.dtype)
    result = blocks(local, part)
    elements = list(bytes_of(offset, result.counts, result.remote))[::2]
    assert [one // 2 for one in elements] == np.ravel(numbers[where]).tolist()
    assert list(bytes_of(0, result.counts, result.local)) == list(range(2 * part.size))


def test_contiguous_dimensions_are_one_block() -> None:
    whole = contiguous_part((3, 4, 5), np.dtype(float))
    assert blocks(whole, whole) == Blocks((480,), (), ())
    assert blocks(whole[:, 1:3], whole[:, 1:3]) == Blocks((80, 3), (160,), (160,))
    # A block must be contiguous at the origin and at the target.
    assert blocks(contiguous_part((3, 5), np.dtype(float)), whole[:, 0]) == Blocks((40, 3), (40,), (160,))


def test_an_index_that_is_no_part_is_refused() -> None:
    with pytest.raises(ValueError, match="lists and masks"):
        part_of((4, 4), np.dtype(float), [1, 2])
    with pytest.raises(IndexError):
        part_of((4, 4), np.dtype(float), (4, 0))
    with pytest.raises(ValueError, match="reversed"):
        blocks(np.zeros(4), part_of((4,), np.dtype(float), slice(None, None, -1))[1])


def test_no_memory_is_read() -> None:
    offset, part = part_of((10**6, 10**6), np.dtype(float), (-1, slice(5, 7)))
    assert offset == 8 * (10**12 - 10**6 + 5) and part.shape == (2,)
