# SPDX-License-Identifier: BSD-3-Clause
"""Predicts and shows the schedules of a problem; shared by `predict ft` and `predict spmv`."""

from __future__ import annotations

from collections.abc import Sequence

from stretto.launch.directory import check_output
from stretto.model.forecast import Case, Option, forecast
from stretto.model.parameters import Source
from stretto.model.problem import Problem
from stretto.model.profile_source import bars_of, computation_of, route_of, unknown_costs
from stretto.model.schedule import write_goal
from stretto.options.predict import SchedulesRequest
from stretto.report.screen import show, show_json
from stretto.report.views.predictions import Predictions


def show_predictions(
    segments: Sequence[str],
    source: Source,
    problem: Problem,
    options: Sequence[Option],
    request: SchedulesRequest,
) -> None:
    """Shows every option at every bar, and writes the schedule where GOAL is requested.

    Raises:
        UserError: the profile lacks parameters of the model.
    """
    if request.goal is not None:
        check_output(request.goal, request.force, [request.machine], "--goal")
    route = route_of(source, problem, request.transport, request.progress)
    computing_s, assumed = computation_of(source, problem, route, request.flops_rate)
    notes = [*([assumed] if assumed else []), *unknown_costs(source, problem, options, route)]
    view = Predictions(request.subject.split()[-1], source, problem, route, segments, notes)
    bars = bars_of(source, problem, options, route, request.bar)
    cases = [Case(option, route, bar) for bar in bars for option in options]
    for case, predicted in zip(cases, forecast(source, problem, cases, computing_s), strict=True):
        view.add(case.bar, predicted)
    if request.goal is not None:
        schedules = [problem.schedule(option.schedule, option.count) for option in options]
        write_goal(request.goal, schedules, float(computing_s[0]))
    if request.as_json:
        show_json(view.document())
    else:
        show(view.view())
