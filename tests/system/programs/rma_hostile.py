# SPDX-License-Identifier: BSD-3-Clause
"""Programs that use stretto.rma in ways that nobody would plan: `rma_hostile.py CASE [PATH]`, on any number of ranks.

Each rank prints "holds" where the promises of docs/bindings.md and docs/runtime.md held.
"""

import gc
import os
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from stretto import rma

COUNT = 1 << 16
OPTIONS: dict[str, Any] = {"node_ranks": 1, "progress": "poll", "path": sys.argv[2]} if sys.argv[2:] else {}


def runtime(**more: Any) -> rma.Runtime:
    return rma.Runtime(**{**OPTIONS, **more})


def refused(call: Callable[[], object], what: object = "") -> str:
    try:
        found = call()
    except (rma.Error, TypeError, ValueError, OverflowError, IndexError) as error:
        return str(error)
    raise AssertionError(f"{what} is not refused: {found!r}")


def places_that_wrap() -> None:
    """Offsets in bytes of 2^64, targets and flags of 2^32, counts below zero."""
    with runtime() as one:
        region, target = one.region(8, flags=1), (one.rank + 1) % one.size
        region.local[:] = 7
        one.barrier()
        for at in (2**61, 2**61 + 1, 2**60, 2**64, -(2**61), -9, 9, 2**31, 2**32):
            for call in (region.put, region.accumulate, region.put_nonblocking, region.put_implicit):
                refused(lambda at=at, call=call: call(np.ones(1), target, at), at)
            refused(lambda at=at: region.get(target, at), at)
            refused(lambda at=at: region.get(target, at, np.ones(1)), at)
        assert region.get(target, 8).size == 0, "nothing follows"
        for wrong in (-1, one.size, 2**31, 2**32, 2**32 + target, 2**64 + target):
            refused(lambda wrong=wrong: region.put(np.ones(1), wrong), wrong)
            refused(lambda wrong=wrong: region.get(wrong), wrong)
            refused(lambda wrong=wrong: one.notify(wrong), wrong)
        for wrong in (-1, 1, 2**31, 2**32, 2**61):
            refused(lambda wrong=wrong: region.put_signal(np.ones(1), target, 0, wrong), wrong)
        one.barrier()
        assert (region.local == 7).all() and region.flags[0] == 0, "an error has done nothing"


def flags_that_wrap() -> None:
    with runtime() as one:
        region, target = one.region(2, flags=1), (one.rank + 1) % one.size
        for value in (2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 2):
            one.barrier()
            region.put_signal(np.ones(2), target, value=value, add=False)
            assert region.wait_signal(0, value, "==") == value
            one.barrier()
            region.put_signal(np.ones(2), target)
            assert region.wait_signal(0, value + 1) == value + 1
        one.barrier()
        region.put_signal(np.ones(0), target)
        assert region.wait_signal(0, 0, "==") == 0, "2^64 is 0"
        for value in (-1, 2**64, 1.5, None):
            refused(lambda value=value: region.wait_signal(0, value), value)
        one.barrier()


def arrays_of_any_strides() -> None:
    """Reversed, transposed, repeated, masked and in any part of the target's array, as NumPy has them."""
    base = np.arange(48.0).reshape(6, 8)
    sources = (
        *(base[::-1], base[:, ::-1], base[::-1, ::-1], np.asfortranarray(base), base.astype(">f8"), base.astype("f4")),
        *(np.broadcast_to(base[0], (6, 8)), as_strided(base, (6, 8), (0, 8)), as_strided(base, (6, 8), (8, 8))),
    )  # fmt: skip
    parts = (
        *(np.s_[::-1], np.s_[::2, ::-3], np.s_[5:0:-2, 7], np.s_[3:3], np.s_[..., ::-1], np.s_[-1, :]),
        *(np.s_[2, 3], np.s_[::-1, 3:3], np.s_[::-1, 0:1]),
    )
    with runtime() as one:
        region, target = one.region((6, 8)), (one.rank + 1) % one.size
        for source in sources:
            for put in (region.put, lambda *given: region.put_nonblocking(*given).wait()):
                one.barrier()
                put(source, target)
                one.barrier()
                assert (region.local == source).all()
        for part in parts:
            one.barrier()
            region.local[:] = base
            one.barrier()
            assert np.array_equal(region.get(target, part), base[part]), part
            assert np.array_equal(region.get_nonblocking(target, part).wait(), base[part]), part
            one.barrier()
            region.accumulate(base[part][::-1] if np.ndim(base[part]) else base[part], target, part)
            changed = base.copy()
            changed[part] += base[part][::-1] if np.ndim(base[part]) else base[part]
            one.barrier()
            assert np.array_equal(region.local, changed), part
        one.barrier()
        region.local[:] = base
        one.barrier()
        for out in (np.zeros((6, 8))[::-1, ::-1], np.zeros((6, 16))[:, ::2], np.zeros((8, 6)).T):
            assert region.get(target, 0, out) is out and np.array_equal(out, base)
        out = np.zeros((6, 8))[::-1]
        region.get(target, np.s_[::-1], out)
        assert np.array_equal(out, base[::-1])
        assert "reversed" in refused(lambda: region.get_nonblocking(target, 0, out))
        unwritable = np.broadcast_to(np.zeros(1), (6, 8))
        for get in (region.get, region.get_nonblocking, region.get_implicit):
            refused(lambda get=get: get(target, 0, unwritable))
        one.barrier()


def memory_of_any_type() -> None:
    """Big-endian, structured, of dates and texts, without dimensions, of no elements."""
    with runtime() as one:
        target = (one.rank + 1) % one.size
        for kind in (">f8", ">i4", "f2", "g", "F", "?", "M8[s]", "S4", "U2", [("a", "i4"), ("b", ">f8")]):
            region = one.region(4, kind)
            values = np.arange(4).astype(region.dtype) if region.dtype.names is None else np.ones(4, kind)
            one.barrier()
            region.put(values, target)
            one.barrier()
            assert (region.local == values).all() and (region.get(target) == values).all(), kind
            if region.dtype.kind != "c":
                refused(lambda region=region, values=values: region.accumulate(values, target), kind)
            one.barrier()
        point = np.array(5.0)
        region, nothing = one.region_over(point), one.region_over(np.zeros((3, 0)))
        one.barrier()
        region.put(6.0, target)
        nothing.put(np.zeros((3, 0)), target)
        one.barrier()
        assert point == 6 and region.get(target).shape == () and nothing.get(target).size == 0
        for wrong in (np.broadcast_to(np.zeros(1), (4,)), np.zeros((4, 4))[:, 1], np.zeros(4)[::-1]):
            refused(lambda wrong=wrong: one.region_over(wrong))


def used_after_the_end() -> None:
    one = runtime()
    region, target, world = one.region(8), (one.rank + 1) % one.size, one.world()
    handle = region.put_nonblocking(np.ones(8), target)
    handle.wait()
    request = world.allreduce_nonblocking(np.ones(2))
    request.wait()
    mutexes, aggregate, function = one.mutexes(1), one.aggregate(), one.remote_function(lambda *_: None)
    one.barrier()
    one.finalize()
    handle.wait(), handle.test(), request.wait(), request.test()  # complete, and nothing of the runtime
    for number, call in enumerate(
        (
            *(lambda: region.put(np.ones(1), 0), lambda: region.get(0), lambda: region.size, lambda: region.rank),
            *(lambda: world.size, lambda: world.rank, world.barrier, lambda: world.split(0), region.team),
            *(lambda: mutexes.lock(0), aggregate.wait, lambda: function(0), lambda: function.max_bytes),
            *(one.fence, one.barrier, one.poll, lambda: one.region(3), lambda: one.team([0]), one.world),
            *(lambda: one.wait_all([handle]), lambda: one.options, one.communicator, one.wait_implicit, one.finalize),
        )
    ):  # fmt: skip
        refused(call, number)
    region.free(), world.free(), mutexes.free(), aggregate.free(), function.free()


def forked() -> None:
    """A child ends as any program: the ranks go on."""
    with runtime() as one:
        region, target = one.region(8), (one.rank + 1) % one.size
        region.put(np.ones(8), target)
        one.barrier()
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            sys.exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        region.put(np.full(8, 2.0), target)
        one.barrier()
        assert (region.local == 2).all()


def ended_threads() -> None:
    """Operations belong to the runtime, not to the thread that started them."""
    with runtime() as one:
        region, target = one.region((8, 1000)), (one.rank + 1) % one.size
        handles: list[rma.Handle] = []

        def start(row: int) -> None:
            handles.append(region.put_nonblocking(np.full(1000, row + 1.0), target, row * 1000))
            region.put_implicit(np.full(1, 9.0), target, row * 1000)

        threads = [threading.Thread(target=start, args=(row,)) for row in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        gc.collect()
        one.wait_all(handles)
        one.wait_implicit()
        one.barrier()
        assert (region.local[:, 1] == np.arange(1, 9)).all()
        with runtime() as other:
            foreign = region.get_nonblocking(target)
            for wait in (other.wait_all, other.wait_any):
                assert "another runtime" in refused(lambda wait=wait: wait([foreign]))
            foreign.wait()
            one.barrier()  # a wait in one runtime serves no other
            refused(lambda: one.region(3, team=other.world()))
            refused(lambda: other.aggregate().put(region, np.ones(1), target))
        one.barrier()


def dropped_in_cycles() -> None:
    """What the collector finds is said, and keeps its arrays; an exception between start and wait loses nothing."""
    one = runtime()
    region, target = one.region(COUNT), (one.rank + 1) % one.size
    try:
        first, second = region.put_nonblocking(np.ones(COUNT), target), region.get_nonblocking(target)
        raise KeyError("between start and wait")
    except KeyError:
        first.wait(), second.wait()
    one.barrier()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(20):
            cycle: list[Any] = [region.get_nonblocking(target)]
            cycle.append(cycle)
            del cycle
        gc.collect()
    assert [one.category for one in seen] == [ResourceWarning] * 20
    assert "in use" in refused(one.finalize)
    print("holds", flush=True)
    one.barrier()  # a launcher may end the others with the first that leaves without MPI_Finalize
    os._exit(0)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    print("holds", flush=True)
