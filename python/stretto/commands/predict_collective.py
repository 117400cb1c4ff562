# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict collective`: flat and two-phase collectives by a profile's runtime functions."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from stretto.commands.collective_options import CollectiveRequest, collective_request
from stretto.commands.collective_view import (
    choice_members,
    gain_interval,
    gain_members,
    new_table,
    percent,
    print_choices,
    time_cell,
    two_phase_members,
)
from stretto.data.sizes import format_size
from stretto.model.collective.choice import all_grids, choose, gain_of
from stretto.model.collective.functions import Functions
from stretto.model.collective.two_phase import TwoPhase, parse_grid, predict_two_phase

ProfileOption = Annotated[
    Path,
    typer.Option("--profile", metavar="FILE|NAME", help="The machine: a profile.json, or `clic`, `t3e`."),
]
OperationOption = Annotated[
    str | None,
    typer.Option("--operation", metavar="O,...", help="Such as broadcast,allgather.  [default: all]"),
]
MembersOption = Annotated[
    str | None,
    typer.Option("--ranks", metavar="P,...", help="Of how many ranks.  [default: the profile's most]"),
]
SizesOption = Annotated[
    str | None,
    typer.Option(
        "--sizes", metavar="MIN:MAX|S,...", help="Bytes of a message or block.  [default: the profile's]"
    ),
]
AlgorithmOption = Annotated[
    str, typer.Option("--algorithm", help="library: the MPI's own; reference: linear and binomial.")
]


def predict_collective(
    profile: ProfileOption,
    operation: OperationOption = None,
    ranks: MembersOption = None,
    sizes: SizesOption = None,
    grid: Annotated[
        str | None, typer.Option(metavar="P1xP2|all", help="One grid, or all of them.  [default: the best]")
    ] = None,
    algorithm: AlgorithmOption = "library",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Times of collectives, flat and in two phases on p1 x p2, and what the two phases gain or lose."""
    request = collective_request(profile, operation, ranks, sizes, algorithm)
    if grid is not None and grid != "all":
        for members in request.members:
            parse_grid(grid, members, "--grid")
    rows = [
        (name, members, size, _grids(request.functions, name, members, size, grid))
        for name in request.operations
        for members in request.members
        for size in request.sizes
    ]
    if as_json:
        print(json.dumps(_document(request, rows), indent=1, allow_nan=False))
    elif grid is None:
        print_choices([choose(request.functions, *row[:3]) for row in rows])
    else:
        _print(request.functions, rows)


_Row = tuple[str, int, int, Sequence[TwoPhase]]


def _grids(functions: Functions, operation: str, members: int, size: int, grid: str | None) -> list[TwoPhase]:
    if grid is None or grid == "all":
        return all_grids(functions, operation, members, size)
    return [predict_two_phase(functions, operation, parse_grid(grid, members, "--grid"), size)]


def _document(request: CollectiveRequest, rows: Sequence[_Row]) -> dict[str, object]:
    functions = request.functions
    return {
        "subject": "collective",
        "profile": request.file,
        "algorithm": functions.algorithm,
        "rows": [
            {**choice_members(choose(functions, *row[:3])), "grids": _members(functions, row)} for row in rows
        ],
    }


def _members(functions: Functions, row: _Row) -> list[dict[str, object]]:
    flat = functions.predict(*row[:3])
    return [{**two_phase_members(two), "gain": gain_members(gain_of(flat, two.total))} for two in row[3]]


def _print(functions: Functions, rows: Sequence[_Row]) -> None:
    """One table a call: flat, then the grids."""
    console = Console(width=None if sys.stdout.isatty() else 80, highlight=False)
    for name, members, size, grids in rows:
        flat = functions.predict(name, members, size)
        console.print(f"{name} of {format_size(size)} among {members}")
        table = new_table("grid", "time", "leader", "concurrent", "gain", "95 %")
        table.add_row("flat", time_cell(flat), "", "", "", "")
        for two in grids:
            gain = gain_of(flat, two.total)
            table.add_row(
                str(two.grid),
                time_cell(two.total),
                time_cell(two.leader),
                time_cell(two.concurrent),
                percent(gain.value) if gain else "-",
                gain_interval(gain),
            )
        console.print(table)
        missing = [flat.reason, *(two.total.reason for two in grids)]
        for reason in dict.fromkeys(reason for reason in missing if reason):
            console.print(f"  {reason}", soft_wrap=True)
