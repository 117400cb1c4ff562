# SPDX-License-Identifier: BSD-3-Clause
"""Arguments as C takes them: nothing is cut or wrapped on the way, and what one rank refuses, all refuse."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stretto.rma.errors import ArgumentError

SIZE_MAX = 2**64 - 1
_TYPES = {"i4": 0, "i8": 1, "f4": 2, "f8": 3, "c8": 4, "c16": 5, "u4": 6, "u8": 7}
"""The types of stretto.h, by NumPy's kind and bytes."""


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
    number = _whole_number(name, value)
    if not 0 <= number <= SIZE_MAX:
        raise ArgumentError(f"{name}: {number} is not between 0 and {SIZE_MAX}")
    return number


def int_of(name: str, value: Any) -> int:
    """A whole number that fits an int of C.

    Raises:
        ArgumentError: it is none.
    """
    number = _whole_number(name, value)
    if not -(2**31) <= number < 2**31:
        raise ArgumentError(f"{name}: {number} does not fit an int of C")
    return number


def _whole_number(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name}: {value!r} is not a whole number") from None


def number_of(name: str, chosen: Any, names: Sequence[str]) -> int:
    """The number in C of one of some names, which are in the order of their constants.

    Raises:
        ArgumentError: it is none of them.
    """
    if chosen not in names:
        raise ArgumentError(f"{name}: {chosen!r} is none of {', '.join(names)}")
    return names.index(chosen)


def type_of(dtype: np.dtype[Any]) -> int | None:
    """The number of a type in stretto.h; None where it has no such type."""
    return _TYPES.get(f"{dtype.kind}{dtype.itemsize}") if dtype.isnative else None


def real_type_of(name: str, dtype: np.dtype[Any]) -> int:
    """The number of a type of integers or real numbers in stretto.h.

    Raises:
        ArgumentError: it is none.
    """
    number = None if dtype.kind == "c" else type_of(dtype)
    if number is None:
        raise ArgumentError(f"{name}: {dtype} is no integer or real type of 32 or 64 bits")
    return number


def sizes_of(name: str, values: Sequence[Any]) -> tuple[int, ...]:
    """The same of each of several."""
    return tuple(size_of(name, one) for one in values)


def text_of(name: str, value: Any) -> bytes:
    """A text as C takes it: it ends where C's text ends.

    Raises:
        ArgumentError: it is no text, or has a null character.
    """
    if not isinstance(value, str):
        raise ArgumentError(f"{name}: {value!r} is not a string")
    if "\0" in value:
        raise ArgumentError(f"{name}: {value!r} has a null character")
    return value.encode()


def converted(name: str, values: ArrayLike, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array of this type. NumPy alone would make a number of text, and not-a-number of None.

    Raises:
        ArgumentError: a value is no number where numbers are.
    """
    array = np.asarray(values) if dtype.kind in "biufc" else np.asarray(values, dtype)
    if array.dtype != dtype and array.dtype.kind not in "biufc" and dtype.kind in "biufc":
        raise ArgumentError(f"{name}: {array.dtype} is not {dtype}, and is not converted to it")
    return np.asarray(array, dtype)


def result_array(name: str, array: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The array, which a function of C can fill.

    Raises:
        ArgumentError: it is none, or of another type, or not contiguous, or must not change.
    """
    fits = isinstance(array, np.ndarray) and array.dtype == dtype
    if not fits or not array.flags.c_contiguous or not array.flags.writeable:
        raise ArgumentError(f"{name}: must be a contiguous array of {dtype} that can be written to")
    return cast(NDArray[Any], array)


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
