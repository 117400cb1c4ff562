# SPDX-License-Identifier: BSD-3-Clause
"""Times of schedules on LogGP networks, for many draws of the parameters at once, from `stretto-model`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.model.network import PathCosts, shortened
from stretto.model.schedule import Schedule, Shape, query_schedules
from stretto.model.statistics import Floats
from stretto.native.model import Answer


@dataclass(frozen=True)
class Question:
    """A schedule, ended by a barrier, when all ranks begin together.

    Attributes:
        schedule: What every rank does.
        costs: The costs of its messages' path.
        work_s: A rank's whole computation alone, shape (draws,).
        barrier_s: What the barrier costs, shape (draws,); None: by dissemination on this network.
        with_communication: Whether to evaluate the time without computation, too.
    """

    schedule: Schedule
    costs: PathCosts
    work_s: Floats
    barrier_s: Floats | None = None
    with_communication: bool = False

    @property
    def request(self) -> dict[str, object]:
        """The request for `stretto-model`."""
        result = {**self.schedule.request, "path": self.costs.request, "work_s": shortened(self.work_s)}
        if self.barrier_s is not None:
            result["barrier_s"] = shortened(self.barrier_s)
        if self.with_communication:
            result["with_communication"] = True
        return result


@dataclass(frozen=True)
class Times:
    """A rank's time and its segments; seconds, shape (draws,). Segments add up to `total_s`.

    Attributes:
        shape: The composition of the schedule.
        communication_s: The time without computation, if requested.
        closed_s: The closed forms that hold, by name: FT eq. 1-9, SPMV eq. 10-13.
    """

    shape: Shape
    total_s: Floats
    segments_s: Mapping[str, Floats]
    communication_s: Floats | None
    closed_s: Mapping[str, Floats]

    def segment_s(self, *names: str) -> Floats:
        """The sum of some segments; those that a schedule does not have are zero."""
        zero = np.zeros_like(self.total_s)
        return sum((self.segments_s.get(name, zero) for name in names), zero)


def evaluate(questions: Sequence[Question]) -> list[Times]:
    """The times of all of them, in one batch.

    Raises:
        UserError: The sizes of a schedule do not go together.
    """
    answers = query_schedules([question.request for question in questions])
    return [_times(answer, len(one.work_s)) for answer, one in zip(answers, questions, strict=True)]


def _times(answer: Answer, draws: int) -> Times:
    def array(values: Sequence[float]) -> Floats:
        result = np.array(values)
        return np.full(draws, result[0]) if len(result) == 1 else result

    return Times(
        Shape.of(answer),
        array(answer["total_s"]),
        {name: array(values) for name, values in answer["segments_s"].items()},
        array(answer["communication_s"]) if "communication_s" in answer else None,
        {name: array(values) for name, values in answer["closed_s"].items()},
    )
