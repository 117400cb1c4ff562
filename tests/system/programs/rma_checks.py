# SPDX-License-Identifier: BSD-3-Clause
"""Calls everything of stretto.rma: `rma_checks.py SETTING [mpi4py]`. Each rank prints one line when all holds."""

from __future__ import annotations

import sys
import threading
from types import SimpleNamespace
from typing import Any

if "mpi4py" in sys.argv:
    from mpi4py import MPI

import numpy as np

from stretto import rma
from stretto.rma.library import ffi, library


class Recorded:
    """The library, with the names of the functions that are called."""

    def __init__(self, loaded: Any) -> None:
        self.loaded = loaded
        self.called: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        function = getattr(self.loaded, name)
        if not callable(function):
            return function

        def call(*arguments: Any) -> Any:
            self.called.add(name)
            return function(*arguments)

        return call

    def uncalled(self) -> list[str]:
        return sorted(set(dir(self.loaded)) - self.called - {"stretto_mpi_end"})  # which ends the program


if "calls" in sys.argv:
    load = ffi.dlopen
    ffi.dlopen = lambda *arguments: Recorded(load(*arguments))

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "between-nodes": {"node_ranks": 1, "progress": "poll"},
    "small-segments": {"node_ranks": 2, "segment_bytes": 1024, "outstanding": 4},
    "message": {"path": "message", "progress": "poll", "report_after_s": 30},
}


def contiguous(runtime: rma.Runtime, right: int, left: int) -> None:
    region = runtime.region(100)
    row = np.arange(100.0) + 1000 * runtime.rank
    region.put(row, right)
    runtime.fence(right)
    assert (region.get(right) == row).all()
    out = np.empty(10)
    assert region.get(right, 20, out) is out and (out == row[20:30]).all()
    assert (region.get(right, 97) == row[97:]).all() and (region.get(right, 5, count=2) == row[5:7]).all()
    runtime.barrier()
    assert (region.local == np.arange(100.0) + 1000 * left).all()
    runtime.barrier()
    handles = [region.put_nonblocking(row[i : i + 10], right, 90 - i) for i in range(0, 100, 10)]
    first = runtime.wait_any(handles)
    assert not handles[first].pending
    while not handles[first - 1].test():
        pass
    runtime.wait_all(handles)
    runtime.barrier()
    back = region.get_nonblocking(right)
    assert (back.wait().reshape(10, 10)[::-1].ravel() == row).all() and back.wait() is back.result
    region.put_implicit(row, right)
    runtime.wait_implicit(right)
    runtime.fence()
    region.get_implicit(right, 0, out)
    runtime.wait_implicit()
    assert (out == row[:10]).all()
    region.put(7, right, 3)  # a number, converted
    region.put([1, 2], right, 4)
    runtime.fence()
    assert region.get(right, 3, count=3).tolist() == [7, 1, 2]


def strided(runtime: rma.Runtime, right: int, left: int) -> None:
    region = runtime.region((6, 8, 4), np.float32)
    block = np.arange(48, dtype=np.float32).reshape(4, 4, 3).transpose(1, 0, 2) + 100 * runtime.rank
    where = np.s_[1:5, ::2, 1]
    region.put(block[:, :, 2], right, where)
    runtime.fence()
    assert (region.get(right, where) == block[:, :, 2]).all()
    out = np.zeros((4, 8), np.float32)
    region.get(right, where, out[:, ::2])
    assert (out[:, ::2] == block[:, :, 2]).all() and (out[:, 1::2] == 0).all()
    runtime.barrier()
    expected = np.zeros((6, 8, 4), np.float32)
    expected[where] = block[:, :, 2] - 100 * runtime.rank + 100 * left
    assert (region.local == expected).all()
    runtime.barrier()
    region.put_nonblocking(block, right, np.s_[:4, :4, :3]).wait()
    runtime.fence()
    assert (region.get_nonblocking(right, np.s_[:4, :4, :3]).wait() == block).all()
    region.put(block[0, 0], right, 0)
    region.put_implicit(block[:, 0, 0], right, np.s_[0, 4:, 3])
    runtime.wait_implicit()
    runtime.fence()
    got = np.empty(4, np.float32)
    region.get_implicit(right, np.s_[0, 4:, 3], got)
    runtime.wait_implicit()
    assert (got == block[:, 0, 0]).all()
    region.put(np.float32(5), right, (5, -1, -1))
    runtime.fence()
    assert region.get(right, (5, 7, 3)) == 5


def pieces(runtime: rma.Runtime, right: int) -> None:
    region = runtime.region(64, np.int64)
    values = [np.full(3, 10 * runtime.rank + i) for i in range(8)]
    out = [(values[i], 8 * i) for i in range(8)]
    back = [(np.empty(3, np.int64), 8 * i) for i in range(8)]
    for put, get in (
        (region.put_pieces, region.get_pieces),
        (region.put_pieces_nonblocking, region.get_pieces_nonblocking),
        (region.put_pieces_implicit, region.get_pieces_implicit),
    ):
        runtime.barrier()
        region.local[:] = 0
        runtime.barrier()
        for operation, vector in ((put, out), (get, back)):
            handle = operation(vector, right)
            if isinstance(handle, rma.Handle):
                handle.wait()
            runtime.wait_implicit()
            runtime.fence()
        assert all((one == other).all() for (one, _), other in zip(back, values))
    runtime.barrier()
    region.accumulate_pieces(out, right, 2)
    region.accumulate_pieces_nonblocking(out, right).wait()
    region.accumulate_pieces_implicit(out, right)
    runtime.wait_implicit()
    runtime.barrier()
    region.get_pieces(back, right)
    assert all((one == 5 * other).all() for (one, _), other in zip(back, values))


def aggregates(runtime: rma.Runtime, right: int) -> None:
    region = runtime.region((8, 8))
    values = np.random.default_rng(runtime.rank).random((8, 8))
    aggregate = runtime.aggregate()
    for row in range(4):
        aggregate.put(region, values[row], right, 8 * row)
    aggregate.put(region, values[4:, ::2], right, np.s_[4:, ::2])
    aggregate.put_pieces(region, [(values[4, 1:2], 33)], right)
    assert aggregate.pending
    aggregate.wait()
    runtime.fence()
    out = np.zeros((8, 8))
    for row in range(4):
        aggregate.get(region, out[row], right, 8 * row)
    aggregate.get(region, out[4:, ::2], right, np.s_[4:, ::2])
    aggregate.get_pieces(region, [(out[4, 1:2], 33)], right)
    while not aggregate.test():
        pass
    assert not aggregate.pending
    assert (
        (out[:4] == values[:4]).all()
        and (out[4:, ::2] == values[4:, ::2]).all()
        and out[4, 1] == values[4, 1]
    )


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


def teams(runtime: rma.Runtime) -> None:
    ranks = [rank for rank in reversed(range(runtime.size)) if rank % 2 == runtime.rank % 2]
    team = runtime.team(ranks)
    assert team.size == len(ranks) and team.runtime_rank(team.rank) == runtime.rank
    assert team.rank_of(runtime.rank) == team.rank and team.node(0) <= ranks[0]
    assert runtime.size == 1 or team.rank_of((runtime.rank + 1) % 2) is None
    region = runtime.region(1, np.int32, team=team)
    region.put(np.array([runtime.rank], np.int32), (team.rank + 1) % team.size)
    team.barrier()
    assert region.local[0] == team.runtime_rank((team.rank - 1) % team.size)
    assert region.rank == team.rank and region.size == region.team().size == team.size
    assert runtime.world().size == runtime.size
    team.barrier()
    handles = (team.communicator(), runtime.communicator())
    if "mpi4py" in sys.argv:
        assert [MPI.Comm.f2py(one).size for one in handles] == [team.size, runtime.size]


def memory(runtime: rma.Runtime) -> None:
    region = runtime.region((runtime.rank, 3), np.int16, flags=1)
    assert (
        region.local.shape == (runtime.rank, 3) and (region.local == 0).all() and region.flags.tolist() == [0]
    )
    near = region.node_local(runtime.size - 1)
    assert near is None or 0 <= near.size - 3 * (runtime.size - 1) <= 3
    runtime.reset_counters()
    region.put_signal(np.zeros(0, np.int16), runtime.rank)
    other = runtime.region(4)
    other.put(np.zeros(4), runtime.rank)
    counters = runtime.counters(runtime.rank)
    assert sum(path.bytes for path in (counters.direct, counters.rma, counters.message)) >= 32
    assert runtime.counters() == counters
    runtime.poll()
    assert runtime.progress in ("none", "poll", "thread") and runtime.options["outstanding"] >= 1
    region.free()
    region.free()


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


def collectives(runtime: rma.Runtime) -> None:
    world = runtime.world()
    team = world.split(runtime.rank % 2, -runtime.rank)
    assert team is not None and world.split(-1) is None
    assert team.translate(team.rank, world) == runtime.rank and team.size == (
        (runtime.size + 1 - runtime.rank % 2) // 2
    )
    everyone = np.arange(team.size)
    for later in (False, True):
        word = np.array([77 if team.rank == team.size - 1 else 0])
        if later:
            team.broadcast_nonblocking(word, team.size - 1).wait()
            summed = team.reduce_nonblocking([1.0, team.rank]).wait()
            request = team.allreduce_nonblocking(np.uint64(1 << team.rank), "bit_or")
            while not request.test():
                pass
            bits = request.result
            ranks = team.allgather_nonblocking([team.rank]).wait()
            swapped = team.alltoall_nonblocking(100 * team.rank + everyone).wait()
            team.barrier_nonblocking().wait()
            assert not request.pending
        else:
            team.broadcast(word, team.size - 1)
            summed = team.reduce([1.0, team.rank])
            bits = team.allreduce(np.uint64(1 << team.rank), "bit_or")
            ranks = team.allgather([team.rank])
            swapped = team.alltoall(100 * team.rank + everyone)
        assert ranks is not None and swapped is not None
        assert word[0] == 77 and bits == (1 << team.size) - 1
        assert team.rank != 0 or (summed == [team.size, everyone.sum()]).all()
        assert (ranks[:, 0] == everyone).all() and (swapped == 100 * everyone + team.rank).all()
    refused(rma.ArgumentError, "reduction: 'mean'", lambda: team.allreduce([1.0], "mean"))
    refused(rma.ArgumentError, "values: complex128", lambda: team.allreduce([1j]))
    refused(rma.ArgumentError, "blocks: ", lambda: team.alltoall(np.zeros(team.size + 1)))
    team.free()


def own_memory(runtime: rma.Runtime, right: int, left: int) -> None:
    array = np.zeros((3, 4))
    region = runtime.region_over(array)
    assert region.local is array
    region.put(np.full(4, runtime.rank + 1.0), right, np.s_[1, :])
    runtime.barrier()
    assert (array[1] == left + 1).all() and (array[2] == 0).all()
    runtime.barrier()
    region.free()
    region = runtime.region_over(array, runtime.world())
    region.put(array[1], right)
    runtime.barrier()
    refused(rma.ArgumentError, "array: ", lambda: runtime.region_over(array.T))
    received: list[tuple[int, bytes]] = []
    remote = runtime.remote_function(lambda source, payload: received.append((source, payload)))
    assert remote.most_bytes >= 256
    for number in range(5):
        remote(right, bytes([number]))
    remote(right)
    runtime.barrier()
    assert received == [(left, bytes([number])) for number in range(5)] + [(left, b"")]
    refused(rma.ArgumentError, "payload", lambda: remote(right, bytes(remote.most_bytes + 1)))
    runtime.barrier()


def refused(kind: type[Exception], text: str, call: Any) -> None:
    try:
        call()
    except kind as error:
        assert text in str(error), error
        assert isinstance(error, rma.Error) or kind is not rma.Error
        return
    raise AssertionError(f"{text}: was not refused")


def refusals(runtime: rma.Runtime) -> None:
    region = runtime.region((4, 4))
    row = np.zeros(4)
    refused(rma.ArgumentError, "target", lambda: region.put(row, runtime.size))
    refused(ValueError, "", lambda: region.put(row, 0, 14))
    refused(rma.ArgumentError, "at: -1", lambda: region.put(row, 0, np.int64(-1)))
    refused(ValueError, "lists and masks", lambda: region.put(row, 0, [1, 2, 3, 4]))
    refused(ValueError, "reversed", lambda: region.put(row[::-1], 0))
    refused(IndexError, "", lambda: region.put(row, 0, (9, 9)))
    refused(rma.ArgumentError, "out: ", lambda: region.get(0, out=np.zeros(4, np.float32)))
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


def transforms(runtime: rma.Runtime) -> None:
    shape = (8, 6, 10)
    whole = np.random.default_rng(1).random(shape)
    spectrum = np.fft.fftn(whole)
    planes: list[int] = []
    for options in (
        {},
        {"schedule": "tuned"},
        {"transposed": True, "schedule": "pencils"},
        {"transport": "mpi-rma"},
    ):
        plan = rma.FFT(runtime, shape, estimate=True, **options)
        mine = whole[plan.input].astype(complex)
        out = plan.forward(mine, before_plane=planes.append)
        expected = spectrum[plan.spectrum]
        assert np.allclose(out, expected.transpose(1, 0, 2) if plan.transposed else expected)
        assert np.allclose(plan.inverse(out, before_plane=planes.append), mine * whole.size)
        assert plan.storage is None or plan.storage.size > 0
        assert plan.memory_bytes[1] >= plan.memory_bytes[0] > 0 and plan.settings["schedule"]
        assert (plan.messages > 0) == (runtime.size > 1)
        plan.reset_timers()
        assert plan.timers["work_s"] == 0
    assert planes
    plan = rma.FFT(runtime, shape, real=True, batch=2, grid=(runtime.size, 1), estimate=True)
    both = np.stack([whole[plan.input], 2 * whole[plan.input]])
    out = plan.forward(both)
    assert np.allclose(out[1], 2 * np.fft.rfftn(whole)[plan.spectrum])
    assert np.allclose(plan.inverse(out, np.empty_like(both)), both * whole.size)
    refused(rma.ArgumentError, "in", lambda: plan.forward(both[0]))
    refused(rma.ArgumentError, "schedule", lambda: rma.FFT(runtime, shape, schedule="diagonals"))


def products(runtime: rma.Runtime) -> None:
    rows = 5
    n = rows * runtime.size
    whole = np.random.default_rng(2).random((n, n))
    whole[whole < 0.5] = 0
    mine = whole[rows * runtime.rank : rows * (runtime.rank + 1)]
    where = [np.flatnonzero(row) for row in mine]
    matrix = SimpleNamespace(
        indptr=np.cumsum([0, *map(len, where)]), indices=np.concatenate(where), data=mine[mine != 0]
    )
    x = np.arange(n, dtype=float)
    for exchange in ("signalled", "aggregate", "vector", "individual", "blocks", "tuned"):
        plan = rma.SpMV(runtime, matrix, exchange=exchange)
        y = plan.multiply(x[rows * runtime.rank : rows * (runtime.rank + 1)])
        assert np.allclose(y, mine @ x)
        assert plan.needed[1] <= runtime.size - 1 and plan.settings["exchange"]
        plan.reset_timers()
        assert plan.timers["sync_s"] == 0 and plan.messages >= 0
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


def main() -> None:
    communicator = MPI.COMM_WORLD if "mpi4py" in sys.argv else None
    with rma.Runtime(communicator, **SETTINGS[sys.argv[1]]) as runtime:
        right, left = (runtime.rank + 1) % runtime.size, (runtime.rank - 1) % runtime.size
        contiguous(runtime, right, left)
        runtime.barrier()
        strided(runtime, right, left)
        runtime.barrier()
        pieces(runtime, right)
        aggregates(runtime, right)
        runtime.barrier()
        updates(runtime, right, left)
        signals(runtime, right, left)
        teams(runtime)
        runtime.barrier()
        completion(runtime, right, left)
        flags_and_updates(runtime, right)
        collectives(runtime)
        memory(runtime)
        refusals(runtime)
        runtime.barrier()
        transforms(runtime)
        products(runtime)
        if runtime.progress == "thread":
            without_the_interpreter_lock(runtime)
        runtime.barrier()
        own_memory(runtime, right, left)
        runtime.barrier()
        line = f"rank {runtime.rank} of {runtime.size}: everything holds"
    print(line, flush=True)
    if "calls" in sys.argv and "rank 0" in line:
        print("not called:", *(name for name in library().uncalled() if name.islower()), flush=True)


main()
