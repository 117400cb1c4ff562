# SPDX-License-Identifier: BSD-3-Clause
"""NAS kernels as schedules, by the kernels' own neighbours, sizes and steps (`proxies/kernels/plans`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from stretto.native.model import Answer, query_model

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
            for one in self._described["phases"]
        )

    @property
    def points(self) -> int:
        """The points of FT's grid."""
        return int(self._described["points"])

    @property
    def flops(self) -> float:
        """The flops of a rank in all phases."""
        return sum(phase.times * phase.flops for phase in self.phases)

    def run_s(self, path: Mapping[str, object], seconds_per_flop: float) -> float:
        """The time of a run on a path (`PathCosts.request`) and at a compute rate."""
        answer = self._answer({"path": path, "seconds_per_flop": [seconds_per_flop]})
        return float(answer["total_s"][0])

    @cached_property
    def _described(self) -> Answer:
        return self._answer({})

    def _answer(self, more: Mapping[str, object]) -> Answer:
        request = {
            "kernel": self.kernel,
            "class": self.class_name,
            "ranks": self.ranks,
            "variant": self.variant,
            "transport": self.transport,
            "iterations": self.iterations,
            **more,
        }
        (answer,) = query_model([request], _PROGRAM)
        return answer
