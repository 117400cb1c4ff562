# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict jacobi`: an iteration by rows and by columns, flat and on grids (equations 1 and 2)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stretto.commands.predict_collective import AlgorithmOption, ProfileOption
from stretto.data.fields import Members, Place
from stretto.data.files import read_json_object
from stretto.data.sizes import format_duration, parse_duration
from stretto.errors import UserError
from stretto.model.collective.jacobi import LAYOUTS, all_iterations
from stretto.model.collective.of_profile import functions_of
from stretto.model.collective.two_phase import parse_grid
from stretto.options.choices import check_choice
from stretto.report.screen import show, show_json
from stretto.report.views.jacobi import jacobi_document, jacobi_view

_LONGEST_S = 1.0
_MOST_UNKNOWNS = 1 << 24


def predict_jacobi(
    profile: ProfileOption,
    t_op: Annotated[
        str,
        typer.Option(
            "--t-op",
            metavar="TIME|FILE",
            help="Of one arithmetic operation: such as 1.25ns, or what `stretto run jacobi --json` printed.",
        ),
    ],
    size: Annotated[int, typer.Option("--size", metavar="N", help="Unknowns of the system.")] = 1000,
    ranks: Annotated[int, typer.Option("--ranks", metavar="P", help="Of how many ranks.")] = 16,
    layout: Annotated[str | None, typer.Option(help="row or column.  [default: both]")] = None,
    grid: Annotated[
        str | None, typer.Option(metavar="flat|P1xP2", help="Of its collectives.  [default: all]")
    ] = None,
    algorithm: AlgorithmOption = "library",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Time of one Jacobi iteration, and which layout and grid are the fastest."""
    if not 1 <= size <= _MOST_UNKNOWNS:
        raise UserError(f"--size: {size} is not within 1 to {_MOST_UNKNOWNS}")
    if not 2 <= ranks <= size:
        raise UserError(f"--ranks: {ranks} is not within 2 to {size}, the unknowns")
    layouts = LAYOUTS if layout is None else (check_choice("--layout", layout, LAYOUTS),)
    functions = functions_of(profile, algorithm)
    times_s = operation_times_s(t_op)
    operation_s = {one: times_s[one] for one in layouts}
    grids = None if grid is None else [None if grid == "flat" else parse_grid(grid, ranks, "--grid")]
    found = all_iterations(functions, size, ranks, operation_s, grids)
    if all(not one.time.known for one in found.rows):
        raise UserError(
            f"{profile}: {found.rows[0].time.reason}; probe it with --sizes and -n that reach there"
        )
    if as_json:
        show_json(jacobi_document(str(profile), size, ranks, operation_s, found))
    else:
        show(jacobi_view(str(profile), size, ranks, operation_s, found))


def operation_times_s(text: str) -> dict[str, float]:
    """t_op of each layout in seconds: a duration, or measured by a run of the kernel.

    Raises:
        UserError: It is neither, or no time that an operation can take.
    """
    found = _measured_s(Path(text)) if Path(text).is_file() else dict.fromkeys(LAYOUTS, parse_duration(text))
    for time_s in found.values():
        if not 0 < time_s <= _LONGEST_S:
            raise UserError(
                f"--t-op: {format_duration(time_s)} is no time of an operation; write it like 1.25ns"
            )
    return found


def _measured_s(path: Path) -> dict[str, float]:
    """Those that a run has chosen by, so that the choice can be had again; else that of its computation."""
    run = Members(read_json_object(path), Place(path))
    if run.members.get("kernel") != "jacobi":
        raise run.place.error("is no run of jacobi; name what `stretto run jacobi --json` printed")
    found = dict.fromkeys(LAYOUTS, run.number("t_op_s", 0, _LONGEST_S))
    if not run.has("choice"):
        return found
    looked = run.object("choice").object("operation_s")
    return found | {layout: looked.number(layout, 0, _LONGEST_S) for layout in LAYOUTS if looked.has(layout)}
