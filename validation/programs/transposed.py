# SPDX-License-Identifier: BSD-3-Clause
"""An mpi4py program: transposes blocks by Ialltoall and works on its own block until they arrive.

Usage: `transposed.py STEPS MEBIBYTES WORK`, with WORK products of two 200 x 200 matrices a step.
"""

from __future__ import annotations

import sys

import numpy as np
from mpi4py import MPI

steps, mebibytes, work = (int(word) for word in sys.argv[1:4])
world = MPI.COMM_WORLD
count = (mebibytes << 20) // 8 // world.size * world.size
mine = np.arange(count, dtype=float) + world.rank
theirs = np.empty_like(mine)
block = np.random.default_rng(world.rank).random((200, 200))
total = 0.0
for step in range(steps):
    request = world.Ialltoall(mine, theirs)
    for _ in range(work):
        block = block @ block
        block /= np.abs(block).max()
    request.Wait()
    mine, theirs = theirs, mine
    total += float(mine[step])
total = world.allreduce(total)
if world.rank == 0:
    print(f"total {total:.17g}")
