# SPDX-License-Identifier: BSD-3-Clause
"""A schedule of FT or SPMV on the machine of a profile: problem, option and route to a prediction."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stretto.data.results import AxisValue
from stretto.errors import UserError
from stretto.model.parameters import Bar, Path, Source, has_bar, network, paths
from stretto.model.prediction import Gain, Predicted, predict
from stretto.model.problem import Problem, operations_of
from stretto.model.statistics import SHORTEST_S, Floats


@dataclass(frozen=True)
class Option:
    """A schedule to choose: its name, and its `chunks` (FT) or `prefetch` depth (SPMV) if it has such."""

    schedule: str
    count: int | None = None

    def axes(self, problem: Problem) -> dict[str, AxisValue]:
        """As the axes of results name it."""
        counted = {} if self.count is None else {problem.count_name: self.count}
        return {"schedule": self.schedule, **counted}


@dataclass(frozen=True)
class Route:
    """Over which transport, with which progress mode."""

    transport: str
    progress: str

    def __str__(self) -> str:
        return f"over {self.transport}, progress {self.progress}"


def routes(source: Source, problem: Problem) -> list[Route]:
    """Those of the profile that can carry the bulk-synchronous schedule, in its order."""
    ways = operations_of(problem.bulk_name)
    found = (Route(path.transport, path.progress) for path in paths(source.profile) if path.operation in ways)
    return list(dict.fromkeys(found))


def carrier(source: Source, option: Option, route: Route) -> Path | None:
    """The path that carries a schedule: the best of its operations that the profile has, None if none."""
    known = paths(source.profile)
    wanted = (Path(route.transport, way, route.progress) for way in operations_of(option.schedule))
    return next((path for path in wanted if path in known), None)


def best_bar(source: Source, problem: Problem, option: Option, route: Route) -> Bar:
    """E where the profile has it: what a rank gets when all communicate is what a schedule gets."""
    needed = (carrier(source, one, route) for one in (option, Option(problem.bulk_name)))
    return "E" if all(path is not None and has_bar(source.profile, path, "E") for path in needed) else "M"


def forecast(
    source: Source, problem: Problem, option: Option, route: Route, bar: Bar, computing_s: Floats
) -> Predicted:
    """What `option` takes for `computing_s` of computation a rank, and gains over bulk-synchronous.

    Raises:
        UserError: The profile lacks what the model needs, or the schedule does not fit the problem.
    """
    mine = _alone(source, problem, option, route, bar, computing_s)
    bulk = _alone(source, problem, Option(problem.bulk_name), route, bar, computing_s)
    gain = Gain(bulk.total_s / np.maximum(mine.total_s, SHORTEST_S), bulk.gain.bound)
    return replace(mine, gain=gain)


def balanced_s(source: Source, problem: Problem, route: Route) -> Floats:
    """As much computation as the bulk-synchronous schedule communicates, in all draws: most can be gained."""
    bulk = Option(problem.bulk_name)
    found = _alone(
        source, problem, bulk, route, best_bar(source, problem, bulk, route), np.zeros(source.draws)
    )
    return np.full(source.draws, found.total_s[0])


def _alone(
    source: Source, problem: Problem, option: Option, route: Route, bar: Bar, computing_s: Floats
) -> Predicted:
    path = carrier(source, option, route)
    if path is None:
        ways = " or ".join(operations_of(option.schedule))
        raise UserError(
            f"{source.file}: has no {ways} {route}, which {option.schedule} needs; "
            "`stretto probe loggp` measures it"
        )
    schedule = problem.schedule(option.schedule, option.count, path.operation)
    here = network(source, path, {schedule.largest_bytes}, bar, schedule.ranks)
    return predict(schedule, here, computing_s)
