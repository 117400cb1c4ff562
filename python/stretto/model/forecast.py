# SPDX-License-Identifier: BSD-3-Clause
"""Predicts a schedule of FT or SPMV on the machine of a profile, for a problem, an option and a route."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from stretto.data.results import AxisValue
from stretto.errors import UserError
from stretto.model.evaluation import Question, evaluate
from stretto.model.network import PathCosts
from stretto.model.parameters import Bar, Path, Source, has_bar, path_costs, paths
from stretto.model.prediction import Predicted, predicted
from stretto.model.problem import Problem, operations_of
from stretto.model.schedule import Schedule
from stretto.model.statistics import Floats


@dataclass(frozen=True)
class Option:
    """A schedule to choose.

    Attributes:
        schedule: Its name, such as `slabs` or `gather`.
        count: The number of chunks (FT) or the prefetch depth (SPMV); None for a schedule without one.
    """

    schedule: str
    count: int | None = None

    def axes(self, problem: Problem) -> dict[str, AxisValue]:
        """Its values by axis, as in results and advice."""
        counted = {} if self.count is None else {problem.count_name: self.count}
        return {"schedule": self.schedule, **counted}


@dataclass(frozen=True)
class Route:
    """A transport and a progress mode."""

    transport: str
    progress: str

    def __str__(self) -> str:
        return f"over {self.transport}, progress {self.progress}"


def routes(source: Source, problem: Problem) -> list[Route]:
    """The routes of the profile that can carry the bulk-synchronous schedule, in the profile's order."""
    operations = operations_of(problem.bulk_name)
    result = (
        Route(path.transport, path.progress) for path in paths(source.profile) if path.operation in operations
    )
    return list(dict.fromkeys(result))


def message_path(source: Source, option: Option, route: Route) -> Path | None:
    """The path that carries a schedule; None where the profile has none.

    Of the operations that can implement the schedule, it is the best one that the profile has.
    """
    known = paths(source.profile)
    candidates = (Path(route.transport, name, route.progress) for name in operations_of(option.schedule))
    return next((path for path in candidates if path in known), None)


def best_bar(source: Source, problem: Problem, option: Option, route: Route) -> Bar:
    """Bar E where the profile has it for the schedule and for bulk-synchronous communication, else bar M.

    E describes schedules better, because all ranks communicate at once.
    """
    needed = (message_path(source, one, route) for one in (option, Option(problem.bulk_name)))
    return "E" if all(path is not None and has_bar(source.profile, path, "E") for path in needed) else "M"


@dataclass(frozen=True)
class Case:
    """A schedule over a route, at a bar."""

    option: Option
    route: Route
    bar: Bar


def forecast(source: Source, problem: Problem, cases: Sequence[Case], computing_s: Floats) -> list[Predicted]:
    """The times of the cases, and their gains over the bulk-synchronous schedule of the same route and bar.

    Args:
        source: The profile.
        problem: The sizes.
        cases: The schedules to evaluate.
        computing_s: A rank's computation, shape (draws,).

    Returns:
        One prediction per case, in their order.

    Raises:
        UserError: The profile lacks what the model needs, or a schedule does not fit the problem.
    """
    bulk = Option(problem.bulk_name)
    references = list(dict.fromkeys(Case(bulk, case.route, case.bar) for case in cases))
    questions = [
        *(_question(source, problem, case, computing_s) for case in cases),
        *(
            replace(_question(source, problem, case, computing_s), with_communication=True)
            for case in references
        ),
    ]
    times = evaluate(questions)
    bulk_times = dict(zip(references, times[len(cases) :], strict=True))
    return [
        predicted(one, bulk_times[Case(bulk, case.route, case.bar)], computing_s)
        for one, case in zip(times[: len(cases)], cases, strict=True)
    ]


def balanced_s(source: Source, problem: Problem, route: Route) -> Floats:
    """The computation with the largest gain, shape (draws,), the same in all draws.

    It equals the communication time of the bulk-synchronous schedule with the profile's own figures (draw 0).

    Raises:
        UserError: The profile lacks what the model needs.
    """
    bulk = Option(problem.bulk_name)
    case = Case(bulk, route, best_bar(source, problem, bulk, route))
    (result,) = evaluate([_question(source, problem, case, np.zeros(source.draws))])
    return np.full(source.draws, result.total_s[0])


def _question(source: Source, problem: Problem, case: Case, computing_s: Floats) -> Question:
    schedule, costs = schedule_and_costs(source, problem, case)
    return Question(schedule, costs, computing_s)


def schedule_and_costs(source: Source, problem: Problem, case: Case) -> tuple[Schedule, PathCosts]:
    """The schedule of a case, and the costs of the path that carries it.

    Raises:
        UserError: The profile lacks the path, or a parameter of it.
    """
    path = message_path(source, case.option, case.route)
    if path is None:
        operations = " or ".join(operations_of(case.option.schedule))
        raise UserError(
            f"{source.file}: has no {operations} {case.route}, which {case.option.schedule} needs; "
            "`stretto probe loggp` measures it"
        )
    schedule = problem.schedule(case.option.schedule, case.option.count, path.operation)
    return schedule, path_costs(source, path, case.bar, schedule.ranks)
