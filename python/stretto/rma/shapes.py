# SPDX-License-Identifier: BSD-3-Clause
"""Parts of arrays as the runtime's transfers have them: blocks of bytes, with strides here and at the
target.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stretto.rma.errors import ArgumentError

Array = NDArray[Any]


@dataclass(frozen=True)
class Blocks:
    """Blocks of counts[0] bytes; counts[i] of them lie local[i-1] apart here and remote[i-1] apart at the
    target.
    """

    counts: tuple[int, ...]
    local: tuple[int, ...]
    remote: tuple[int, ...]


def part_of(shape: tuple[int, ...], dtype: np.dtype[Any], where: Any) -> tuple[int, Array]:
    """The part `where` of an array of this shape: its offset in bytes, and an array with its shape and
    strides.

    Raises:
        IndexError: `where` is not in the array.
        ValueError: `where` is neither an index nor slices.
    """
    indices = where if isinstance(where, tuple) else (where,)
    if not all(isinstance(one, (int, np.integer, slice)) or one is Ellipsis for one in indices):
        raise ValueError("at: must be an index, or slices: lists and masks of indices are several transfers")
    # A view only, whose elements are never read: its memory is one element.
    whole = np.lib.stride_tricks.as_strided(np.zeros(1, dtype), shape=shape, strides=_strides(shape, dtype))
    part = whole[indices if Ellipsis in indices else (*indices, Ellipsis)]
    offset = part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    return int(offset), part


def _strides(shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, ...]:
    """The strides of a contiguous array whose last index is the fastest."""
    strides = [dtype.itemsize]
    for count in reversed(shape[1:]):
        strides.append(strides[-1] * count)
    return tuple(reversed(strides)) if shape else ()


def _reversed(array: Array) -> tuple[bool, ...]:
    """For each dimension, whether its elements lie in descending order."""
    return tuple(count > 1 and stride < 0 for count, stride in zip(array.shape, array.strides))


def _turned(array: Array, which: tuple[bool, ...]) -> Array:
    """The array with these dimensions in the opposite order."""
    return array[(*(slice(None, None, -1 if one else None) for one in which), ...)]


def ascending(local: Array, offset: int, remote: Array) -> tuple[Array, int, Array]:
    """The same pairs of elements in an order in which the remote ones ascend, and the offset of the first."""
    back = _reversed(remote)
    first = sum((n - 1) * stride for n, stride, one in zip(remote.shape, remote.strides, back) if one)
    return _turned(local, back), offset + first, _turned(remote, back)


def facing(local: Array, remote: Array) -> Array:
    """`local` where it can be filled from `remote` as it lies; else a new array of its shape and type that
    can.
    """
    back = _reversed(remote)
    if _reversed(local) == back or local.size == 0:
        return local
    return _turned(np.empty(local.shape, local.dtype), back)


def blocks(local: Array, remote: Array) -> Blocks:
    """How the elements of two arrays of one shape lie.

    Raises:
        ArgumentError: A stride is negative.
    """
    size = local.itemsize
    dimensions = [
        (count, here, there)
        for count, here, there in zip(local.shape, local.strides, remote.strides)
        if count != 1
    ]
    if any(here < 0 or there < 0 for _, here, there in dimensions):
        raise ArgumentError("values: an array that is reversed cannot be transferred; copy it first")
    counts, here_apart, there_apart = [size], list[int](), list[int]()
    for count, here, there in reversed(dimensions):
        if not here_apart and here == there == counts[0]:
            counts[0] *= count
        else:
            counts.append(count)
            here_apart.append(here)
            there_apart.append(there)
    return Blocks(tuple(counts), tuple(here_apart), tuple(there_apart))


def contiguous_part(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array of this shape whose elements lie one behind the other; they must not be read."""
    return np.lib.stride_tricks.as_strided(np.zeros(1, dtype), shape=shape, strides=_strides(shape, dtype))


def region_bytes(shape: tuple[int, ...], dtype: np.dtype[Any], flags: int) -> int:
    """Bytes of an array with so many flags behind it, which are aligned."""
    return -(-math.prod(shape) * dtype.itemsize // 8) * 8 + 8 * flags
