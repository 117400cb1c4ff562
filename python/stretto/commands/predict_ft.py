# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict ft`: the FT probe's schedules on a profile's machine (architectural probes, section 7)."""

from __future__ import annotations

from typing import Annotated

import typer

from stretto.commands.model_options import (
    BarOption,
    GoalOption,
    JsonOption,
    ProfileOption,
    ProgressOption,
    RanksOption,
    RateOption,
    TransportOption,
    check_fraction,
    check_positive,
    ranks_of,
    source_of,
)
from stretto.commands.predict_schedules import Wanted, show_predictions
from stretto.errors import UserError
from stretto.model.forecast import Option
from stretto.model.prediction import FT_SEGMENTS
from stretto.model.problem import FtProblem

MOST_SCALE = 1e6
_MOST_STEPS = 1_000_000  # of a graph: half a minute, and a gigabyte


def predict_ft(
    profile: ProfileOption,
    rows: Annotated[int, typer.Option("--rows", metavar="N", help="Rows of a rank.")] = 8192,
    row_length: Annotated[int, typer.Option(metavar="R", help="Complex doubles in a row.")] = 512,
    scale: Annotated[float, typer.Option(metavar="F", help="Computation: transforms of each row.")] = 1.0,
    ranks: RanksOption = None,
    schedules: Annotated[
        str, typer.Option(metavar="S,...", help="Of exchange, slabs, pencils, chunks=X.")
    ] = "exchange,slabs,pencils",
    transport: TransportOption = None,
    progress: ProgressOption = None,
    bar: BarOption = None,
    flops_rate: RateOption = None,
    goal: GoalOption = None,
    as_json: JsonOption = False,
) -> None:
    """Time, segments and gain of the FT probe's schedules, by graph and by closed form."""
    source = source_of(profile)
    problem = ft_problem(rows, row_length, scale, ranks_of(source, ranks))
    options = ft_options(problem, schedules)
    wanted = Wanted(transport, progress, bar, flops_rate, goal, as_json)
    show_predictions("ft", FT_SEGMENTS, source, problem, options, wanted)


def ft_problem(rows: int, row_length: int, scale: float, ranks: int) -> FtProblem:
    """The problem, checked. UserError where it is none."""
    check_positive("--rows", rows)
    check_positive("--row-length", row_length)
    check_fraction("--scale", scale, MOST_SCALE)
    return FtProblem(rows, row_length, ranks, scale)


def ft_options(problem: FtProblem, names: str) -> list[Option]:
    """The schedules of a comma-separated list. UserError where one is unknown or does not divide the rows."""
    found = []
    for name in dict.fromkeys(part.strip() for part in names.split(",")):
        kind, equals, count = name.partition("=")
        if (kind == "chunks") != bool(equals) or (equals and not count.isdecimal()):
            raise UserError(
                f"--schedules: '{name}'; write exchange, slabs, pencils or chunks=X, such as chunks=64"
            )
        if (int(count) if equals else problem.rows * (name == "pencils")) > _MOST_STEPS:
            raise UserError(f"--schedules: {name} is beyond {_MOST_STEPS} messages; take fewer chunks=X")
        found.append(Option(kind, int(count) if equals else None))
        problem.schedule(found[-1].schedule, found[-1].count)
    return found
