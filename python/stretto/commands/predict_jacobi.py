# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict jacobi`: an iteration by rows and by columns, flat and on grids (equations 1 and 2)."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from stretto.commands.collective_options import functions_of
from stretto.commands.collective_view import gain_members, new_table, percent, prediction_members, time_cell
from stretto.commands.predict_collective import AlgorithmOption, ProfileOption
from stretto.data.fields import Members, Place
from stretto.data.files import read_json_object
from stretto.data.sizes import format_duration, parse_duration
from stretto.errors import UserError
from stretto.model.collective.jacobi import (
    LAYOUTS,
    Iteration,
    all_iterations,
    choose_iteration,
    gain_over_flat,
    grid_name,
)
from stretto.model.collective.two_phase import parse_grid
from stretto.options.choices import check_choice

_LONGEST_S = 1.0
_MOST_UNKNOWNS = 1 << 24
_SHOWN = 12


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
    if all(not one.time.known for one in found):
        raise UserError(f"{profile}: {found[0].time.reason}; probe it with --sizes and -n that reach there")
    if as_json:
        print(json.dumps(_document(profile, size, ranks, operation_s, found), indent=1, allow_nan=False))
    else:
        _print(profile, size, ranks, operation_s, found)


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


def _document(
    profile: Path, size: int, ranks: int, operation_s: Mapping[str, float], found: Sequence[Iteration]
) -> dict[str, Any]:
    best = choose_iteration(found)
    return {
        "subject": "jacobi",
        "profile": str(profile),
        "size": size,
        "ranks": ranks,
        "operation_s": dict(operation_s),
        "use": None if best is None else {"layout": best.layout, "grid": grid_name(best.grid)},
        "rows": [
            {
                "layout": one.layout,
                "grid": grid_name(one.grid),
                "time_s": prediction_members(one.time),
                "compute_s": one.compute_s,
                "communication_s": prediction_members(one.communication),
                "gain": gain_members(gain_over_flat(one, found)),
            }
            for one in found
        ],
    }


def _print(
    profile: Path, size: int, ranks: int, operation_s: Mapping[str, float], found: Sequence[Iteration]
) -> None:
    console = Console(width=None if sys.stdout.isatty() else 80, highlight=False)
    each = " or ".join(format_duration(one_s) for one_s in dict.fromkeys(operation_s.values()))
    console.print(f"jacobi on {profile}: {size} unknowns, {ranks} ranks, {each} an operation", soft_wrap=True)
    table = new_table("layout", "grid", "iteration", "computing", "communicating", "gain")
    for one in found[:_SHOWN]:
        gain = gain_over_flat(one, found)
        table.add_row(
            one.layout,
            grid_name(one.grid),
            time_cell(one.time),
            format_duration(one.compute_s),
            time_cell(one.communication),
            percent(gain.value) if gain else "-",
        )
    console.print(table)
    if len(found) > _SHOWN:
        console.print(f"  and {len(found) - _SHOWN} slower ones (--json has all)")
    best = choose_iteration(found)
    if best is not None:
        console.print(f"  use: {best.layout}, {grid_name(best.grid)}")
    for reason in dict.fromkeys(one.time.reason for one in found if one.time.reason):
        console.print(f"  {reason}", soft_wrap=True)
