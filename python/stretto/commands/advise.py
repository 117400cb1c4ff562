# SPDX-License-Identifier: BSD-3-Clause
"""`stretto advise`: what to choose on the machine of a profile, and how sure that is. One file a subject."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from stretto.commands.advice_request import AdviceRequest
from stretto.commands.advise_collectives import collective_choices
from stretto.commands.advise_ft import advise_about_ft, crossovers_of_ft
from stretto.commands.advise_spmv import advise_about_spmv
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
from stretto.model.advice import Advice
from stretto.report.screen import show, show_json
from stretto.report.views.advice import advice_document, advice_view

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
        show_json(advice_document(source, request.ranks, found, crossovers, choices))
    else:
        show(advice_view(found, crossovers, choices))
