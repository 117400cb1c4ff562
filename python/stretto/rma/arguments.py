# SPDX-License-Identifier: BSD-3-Clause
"""Arguments as C takes them: nothing is cut or wrapped on the way, and what one rank refuses, all refuse."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stretto.rma.errors import ArgumentError

SIZE_MAX = 2**64 - 1


@contextmanager
def refused_together(refuse: Callable[[], int]) -> Iterator[None]:
    """Of a collective call: where the body raises on this rank, the other ranks raise, too.

    Args:
        refuse: Calls the function of C with NULL for its result: a refusal that all ranks agree on.
    """
    try:
        yield
    except BaseException:
        refuse()
        raise


def size_of(name: str, value: Any) -> int:
    """A whole number from 0 to SIZE_MAX.

    Raises:
        ArgumentError: it is none.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name}: {value!r} is not a whole number") from None
    if not 0 <= number <= SIZE_MAX:
        raise ArgumentError(f"{name}: {number} is not between 0 and {SIZE_MAX}")
    return number


def sizes_of(name: str, values: Sequence[Any]) -> tuple[int, ...]:
    """The same of each of several."""
    return tuple(size_of(name, one) for one in values)


def indices_of(name: str, values: ArrayLike, dtype: type[np.unsignedinteger[Any]]) -> NDArray[Any]:
    """A contiguous array of unsigned integers with the same values.

    Raises:
        ArgumentError: a value is no such integer.
    """
    array = np.asarray(values)
    limits = np.iinfo(dtype)
    if array.size and array.dtype.kind not in "iu":
        raise ArgumentError(f"{name}: must be integers, not {array.dtype}")
    if array.size and not (array.min() >= 0 and int(array.max()) <= limits.max):
        raise ArgumentError(f"{name}: a value is not between 0 and {limits.max}")
    return np.ascontiguousarray(array, dtype)


def numbers_of(name: str, values: ArrayLike, dtype: type[Any]) -> NDArray[Any]:
    """A contiguous array of real or complex numbers.

    Raises:
        ArgumentError: a value is no number, or complex where only real ones fit.
    """
    array = np.asarray(values)
    kinds = "biufc" if np.dtype(dtype).kind == "c" else "biuf"
    if array.dtype.kind not in kinds:
        raise ArgumentError(f"{name}: {array.dtype} is not {np.dtype(dtype)}, and is not converted to it")
    return np.ascontiguousarray(array, dtype)
