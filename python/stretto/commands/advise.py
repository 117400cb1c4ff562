# SPDX-License-Identifier: BSD-3-Clause
"""`stretto advise`: what to choose on the machine of a profile, and how sure that is. One file a subject."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from stretto.commands.advice_request import AdviceRequest
from stretto.commands.advice_view import advice_lines, advice_members
from stretto.commands.advise_collectives import collective_choices, print_collective_choices
from stretto.commands.advise_ft import advise_about_ft, crossovers_of_ft
from stretto.commands.advise_spmv import advise_about_spmv
from stretto.commands.collective_view import choice_members
from stretto.commands.crossover_view import crossover_lines, crossover_members
from stretto.commands.model_options import (
    JsonOption,
    ProfileOption,
    RanksOption,
    RateOption,
    flops_rate_of,
    ranks_of,
    source_of,
)
from stretto.errors import UserError
from stretto.model.advice import TOLERANCE, Advice
from stretto.model.collective.choice import Choice
from stretto.model.crossover import Crossover

# What is asked of each subject; none where the profile says nothing about it.
SUBJECTS: tuple[Callable[[AdviceRequest], list[Advice]], ...] = (advise_about_ft, advise_about_spmv)


def advise(
    profile: ProfileOption,
    ranks: RanksOption = None,
    rows: Annotated[
        int | None, typer.Option(metavar="N", help="FT: rows of a rank.  [default: few and many]")
    ] = None,
    row_length: Annotated[int | None, typer.Option(metavar="R", help="FT: complex doubles in a row.")] = None,
    scale: Annotated[
        str,
        typer.Option(metavar="F|balance", help="FT: transforms of each row, or as long as communication."),
    ] = "balance",
    matrix_rows: Annotated[
        int | None, typer.Option(metavar="N", help="SPMV: order of the matrix.  [default: 1048576]")
    ] = None,
    nonzeros: Annotated[
        float | None, typer.Option(metavar="RATIO", help="SPMV: nonzeros over N squared.  [default: balance]")
    ] = None,
    flops_rate: RateOption = None,
    as_json: JsonOption = False,
) -> None:
    """What to choose: schedule, pieces, prefetch, transport, progress; or undecided, and between what."""
    source = source_of(profile)
    choices = collective_choices(source.profile, ranks)
    if choices and ranks is None and source.profile.machine.ranks is None:
        ranks = choices[0].members
    request = AdviceRequest(
        source,
        ranks_of(source, ranks),
        rows,
        row_length,
        scale,
        matrix_rows,
        nonzeros,
        flops_rate_of(flops_rate),
    )
    found = [advice for subject in SUBJECTS for advice in subject(request)]
    if not found and not choices:
        raise UserError(
            f"{profile}: has nothing to advise on; `stretto probe loggp,overlap` measures what it takes"
        )
    crossovers = crossovers_of_ft(request, found)
    if as_json:
        print(json.dumps(_document(request, found, crossovers, choices), indent=1, allow_nan=False))
        return
    parts = ["\n".join(advice_lines(advice)) for advice in found]
    parts += ["\n".join(crossover_lines(crossing)) for crossing in crossovers]
    if parts:
        print("\n\n".join(parts))
    if found and choices:
        print()
    if choices:
        print_collective_choices(choices)


def _document(
    request: AdviceRequest,
    found: Sequence[Advice],
    crossovers: Sequence[Crossover],
    choices: Sequence[Choice],
) -> dict[str, Any]:
    return {
        "profile": request.source.file,
        "ranks": request.ranks,
        "tolerance": TOLERANCE,
        "draws": request.source.draws,
        "advice": [advice_members(advice) for advice in found],
        "crossovers": [crossover_members(crossing) for crossing in crossovers],
        "collectives": [choice_members(choice) for choice in choices],
    }
