# SPDX-License-Identifier: BSD-3-Clause
"""`stretto verify`: what runs of FT and SPMV took beside what `stretto.model.verify` says that they take."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from stretto.commands.compare import load_results
from stretto.commands.model_options import JsonOption
from stretto.data.profile_file import read_profile
from stretto.errors import CheckError, UserError
from stretto.model.parameters import Source
from stretto.model.verify import verify as verify_results
from stretto.report.screen import show, show_json
from stretto.report.views.verification import verification_document, verification_view

_PROFILE = "profile.json"


def verify(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="A run of the probes ft or spmv.")],
    profile: Annotated[
        Path | None,
        typer.Option("--profile", metavar="FILE", help="The machine.  [default: the run's own profile.json]"),
    ] = None,
    within: Annotated[
        float | None,
        typer.Option("--within", metavar="F", help="Exit 3 if the mean deviation, a fraction, is larger."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Actual beside modelled, schedule by schedule: bars A, M and E of the probes' paper.

    M has its parameters from the profile. E has o, g and G from the run itself: those of its runs without
    computation. Deviations are fractions of the actual time.
    """
    if within is not None and not (math.isfinite(within) and within >= 0):
        raise UserError(f"--within: {within} is no fraction; write one such as 0.05")
    try:
        found = verify_results(load_results(run), _source(run, profile))
    except UserError as error:
        raise UserError(f"{run}: {error}") if str(error).startswith("no") else error from None
    if as_json:
        show_json(verification_document(found))
    else:
        show(verification_view(found))
    mean = found.deviations[found.headline].mean_absolute
    if within is not None and mean > within:
        raise CheckError(
            f"{run}: mean absolute deviation {mean:.1%} of bar {found.headline} is above {within:.1%}"
        )


def _source(run: Path, profile: Path | None) -> Source | None:
    if profile is None:
        own = (run if run.is_dir() else run.parent) / _PROFILE
        if not own.exists():
            return None
        profile = own
    return Source(read_profile(profile), str(profile), draws=1)
