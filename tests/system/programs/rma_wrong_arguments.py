# SPDX-License-Identifier: BSD-3-Clause
"""Calls every method of stretto.rma's objects with each of its arguments wrong, one at a time: one rank. What is right for
the others follows from their names. An error is one of ours or of Python's conversions; some wrong values NumPy converts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from stretto import rma

WRONG: tuple[Any, ...] = (
    None, object(), "x", -1, 2**70, 1.5, float("nan"), b"", {}, (), [object()], np.array([object()]),
    np.zeros(3, bool), 10**6,
)  # fmt: skip
ERRORS = (rma.Error, TypeError, ValueError, OverflowError)
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
"""They end what the others need, or make what somebody must free."""


def right() -> dict[str, Any]:
    own = np.zeros(4)
    return {
        "target": 0, "at": 0, "values": own, "out": np.zeros(4), "count": 4, "flag": 0, "value": 1, "pieces": [(own, 0)],
        "root": 0, "operation": "add", "expected": 0, "desired": 1, "shape": 4, "array": own, "ranks": [0], "color": 0,
    }  # fmt: skip


def methods(one: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in dir(one):
        method = getattr(one, name)
        if name[0] != "_" and name not in LEFT_OUT and "signal" not in name and inspect.ismethod(method):
            yield name, method


def call(method: Callable[..., Any], argument: str, wrong: Any) -> bool:
    """Whether the call was refused."""
    known = right()
    parameters = inspect.signature(method).parameters.values()
    given = {
        one.name: known[one.name] for one in parameters if one.default is one.empty and one.name in known
    }
    try:
        made = method(**{**given, argument: wrong})
    except ERRORS:
        return True
    if isinstance(made, rma.Handle):
        made.wait()
    return False


def main() -> None:
    runtime = rma.Runtime()
    objects = (runtime, runtime.region(8), runtime.region(8, dtype=bool), runtime.region(8, dtype=np.int64))
    calls = refused = 0
    for one in objects:
        for name, method in methods(one):
            for argument in inspect.signature(method).parameters:
                for wrong in WRONG:
                    print(
                        name, argument, repr(wrong)[:20], flush=True
                    )  # the last line names what ends the program
                    calls += 1
                    refused += call(method, argument, wrong)
    for region in objects[2], objects[1]:
        try:
            region.accumulate(np.zeros(8, region.dtype), 0)
        except rma.ArgumentError as error:
            print(f"{region.dtype}: {error}")
    print(f"{calls} calls, {refused} refused, all came back")


main()
