# SPDX-License-Identifier: BSD-3-Clause
"""One nonblocking operation, until it is waited for."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from stretto.rma.errors import HandleError
from stretto.rma.kept import hold
from stretto.rma.library import check, ffi, library


class Pending:
    """An object of C for what has started, until it is complete, with the arrays that it uses.

    Only one thread at a time may wait for it: two would free it twice.
    """

    __slots__ = ("_arrays", "_lock", "cell", "result")

    what = "an operation"

    def __init__(self, kind: str, result: Any, arrays: Any = None) -> None:
        self._lock = threading.Lock()
        self.cell = ffi.new(kind)
        self.result = result  #: The array that is filled, or sent; None where there is none.
        self._arrays = arrays

    def __del__(
        self,
        hold: Callable[[object], None] = hold,
        is_finalizing: Callable[[], bool] = sys.is_finalizing,
    ) -> None:
        """Keeps the arrays of what nobody has waited for, and warns. At the interpreter's end as well, where
        the names of this module may be gone.
        """
        if not self.cell[0]:
            return
        hold((self.result, self._arrays))
        if not is_finalizing():
            text = f"{self.what} was dropped; wait for it, or test it until it is done"
            warnings.warn(text, ResourceWarning, stacklevel=2)

    @property
    def pending(self) -> bool:
        """Whether it was neither waited for nor tested with success."""
        return bool(self.cell[0])

    def take(self) -> bool:
        """Lets this thread alone call C with it, until `release`. False where another one does."""
        return self._lock.acquire(blocking=False)

    def release(self) -> None:
        """Ends what `take` began."""
        self._lock.release()

    def _call(self, function: Any, *arguments: Any) -> None:
        if not self.take():
            raise HandleError(f"{self.what} is waited for twice at the same time")
        try:
            check(function(*arguments))
        finally:
            self.release()

    def _holds(self, function: Any, *arguments: Any) -> bool:
        """What a function of C says by its last parameter."""
        answer = ffi.new("int*")
        self._call(function, *arguments, answer)
        return bool(answer[0])


class Handle(Pending):
    """A pending operation. `wait()` or `test()` completes it; until then its array must not change, or be
    read.

    The handle keeps the array alive. A handle that nobody waits for gives a ResourceWarning when it is
    dropped, and keeps its array and its region from being freed.
    """

    __slots__ = ("_runtime",)

    what = "a handle of a pending operation"

    def __init__(self, runtime: Any, result: Any, arrays: Any = None) -> None:
        super().__init__("stretto_handle**", result, arrays)
        self._runtime = runtime

    def wait(self) -> Any:
        """Waits for local completion, and returns the array."""
        self._call(library().stretto_wait, self._runtime, self.cell)
        return self.result

    def test(self) -> bool:
        """Whether the operation is complete; then it is no longer pending."""
        return self._holds(library().stretto_test, self._runtime, self.cell)

    def wait_source(self) -> Any:
        """Waits until the array may be changed, and returns it. The handle stays pending."""
        self._call(library().stretto_wait_source, self.cell[0])
        return self.result

    def test_source(self) -> bool:
        """Whether the array may be changed. The handle stays pending."""
        return self._holds(library().stretto_test_source, self.cell[0])

    def wait_remote(self) -> Any:
        """Waits until the operation is visible at the target, and returns the array."""
        self._call(library().stretto_wait_remote, self.cell)
        return self.result

    def test_remote(self) -> bool:
        """Whether the operation is visible at the target; then it is no longer pending."""
        return self._holds(library().stretto_test_remote, self.cell)


def wait_all(runtime: Any, handles: list[Handle]) -> None:
    """Waits for all handles."""
    with _taken(handles) as cells:
        check(library().stretto_wait_all(runtime, len(handles), cells))


def wait_any(runtime: Any, handles: list[Handle]) -> int:
    """Waits for one of the pending handles, and returns its index."""
    index = ffi.new("size_t*")
    with _taken(handles) as cells:
        check(library().stretto_wait_any(runtime, len(handles), cells, index))
    return int(index[0])


@contextmanager
def _taken(handles: list[Handle]) -> Iterator[Any]:
    """The handles as C takes them, for this thread alone. Afterwards they are what C has left."""
    taken: list[Handle] = []
    try:
        for number, one in enumerate(handles):
            if not isinstance(one, Handle):
                raise HandleError(f"handles: {number} is no handle")
            if not one.take():
                if one in taken:
                    raise HandleError(f"handles: {taken.index(one)} and {number} are the same handle")
                raise HandleError("a handle of a pending operation is waited for twice at the same time")
            taken.append(one)
        cells = ffi.new("stretto_handle*[]", [one.cell[0] for one in handles])
        try:
            yield cells
        finally:
            for one, cell in zip(handles, cells):
                one.cell[0] = cell
    finally:
        for one in taken:
            one.release()
