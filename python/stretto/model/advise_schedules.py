# SPDX-License-Identifier: BSD-3-Clause
"""Chooses schedules of FT and SPMV: with chunks or prefetch depths, transports and progress modes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stretto.data.results import AxisValue
from stretto.model.advice import Advice, Candidate, advise
from stretto.model.forecast import Case, Option, balanced_s, best_bar, forecast, message_path, routes
from stretto.model.parameters import Source
from stretto.model.problem import FtProblem, Problem, SpmvProblem
from stretto.model.statistics import Floats

_MAX_CUTS = 8  # chunkings or prefetch depths to try: both ends, and geometric steps between
_MAX_MESSAGES = 1 << 16  # a schedule with more messages is not tried


def ft_options(problem: FtProblem) -> list[Option]:
    """Exchange, slabs, pencils and some chunkings between them, in ascending number of messages."""
    result = [Option(problem.bulk_name)]
    for chunks in thinned([x for x in problem.chunkings() if x <= _MAX_MESSAGES]):
        name = {problem.rows: "pencils", problem.ranks: "slabs"}.get(chunks, "chunks")
        result.append(Option(name, chunks))
    return result


def spmv_options(problem: SpmvProblem) -> list[Option]:
    """Bulk, then gather and scatter with some prefetch depths."""
    depths = thinned(list(range(1, problem.ranks)))
    return [Option(problem.bulk_name), *(Option(name, e) for name in ("gather", "scatter") for e in depths)]


def advise_schedule(
    subject: str,
    source: Source,
    problem: Problem,
    options: Sequence[Option],
    computing_s: Floats | None,
) -> Advice | None:
    """Advises an option and a route. Candidates are all options over all routes, the simpler options first.

    Args:
        subject: `ft` or `spmv`.
        source: The profile.
        problem: The sizes.
        options: The schedules to choose from.
        computing_s: A rank's computation, shape (draws,); None: as long as the communication of the
            bulk-synchronous schedule on the profile's first route.

    Returns:
        None where no route can carry the schedules.

    Raises:
        UserError: The profile lacks what the model needs.
    """
    known = routes(source, problem)
    if not known:
        return None
    work_s = balanced_s(source, problem, known[0]) if computing_s is None else computing_s
    cases = [
        Case(option, route, best_bar(source, problem, option, route))
        for option in options
        for route in known
        if message_path(source, option, route) is not None
    ]
    candidates = []
    for case, result in zip(cases, forecast(source, problem, cases, work_s), strict=True):
        axes = {
            **case.option.axes(problem),
            "transport": case.route.transport,
            "progress": case.route.progress,
        }
        candidates.append(Candidate(axes, result.total_s, result.gain))
    sizes: dict[str, AxisValue] = {**problem.sizes(), "computation_s": float(work_s[0])}
    return advise(subject, sizes, candidates)


def thinned(values: Sequence[int]) -> list[int]:
    """At most _MAX_CUTS of ascending values: both ends, and the nearest ones to geometric steps between."""
    if len(values) <= _MAX_CUTS:
        return list(values)
    requested = np.geomspace(values[0], values[-1], _MAX_CUTS)
    return sorted({min(values, key=lambda value: abs(np.log(value / aim))) for aim in requested})
