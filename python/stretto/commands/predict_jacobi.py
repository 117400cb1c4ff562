# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict jacobi`: an iteration by rows and by columns, flat and on grids (equations 1 and 2)."""

from __future__ import annotations

from pathlib import Path

from stretto.data.fields import Members, Place
from stretto.data.files import read_json_object
from stretto.errors import UserError
from stretto.model.collective.jacobi import LAYOUTS, all_iterations
from stretto.model.collective.of_profile import functions_of
from stretto.model.collective.two_phase import parse_grid
from stretto.options.predict import LONGEST_OPERATION_S, PredictJacobiRequest
from stretto.report.screen import show, show_json
from stretto.report.views.jacobi import jacobi_document, jacobi_view


def predict_jacobi(request: PredictJacobiRequest) -> None:
    """Time of one Jacobi iteration, and which layout and grid are the fastest."""
    profile, size, ranks, grid = str(request.profile), request.size, request.ranks, request.grid
    functions = functions_of(request.profile, request.algorithm)
    times_s = (
        _measured_s(request.t_op) if isinstance(request.t_op, Path) else dict.fromkeys(LAYOUTS, request.t_op)
    )
    operation_s = {one: times_s[one] for one in LAYOUTS if request.layout in (None, one)}
    grids = None if grid is None else [None if grid == "flat" else parse_grid(grid, ranks, "--grid")]
    result = all_iterations(functions, size, ranks, operation_s, grids)
    if all(not one.time.known for one in result.rows):
        raise UserError(
            f"{profile}: {result.rows[0].time.reason}; probe it with --sizes and -n that reach there"
        )
    if request.as_json:
        show_json(jacobi_document(profile, size, ranks, operation_s, result))
    else:
        show(jacobi_view(profile, size, ranks, operation_s, result))


def _measured_s(path: Path) -> dict[str, float]:
    """The operation times with which a run chose its layout, so that a prediction repeats the choice.

    Without such a choice, the time of the run's computation for every layout.
    """
    run = Members(read_json_object(path), Place(path))
    if run.members.get("kernel") != "jacobi":
        raise run.place.error("is no run of jacobi; name what `stretto run jacobi --json` printed")
    result = dict.fromkeys(LAYOUTS, run.number("t_op_s", 0, LONGEST_OPERATION_S))
    if not run.has("choice"):
        return result
    looked = run.object("choice").object("operation_s")
    return result | {
        layout: looked.number(layout, 0, LONGEST_OPERATION_S) for layout in LAYOUTS if looked.has(layout)
    }
