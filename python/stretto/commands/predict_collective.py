# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict collective`: flat and two-phase collectives by a profile's runtime functions."""

from __future__ import annotations

from collections.abc import Sequence

from stretto.commands.predict_against import show_calls_against
from stretto.model.collective.choice import choices
from stretto.model.collective.functions import Functions
from stretto.model.collective.of_profile import functions_of, max_members, own_sizes
from stretto.model.collective.two_phase import GridCall, parse_grid, two_phase_times
from stretto.options.choices import check_choice
from stretto.options.predict import PredictCollectiveRequest
from stretto.report.screen import show, show_json
from stretto.report.views.collectives import PredictedCall, calls_document, choices_view, grids_view


def predict_collective(request: PredictCollectiveRequest) -> None:
    """Times of collectives, flat and in two phases on p1 x p2, and what the two phases gain or lose.

    With --against the measured calls of a run of the probe `collective`, or the iteration that `stretto run
    jacobi --json` printed, next to the times of the profile's runtime functions.
    """
    if request.against is not None:
        show_calls_against(request.against, request)
        return
    functions = functions_of(request.machine, request.algorithm)
    known = functions.operations()
    calls = [
        (name, members, size)
        for name in [check_choice("--collective", one, known) for one in request.collectives] or known
        for members in request.ranks or (max_members(functions),)
        for size in request.sizes or own_sizes(functions)
    ]
    result = _predicted(functions, calls, None if request.grid == "all" else request.grid)
    if request.as_json:
        show_json(calls_document(str(request.machine), request.algorithm, result))
    elif request.grid is None:
        show(choices_view([call.choice for call in result]))
    else:
        show(grids_view(result))


def _predicted(
    functions: Functions, calls: Sequence[tuple[str, int, int]], grid: str | None
) -> list[PredictedCall]:
    """Every call, with the named grid or with all grids."""
    named = [
        GridCall(name, parse_grid(grid, members, "--grid"), size)
        for name, members, size in calls
        if grid is not None
    ]
    chosen = choices(functions, calls)
    if grid is None:
        return [PredictedCall(choice, choice.grids) for choice in chosen]
    grids = two_phase_times(functions, named)
    return [PredictedCall(choice, (two,)) for choice, two in zip(chosen, grids, strict=True)]
