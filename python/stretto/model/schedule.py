# SPDX-License-Identifier: BSD-3-Clause
"""Names a schedule of the probes FT and SPMV, and writes it as GOAL. `stretto-model` evaluates it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from stretto.data.files import write_atomically
from stretto.errors import UserError
from stretto.native.model import Answer, InvalidRequest, Request, query_model

Operation = Literal["put", "get", "send"]
Probe = Literal["ft", "spmv"]

_MAX_GOAL_STEPS = 10_000_000

# The command line's name of each parameter of a schedule.
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
        operation: The operation of its messages; `send` is two-sided.
        sizes: For ft `rows`, `row_bytes` and optionally `chunks`; for spmv `block_bytes` and optionally
            `prefetch`.
    """

    probe: Probe
    schedule: str
    ranks: int
    operation: Operation
    sizes: Mapping[str, int]

    @property
    def request(self) -> dict[str, object]:
        """The members of a request to `stretto-model`."""
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
    """The size of a schedule.

    Attributes:
        name: Such as `chunks=64` or `gather,prefetch=3`.
        steps: The computations, starts and waits of a rank.
        messages: The messages that a rank starts.
        largest_bytes: The size of its largest message.
        operation: The operation of its messages.
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
    """The size of each schedule.

    Raises:
        UserError: A schedule is unknown, or its sizes contradict each other; the message names the option.
    """
    return [Shape.of(answer) for answer in query_schedules([one.request for one in schedules])]


def goal_text(schedule: Schedule, work_s: float) -> str:
    """The schedule of all ranks as GOAL text that ends with a barrier; times are rounded to nanoseconds.

    Args:
        schedule: The schedule of every rank.
        work_s: The total computation of a rank.
    """
    (answer,) = query_schedules([{**schedule.request, "kind": "goal", "work_s": work_s}])
    text: str = answer["text"]
    return text


def write_goal(file: Path, schedules: Sequence[Schedule], computing_s: float) -> None:
    """Writes the schedule as GOAL. UserError where there are several, or it is too long."""
    if len(schedules) != 1:
        raise UserError(f"--goal: takes one schedule, not {len(schedules)}; choose it with --schedules")
    (shape,) = shapes_of(schedules)
    steps = shape.steps * schedules[0].ranks
    if steps > _MAX_GOAL_STEPS:
        raise UserError(f"--goal: {steps} operations are above {_MAX_GOAL_STEPS}; take fewer rows or ranks")
    write_atomically(file, goal_text(schedules[0], computing_s))


def query_schedules(requests: Sequence[Request]) -> list[Answer]:
    """The answers about schedules. UserError names a wrong parameter as the command line does."""
    try:
        return query_model(requests)
    except InvalidRequest as error:
        if error.member not in _OPTIONS:
            raise
        raise UserError(_OPTIONS[error.member] + error.what) from None
