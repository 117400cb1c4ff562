# SPDX-License-Identifier: BSD-3-Clause
"""Where one schedule begins to lose to another as computation or the network gets faster, with its interval.

Both are evaluated over a grid of rates for all draws of the parameters at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal

import numpy as np

from stretto.data.results import AxisValue
from stretto.model.forecast import Option, Route, best_bar, carrier
from stretto.model.graph import evaluate
from stretto.model.network import LogGp, Network
from stretto.model.parameters import Source, network
from stretto.model.problem import Problem
from stretto.model.statistics import Estimate, Floats, interval

Along = Literal["flops_per_s", "bandwidth_bytes_per_s"]

_STEPS = 25
_RANGE = 64.0  # the grid goes from the rate here over this to the rate here times this
_TAIL = (2.5, 97.5)
LOSS = 0.01  # one loses where it takes longer by more than this: less can hardly be measured


@dataclass(frozen=True)
class Crossover:
    """One schedule against another over a rate.

    Attributes:
        subject, problem: What is computed.
        one, other: The schedules; `ratio` is the time of `one` over that of `other`.
        route: Over which both communicate.
        along: What is varied; `rates` of it, ascending, shape (steps,).
        here: The rate of this machine, or the compute rate that makes balance where that was asked for.
        ratio, low, high: Believed and 95 % interval at each rate, shape (steps,).
        at: The rate beyond which `one` loses by more than LOSS; None where no draw has such.
        upwards: Whether beyond is above.
        share: In which share of the draws there is a crossing within the rates.
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
) -> Crossover:
    """Where `one` begins to lose to `other` as a rate varies up to 64 times both ways from here.

    Args:
        subject: `ft` or `spmv`.
        source: The profile.
        problem: The sizes.
        one: For instance pencils.
        other: For instance slabs.
        route: Over which both communicate.
        along: The rate: of computation with the network as it is, or of the network (its G) with
            computation as it is.
        computing_s: A rank's computation here, shape (draws,).
    """
    factors = np.geomspace(1 / _RANGE, _RANGE, _STEPS)

    def ratios(factors: Floats) -> Floats:
        first, second = (
            _times(source, problem, option, route, along, computing_s, factors) for option in (one, other)
        )
        return first / second

    ratio = ratios(factors)
    low, high = np.percentile(ratio, _TAIL, axis=1)
    here = _here(source, problem, one, route, along, computing_s)
    upwards = bool(np.median(ratio[-1]) >= np.median(ratio[0]))
    crossings = _crossings(ratio, factors, upwards)
    if np.isfinite(crossings).any():  # once more, finely where they are: ratios have kinks
        step = factors[1] / factors[0]
        closer = np.geomspace(np.nanmin(crossings) / step, np.nanmax(crossings) * step, 2 * _STEPS)
        crossings = _crossings(ratios(closer), closer, upwards)
    found = crossings[np.isfinite(crossings)]
    at = None
    if found.size:
        believed = crossings[0] if np.isfinite(crossings[0]) else np.median(found)
        at = interval(here * float(believed), here * found, found.size)
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
        found.size / ratio.shape[1],
    )


def _times(
    source: Source,
    problem: Problem,
    option: Option,
    route: Route,
    along: Along,
    computing_s: Floats,
    factors: Floats,
) -> Floats:
    """Shape (steps, draws), seconds: all rates and draws are evaluated as one row of draws."""
    path = carrier(source, option, route)
    assert path is not None
    schedule = problem.schedule(option.schedule, option.count, path.operation)
    bar = best_bar(source, problem, option, route)
    here = network(source, path, {schedule.largest_bytes}, bar, schedule.ranks)
    steps, draws = len(factors), len(computing_s)
    faster = np.repeat(factors, draws)
    by_size = {size: _repeated(loggp, steps) for size, loggp in here.by_size.items()}
    work_s = np.tile(computing_s, steps)
    if along == "flops_per_s":
        work_s = work_s / faster
    else:
        by_size = {
            size: loggp.with_byte_gap(loggp.gap_s_per_byte / faster) for size, loggp in by_size.items()
        }
    return evaluate(schedule, Network(by_size), work_s).total_s.reshape(steps, draws)


def _repeated(loggp: LogGp, times: int) -> LogGp:
    return replace(loggp, **{one.name: np.tile(getattr(loggp, one.name), times) for one in fields(loggp)})


def _here(
    source: Source, problem: Problem, option: Option, route: Route, along: Along, computing_s: Floats
) -> float:
    if along == "flops_per_s":
        return problem.flops / float(computing_s[0])
    path = carrier(source, option, route)
    assert path is not None
    size = problem.schedule(option.schedule, option.count, path.operation).largest_bytes
    bar = best_bar(source, problem, option, route)
    return 1 / float(network(source, path, {size}, bar, problem.ranks).at(size).gap_s_per_byte[0])


def _crossings(ratio: Floats, factors: Floats, upwards: bool) -> Floats:
    """Per draw the factor from which on `one` loses, NaN where there is none.

    The last change of sign: with slow computation both schedules hide all, and differ by next to nothing.

    Args:
        ratio: Shape (steps, draws).
        factors: Shape (steps,), ascending.
        upwards: Whether it loses above.
    """
    logs = np.log(ratio / (1 + LOSS))
    losing = logs > 0 if upwards else logs <= 0
    crossings = np.full(ratio.shape[1], np.nan)
    for draw in range(ratio.shape[1]):
        changes = np.flatnonzero(~losing[:-1, draw] & losing[1:, draw])
        if changes.size:
            place = changes[-1]
            below, above = logs[place, draw], logs[place + 1, draw]
            crossings[draw] = factors[place] * (factors[place + 1] / factors[place]) ** (
                below / (below - above)
            )
    return crossings
