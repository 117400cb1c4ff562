# SPDX-License-Identifier: BSD-3-Clause
"""The one-sided runtime in Python: `mpiexec -n 4 python runtime.py`.

A put with a signal to the next rank, an aggregate of small gets, a counter of all ranks, and a distributed
transform. With mpi4py, import mpi4py.MPI and give its communicator to Runtime.
"""

import numpy as np

from stretto import rma

COUNT = 1000

with rma.Runtime() as runtime:
    me, right, left = runtime.rank, (runtime.rank + 1) % runtime.size, (runtime.rank - 1) % runtime.size
    region = runtime.region(COUNT, flags=1)  # an array on each rank, with a flag behind it

    # The flag is raised at the target once the data is there.
    row = np.arange(COUNT) + 1000.0 * me
    handle = region.put_signal_nonblocking(row, right)
    total = row.sum()  # computes while the data moves
    handle.wait()  # row may be changed now
    region.wait_signal()
    assert region.local[-1] == 1000 * left + COUNT - 1 and total == 1000 * COUNT * me + 499500
    runtime.barrier()

    # Many small gets leave as one request when they are waited for.
    some = np.empty(COUNT // 10)
    gets = runtime.aggregate()
    for i in range(len(some)):
        gets.get(region, some[i : i + 1], right, 10 * i)
    gets.wait()
    assert (some == row[::10]).all()
    # Slices with a step are one transfer, too.
    assert (region.get(right, np.s_[::10]) == some).all()

    # Every rank draws a number from the first rank's counter.
    counter = runtime.region(1, np.int64)
    assert 0 <= counter.fetch_add(0, 0, 1) < runtime.size

    # Each rank has its part of an array of 16 x 12 x 8, and of its transform.
    plan = rma.FFT(runtime, (16, 12, 8))
    spectrum = plan.forward(np.ones(plan.input_shape))
    mean = spectrum[0, 0, 0] / (16 * 12 * 8) if me == 0 else 1
    assert abs(mean - 1) < 1e-12
    runtime.barrier()  # no rank needs the regions any more

if me == 0:
    print("runtime (Python): puts, gets, the counter and the transform agree")
