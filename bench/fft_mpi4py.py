# SPDX-License-Identifier: BSD-3-Clause
"""Times transforms of mpi4py-fft without stretto: `mpiexec -n 2 python fft_mpi4py.py N ROUNDS`.

The transforms are forward, complex, out of place, in slabs, with a measured plan and a transposed spectrum.
Rank 0 prints the slowest rank's times in seconds as a JSON list.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray


def main() -> None:
    """Times the requested number of transforms."""
    n, rounds = int(sys.argv[1]), int(sys.argv[2])
    world = MPI.COMM_WORLD
    plan = PFFT(world, [n, n, n], dtype=np.complex128, slab=True, planner_effort="FFTW_MEASURE")
    given, spectrum = newDistArray(plan, False), newDistArray(plan, True)
    given[:] = np.arange(given.size).reshape(given.shape) % 1013 / 1013
    times = []
    for _ in range(rounds + 2):
        world.Barrier()
        began = MPI.Wtime()
        plan.forward(given, spectrum, normalize=False)
        times.append(world.allreduce(MPI.Wtime() - began, op=MPI.MAX))
    if world.rank == 0:
        print(json.dumps(times[2:]))  # the first ones touch memory


if __name__ == "__main__":
    main()
