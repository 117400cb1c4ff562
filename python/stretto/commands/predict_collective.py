# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict collective`: flat and two-phase collectives by a profile's runtime functions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stretto.commands.collective_options import collective_request
from stretto.model.collective.choice import all_grids, choose, gain_of
from stretto.model.collective.functions import Functions
from stretto.model.collective.two_phase import TwoPhase, parse_grid, predict_two_phase
from stretto.report.screen import show, show_json
from stretto.report.views.collectives import PredictedCall, calls_document, choices_view, grids_view

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
    calls = [
        _predicted(request.functions, name, members, size, grid)
        for name in request.operations
        for members in request.members
        for size in request.sizes
    ]
    if as_json:
        show_json(calls_document(request.file, request.functions.algorithm, calls))
    elif grid is None:
        show(choices_view([call.choice for call in calls]))
    else:
        show(grids_view(calls))


def _predicted(
    functions: Functions, operation: str, members: int, size: int, grid: str | None
) -> PredictedCall:
    flat = functions.predict(operation, members, size)
    grids = _grids(functions, operation, members, size, grid)
    choice = choose(functions, operation, members, size)
    return PredictedCall(flat, choice, [(two, gain_of(flat, two.total)) for two in grids])


def _grids(functions: Functions, operation: str, members: int, size: int, grid: str | None) -> list[TwoPhase]:
    if grid is None or grid == "all":
        return all_grids(functions, operation, members, size)
    return [predict_two_phase(functions, operation, parse_grid(grid, members, "--grid"), size)]
