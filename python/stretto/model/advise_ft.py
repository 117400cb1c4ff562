# SPDX-License-Identifier: BSD-3-Clause
"""`stretto advise` for FT: schedule, chunks, transport and progress for the two patterns of the paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stretto.model.advice import Advice
from stretto.model.advice_request import AdviceRequest
from stretto.model.advise_schedules import advise_schedule, ft_options
from stretto.model.crossover import Along, Crossover, crossover
from stretto.model.forecast import Option, Route
from stretto.model.problem import FtProblem, work_s
from stretto.model.statistics import Floats

SUBJECT = "ft"
# Rows and their length in sections 6.4 and 6.5 of the probes' paper: few large, and many small messages.
_PATTERNS = ((32, 65536), (1024, 512))


def advise_about_ft(request: AdviceRequest) -> list[Advice]:
    """Advice on the requested sizes, or on both patterns of the paper.

    Raises:
        UserError: The profile lacks what the model needs.
    """
    result = []
    for rows, row_length in _sizes(request):
        problem = FtProblem(rows, row_length, request.ranks, 1.0 if request.scale is None else request.scale)
        advice = advise_schedule(
            SUBJECT, request.source, problem, ft_options(problem), _computing_s(request, problem)
        )
        if advice is not None:
            result.append(advice)
    return result


def crossovers_of_ft(request: AdviceRequest, advised: Sequence[Advice]) -> list[Crossover]:
    """The rates at which pencils begin to lose to slabs on the advised routes, where the two differ.

    Args:
        request: The request that was answered.
        advised: Advice on any subjects; only that on FT counts.

    Raises:
        UserError: The profile lacks what the model needs.
    """
    result = []
    for advice in advised:
        if advice.subject != SUBJECT or advice.problem["rows"] == request.ranks:
            continue
        problem = FtProblem(
            int(advice.problem["rows"]), int(advice.problem["row_length"]), request.ranks, 1.0
        )
        choice = advice.leading.choice
        route = Route(str(choice["transport"]), str(choice["progress"]))
        computing_s = np.full(request.source.draws, float(advice.problem["computation_s"]))
        rates: tuple[Along, ...] = ("flops_per_s", "bandwidth_bytes_per_s")
        for along in rates if computing_s[0] > 0 else rates[1:]:
            pencils, slabs = Option("pencils", problem.rows), Option("slabs", problem.ranks)
            one = crossover(SUBJECT, request.source, problem, pencils, slabs, route, along, computing_s)
            if one is not None:
                result.append(one)
    return result


def _sizes(request: AdviceRequest) -> list[tuple[int, int]]:
    if request.rows is not None and request.row_length is not None:
        return [(request.rows, request.row_length)]
    return [(-(-rows // request.ranks) * request.ranks, length) for rows, length in _PATTERNS]


def _computing_s(request: AdviceRequest, problem: FtProblem) -> Floats | None:
    return None if request.scale is None else work_s(request.source, problem, request.flops_per_s)
