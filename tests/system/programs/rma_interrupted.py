# SPDX-License-Identifier: BSD-3-Clause
"""Waits of stretto.rma that a signal reaches: `rma_interrupted.py CASE`, on two ranks.

Rank 0 waits for what rank 1 does not do. Its own thread sends it SIGINT, as a person does whose job hangs. Caught, the
wait can be repeated: then rank 1 does it, and both print "holds".
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

import numpy as np

from stretto import rma

LARGE = 1 << 20


def interrupt_soon(number: signal.Signals = signal.SIGINT, after_s: float = 0.5) -> None:
    threading.Timer(after_s, os.kill, (os.getpid(), number)).start()


def interrupted(wait: Callable[[], object]) -> None:
    interrupt_soon()
    try:
        wait()
    except KeyboardInterrupt:
        return
    raise AssertionError("the wait has ended without the interrupt")


class Gate:
    """A file that rank 0 makes when rank 1 may go on: outside of MPI and of the runtime."""

    def __init__(self, runtime: rma.Runtime) -> None:
        self.path = f"{sys.argv[2]}/gate"
        self.runtime = runtime

    def open(self) -> None:
        open(self.path, "w", encoding="utf-8").close()

    def wait(self) -> None:
        while not os.path.exists(self.path):
            time.sleep(0.01)


def wait_signal(runtime: rma.Runtime, region: rma.Region, gate: Gate) -> None:
    if runtime.rank == 0:
        interrupted(region.wait_signal)
        gate.open()
        region.wait_signal()
        assert region.local[0] == 3
    else:
        gate.wait()
        region.put_signal(np.full(1, 3.0), 0)


def wait_notify(runtime: rma.Runtime, _region: rma.Region, gate: Gate) -> None:
    if runtime.rank == 0:
        interrupted(lambda: runtime.wait_notify(1))
        gate.open()
        assert runtime.wait_notify(1) == 1
    else:
        gate.wait()
        runtime.notify(0)


def handle(runtime: rma.Runtime, region: rma.Region, gate: Gate) -> None:
    """Of a get in place, and in a list."""
    if runtime.rank == 0:
        pending = region.get_nonblocking(1)
        interrupted(pending.wait)
        interrupted(lambda: runtime.wait_all([pending]))
        interrupted(lambda: runtime.wait_any([pending]))
        interrupted(pending.wait_remote)
        assert pending.pending
        gate.open()
        assert (pending.wait() == 1).all()
    else:
        gate.wait()


def blocking_update(runtime: rma.Runtime, _region: rma.Region, gate: Gate) -> None:
    """It is abandoned, though its message is on its way."""
    counter = runtime.region(1, np.int64)
    runtime.barrier()
    if runtime.rank == 0:
        interrupted(lambda: counter.fetch_add(1, 0, 5))
        gate.open()
        assert counter.fetch_add(1, 0, 1) == 5
    else:
        gate.wait()


def barrier(runtime: rma.Runtime, _region: rma.Region, gate: Gate) -> None:
    if runtime.rank == 0:
        interrupted(runtime.barrier)
        gate.open()
    else:
        gate.wait()
    runtime.barrier()


def lock(runtime: rma.Runtime, _region: rma.Region, gate: Gate) -> None:
    mutexes = runtime.mutexes(1)
    if runtime.rank == 1:
        mutexes.lock(1)
    runtime.barrier()
    if runtime.rank == 0:
        interrupted(lambda: mutexes.lock(1))
        gate.open()
        mutexes.lock(1)
        mutexes.unlock(1)
    else:
        gate.wait()
        mutexes.unlock(1)


def collective(runtime: rma.Runtime, _region: rma.Region, gate: Gate) -> None:
    world = runtime.world()
    if runtime.rank == 0:
        request = world.allreduce_nonblocking(np.ones(8))
        interrupted(request.wait)
        gate.open()
        assert (request.wait() == 2).all()
    else:
        gate.wait()
        world.allreduce(np.ones(8))


def other_signal(runtime: rma.Runtime, region: rma.Region, gate: Gate) -> None:
    """A handler that raises nothing runs, and the wait goes on."""
    if runtime.rank == 0:
        signal.signal(signal.SIGUSR1, lambda *_: gate.open())
        interrupt_soon(signal.SIGUSR1)
        region.wait_signal()
    else:
        gate.wait()
        region.put_signal(np.ones(1), 0)


def uncaught(runtime: rma.Runtime, region: rma.Region, _gate: Gate) -> None:
    if runtime.rank == 0:
        print("waits", os.getpid(), flush=True)
        region.wait_signal()
    while True:
        time.sleep(1)


def twice(runtime: rma.Runtime, region: rma.Region, _gate: Gate) -> None:
    """A get that MPI receives in place cannot be abandoned: the second interrupt ends all."""
    if runtime.rank == 0:
        interrupt_soon()
        interrupt_soon(after_s=1.5)
        region.get(1)
    while True:
        time.sleep(1)


def main() -> None:
    case = globals()[sys.argv[1]]
    options = {} if case is not uncaught else {"report_after_s": 0}
    with rma.Runtime(node_ranks=1, progress="poll", contiguous="message", **options) as runtime:
        region = runtime.region(LARGE, flags=1)
        region.local[:] = runtime.rank
        runtime.barrier()
        case(runtime, region, Gate(runtime))
        runtime.barrier()
    print("holds", flush=True)


if __name__ == "__main__":
    main()
