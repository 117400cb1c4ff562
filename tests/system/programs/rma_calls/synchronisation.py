# SPDX-License-Identifier: BSD-3-Clause
"""Completion, flags and atomic updates."""

import threading

import numpy as np
from rma_calls.refusals import refused

from stretto import rma


def updates(runtime: rma.Runtime, right: int, left: int) -> None:
    for kind in (np.int32, np.int64, np.float32, np.float64, np.complex64, np.complex128):
        region = runtime.region((4, 2), kind)
        ones = np.ones((4, 2), kind)
        region.accumulate(ones, 0)
        region.accumulate(ones, 0, factor=2)
        region.accumulate(ones[:, 0], 0, np.s_[:, 0], factor=3)
        region.accumulate_nonblocking(ones, 0).wait()
        region.accumulate_implicit(ones, 0)
        region.accumulate_nonblocking(ones[1:3, 1], 0, np.s_[1:3, 1]).wait()
        region.accumulate_implicit(ones[1:3, 1], 0, np.s_[1:3, 1], factor=-1)
        runtime.wait_implicit()
        runtime.barrier()
        assert runtime.rank != 0 or region.local.tolist() == [[8 * runtime.size, 5 * runtime.size]] * 4
        runtime.barrier()
        region.free()
    for kind in (np.int32, np.uint64):
        region = runtime.region(4, kind)
        assert 0 <= region.fetch_add(0, 1, 1) < runtime.size
        runtime.barrier()
        assert region.get(0)[1] == runtime.size
        big = int(np.iinfo(kind).max)
        assert region.swap(right, 2, big) == 0
        assert region.compare_swap(right, 2, big, 5) == big
        assert region.compare_swap(right, (2,), big, 6) == 5
        runtime.barrier()
        assert region.local[2] == 5
    mutexes = runtime.mutexes(1 if runtime.rank == 0 else 0)
    region = runtime.region(1, np.int64)
    for _ in range(10):
        with mutexes.held(0):
            region.put(region.get(0) + 1, 0)
    runtime.barrier()
    assert runtime.rank != 0 or region.local[0] == 10 * runtime.size


def signals(runtime: rma.Runtime, right: int, left: int) -> None:
    region = runtime.region(33, np.int32, flags=2)
    row = np.arange(33, dtype=np.int32) + runtime.rank
    assert not region.test_signal(1, 100)
    region.put_signal(row, right)
    assert region.wait_signal() == 1 and (region.local == row - runtime.rank + left).all()
    runtime.barrier()
    region.put_signal(row[::2], right, np.s_[:17], flag=1, value=9, add=False)
    assert region.wait_signal(1, 9) == 9 and (region.local[:17] == row[::2] - runtime.rank + left).all()
    region.reset_signal(1)
    assert region.flags.tolist() == [1, 0]
    runtime.barrier()
    region.put_signal_nonblocking(row[:10].reshape(5, 2)[:, 0], right, np.s_[:10:2], value=1).wait()
    region.put_signal_nonblocking(row, right).wait()
    while not region.test_signal(0, 3):
        pass
    assert (region.local == row - runtime.rank + left).all()
    sent = runtime.notify(right)
    assert runtime.wait_notify(left) == sent


def completion(runtime: rma.Runtime, right: int, left: int) -> None:
    region = runtime.region(500)
    for way in range(4):
        handle = region.put_nonblocking(np.full(500, 10.0 * way + runtime.rank), right)
        if way == 0:
            handle.wait_source()
            assert handle.pending and handle.test_source()
            handle.wait_remote()
        elif way == 1:
            while not handle.test_remote():
                pass
        else:
            for fence in runtime.fence_nonblocking(right if way == 2 else None):
                fence.wait()
            handle.wait()
        runtime.notify(right)
        runtime.wait_notify(left)
        assert not handle.pending and (region.local == 10.0 * way + left).all()
        runtime.barrier()
    name, reason = region.protocol("put_signal", right, 8)
    assert name in ("direct", "eager") and len(reason) > 10
    refused(rma.ArgumentError, "operation: 'move'", lambda: region.protocol("move", right, 8))


def flags_and_updates(runtime: rma.Runtime, right: int) -> None:
    region = runtime.region(2, np.uint32, flags=3)
    region.raise_signal(right, value=3)
    region.raise_signal_nonblocking(right, 1, 10, add=False).wait()
    region.wait_all_signals([(0, "==", 3), (1, ">", 9)])
    some = [(2, ">=", 1), (1, "<=", 10), (0, "!=", 0)]
    assert region.wait_any_signal(some) == 1 and region.wait_some_signals(some) == [1, 2]
    assert region.test_any_signal(some) == 1 and region.test_any_signal(some[:1]) is None
    assert region.wait_signal(1, 11, "<") == 10 and not region.test_signal(0, 3, ">")
    refused(rma.ArgumentError, "comparison: '=>'", lambda: region.wait_any_signal([(0, "=>", 1)]))
    region.update("or", right, 0, 12)
    assert region.atomic("and", right, 0, 10) == 12 and region.atomic("fetch", right, 0) == 8
    before = region.atomic_nonblocking("xor", right, 0, 10)
    assert before.wait().tolist() == [8]
    assert region.compare_swap_nonblocking(right, 0, 2, 4_000_000_000).wait().tolist() == [2]
    assert region.atomic("fetch", right, 0) == 4_000_000_000
    reals = runtime.region(1, np.float32)
    reals.update("add", right, 0, 0.5)
    assert reals.atomic("add", right, 0, 0.25) == 0.5
    refused(rma.ArgumentError, "operation", lambda: reals.atomic("or", right, 0, 1))
    refused(rma.ArgumentError, "operation: 'mul'", lambda: reals.atomic("mul", right, 0, 1))
    runtime.barrier()


def without_the_interpreter_lock(runtime: rma.Runtime) -> None:
    """Another thread of this process raises the flag that this one waits for."""
    region = runtime.region(1, flags=1)
    start = threading.Event()

    def raise_flag() -> None:
        start.wait()
        region.put_signal(np.ones(1), runtime.rank)

    thread = threading.Thread(target=raise_flag)
    thread.start()
    start.set()
    assert region.wait_signal() == 1
    thread.join()
