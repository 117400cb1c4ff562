# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict collective`: flat and two-phase collectives by a profile's runtime functions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stretto.commands.collective_options import CollectiveRequest, collective_request
from stretto.model.collective.choice import choices
from stretto.model.collective.two_phase import GridCall, parse_grid, two_phase_times
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
    calls = _predicted(request, None if grid == "all" else grid)
    if as_json:
        show_json(calls_document(request.file, request.functions.algorithm, calls))
    elif grid is None:
        show(choices_view([call.choice for call in calls]))
    else:
        show(grids_view(calls))


def _predicted(request: CollectiveRequest, grid: str | None) -> list[PredictedCall]:
    """Every call, with the named grid or with all grids."""
    sizes = [
        (name, members, size)
        for name in request.operations
        for members in request.members
        for size in request.sizes
    ]
    named = [
        GridCall(name, parse_grid(grid, members, "--grid"), size)
        for name, members, size in sizes
        if grid is not None
    ]
    chosen = choices(request.functions, sizes)
    if grid is None:
        return [PredictedCall(choice, choice.grids) for choice in chosen]
    grids = two_phase_times(request.functions, named)
    return [PredictedCall(choice, (two,)) for choice, two in zip(chosen, grids, strict=True)]
