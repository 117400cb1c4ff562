# SPDX-License-Identifier: BSD-3-Clause
"""Calls with invalid arguments or in a wrong state: the exception, and a part of its message."""

from typing import Any

import numpy as np

from stretto import rma


def refused(kind: type[Exception], text: str, call: Any) -> None:
    try:
        call()
    except kind as error:
        assert text in str(error), error
        return
    raise AssertionError(f"{text}: was not refused")


def refusals(runtime: rma.Runtime) -> None:
    region = runtime.region((4, 4))
    row = np.zeros(4)
    refused(rma.ArgumentError, "target", lambda: region.put(row, runtime.size))
    refused(ValueError, "", lambda: region.put(row, 0, 14))
    refused(rma.ArgumentError, "at: -1", lambda: region.put(row, 0, np.int64(-1)))
    refused(ValueError, "lists and masks", lambda: region.put(row, 0, [1, 2, 3, 4]))
    refused(ValueError, "reversed", lambda: region.get_nonblocking(0, 0, np.zeros((4, 4))[::-1]))
    refused(IndexError, "", lambda: region.put(row, 0, (9, 9)))
    refused(rma.ArgumentError, "out: ", lambda: region.get(0, out=np.zeros(4, np.float32)))
    refused(rma.ArgumentError, "out: has the shape", lambda: region.get(0, np.s_[:, 0], np.zeros(1)))
    unwritable = np.zeros(4)
    unwritable.flags.writeable = False
    refused(rma.ArgumentError, "out: ", lambda: region.get(0, out=unwritable))
    refused(rma.ArgumentError, "out: ", lambda: region.get_nonblocking(0, out=unwritable))
    refused(rma.ArgumentError, "out: ", lambda: region.get_implicit(0, 0, unwritable))
    refused(rma.ArgumentError, "out: ", lambda: region.get_pieces([(unwritable, 0)], 0))
    refused(rma.ArgumentError, "array: ", lambda: runtime.world().broadcast(unwritable))
    refused(rma.ArgumentError, "at: -3", lambda: region.put(row, 0, -3))
    refused(rma.ArgumentError, "values: ", lambda: region.put_pieces([(np.zeros(1, int), 0)], 0))
    big_endian = runtime.region(4, ">f8")
    big_endian.put(row + 2, runtime.rank)
    runtime.fence()
    assert big_endian.get(runtime.rank).tolist() == [2] * 4
    refused(rma.ArgumentError, "dtype: >f8", lambda: big_endian.accumulate(row, 0))
    refused(rma.ArgumentError, "flag: 0", lambda: region.put_signal(row, 0))
    refused(rma.ArgumentError, "dtype: float64", lambda: region.fetch_add(0, 0, 1))
    refused(rma.ArgumentError, "dtype: ", lambda: runtime.region(1, object))
    refused(rma.ArgumentError, "ranks", lambda: runtime.team([runtime.size]))
    refused(rma.ArgumentError, "progress: 'often'", lambda: rma.Runtime(progress="often"))  # type: ignore[arg-type]
    refused(TypeError, "no option interval", lambda: rma.Runtime(interval=1))
    region.put_implicit([1.0], runtime.rank)  # the array is kept
    runtime.wait_implicit()
    assert region.get(runtime.rank, 0, count=1) == 1
    handle = region.put_nonblocking(row, runtime.rank)
    refused(rma.RegionInUseError, "in use", region.free)
    handle.wait()
    refused(rma.HandleError, "none of the handles", lambda: runtime.wait_any([handle]))
