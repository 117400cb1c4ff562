# SPDX-License-Identifier: BSD-3-Clause
"""Calls everything of stretto.rma: `rma_checks.py SETTING [mpi4py]`. Each rank prints one line when all holds."""

import sys
from functools import partial
from typing import Any

if "mpi4py" in sys.argv:
    from mpi4py import MPI

from rma_calls.array_calls import both_ways
from rma_calls.collectives import collectives, memory, own_memory, teams
from rma_calls.kernels import products, transforms
from rma_calls.refusals import refusals
from rma_calls.synchronisation import (
    completion,
    flags_and_updates,
    signals,
    updates,
    without_the_interpreter_lock,
)
from rma_calls.transfers import aggregates, contiguous, pieces, strided

from stretto import rma
from stretto.rma import array_calls
from stretto.rma.library import ffi, library


class Recorded:
    """The library, with the names of the functions that are called."""

    def __init__(self, loaded: Any) -> None:
        self.loaded = loaded
        self.called: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        function = getattr(self.loaded, name)
        return partial(self._call, name, function) if callable(function) else function

    def _call(self, name: str, function: Any, *arguments: Any) -> Any:
        self.called.add(name)
        return function(*arguments)

    def uncalled(self) -> list[str]:
        return sorted(set(dir(self.loaded)) - self.called - {"stretto_mpi_end"})  # which ends the program


if "calls" in sys.argv:
    load, typeof = ffi.dlopen, ffi.typeof
    ffi.dlopen = lambda *arguments: Recorded(load(*arguments))
    ffi.typeof = lambda of: typeof(of.args[1] if isinstance(of, partial) else of)
    array_calls.native_module = lambda: None  # type: ignore[assignment]  # it calls without a name

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "between-nodes": {"node_ranks": 1, "progress": "poll"},
    "small-segments": {"node_ranks": 2, "segment_bytes": 1024, "outstanding": 4},
    "message": {"path": "message", "progress": "poll", "report_after_s": 30},
}


def main() -> None:
    communicator = MPI.COMM_WORLD if "mpi4py" in sys.argv else None
    with rma.Runtime(communicator, **SETTINGS[sys.argv[1]]) as runtime:
        right, left = (runtime.rank + 1) % runtime.size, (runtime.rank - 1) % runtime.size
        contiguous(runtime, right, left)
        runtime.barrier()
        both_ways(runtime, right)
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
