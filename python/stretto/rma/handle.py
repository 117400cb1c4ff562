# SPDX-License-Identifier: BSD-3-Clause
"""One nonblocking operation, until it is waited for."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from stretto.rma.library import check, ffi, library

# What operations need that are pending without a handle: their arrays must not be freed.
_DROPPED: list[tuple[Any, Any]] = []


class Handle:
    """A pending operation. `wait()` or `test()` completes it; until then its array must not change, or be
    read.

    The handle keeps the array alive. A handle that nobody waits for gives a ResourceWarning when it is
    dropped, and keeps its region from being freed.
    """

    __slots__ = ("_runtime", "cell", "result")

    def __init__(self, runtime: Any, result: Any) -> None:
        self._runtime = runtime
        self.cell = ffi.new("stretto_handle**")
        self.result = result  #: The array that a get fills, or that a put sends.

    def __del__(self) -> None:
        """Warns of an operation that nobody has waited for."""
        if self.cell[0] and not sys.is_finalizing():
            _DROPPED.append((self.cell, self.result))
            what = "a handle of a pending operation was dropped; wait for it, or test it until it is done"
            warnings.warn(what, ResourceWarning, stacklevel=2)

    @property
    def pending(self) -> bool:
        """Whether the operation was neither waited for nor tested with success."""
        return bool(self.cell[0])

    def wait(self) -> Any:
        """Waits for local completion, and returns the array."""
        check(library().stretto_wait(self._runtime, self.cell))
        return self.result

    def test(self) -> bool:
        """Whether the operation is complete; then it is no longer pending."""
        complete = ffi.new("int*")
        check(library().stretto_test(self._runtime, self.cell, complete))
        return bool(complete[0])

    def wait_source(self) -> Any:
        """Waits until the array may be changed, and returns it. The handle stays pending."""
        check(library().stretto_wait_source(self.cell[0]))
        return self.result

    def test_source(self) -> bool:
        """Whether the array may be changed. The handle stays pending."""
        complete = ffi.new("int*")
        check(library().stretto_test_source(self.cell[0], complete))
        return bool(complete[0])

    def wait_remote(self) -> Any:
        """Waits until the operation is visible at the target, and returns the array."""
        check(library().stretto_wait_remote(self.cell))
        return self.result

    def test_remote(self) -> bool:
        """Whether the operation is visible at the target; then it is no longer pending."""
        complete = ffi.new("int*")
        check(library().stretto_test_remote(self.cell, complete))
        return bool(complete[0])


def wait_all(runtime: Any, handles: list[Handle]) -> None:
    """Waits for all handles."""
    cells = ffi.new("stretto_handle*[]", [one.cell[0] for one in handles])
    try:
        check(library().stretto_wait_all(runtime, len(handles), cells))
    finally:
        _give_back(cells, handles)


def wait_any(runtime: Any, handles: list[Handle]) -> int:
    """Waits for one of the pending handles, and returns its index."""
    cells = ffi.new("stretto_handle*[]", [one.cell[0] for one in handles])
    index = ffi.new("size_t*")
    try:
        check(library().stretto_wait_any(runtime, len(handles), cells, index))
    finally:
        _give_back(cells, handles)
    return int(index[0])


def _give_back(cells: Any, handles: list[Handle]) -> None:
    for one, cell in zip(handles, cells):
        one.cell[0] = cell
