# SPDX-License-Identifier: BSD-3-Clause
"""Calls with arrays by the native module, and the same by cffi: they do, and refuse, the same."""

from collections.abc import Callable
from typing import Any

import numpy as np

from stretto import rma
from stretto.rma.array_calls import array_calls, cffi_calls
from stretto.rma.library import ffi


def both_ways(runtime: rma.Runtime, right: int) -> None:
    """Does nothing where the module is not built, but for a comparison of cffi with itself."""
    region = runtime.region(8, flags=1)
    ways = array_calls(region.pointer), cffi_calls(region.pointer)
    read_only = np.ones(4)
    read_only.flags.writeable = False
    reals = 3  # of stretto.h: double
    for calls in ways:
        region.local[:] = 0
        runtime.barrier()
        out = np.empty(4)
        assert (
            calls.put(np.arange(4.0), right, 16) == 0 and calls.accumulate(read_only, right, 16, reals) == 0
        )
        assert calls.put_signal(np.full(1, 9.0), right, 0, 64, 5, True) == 0
        runtime.fence()
        assert calls.get(out, right, 16) == 0 and out.tolist() == [1, 2, 3, 4]
        region.wait_signal(0, 5)
        runtime.barrier()
        assert region.local.tolist() == [9, 0, 1, 2, 3, 4, 0, 0] and region.flags[0] == 5
        region.reset_signal()
        assert calls.put(np.arange(8.0)[::2], right, 0) is None and calls.get(read_only, right, 0) is None
        assert calls.get(np.empty(8)[::2], right, 0) is None
        runtime.barrier()
    for wrong in _WRONG:
        results = [_result(wrong, calls) for calls in ways]
        assert results[0] == results[1] and results[0] not in (0, None), results
    freed = array_calls(ffi.NULL), cffi_calls(ffi.NULL)
    assert freed[0].put(np.ones(1), 0, 0) == freed[1].put(np.ones(1), 0, 0) != 0
    runtime.barrier()
    region.free()


_ROW = np.ones(4)
_WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda calls: calls.put(_ROW, 1 << 20, 0),
    lambda calls: calls.put(_ROW, 1 << 40, 0),
    lambda calls: calls.put(_ROW, 0, 1 << 20),
    lambda calls: calls.put(_ROW, 0, -8),
    lambda calls: calls.put("text", 0, 0),
    lambda calls: calls.put(_ROW, "0", 0),
    lambda calls: calls.put(_ROW, 0),
    lambda calls: calls.accumulate(_ROW, 0, 0, 99),
    lambda calls: calls.put_signal(_ROW, 0, 0, 64, -1, True),
    lambda calls: calls.put_signal(_ROW, 0, 0, 1 << 20, 1, True),
)


def _result(call: Callable[[Any], Any], calls: Any) -> Any:
    """A code, or the type of the exception."""
    try:
        return call(calls)
    except (TypeError, OverflowError) as error:
        return type(error)
