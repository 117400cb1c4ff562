# SPDX-License-Identifier: BSD-3-Clause
"""Crossovers of two schedules as computation or the network gets faster, with their intervals.

Both schedules are evaluated over a grid of rates, for all draws of the parameters at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from stretto.data.results import AxisValue
from stretto.model.evaluation import Question, evaluate
from stretto.model.forecast import Case, Option, Route, best_bar, schedule_and_costs
from stretto.model.network import costs_at
from stretto.model.parameters import Source
from stretto.model.problem import Problem
from stretto.model.schedule import shapes_of
from stretto.model.statistics import Estimate, Floats, interval

Along = Literal["flops_per_s", "bandwidth_bytes_per_s"]

_STEPS = 25  # rates of the grid
_RANGE = 64.0  # the grid covers the machine's rate divided by and multiplied by this
_TAIL = (2.5, 97.5)  # percentiles of a 95 % interval
LOSS = 0.01  # a schedule loses where it takes longer by more than this fraction; less is hard to measure


@dataclass(frozen=True)
class Crossover:
    """One schedule against another over a rate.

    Attributes:
        subject, problem: The computed problem.
        one, other: The schedules; `ratio` is the time of `one` over that of `other`.
        route: The route over which both communicate.
        along: The varied quantity; `rates` has its values in flops or bytes per second, ascending, shape
            (steps,).
        here: The rate of this machine; for requested balance, the compute rate that gives it.
        ratio, low, high: The ratio with the profile's figures, and its 95 % interval, shape (steps,).
        at: The rate beyond which `one` loses by more than LOSS; None where no draw has such a rate.
        upwards: Whether `one` loses above `at`; else below.
        share: The fraction of draws with a crossing within the rates.
    """

    subject: str
    problem: Mapping[str, AxisValue]
    one: Option
    other: Option
    route: Route
    along: Along
    rates: Floats
    here: float
    ratio: Floats
    low: Floats
    high: Floats
    at: Estimate | None
    upwards: bool
    share: float


def crossover(
    subject: str,
    source: Source,
    problem: Problem,
    one: Option,
    other: Option,
    route: Route,
    along: Along,
    computing_s: Floats,
) -> Crossover | None:
    """The rate at which `one` begins to lose to `other`, within a factor of 64 in both directions.

    Args:
        subject: `ft` or `spmv`.
        source: The profile.
        problem: The sizes.
        one: For instance pencils.
        other: For instance slabs.
        route: The route over which both communicate.
        along: The rate to vary: that of computation, or that of the network (1/G). The other one is constant.
        computing_s: A rank's computation here, shape (draws,).

    Returns:
        None where the bytes of these messages take no time on this path: there is no bandwidth to vary.

    Raises:
        UserError: The profile lacks what the model needs.
    """
    factors = np.geomspace(1 / _RANGE, _RANGE, _STEPS)
    cases = [Case(option, route, best_bar(source, problem, option, route)) for option in (one, other)]
    here = _here(source, problem, cases[0], along, computing_s)
    if here is None:
        return None

    def ratios(factors: Floats) -> Floats:
        first, second = _times(source, problem, cases, along, computing_s, factors)
        return first / second

    ratio = ratios(factors)
    low, high = np.percentile(ratio, _TAIL, axis=1)
    upwards = bool(np.median(ratio[-1]) >= np.median(ratio[0]))
    crossings = _crossings(ratio, factors, upwards)
    if np.isfinite(crossings).any():  # refine the grid around the crossings, because ratios have kinks
        step = factors[1] / factors[0]
        refined = np.geomspace(np.nanmin(crossings) / step, np.nanmax(crossings) * step, 2 * _STEPS)
        crossings = _crossings(ratios(refined), refined, upwards)
    finite = crossings[np.isfinite(crossings)]
    at = None
    if finite.size:
        value = crossings[0] if np.isfinite(crossings[0]) else np.median(finite)
        at = interval(here * float(value), here * finite, finite.size)
    return Crossover(
        subject,
        problem.sizes(),
        one,
        other,
        route,
        along,
        here * factors,
        here,
        ratio[:, 0],
        low,
        high,
        at,
        upwards,
        finite.size / ratio.shape[1],
    )


def _times(
    source: Source,
    problem: Problem,
    cases: Sequence[Case],
    along: Along,
    computing_s: Floats,
    factors: Floats,
) -> list[Floats]:
    """The seconds of each case, shape (steps, draws); rates and draws are evaluated together."""
    steps, draws = len(factors), len(computing_s)
    varies_computation = along == "flops_per_s"
    work_s = np.tile(computing_s, steps) / (np.repeat(factors, draws) if varies_computation else 1.0)
    questions = []
    for case in cases:
        schedule, costs = schedule_and_costs(source, problem, case)
        faster = costs.with_faster_bytes(np.ones(steps) if varies_computation else factors)
        questions.append(Question(schedule, faster, work_s))
    return [times.total_s.reshape(steps, draws) for times in evaluate(questions)]


def _here(source: Source, problem: Problem, case: Case, along: Along, computing_s: Floats) -> float | None:
    """The rate with the profile's figures, in flops or bytes per second; None where bytes take no time."""
    if along == "flops_per_s":
        return problem.flops / float(computing_s[0])
    schedule, costs = schedule_and_costs(source, problem, case)
    (shape,) = shapes_of([schedule])
    (loggp,) = costs_at([(costs, shape.largest_bytes)])
    gap_s_per_byte = float(loggp.gap_s_per_byte[0])
    return 1 / gap_s_per_byte if gap_s_per_byte > 0 else None


def _crossings(ratio: Floats, factors: Floats, upwards: bool) -> Floats:
    """The factor at which `one` begins to lose, shape (draws,); NaN where there is none.

    It is the last crossing. With slow computation, both schedules hide all communication, so that earlier
    crossings of their nearly equal times mean nothing.

    Args:
        ratio: The time of `one` over that of the other, shape (steps, draws).
        factors: Shape (steps,), ascending.
        upwards: Whether `one` loses above the crossing; else below.
    """
    logs = np.log(ratio / (1 + LOSS))
    is_above_crossing = logs > 0 if upwards else logs <= 0
    crossings = np.full(ratio.shape[1], np.nan)
    for draw in range(ratio.shape[1]):
        changes = np.flatnonzero(~is_above_crossing[:-1, draw] & is_above_crossing[1:, draw])
        if changes.size:
            place = changes[-1]
            below, above = logs[place, draw], logs[place + 1, draw]
            crossings[draw] = factors[place] * (factors[place + 1] / factors[place]) ** (
                below / (below - above)
            )
    return crossings
