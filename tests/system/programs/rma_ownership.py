# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that pending operations use are not freed: `rma_ownership.py CASE [FILE]`, on two ranks.

Each rank prints "nothing was lost" when it holds. A case that drops what is pending ends in an error of
`finalize`.
"""

import gc
import sys
import time
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from stretto import rma
from stretto.rma import runtime as runtime_module
from stretto.rma.library import library

OPTIONS: dict[str, Any] = {"node_ranks": 1, "progress": "poll", "path": "message"}
COUNT = 1 << 15
ROUNDS = 8


def dropped_request(start: Callable[[rma.Team], rma.Request]) -> None:
    """Rank 1 joins only when rank 0 has dropped its request, and has other arrays of the same size."""
    with warnings.catch_warnings(record=True) as seen, rma.Runtime(**OPTIONS) as runtime:
        warnings.simplefilter("always")
        world = runtime.world()
        others = []
        if runtime.rank == 0:
            request: rma.Request | None = start(world)
            del request
            gc.collect()
            others = [np.full(shape, -1.0) for shape in [(2, COUNT), (2 * COUNT,), (COUNT,)] * ROUNDS]
            runtime.notify(1)
            runtime.wait_notify(1)
            assert [one.category for one in seen] == [ResourceWarning], seen
        else:
            runtime.wait_notify(0)
            request = start(world)
            request.wait()
            runtime.notify(0)
        for _ in range(100):
            runtime.poll()
        assert all((one == -1).all() for one in others), "another array was overwritten"
        print("nothing was lost")
        try:
            runtime.finalize()
        except rma.HandleError as error:
            print(error)
            raise


def dropped_allgather() -> None:
    dropped_request(lambda world: world.allgather_nonblocking(np.ones(COUNT)))


def dropped_alltoall() -> None:
    dropped_request(lambda world: world.alltoall_nonblocking(np.ones((2, COUNT))))


def dropped_allreduce() -> None:
    dropped_request(lambda world: world.allreduce_nonblocking(np.ones(2 * COUNT)))


def dropped_broadcast() -> None:
    dropped_request(lambda world: world.broadcast_nonblocking(np.ones(COUNT), 1))


class LateStarts:
    """The library, where another thread starts an operation before a wait for implicit ones returns."""

    def __init__(self, start: Callable[[], None]) -> None:
        self._start = start

    def __getattr__(self, name: str) -> Any:
        function = getattr(library(), name)
        if name != "stretto_wait_implicit_all":
            return function

        def wait(pointer: Any) -> int:
            code: int = function(pointer)
            self._start()
            return code

        return wait


def implicit() -> None:
    with rma.Runtime(**OPTIONS) as runtime:
        region = runtime.region(COUNT)
        kept: list[weakref.ref[Any]] = []

        def start() -> None:
            array = np.zeros(COUNT)
            kept.append(weakref.ref(array))
            region.get_implicit(1 - runtime.rank, 0, array)

        start()
        runtime_module.library = lambda: LateStarts(start)
        runtime.wait_implicit()
        runtime_module.library = library
        gc.collect()
        alive = [one() is not None for one in kept]
        assert alive == [False, True], alive
        runtime.wait_implicit()
        assert kept[1]() is None
        runtime.barrier()
    print("nothing was lost")


def implicit_to_one_rank() -> None:
    """A wait for one rank ends the use of the arrays of its operations, and of no others."""
    with rma.Runtime(**OPTIONS) as runtime:
        other = 1 - runtime.rank
        backwards = runtime.team([1, 0])  # a region's target is a rank of its team
        regions = (runtime.region(COUNT), other), (runtime.region(COUNT, team=backwards), runtime.rank)
        kept: dict[int, list[weakref.ref[Any]]] = {0: [], 1: []}

        def start(region: rma.Region, member: int, rank: int) -> None:
            for call in (
                lambda one: region.get_implicit(member, 0, one),
                lambda one: region.put_pieces_implicit([(one, 0)], member),
            ):
                array = np.zeros(COUNT)
                kept[rank].append(weakref.ref(array))
                call(array)

        for region, to_other in regions:
            start(region, to_other, other)
            start(region, 1 - to_other, runtime.rank)
        for rank in (other, runtime.rank):
            gc.collect()
            assert all(one() is not None for one in kept[rank]), kept
            runtime.wait_implicit(rank)
            gc.collect()
            assert all(one() is None for one in kept[rank]), kept
        runtime.barrier()
    print("nothing was lost")


def pieces() -> None:
    """The program changes its list while the pieces are in use."""
    with rma.Runtime(**OPTIONS) as runtime:
        region, aggregate = runtime.region(8), runtime.aggregate()
        made = [np.zeros(4) for _ in range(4)]
        lists = [[(one, 0)] for one in made]
        kept = [weakref.ref(one) for one in made]
        other = 1 - runtime.rank
        handle = region.get_pieces_nonblocking(lists[0], other)
        put = region.put_pieces_nonblocking(lists[1], other)
        region.get_pieces_implicit(lists[2], other)
        aggregate.get_pieces(region, lists[3], other)
        for one in lists:
            one.clear()
        del made, one
        gc.collect()
        assert all(one() is not None for one in kept), kept
        handle.wait()
        put.wait()
        runtime.wait_implicit()
        aggregate.wait()
        runtime.barrier()
    print("nothing was lost")


def twice() -> None:
    """The same handle twice in a call, or in two calls at the same time, is refused."""
    with rma.Runtime(**OPTIONS) as runtime:
        region = runtime.region(4)
        one, two = (region.get_nonblocking(1 - runtime.rank) for _ in range(2))
        for wait in (runtime.wait_all, runtime.wait_any):
            try:
                wait([one, two, one])
            except rma.HandleError as error:
                assert str(error) == "handles: 0 and 2 are the same handle", error
            else:
                raise AssertionError("was not refused")
        assert one.pending and two.pending
        assert one.take()  # as another thread that waits
        for call in (one.wait, one.test, one.wait_remote, lambda: runtime.wait_all([two, one])):
            try:
                call()
            except rma.HandleError as error:
                assert "twice at the same time" in str(error), error
            else:
                raise AssertionError("was not refused")
        one.release()
        runtime.wait_all([two, one])
        runtime.barrier()
    print("nothing was lost")


def patiently(collective: Callable[[], Any]) -> None:
    """Ranks may come late on a busy machine."""
    while True:
        try:
            collective()
        except rma.TimeoutError:
            continue
        return


def timed_out() -> None:
    """Rank 1 serves nobody until rank 0 has given up, and made the file."""
    given_up = Path(sys.argv[2])
    with rma.Runtime(**OPTIONS, segment_bytes=1024, outstanding=8, timeout_s=2) as runtime:
        region = runtime.region(COUNT)
        array = np.full(COUNT, -1.0)
        patiently(runtime.barrier)
        if runtime.rank == 0:
            for at in (0, np.s_[::2]):
                try:
                    region.get(1, at, array if at == 0 else array[::2])
                except rma.TimeoutError:
                    array[:] = -1
                else:
                    raise AssertionError("rank 1 has answered")
            given_up.touch()
        while not given_up.exists():
            time.sleep(0.01)
        patiently(runtime.barrier)
        patiently(lambda: region.get(1 - runtime.rank))
        patiently(runtime.barrier)
        assert (array == -1).all(), "a late reply was written into the array"
    print("nothing was lost")


CASES = (
    timed_out,
    dropped_allgather,
    dropped_alltoall,
    dropped_allreduce,
    dropped_broadcast,
    implicit,
    implicit_to_one_rank,
    pieces,
    twice,
)

if __name__ == "__main__":
    {case.__name__: case for case in CASES}[sys.argv[1]]()
