# SPDX-License-Identifier: BSD-3-Clause
"""The ranks, route, bars and named schedules of a prediction from a profile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stretto.data.profile import loggp_symbols
from stretto.data.published import read_named
from stretto.errors import UserError
from stretto.model.forecast import Option, Route, balanced_s, best_bar, message_path, routes
from stretto.model.parameters import BARS, Bar, Source, assumptions
from stretto.model.problem import FtProblem, Problem, SpmvProblem, UnknownRate, work_s
from stretto.model.schedule import shapes_of
from stretto.model.statistics import Floats

_MAX_STEPS = 1_000_000  # steps of a graph; this many take half a minute and a gigabyte


def source_of(file: Path) -> Source:
    """The profile in a file. UserError as `read_profile`."""
    return Source(read_named(file), str(file))


def ranks_of(source: Source, ranks: int | None) -> int:
    """The given number of ranks, or that of the profile's measurement."""
    result = ranks if ranks is not None else source.profile.machine.ranks
    if result is None:
        raise UserError(f"{source.file}: does not say how many ranks; give --ranks P")
    if result < 2:
        raise UserError(f"{source.file}: is of {result} rank; give --ranks P")
    return result


def route_of(source: Source, problem: Problem, transport: str | None, progress: str | None) -> Route:
    """The profile's first route with this transport and progress. UserError with the known routes if none."""
    known = routes(source, problem)
    for route in known:
        if transport in (None, route.transport) and progress in (None, route.progress):
            return route
    asked = "".join(f" --{k} {v}" for k, v in (("transport", transport), ("progress", progress)) if v)
    there = "; ".join(map(str, known)) or "none, `stretto probe latency loggp` measures its costs"
    raise UserError(f"{source.file}: has no route{asked} for {problem.bulk_name}; it has {there}")


def computation_of(
    source: Source, problem: Problem, route: Route, rate_flops_per_s: float | None
) -> tuple[Floats, str | None]:
    """A rank's computation, shape (draws,), and what is assumed of it.

    Without a rate it takes as long as the communication of the bulk-synchronous schedule.
    """
    try:
        return work_s(source, problem, rate_flops_per_s), None
    except UnknownRate as error:
        return balanced_s(source, problem, route), f"computation taken as long as communication: {error}"


def unknown_costs(source: Source, problem: Problem, options: Sequence[Option], route: Route) -> list[str]:
    """What the profile does not state of the paths of some schedules, and the command that measures it."""
    paths = dict.fromkeys(message_path(source, one, route) for one in (*options, Option(problem.bulk_name)))
    return [
        f"{loggp_symbols(assumed)} of {path} not measured, taken as 0: "
        "`stretto probe latency loggp` measures it"
        for path in paths
        if path is not None and (assumed := assumptions(source, path, problem.ranks))
    ]


def bars_of(
    source: Source, problem: Problem, options: Sequence[Option], route: Route, bar: str | None
) -> list[Bar]:
    """The requested bar, or all bars that the profile has for all options."""
    if bar is not None:
        return [known for known in BARS if known == bar]
    loaded = all(best_bar(source, problem, option, route) == "E" for option in options)
    return ["M", "E"] if loaded else ["M"]


def ft_options(problem: FtProblem, names: Sequence[str]) -> list[Option]:
    """Schedules by name, such as `chunks=64`. UserError where one is unknown or does not divide the rows."""
    result = []
    for name in names:
        kind, equals, count = name.partition("=")
        if (int(count) if equals else problem.rows * (name == "pencils")) > _MAX_STEPS:
            raise UserError(f"--schedules: {name} is beyond {_MAX_STEPS} messages; take fewer chunks=X")
        result.append(Option(kind, int(count) if equals else None))
    shapes_of([problem.schedule(one.schedule, one.count) for one in result])
    return result


def spmv_options(problem: SpmvProblem, names: Sequence[str], depths: Sequence[int]) -> list[Option]:
    """Schedules by name, with gather and scatter at each depth. UserError for a depth above P - 1."""
    result: list[Option] = []
    for name in names:
        result += [Option(name, depth) for depth in depths] if name != "bulk" else [Option(name)]
    shapes_of([problem.schedule(one.schedule, one.count) for one in result])
    return result
