# SPDX-License-Identifier: BSD-3-Clause
"""NAS kernels as schedules, by the kernels' own neighbours, sizes and steps (`proxies/kernels/plans`)."""

from __future__ import annotations

import atexit
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from stretto.errors import RunError
from validation.papers.line_program import LineProgram

_PROGRAM = "stretto-kernel-plans"


@dataclass(frozen=True)
class Phase:
    """A schedule that a rank repeats `times` times; `flops` is the computation of one repetition.

    Attributes:
        messages: The messages with data that a rank starts in one repetition.
        sizes_bytes: The distinct sizes of its messages.
    """

    times: int
    flops: float
    messages: int
    sizes_bytes: tuple[int, ...]


@dataclass(frozen=True)
class KernelVariant:
    """A variant of a kernel over a transport. `iterations`: instead of the class's own."""

    kernel: str
    class_name: str
    ranks: int
    variant: str
    transport: str
    iterations: int | None = None

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Its phases; FT has its transforms last."""
        return tuple(
            Phase(one["times"], one["flops"], one["messages"], tuple(one["sizes_bytes"]))
            for one in _described(self)["phases"]
        )

    @property
    def points(self) -> int:
        """The points of FT's grid."""
        return int(_described(self)["points"])

    @property
    def flops(self) -> float:
        """The flops of a rank in all phases."""
        return sum(phase.times * phase.flops for phase in self.phases)

    def run_s(self, path: Mapping[str, object], seconds_per_flop: float) -> float:
        """The time of a run on a path (`PathCosts.request`) and at a compute rate."""
        request = {**self.request, "path": path, "seconds_per_flop": [seconds_per_flop]}
        return float(_answer(request)["total_s"][0])

    @property
    def request(self) -> Mapping[str, object]:
        """The members of a request that name it."""
        return {
            "kernel": self.kernel,
            "class": self.class_name,
            "ranks": self.ranks,
            "variant": self.variant,
            "transport": self.transport,
            "iterations": self.iterations,
        }


@cache
def _described(variant: KernelVariant) -> Mapping[str, Any]:
    return _answer(variant.request)


@cache
def _program() -> LineProgram:
    """The program, which stays until this process ends: an attack asks for thousands of runs."""
    program = LineProgram(_PROGRAM)
    atexit.register(program.end)
    return program


def _answer(request: Mapping[str, object]) -> Mapping[str, Any]:
    """The answer to a request (`proxies/kernels/plans/plan_request.hpp`)."""
    done = _program().run(json.dumps({"requests": [request]}, allow_nan=False))
    if done.returncode != 0:
        raise RunError(done.stderr.strip() or f"{_PROGRAM} ended with {done.returncode}")
    answer: Mapping[str, Any] = json.loads(done.stdout)["answers"][0]
    return answer
