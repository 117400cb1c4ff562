# SPDX-License-Identifier: BSD-3-Clause
"""The schedules of the probes FT and SPMV: which one is meant. `stretto-model` builds and evaluates them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from stretto.errors import UserError
from stretto.native.model import Answer, InvalidRequest, Request, query_model

Operation = Literal["put", "get", "send"]
Probe = Literal["ft", "spmv"]

# What a parameter of a schedule is called on the command line.
_OPTIONS = {
    "ranks": "--ranks: ",
    "rows": "--rows: ",
    "schedule": "--schedules: ",
    "prefetch": "--prefetch: ",
    "chunks": "chunks=",
}


@dataclass(frozen=True)
class Schedule:
    """One schedule of a probe.

    Attributes:
        probe: `ft` or `spmv`.
        schedule: `exchange`, `slabs`, `pencils` or `chunks`; `bulk`, `gather` or `scatter`.
        ranks: P.
        operation: What carries its messages; `send` where both sides take part.
        sizes: `rows`, `row_bytes` and perhaps `chunks` of ft; `block_bytes` and perhaps `prefetch` of spmv.
    """

    probe: Probe
    schedule: str
    ranks: int
    operation: Operation
    sizes: Mapping[str, int]

    @property
    def request(self) -> dict[str, object]:
        """As a request of `stretto-model` names it."""
        return {
            "kind": "schedule",
            "probe": self.probe,
            "schedule": self.schedule,
            "ranks": self.ranks,
            "operation": self.operation,
            **self.sizes,
        }


@dataclass(frozen=True)
class Shape:
    """What a schedule is made of.

    Attributes:
        name: Such as `chunks=64` or `gather,prefetch=3`.
        steps: Of a rank: computations, starts and waits.
        messages: That a rank starts.
        largest_bytes: Of its largest message.
        operation: Of its messages.
    """

    name: str
    steps: int
    messages: int
    largest_bytes: int
    operation: str

    @staticmethod
    def of(answer: Answer) -> Shape:
        """The description in an answer about a schedule."""
        return Shape(
            answer["name"],
            answer["steps"],
            answer["messages"],
            answer["largest_bytes"],
            answer["operation"],
        )


def shapes_of(schedules: Sequence[Schedule]) -> list[Shape]:
    """What each of them is made of.

    Raises:
        UserError: One is unknown, or its sizes do not go together; names the option.
    """
    return [Shape.of(answer) for answer in query_schedules([one.request for one in schedules])]


def goal_text(schedule: Schedule, work_s: float) -> str:
    """The schedule as GOAL text for all its ranks, ended by a barrier; each part is rounded to a nanosecond.

    Args:
        schedule: What every rank does.
        work_s: A rank's whole computation.
    """
    (answer,) = query_schedules([{**schedule.request, "kind": "goal", "work_s": work_s}])
    text: str = answer["text"]
    return text


def query_schedules(requests: Sequence[Request]) -> list[Answer]:
    """The answers about schedules; what a user gave wrong is called as on the command line."""
    try:
        return query_model(requests)
    except InvalidRequest as error:
        if error.member not in _OPTIONS:
            raise
        raise UserError(_OPTIONS[error.member] + error.what) from None
