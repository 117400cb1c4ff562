# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict spmv`: the SPMV probe's schedules on a profile's machine (probes' paper, section 8)."""

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
from stretto.model.prediction import SPMV_SEGMENTS
from stretto.model.problem import SpmvProblem


def predict_spmv(
    profile: ProfileOption,
    rows: Annotated[int, typer.Option("--rows", metavar="N", help="The order of the matrix.")] = 1 << 20,
    nonzeros: Annotated[
        float, typer.Option("--nonzeros", metavar="RATIO", help="Nonzeros over N squared.")
    ] = 4e-6,
    ranks: RanksOption = None,
    schedules: Annotated[
        str, typer.Option(metavar="S,...", help="Of bulk, gather, scatter.")
    ] = "bulk,gather,scatter",
    prefetch: Annotated[
        str, typer.Option(metavar="E,...", help="Depths of gather and scatter, 0 to P-1.")
    ] = "1",
    transport: TransportOption = None,
    progress: ProgressOption = None,
    bar: BarOption = None,
    flops_rate: RateOption = None,
    goal: GoalOption = None,
    as_json: JsonOption = False,
) -> None:
    """Time, segments and gain of the SPMV probe's schedules, by graph and by closed form."""
    source = source_of(profile)
    problem = spmv_problem(rows, nonzeros, ranks_of(source, ranks))
    options = spmv_options(problem, schedules, prefetch)
    wanted = Wanted(transport, progress, bar, flops_rate, goal, as_json)
    show_predictions("spmv", SPMV_SEGMENTS, source, problem, options, wanted)


def spmv_problem(rows: int, nonzeros: float, ranks: int) -> SpmvProblem:
    """The problem, checked. UserError where it is none."""
    check_positive("--rows", rows)
    check_fraction("--nonzeros", nonzeros, 1.0)
    return SpmvProblem(rows, nonzeros, ranks)


def spmv_options(problem: SpmvProblem, names: str, depths: str) -> list[Option]:
    """Each schedule of a comma-separated list, gather and scatter at each depth of another.

    Raises:
        UserError: One is unknown, or a depth is no whole number of 0 to P - 1.
    """
    prefetches = []
    for text in dict.fromkeys(part.strip() for part in depths.split(",")):
        if not text.isdecimal() or len(text) > 9:
            raise UserError(f"--prefetch: '{text}' is no whole number; write depths such as 1,4,16")
        prefetches.append(int(text))
    found: list[Option] = []
    for name in dict.fromkeys(part.strip() for part in names.split(",")):
        found += [Option(name, p) for p in prefetches] if name != "bulk" else [Option(name)]
    for option in found:
        problem.schedule(option.schedule, option.count)
    return found
