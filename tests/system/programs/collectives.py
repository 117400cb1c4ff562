# SPDX-License-Identifier: BSD-3-Clause
"""A Python application without stretto; prints `right` and the number of ranks."""

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
half = world.Split(rank % 2, rank)

own = np.arange(1000, dtype="d") + rank
total = np.empty_like(own)
world.Allreduce(own, total)
assert (total == ranks * np.arange(1000) + ranks * (ranks - 1) / 2).all()

everybody = np.empty((ranks, 1000))
world.Allgather(own, everybody)
assert all((everybody[i] == np.arange(1000) + i).all() for i in range(ranks))

blocks = np.empty((ranks, 1000))
world.Alltoall(everybody + 10_000 * rank, blocks)
assert all((blocks[i] == np.arange(1000) + rank + 10_000 * i).all() for i in range(ranks))

mine = np.empty(1000)
world.Scatter(everybody if rank == ranks - 1 else None, mine, root=ranks - 1)
assert (mine == own).all()
gathered = np.empty((ranks, 1000)) if rank == 1 else None
world.Gather(mine, gathered, root=1)
assert rank != 1 or (gathered == everybody).all()
assert world.bcast({"of": "objects", "root": rank}, root=2) == {"of": "objects", "root": 2}
assert half.allreduce(1) == half.size
half.Free()
if rank == 0:
    print("right", ranks)
