# SPDX-License-Identifier: BSD-3-Clause
"""Memory of all ranks: each has a NumPy array of its own, and may put to, get from and add to the others'."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from stretto.rma.arguments import converted
from stretto.rma.array_calls import array_calls
from stretto.rma.errors import ArgumentError
from stretto.rma.handle import Handle
from stretto.rma.kept import Kept
from stretto.rma.library import address_of, check, ffi, filled, known, library, raise_error
from stretto.rma.shapes import Array, ascending, blocks, facing, part_of, region_bytes
from stretto.rma.team import Team
from stretto.rma.updates import Updates

_from_buffer = ffi.from_buffer


class Region(Updates):
    """An array of `shape` on each rank, followed by `flags` flags. `Runtime.region` makes one.

    `at` is where an operation begins in the target's array: the number of an element, counted over all
    dimensions; or an index or slices, as of an array with this rank's shape. `values` may have any strides.
    Values of another type are converted.

    put, get and accumulate return when they are complete at this rank. Those with _nonblocking return a
    handle. Those with _implicit are completed by `Runtime.wait_implicit`, and their arrays are kept until
    then.

    Attributes:
        local: This rank's array. It is gone after `free`.
        flags: This rank's flags, unsigned integers.
        shape: Of this rank's array.
        dtype: Of all ranks' arrays.
    """

    def __init__(
        self,
        runtime: Any,
        cell: Any,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        flags: int,
        kept: Kept,
        ranks: Sequence[int],
    ) -> None:
        """Takes the region of C, which has `region_bytes(shape, dtype, flags)` bytes. `ranks` are its
        members' ranks in the runtime.
        """
        super().__init__(runtime, cell, dtype, kept, ranks)
        self.shape = shape
        c = library()
        self._calls = array_calls(self._pointer)
        address, size_bytes = ffi.new("void**"), ffi.new("size_t*")
        check(c.stretto_region_local(self._pointer, address, size_bytes))
        whole = (
            np.frombuffer(ffi.buffer(address[0], size_bytes[0]), np.uint8)
            if size_bytes[0]
            else np.zeros(0, np.uint8)
        )
        used = math.prod(shape) * dtype.itemsize
        self.local: Array = whole[:used].view(dtype).reshape(shape)
        first = region_bytes(shape, dtype, 0)
        self.flags: Array = whole[first:].view(np.uint64)
        self._first_flag = [self._size_bytes(rank) - 8 * flags for rank in range(self.size)] if flags else []

    @property
    def rank(self) -> int:
        """This rank in the region's team."""
        return known("region", library().stretto_region_rank(self._pointer))

    @property
    def size(self) -> int:
        """The number of ranks in the region's team."""
        return known("region", library().stretto_region_size(self._pointer))

    def team(self) -> Team:
        """The region's ranks. Free it as any other team."""
        return Team(self._runtime, filled(library().stretto_region_team, self._pointer))

    def node_local(self, target: int) -> Array | None:
        """A rank's array in this process's memory; None where that rank is on another node.

        Where the rank's array is not as large as this rank's, it is flat, and may end with bytes of padding.
        """
        address = filled(library().stretto_region_node_local, self._pointer, target)
        if not address[0]:
            return None
        used = (self._size_bytes(target) - 8 * len(self.flags)) // self.dtype.itemsize * self.dtype.itemsize
        elements = (
            np.frombuffer(ffi.buffer(address[0], used), self.dtype) if used else np.zeros(0, self.dtype)
        )
        return elements.reshape(self.shape) if elements.size == self.local.size else elements

    def free(self) -> None:
        """Frees the memory of all ranks. Collective. The arrays must not be used any more."""
        if self._cell[0]:
            check(library().stretto_region_free(self._cell))
            self._pointer = ffi.NULL
            self._calls = array_calls(ffi.NULL)
            self.local, self.flags = np.zeros(0, self.dtype), np.zeros(0, np.uint64)

    # ---- Put ----

    def put(self, values: Any, target: int, at: Any = 0) -> None:
        """Writes `values` to the array of rank `target`."""
        if type(at) is int and at >= 0 and type(values) is np.ndarray and values.dtype is self.dtype:
            code = self._calls.put(values, target, at * self._itemsize)
            if code:
                raise_error(code)
            if code == 0:
                return
        self._start("stretto_put", values, target, at)

    def put_nonblocking(self, values: Any, target: int, at: Any = 0) -> Handle:
        """Starts a put. The handle's `result` is the array that must not change."""
        return self._with_handle("stretto_nonblocking_put", values, target, at)

    def put_implicit(self, values: Array, target: int, at: Any = 0) -> None:
        """Starts a put without a handle."""
        self._start_implicit("stretto_implicit_put", values, target, at)

    # ---- Get ----

    def get(self, target: int, at: Any = 0, out: Array | None = None, count: int | None = None) -> Array:
        """Reads from the array of rank `target` into `out`, or into a new array: the part that slices name,
        or
        `count` elements, else all that follow.
        """
        if out is None:
            out = self._new(at, count)
        if type(at) is int and at >= 0 and type(out) is np.ndarray and out.dtype is self.dtype:
            code = self._calls.get(out, target, at * self._itemsize)
            if code:
                raise_error(code)
            if code == 0:
                return out
        _, part = self._part(at, self._writable(out).shape)
        filled = facing(out, part) if out.shape == part.shape else out
        self._start("stretto_get", filled, target, at)
        if filled is not out:
            out[...] = filled
        return out

    def get_nonblocking(
        self, target: int, at: Any = 0, out: Array | None = None, count: int | None = None
    ) -> Handle:
        """Starts a get. The handle's `result` is the array that it fills."""
        out = self._new(at, count) if out is None else out
        return self._with_handle("stretto_nonblocking_get", self._writable(out), target, at)

    def get_implicit(self, target: int, at: Any, out: Array) -> None:
        """Starts a get without a handle."""
        self._start_implicit("stretto_implicit_get", self._writable(out), target, at)

    # ---- Accumulate ----

    def accumulate(self, values: Any, target: int, at: Any = 0, factor: Any = None) -> None:
        """Adds `factor * values` to the array of rank `target`, element by element atomically."""
        if (
            type(at) is int
            and at >= 0
            and factor is None
            and self._element_type >= 0
            and type(values) is np.ndarray
            and values.dtype is self.dtype
        ):
            code = self._calls.accumulate(values, target, at * self._itemsize, self._element_type)
            if code:
                raise_error(code)
            if code == 0:
                return
        self._start("stretto_accumulate", values, target, at, *self._scale(factor))

    def accumulate_nonblocking(self, values: Any, target: int, at: Any = 0, factor: Any = None) -> Handle:
        """Starts an accumulate."""
        return self._with_handle("stretto_nonblocking_accumulate", values, target, at, *self._scale(factor))

    def accumulate_implicit(self, values: Array, target: int, at: Any = 0, factor: Any = None) -> None:
        """Starts an accumulate without a handle."""
        scale = self._scale(factor)
        self._start_implicit("stretto_implicit_accumulate", values, target, at, *scale)

    # ---- Signals ----

    def put_signal(
        self, values: Any, target: int, at: Any = 0, flag: int = 0, value: int = 1, add: bool = True
    ) -> None:
        """Writes `values`, and raises the target's flag of that number when they are visible there.

        `add` counts arrivals: `value` is added to the flag; without it, the flag becomes `value`.
        """
        place = self._flag(target, flag)
        if type(at) is int and at >= 0 and type(values) is np.ndarray and values.dtype is self.dtype:
            code = self._calls.put_signal(values, target, at * self._itemsize, place, value, add)
            if code:
                raise_error(code)
            if code == 0:
                return
        self._start("stretto_put_signal", values, target, at, place, value, add)

    def put_signal_nonblocking(
        self, values: Any, target: int, at: Any = 0, flag: int = 0, value: int = 1, add: bool = True
    ) -> Handle:
        """Starts a put with a flag."""
        place = self._flag(target, flag)
        return self._with_handle("stretto_nonblocking_put_signal", values, target, at, place, value, add)

    def wait_signal(self, flag: int = 0, value: int = 1, comparison: str = ">=") -> int:
        """Waits until this rank's flag is at least `value`, or compares otherwise with it (`==`, `!=`, `>`,
        `<`, `<=`), and returns what it is.
        """
        if comparison != ">=":
            self.wait_any_signal([(flag, comparison, value)])
            return int(self.flags[flag])
        code = library().stretto_wait_signal(self._pointer, self._own_flag(flag), value, ffi.NULL)
        if code:
            raise_error(code)
        return int(self.flags[flag])

    # ---- What they share ----

    def _size_bytes(self, target: int) -> int:
        return int(filled(library().stretto_region_size_bytes, self._pointer, target)[0])

    def _new(self, at: Any, count: int | None) -> Array:
        """The array that a get without one returns."""
        if isinstance(at, int):
            if at == 0 and count is None:
                return np.empty(self.shape, self.dtype)
            if count is None and at > self.local.size:
                raise ArgumentError(f"at: {at} is behind the {self.local.size} elements of this rank's array")
            return np.empty(self.local.size - max(at, 0) if count is None else count, self.dtype)
        part = part_of(self.shape, self.dtype, at)[1]
        return facing(np.empty(part.shape, self.dtype), part)

    def _arguments(
        self, values: Any, target: int, at: Any, is_filled: bool
    ) -> tuple[Array, str, tuple[Any, ...]]:
        """The array that an operation uses, the ending of its function's name, and its arguments."""
        array = converted("values", values, self.dtype)
        offset, part = self._part(at, array.shape)
        if array.shape != part.shape:
            if is_filled:
                raise ArgumentError(f"out: has the shape {array.shape}, and the part {part.shape}")
            array = np.ascontiguousarray(np.broadcast_to(array, part.shape))
        array, offset, part = ascending(array, offset, part)
        if min(array.strides, default=0) < 0 and not is_filled:
            array = array.copy()
        shape = blocks(array, part)
        address = address_of(array)
        where = (self._pointer, target, offset, address)
        if array.size == 0 or len(shape.counts) == 1:
            return array, "", (*where, array.nbytes)
        return array, "_strided", (*where, len(shape.local), shape.counts, shape.local, shape.remote)

    def _start(self, function: str, values: Any, target: int, at: Any, *more: Any) -> None:
        """Calls a function for the shape of `values`, which is complete when it returns."""
        _array, ending, arguments = self._arguments(values, target, at, function.endswith("_get"))
        check(getattr(library(), function + ending)(*arguments, *more))

    def _start_implicit(self, function: str, values: Any, target: int, at: Any, *more: Any) -> None:
        array, ending, arguments = self._arguments(values, target, at, function.endswith("_get"))
        self._implicitly(array, target, getattr(library(), function + ending), *arguments, *more)

    def _with_handle(self, function: str, values: Any, target: int, at: Any, *more: Any) -> Handle:
        handle = Handle(self._runtime, values)
        if type(at) is int and at >= 0 and type(values) is np.ndarray and values.dtype is self.dtype:
            try:
                source = _from_buffer(values)
            except (ValueError, BufferError):
                pass
            else:
                call = getattr(library(), function)
                code = call(
                    self._pointer, target, at * self._itemsize, source, len(source), *more, handle.cell
                )
                if code:
                    raise_error(code)
                return handle
        is_filled = function.endswith("_get")
        array, ending, arguments = self._arguments(values, target, at, is_filled)
        # Before the call: a signal of Python may end this method right after it.
        handle.result, handle._arrays = values if is_filled else array, array
        check(getattr(library(), function + ending)(*arguments, *more, handle.cell))
        return handle
