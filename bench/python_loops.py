# SPDX-License-Identifier: BSD-3-Clause
"""Times calls of stretto.rma and, in the same round, those of C++: `python_loops.py LOOPS.so ROUNDS`.

Rank 0 of two prints the seconds of one call as JSON: by call, size and language, a figure per round.
"""

from __future__ import annotations

import ctypes
import json
import sys
import time
from collections.abc import Callable

import numpy as np

from stretto import rma
from stretto.rma.library import ffi

SMALL, LARGE = 8, 1 << 20
TIMES = {SMALL: 2000, LARGE: 20}


def seconds(count: int, call: Callable[[], object]) -> float:
    """Seconds of one call; the loop's own time counts as Python's."""
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def measured(
    runtime: rma.Runtime, region: rma.Region, loops: ctypes.CDLL, rounds: int
) -> list[dict[str, object]]:
    """One row for each call and size."""
    rows: list[dict[str, object]] = []
    address = int(ffi.cast("uintptr_t", region.pointer))
    for size_bytes, names in ((SMALL, ("put", "get", "accumulate", "signal")), (LARGE, ("put", "get"))):
        data = np.ones(size_bytes // 8)
        calls = {
            "put": lambda data=data: region.put(data, 1),
            "get": lambda data=data: region.get(1, 0, data),
            "accumulate": lambda data=data: region.accumulate(data, 1),
            "signal": lambda data=data: region.put_signal(data, 1),
        }
        for name in names:
            loop = getattr(loops, f"loop_{name}")
            loop.restype = ctypes.c_double
            loop.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
            times: dict[str, list[float]] = {"python": [], "cpp": []}
            for _ in range(rounds):
                times["python"].append(seconds(TIMES[size_bytes], calls[name]))
                times["cpp"].append(loop(address, data.ctypes.data, size_bytes, TIMES[size_bytes]))
            rows.append({"call": name, "size_bytes": size_bytes, **times})
    return rows


def main() -> None:
    """Rank 1 waits in the runtime while rank 0 measures."""
    with rma.Runtime(progress="poll", report_after_s=0) as runtime:
        region = runtime.region(LARGE // 8, flags=1)
        loops = ctypes.CDLL(sys.argv[1])
        if runtime.rank == 0:
            json.dump(measured(runtime, region, loops, int(sys.argv[2])), sys.stdout)
        runtime.barrier()


main()
