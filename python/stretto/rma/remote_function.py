# SPDX-License-Identifier: BSD-3-Clause
"""Active messages: a Python function that any rank runs on any other, with a payload of bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stretto.rma.errors import ArgumentError
from stretto.rma.library import check, ffi, filled, library
from stretto.rma.shapes import Array

_SIGNATURE = "void(int, const void*, size_t, void*)"


class RemoteFunction:
    """`Runtime.remote_function` makes one.

    The target's progress runs the function, one call at a time, and those of one rank in their order. It may
    start operations, but must not wait for another rank. Its exceptions are printed.
    """

    def __init__(self, runtime: Any, function: Callable[[int, bytes], None]) -> None:
        def call(source: int, payload: Any, size_bytes: int, _: Any) -> None:
            function(source, bytes(ffi.buffer(payload, size_bytes)) if size_bytes else b"")

        self._callback = ffi.callback(_SIGNATURE, call)  # as long as others may call it
        self._cell = filled(library().stretto_remote_function_create, runtime, self._callback, ffi.NULL)

    def __call__(self, target: int, payload: bytes | bytearray | memoryview | Array = b"") -> None:
        """Runs the function on rank `target`. After a fence it has returned there."""
        if getattr(getattr(payload, "dtype", None), "hasobject", False):
            raise ArgumentError("payload: has Python objects, which no other process can use")
        data = ffi.from_buffer(payload)
        check(library().stretto_remote_function_call(self._cell[0], target, data, len(data)))

    @property
    def max_bytes(self) -> int:
        """The most bytes of one payload."""
        return int(filled(library().stretto_remote_function_most_bytes, self._cell[0])[0])

    def free(self) -> None:
        """Waits for all calls of all ranks. Collective."""
        if self._cell[0]:
            check(library().stretto_remote_function_free(self._cell))
