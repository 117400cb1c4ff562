# SPDX-License-Identifier: BSD-3-Clause
"""Makes every object of stretto.rma, and calls what it has, with each argument wrong, one at a time.

On one rank each wrong value ends in an error of ours or of Python's conversions, or in an object, which is freed. What is
right for methods of runtimes and regions follows from the names of their arguments. On several ranks only the last one is
wrong, and all must raise, or none. Objects that are freed, freed twice, or of another runtime are wrong, too. Afterwards
everything still works.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from stretto import rma

WRONG: tuple[Any, ...] = (
    None, object(), "x", b"", -1, -(2**31) - 1, 2**45, 2**63 - 1, 2**64 - 1, 2**70, 1.5, float("nan"), {}, (), [object()],
    (-1, -1, -1), (0, 0, 0), (2**21, 2**21, 2**21), [1, 2**70], np.array([object()]), np.zeros(3, bool), 10**6,
)  # fmt: skip
OPTIONAL = ("progress", "x_count", "out", "dtype", "real", "transposed", "estimate", "value")
ERRORS = (rma.Error, TypeError, ValueError, OverflowError, IndexError, MemoryError)
LEFT_OUT = {
    "free",
    "finalize",
    "keep",
    "region",
    "region_over",
    "mutexes",
    "team",
    "aggregate",
    "remote_function",
}
"""Methods that end what the others need, or make what `creations` has."""


@dataclass(frozen=True)
class Call:
    """One call with arguments that are right.

    Attributes:
        alone: The arguments that may be wrong on one rank alone: those that all ranks agree on.
    """

    name: str
    function: Callable[..., Any]
    right: dict[str, Any]
    alone: tuple[str, ...] | None = None


def matrix_of(**changes: Any) -> Any:
    right = {"indptr": np.array([0, 1]), "indices": np.array([0]), "data": np.array([1.0])}
    return SimpleNamespace(**{**right, **changes})


def spmv(runtime: Any, x_count: Any, exchange: Any, prefetch: Any, transport: Any, **matrix: Any) -> rma.SpMV:
    given = matrix.get("matrix", matrix_of(**matrix))
    return rma.SpMV(runtime, given, x_count, exchange=exchange, prefetch=prefetch, transport=transport)


def creations(runtime: rma.Runtime) -> list[Call]:
    """Those that make something."""
    plan = {
        "runtime": runtime, "shape": (8, 8, 8), "real": False, "transposed": False, "schedule": "slabs",
        "transport": "stretto", "estimate": True, "batch": 1, "grid": None, "profile": None,
    }  # fmt: skip
    product = {
        "runtime": runtime, "matrix": matrix_of(), "x_count": 1, "exchange": "signalled", "prefetch": 1,
        "transport": "stretto",
    }  # fmt: skip
    parts = {
        **{name: value for name, value in product.items() if name != "matrix"},
        **vars(matrix_of()),
    }
    options = {
        "progress": "poll", "path": None, "contiguous": None, "poll_interval_s": 1e-3, "segment_bytes": 1024,
        "outstanding": 4, "contexts": 1, "node_ranks": 0, "report_after_s": 60.0, "timeout_s": 0.0,
    }  # fmt: skip
    of_all = ("shape", "dtype", "flags")
    return [
        Call("Runtime", rma.Runtime, options),
        Call("region", runtime.region, {"shape": 4, "dtype": float, "flags": 1, "team": None}, of_all),
        Call("region_over", runtime.region_over, {"array": np.zeros(4), "team": None}, ("array",)),
        Call("mutexes", runtime.mutexes, {"count": 1}),
        Call("remote_function", runtime.remote_function, {"function": ignore}),
        Call("team", runtime.team, {"ranks": list(range(runtime.size))}, ()),
        Call("split", runtime.world().split, {"color": 0, "key": 0}),
        Call("FFT", rma.FFT, plan, tuple(one for one in plan if one != "runtime")),
        Call("SpMV", spmv, product, tuple(one for one in product if one != "runtime")),
        Call("SpMV", spmv, parts, ("indptr", "indices", "data")),
    ]


def ignore(_source: int, _payload: bytes) -> None:
    pass


def uses(runtime: rma.Runtime) -> list[Call]:
    """Those of what was made."""
    region = runtime.region(4)
    mutexes = runtime.mutexes(1)
    remote = runtime.remote_function(ignore)
    fft = rma.FFT(runtime, (8, 8, 8), estimate=True)
    real = rma.FFT(runtime, (8, 8, 8), estimate=True, real=True)
    product = rma.SpMV(runtime, matrix_of())
    into = {"out": np.empty(fft.spectrum_shape, complex), "before_plane": None}
    return [
        Call("lock", mutexes.lock, {"owner": 0, "index": 1}, ()),
        Call("unlock", mutexes.unlock, {"owner": 0, "index": 1}, ()),
        Call("remote", remote, {"target": 0, "payload": b"1"}, ()),
        Call("forward", fft.forward, {"array": np.zeros(fft.input_shape, complex), **into}, ()),
        Call("inverse", real.inverse, {"array": np.zeros(real.spectrum_shape, complex), "out": None}, ()),
        Call("multiply", product.multiply, {"x": np.ones(1), "out": np.ones(1)}, ()),
        Call("put", region.put, {"values": np.ones(4), "target": 0}, ()),
    ]


def methods(one: Any) -> Iterator[Call]:
    """Those of a runtime, a team or a region that wait for no other rank."""
    own = np.zeros(4)
    right = {
        "target": 0, "at": 0, "values": own, "out": np.zeros(4), "count": 4, "flag": 0, "value": 1, "pieces": [(own, 0)],
        "operation": "add", "expected": 0, "desired": 1, "size_bytes": 8, "handles": [], "source": 0,
        "array": own, "blocks": np.zeros((1, 4)), "color": 0, "member": 0, "runtime_rank": 0, "other": one,
    }  # fmt: skip
    for name in dir(one):
        method = getattr(one, name)
        if name[0] == "_" or name in LEFT_OUT or "signal" in name or not inspect.ismethod(method):
            continue
        given = {
            one.name: right[one.name] if one.default is one.empty else one.default
            for one in inspect.signature(method).parameters.values()
        }
        yield Call(name, method, given)


def outcome(call: Call, arguments: dict[str, Any]) -> str:
    """`refused`, `made`, or the wrong exception."""
    try:
        made = call.function(**arguments)
    except ERRORS:
        return "refused"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(made, rma.Handle | rma.Request):
        made.wait()
    elif hasattr(made, "finalize"):
        made.finalize()
    elif hasattr(made, "free"):
        made.free()
        made.free()  # a second time: it has nothing to do
    return "made"


def try_all(runtime: rma.Runtime, calls: list[Call], more: tuple[Any, ...]) -> tuple[int, int, list[str]]:
    """The calls, the refused ones, and what does not hold."""
    world = runtime.world()
    wrong_here = runtime.rank == runtime.size - 1
    made = refused = 0
    failures = []
    for call in calls:
        for argument in call.right:
            if runtime.size > 1 and call.alone is not None and argument not in call.alone:
                continue
            for wrong in (*WRONG, *more):
                case = f"{call.name}({argument}={wrong!r:.40})"
                print(case, flush=True)  # the last line names what ends the program, or waits
                result = outcome(call, {**call.right, argument: wrong} if wrong_here else call.right)
                made += 1
                refused += result == "refused"
                needed = call.right[argument] is not None and argument not in OPTIONAL
                if wrong is None and needed and wrong_here and result == "made":
                    failures.append(f"{case}: None is taken for a value")
                if result not in ("refused", "made"):
                    failures.append(f"{case}: {result}")
                everywhere = int(world.allreduce(np.array([result == "refused"], np.int32))[0])
                if everywhere not in (0, runtime.size):
                    failures.append(f"{case}: {everywhere} of {runtime.size} ranks have refused it: {result}")
    world.free()
    return made, refused, failures


def freed_objects(runtime: rma.Runtime) -> list[Call]:
    """Calls of what was freed: all must raise."""
    region, mutexes, remote = runtime.region(4), runtime.mutexes(1), runtime.remote_function(ignore)
    world, fft, product = (
        runtime.world(),
        rma.FFT(runtime, (8, 8, 8), estimate=True),
        rma.SpMV(runtime, matrix_of()),
    )
    aggregate = runtime.aggregate()
    for one in (region, mutexes, remote, world, fft, product, aggregate):
        one.free()
        one.free()
    return [
        Call("put", region.put, {"values": np.zeros(4), "target": 0}),
        Call("get", region.get, {"target": 0}),
        Call("get_nonblocking", region.get_nonblocking, {"target": 0, "out": np.zeros(4)}),
        Call("accumulate_implicit", region.accumulate_implicit, {"values": np.zeros(4), "target": 0}),
        Call("node_local", region.node_local, {"target": 0}),
        Call("region.team", region.team, {}),
        Call("lock", mutexes.lock, {"owner": 0}),
        Call("remote", remote, {"target": 0}),
        Call("max_bytes", lambda: remote.max_bytes, {}),
        Call("split", world.split, {"color": 0}),
        Call("broadcast", world.broadcast, {"array": np.zeros(1)}),
        Call("team.barrier", world.barrier, {}),
        Call("region on it", runtime.region, {"shape": 4, "team": world}),
        Call("forward", fft.forward, {"array": np.zeros((8, 8, 8), complex)}),
        Call("settings", lambda: fft.settings, {}),
        Call("multiply", product.multiply, {"x": np.ones(1)}),
        Call(
            "aggregate.put", aggregate.put, {"region": runtime.region(4), "values": np.ones(4), "target": 0}
        ),
    ]


def main() -> None:
    runtime, other = rma.Runtime(), rma.Runtime()
    foreign, gone = other.world(), runtime.world()
    gone.free()
    ended = rma.Runtime()
    ended.finalize()
    calls, refused, failures = try_all(runtime, creations(runtime), (gone, foreign, other, ended))
    more, more_refused, more_failures = try_all(runtime, uses(runtime), (gone, foreign, other, ended))
    failures += more_failures
    if runtime.size == 1:
        made = [runtime.region(8, dtype=dtype) for dtype in (float, bool, np.int64)]
        for one in (runtime, runtime.world(), *made):
            of_one, of_one_refused, of_one_failures = try_all(runtime, list(methods(one)), ())
            more, more_refused = more + of_one, more_refused + of_one_refused
            failures += of_one_failures
        try:
            made[1].accumulate(np.zeros(8, bool), 0)
            failures.append("a sum of bool is not refused")
        except rma.ArgumentError as error:
            if "bool is none of the types that accumulate adds" not in str(error):
                failures.append(f"a sum of bool: {error}")
        for wrong in (foreign, gone, object(), -1, other):
            for maker in (runtime.region, runtime.region_over):
                call = Call(maker.__name__, maker, {})
                first = 4 if maker == runtime.region else np.zeros(4)
                try:
                    maker(first, team=wrong)
                    failures.append(f"{call.name} on {wrong!r:.40}: is not refused")
                except ERRORS:
                    pass
    for one in freed_objects(runtime):
        result = outcome(one, one.right)
        if result != "refused":
            failures.append(f"{one.name} of a freed object: {result}")
    region = runtime.region(2)
    region.put(np.ones(2), (runtime.rank + 1) % runtime.size)
    runtime.barrier()
    if region.local.tolist() != [1.0, 1.0]:
        failures.append("a put after all that has not arrived")
    runtime.finalize()
    other.finalize()
    for failure in failures:
        print(f"does not hold: {failure}", flush=True)
    print(f"{calls + more} calls, {refused + more_refused} refused, all came back", flush=True)


main()
