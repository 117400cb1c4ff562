# SPDX-License-Identifier: BSD-3-Clause
"""Teams, their collective operations and their memory."""

import sys

if "mpi4py" in sys.argv:
    from mpi4py import MPI

import numpy as np
from rma_calls.refusals import refused

from stretto import rma


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
    objects(team)
    team.free()


def objects(team: rma.Team) -> None:
    """An array of objects has addresses of this process, as has a structure with one of them."""
    for dtype in (np.dtype(object), np.dtype([("number", float), ("name", object)])):
        array = np.zeros(team.size, dtype)
        for call in (
            team.allgather,
            team.allgather_nonblocking,
            team.alltoall,
            team.alltoall_nonblocking,
            team.broadcast,
            team.broadcast_nonblocking,
            team.reduce,
            team.allreduce,
        ):
            refused(rma.ArgumentError, str(dtype), lambda call=call, array=array: call(array))


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
    assert remote.max_bytes >= 256
    for number in range(5):
        remote(right, bytes([number]))
    remote(right)
    runtime.barrier()
    assert received == [(left, bytes([number])) for number in range(5)] + [(left, b"")]
    refused(rma.ArgumentError, "payload", lambda: remote(right, bytes(remote.max_bytes + 1)))
    refused(rma.ArgumentError, "payload", lambda: remote(right, np.zeros(2, object)))
    runtime.barrier()
