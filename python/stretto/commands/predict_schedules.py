# SPDX-License-Identifier: BSD-3-Clause
"""From a checked problem and its schedules to the predictions that are shown: what `ft` and `spmv` share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.commands.model_options import bars_of, flops_rate_of, route_of, write_goal
from stretto.model.forecast import Option, forecast
from stretto.model.parameters import Source
from stretto.model.problem import Problem, work_s
from stretto.report.screen import show, show_json
from stretto.report.views.predictions import Predictions


@dataclass(frozen=True)
class Wanted:
    """What a command line says beside the problem; None is for the profile to say."""

    transport: str | None
    progress: str | None
    bar: str | None
    flops_rate: str | None
    goal: Path | None
    as_json: bool


def show_predictions(
    subject: str,
    segments: Sequence[str],
    source: Source,
    problem: Problem,
    options: Sequence[Option],
    wanted: Wanted,
) -> None:
    """Shows every option at every bar, and writes the one schedule where GOAL is wanted.

    Raises:
        UserError: the profile lacks what the model needs, or the wish is none that it can fulfil.
    """
    route = route_of(source, problem, wanted.transport, wanted.progress)
    computing_s = work_s(source, problem, flops_rate_of(wanted.flops_rate))
    view = Predictions(subject, source, problem, route, segments)
    for bar in bars_of(source, problem, options, route, wanted.bar):
        for option in options:
            view.add(bar, forecast(source, problem, option, route, bar, computing_s))
    if wanted.goal is not None:
        schedules = [problem.schedule(option.schedule, option.count) for option in options]
        write_goal(wanted.goal, schedules, float(computing_s[0]))
    if wanted.as_json:
        show_json(view.document())
    else:
        show(view.view())
