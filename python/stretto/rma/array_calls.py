# SPDX-License-Identifier: BSD-3-Clause
"""Calls of the C interface with the data of a contiguous array.

The native module makes them where it is built; else cffi does, which takes a microsecond longer.

Both return the code of the call, or None where the array is not contiguous, or is read only and would be
written.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from typing import Any, NamedTuple, TypeAlias

from stretto.rma.library import ffi, library, library_file

_MODULE = "stretto_array_calls"
_BYTES = ffi.typeof("char[]")

Call: TypeAlias = Callable[..., int | None]
"""(array, target, offset, ...) -> code"""


class ArrayCalls(NamedTuple):
    """The calls of one region; what follows target and offset is in brackets.

    Attributes:
        put: Writes the array to the target.
        get: Reads into the array.
        accumulate: Adds the array (element type).
        put_signal: Writes the array, then the flag (flag's offset, value, whether it is added).
    """

    put: Call
    get: Call
    accumulate: Call
    put_signal: Call


def array_calls(region: Any) -> ArrayCalls:
    """The calls of a region of C."""
    module = native_module()
    if module is None:
        return cffi_calls(region)
    place = _address(region)

    def bound(name: str) -> Call:
        call: Call = functools.partial(
            getattr(module, name), _address(getattr(library(), f"stretto_{name}")), place
        )
        return call

    return ArrayCalls(*map(bound, ArrayCalls._fields))


@functools.cache
def native_module() -> Any | None:
    """The module next to the library of the C interface; None where it is not built or does not load."""
    file = library_file().parents[1] / f"{_MODULE}.abi3.so"
    if not file.is_file():
        return None
    loader = ExtensionFileLoader(_MODULE, str(file))
    try:
        module = module_from_spec(ModuleSpec(_MODULE, loader, origin=str(file)))
    except ImportError:
        return None
    loader.exec_module(module)
    return module


def cffi_calls(region: Any) -> ArrayCalls:
    """The same by cffi alone."""
    c = library()

    def call(
        function: Any, array: Any, target: int, offset: int, *more: Any, writes: bool = False
    ) -> int | None:
        try:
            data = ffi.from_buffer(_BYTES, array, writes)
        except (ValueError, BufferError):
            return None
        code: int = function(region, target, offset, data, len(data), *more)
        return code

    def accumulate(array: Any, target: int, offset: int, element_type: int) -> int | None:
        return call(c.stretto_accumulate, array, target, offset, element_type, ffi.NULL)

    return ArrayCalls(
        functools.partial(call, c.stretto_put),
        functools.partial(call, c.stretto_get, writes=True),
        accumulate,
        functools.partial(call, c.stretto_put_signal),
    )


def _address(pointer: Any) -> int:
    return int(ffi.cast("uintptr_t", pointer))
