# SPDX-License-Identifier: BSD-3-Clause
"""A region's flags and atomic updates, and the protocols of its operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stretto.rma.arguments import number_of, real_type_of
from stretto.rma.errors import ArgumentError
from stretto.rma.handle import Handle
from stretto.rma.library import address_of, check, ffi, filled, library
from stretto.rma.pieces import Pieces
from stretto.rma.shapes import Array, contiguous_part, part_of, region_bytes

# Of stretto.h, in the order of its constants.
_COMPARISONS = ("==", "!=", ">", ">=", "<", "<=")
_UPDATES = ("add", "and", "or", "xor", "set", "fetch")
_PROTOCOLS = ("direct", "rma", "eager", "rendezvous")
_OPERATIONS = ("put", "get", "put_signal", "update")

Condition = tuple[int, str, int]
"""A flag of this rank, a comparison such as `>=`, and a value."""


class Updates(Pieces):
    """Flags, one behind the other after the array, and updates of single elements."""

    shape: tuple[int, ...]
    flags: Array
    _first_flag: list[int]

    # ---- Signals ----

    def raise_signal(self, target: int, flag: int = 0, value: int = 1, add: bool = True) -> None:
        """Raises the target's flag alone, as `put_signal` does behind data."""
        place = self._flag(target, flag)
        check(library().stretto_raise_signal(self._pointer, target, place, value, add))

    def raise_signal_nonblocking(
        self, target: int, flag: int = 0, value: int = 1, add: bool = True
    ) -> Handle:
        """Starts to raise a flag."""
        handle = Handle(self._runtime, None)
        call = library().stretto_nonblocking_raise_signal
        check(call(self._pointer, target, self._flag(target, flag), value, add, handle.cell))
        return handle

    def wait_any_signal(self, conditions: Sequence[Condition]) -> int:
        """Waits until one of the conditions holds, and returns the index of the first that does."""
        call = library().stretto_wait_any_signal
        return int(filled(call, self._pointer, *self._conditions(conditions))[0])

    def wait_some_signals(self, conditions: Sequence[Condition]) -> list[int]:
        """Waits until one of the conditions holds, and returns the indices of all that do."""
        found, indices = ffi.new("size_t*"), ffi.new("size_t[]", max(len(conditions), 1))
        call = library().stretto_wait_some_signals
        check(call(self._pointer, *self._conditions(conditions), found, indices))
        return [int(one) for one in indices[0 : found[0]]]

    def wait_all_signals(self, conditions: Sequence[Condition]) -> None:
        """Waits until each of the conditions has held once."""
        check(library().stretto_wait_all_signals(self._pointer, *self._conditions(conditions)))

    def test_any_signal(self, conditions: Sequence[Condition]) -> int | None:
        """The index of the first condition that holds; None where none does, after a poll."""
        call = library().stretto_test_any_signal
        index = filled(call, self._pointer, *self._conditions(conditions))
        return int(index[0]) if index[0] < len(conditions) else None

    def test_signal(self, flag: int = 0, value: int = 1, comparison: str = ">=") -> bool:
        """Whether this rank's flag is at least `value`, or compares otherwise with it. Polls where it does
        not.
        """
        if comparison != ">=":
            return self.test_any_signal([(flag, comparison, value)]) is not None
        raised = ffi.new("int*")
        check(library().stretto_test_signal(self._pointer, self._own_flag(flag), value, raised))
        return bool(raised[0])

    def reset_signal(self, flag: int = 0, value: int = 0) -> None:
        """Stores `value` in this rank's flag."""
        check(library().stretto_reset_signal(self._pointer, self._own_flag(flag), value))

    # ---- Atomics ----

    def fetch_add(self, target: int, at: Any, value: int) -> int:
        """Adds to one integer, and returns what it was."""
        return self._atomic("fetch_add", target, at, value)

    def swap(self, target: int, at: Any, value: int) -> int:
        """Replaces one integer, and returns what it was."""
        return self._atomic("swap", target, at, value)

    def compare_swap(self, target: int, at: Any, expected: int, desired: int) -> int:
        """Replaces one integer if it is `expected`, and returns what it was."""
        return self._atomic("compare_swap", target, at, expected, desired)

    def _atomic(self, name: str, target: int, at: Any, *values: int) -> int:
        if self.dtype.kind not in "iu" or self._itemsize not in (4, 8) or not self.dtype.isnative:
            raise ArgumentError(f"dtype: {self.dtype} is no integer of 32 or 64 bits, as atomics need")
        bits = 8 * self._itemsize
        before = ffi.new(f"int{bits}_t*")
        offset = self._element(at)
        signed = [int(np.array(one, self.dtype).view(f"i{self._itemsize}")) for one in values]
        check(getattr(library(), f"stretto_{name}_int{bits}")(self._pointer, target, offset, *signed, before))
        return int(np.array(before[0], f"i{self._itemsize}").view(self.dtype))

    def atomic(self, operation: str, target: int, at: Any, value: Any = 0) -> Any:
        """Updates one number: `add`, `and`, `or`, `xor`, `set`, or `fetch`, which changes nothing. Returns
        what it was.
        """
        place, fetched = self._element(at), np.zeros(1, self.dtype)
        operand = np.array([value], self.dtype)
        check(
            library().stretto_atomic(
                *(self._pointer, target, place, *self._kind(operation)),
                *(address_of(operand), address_of(fetched)),
            )
        )
        return fetched[0].item()

    def update(self, operation: str, target: int, at: Any, value: Any) -> None:
        """Updates one number as `atomic` does, and returns nothing: it completes and is ordered as a put."""
        place, operand = self._element(at), np.array([value], self.dtype)
        kind = self._kind(operation)
        check(library().stretto_atomic(self._pointer, target, place, *kind, address_of(operand), ffi.NULL))

    def atomic_nonblocking(self, operation: str, target: int, at: Any, value: Any = 0) -> Handle:
        """Starts an update. The handle's `result` is an array with the value before."""
        handle = Handle(self._runtime, np.zeros(1, self.dtype))
        place, operand = self._element(at), np.array([value], self.dtype)
        check(
            library().stretto_nonblocking_atomic(
                *(self._pointer, target, place, *self._kind(operation)),
                *(address_of(operand), address_of(handle.result), handle.cell),
            )
        )
        return handle

    def compare_swap_nonblocking(self, target: int, at: Any, expected: int, desired: int) -> Handle:
        """Starts a compare and swap. The handle's `result` is an array with the value before."""
        handle = Handle(self._runtime, np.zeros(1, self.dtype))
        before, after = np.array([expected], self.dtype), np.array([desired], self.dtype)
        check(
            library().stretto_nonblocking_compare_swap(
                *(self._pointer, target, self._element(at), real_type_of("dtype", self.dtype)),
                *(address_of(before), address_of(after), address_of(handle.result), handle.cell),
            )
        )
        return handle

    # ---- Protocols ----

    def protocol(self, operation: str, target: int, size_bytes: int, row_bytes: int = 0) -> tuple[str, str]:
        """The protocol of an operation (`put`, `get`, `put_signal`, `update`), and why. Data that is not
        contiguous has rows of `row_bytes`.
        """
        number = number_of("operation", operation, _OPERATIONS)
        protocol, reason = ffi.new("int*"), ffi.new("const char**")
        call = library().stretto_protocol_of
        check(call(self._pointer, number, target, size_bytes, row_bytes, protocol, reason))
        return _PROTOCOLS[protocol[0]], ffi.string(reason[0]).decode()

    # ---- What they share ----

    def _conditions(self, conditions: Sequence[Condition]) -> tuple[int, Any]:
        made = ffi.new("stretto_signal_condition[]", len(conditions))
        for one, (flag, comparison, value) in zip(made, conditions):
            one.comparison = number_of("comparison", comparison, _COMPARISONS)
            one.offset, one.value = self._own_flag(flag), value
        return len(conditions), made

    def _kind(self, operation: str) -> tuple[int, int]:
        """The numbers of the element type and of an update."""
        return real_type_of("dtype", self.dtype), number_of("operation", operation, _UPDATES)

    def _element(self, at: Any) -> int:
        """The offset of one element."""
        offset, part = self._part(at, (1,))
        if part.size != 1:
            raise ArgumentError(f"at: names {part.size} elements, and atomics update one")
        return offset

    def _part(self, at: Any, shape: tuple[int, ...]) -> tuple[int, Array]:
        """The offset in bytes, and an array with the strides at the target."""
        if isinstance(at, (int, np.integer)):
            if at < 0:
                raise ArgumentError(f"at: {at} is less than 0")
            return int(at) * self._itemsize, contiguous_part(shape, self.dtype)
        return part_of(self.shape, self.dtype, at)

    def _flag(self, target: int, flag: int) -> int:
        """The offset of a flag of another rank."""
        self._check_flag(flag)
        if not 0 <= target < len(self._first_flag):
            raise ArgumentError(f"target: {target} is none of the {len(self._first_flag)} ranks")
        return self._first_flag[target] + 8 * flag

    def _own_flag(self, flag: int) -> int:
        """The offset of a flag of this rank."""
        self._check_flag(flag)
        return region_bytes(self.shape, self.dtype, 0) + 8 * flag

    def _check_flag(self, flag: int) -> None:
        if not 0 <= flag < len(self.flags):
            raise ArgumentError(f"flag: {flag} is none of the region's {len(self.flags)}")
