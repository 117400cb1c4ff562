# SPDX-License-Identifier: BSD-3-Clause
"""Keeps alive what pending operations use: MPI may read or write an array until its operation is complete."""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

_own_python = ctypes.PyDLL(None)
_increment, _decrement = _own_python.Py_IncRef, _own_python.Py_DecRef
_increment.argtypes = _decrement.argtypes = [ctypes.py_object]
_increment.restype = _decrement.restype = None


def hold(used: object) -> None:
    """Keeps an object from being freed, at the interpreter's end as well: MPI may end later."""
    _increment(used)


def let_go(used: object) -> None:
    """Ends what `hold` began."""
    _decrement(used)


class Kept:
    """The arrays of the implicit operations of all threads, until they are waited for.

    A wait releases those that had started when it began. Another thread may start more at any time.
    """

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._starting: dict[int, Any] = {}
        self._started: dict[int, tuple[int, Any]] = {}

    def begin(self, arrays: Any) -> int:
        """Keeps the arrays of an operation that starts now. Returns its number."""
        number = next(self._numbers)
        self._starting[number] = arrays
        return number

    def started(self, number: int, rank: int) -> None:
        """The operation has started; its target is this rank of the runtime."""
        self._started[number] = rank, self._starting[number]
        del self._starting[number]

    def refused(self, number: int) -> None:
        """The operation has not started."""
        del self._starting[number]

    def numbers(self, rank: int | None = None) -> list[int]:
        """Those of the operations that have started so far, to one rank or to all."""
        started = list(self._started.items())  # at once: other threads may start more
        return [number for number, (target, _) in started if rank is None or target == rank]

    def release(self, numbers: list[int]) -> None:
        """These operations are complete."""
        for number in numbers:
            self._started.pop(number, None)  # or another thread has waited for it as well
