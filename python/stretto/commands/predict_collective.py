# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict collective`: flat and two-phase collectives by a profile's runtime functions."""

from __future__ import annotations

from stretto.model.collective.choice import all_grids, choose, gain_of
from stretto.model.collective.functions import Functions
from stretto.model.collective.of_profile import functions_of, most_members, own_sizes
from stretto.model.collective.two_phase import TwoPhase, parse_grid, predict_two_phase
from stretto.options.choices import check_choice
from stretto.options.predict import PredictCollectiveRequest
from stretto.report.screen import show, show_json
from stretto.report.views.collectives import PredictedCall, calls_document, choices_view, grids_view


def predict_collective(request: PredictCollectiveRequest) -> None:
    """Times of collectives, flat and in two phases on p1 x p2, and what the two phases gain or lose."""
    functions = functions_of(request.profile, request.algorithm)
    known = functions.operations()
    operations = [check_choice("--operation", name, known) for name in request.operation] or known
    ranks = request.ranks or (most_members(functions),)
    grid = None if request.grid == "all" else request.grid
    if grid is not None:
        for members in ranks:
            parse_grid(grid, members, "--grid")
    calls = [
        _predicted(functions, name, members, size, grid)
        for name in operations
        for members in ranks
        for size in request.sizes or own_sizes(functions)
    ]
    if request.as_json:
        show_json(calls_document(str(request.profile), request.algorithm, calls))
    elif request.grid is None:
        show(choices_view([call.choice for call in calls]))
    else:
        show(grids_view(calls))


def _predicted(
    functions: Functions, operation: str, members: int, size: int, grid: str | None
) -> PredictedCall:
    """A call flat and on one grid; None: on all of them."""
    flat = functions.predict(operation, members, size)
    grids: list[TwoPhase] = all_grids(functions, operation, members, size)
    if grid is not None:
        grids = [predict_two_phase(functions, operation, parse_grid(grid, members, "--grid"), size)]
    choice = choose(functions, operation, members, size)
    return PredictedCall(flat, choice, [(two, gain_of(flat, two.total)) for two in grids])
