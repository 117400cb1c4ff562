# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict ... --against RUN`: measured times next to predicted ones, and their deviations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.data.run_directory import PROFILE
from stretto.data.sizes import said_share
from stretto.errors import CheckError, UserError
from stretto.model.against_run import calls_against, schedules_against
from stretto.model.parameters import Source
from stretto.options.predict import AgainstOptions
from stretto.report.screen import show, show_json
from stretto.report.views.verification import verification_document, verification_view
from stretto.report.views.verified_times import verified_document, verified_view


def show_schedules_against(subject: str, run: Path, request: AgainstOptions) -> None:
    """The schedules of the probe `subject` in `run`, each with the bars of the models.

    Raises:
        UserError: There is nothing in the run that can be modelled.
        CheckError: The mean deviation is larger than `--within`.
    """
    try:
        result = schedules_against(subject, run, _source(run, request.profile))
    except UserError as error:
        raise _of_run(run, error) from None
    if request.as_json:
        show_json(verification_document(result))
    else:
        show(verification_view(result))
    mean = result.deviations[result.headline].mean_absolute
    _check_within(run, {f"bar {result.headline}": mean}, request.within)


def show_calls_against(run: Path, request: AgainstOptions) -> None:
    """The collective calls in `run`, or its Jacobi iteration, each with the time of the runtime functions.

    Raises:
        UserError, CheckError: as for `show_schedules_against`.
    """
    try:
        result = calls_against(run, _source(run, request.profile))
    except UserError as error:
        raise _of_run(run, error) from None
    if request.as_json:
        show_json(verified_document(result))
    else:
        show(verified_view(result))
    _check_within(run, {"collectives": result.mean_absolute}, request.within)


def _check_within(run: Path, means: Mapping[str, float], within: float | None) -> None:
    for what, mean in means.items():
        if within is not None and mean > within:
            off, allowed = said_share(mean, 1), said_share(within, 1)
            raise CheckError(f"{run}: mean absolute deviation {off} of {what} is above {allowed}")


def _of_run(run: Path, error: UserError) -> UserError:
    """The error with the run's name, unless it begins with that of a file."""
    return UserError(f"{run}: {error}") if str(error).startswith("no") else error


def _source(run: Path, profile: Path | None) -> Source | None:
    """The named profile, else that of the run; None: the run has none."""
    own = (run if run.is_dir() else run.parent) / PROFILE
    if profile is None and not own.exists():
        return None
    path = own if profile is None else profile_path(profile)
    return Source(read_profile(path), str(path), draws=1)
