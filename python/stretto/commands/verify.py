# SPDX-License-Identifier: BSD-3-Clause
"""`stretto verify`: compares measured with modelled times of FT and SPMV, of collectives and of Jacobi."""

from __future__ import annotations

from pathlib import Path

from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.data.run_directory import PROFILE
from stretto.errors import CheckError, UserError
from stretto.model.parameters import Source
from stretto.model.verified_run import verify_run
from stretto.options.files import VerifyRequest
from stretto.report.screen import show, show_json
from stretto.report.views.verification import verification_document, verification_view
from stretto.report.views.verified_times import verified_document, verified_view


def verify(request: VerifyRequest) -> None:
    """Measured against modelled times: schedules of FT and SPMV, collectives, or a run of Jacobi.

    Schedules have bars A, M and E of the probes' paper. M has its parameters from the profile. E has o, g and
    G from the run itself: those of its runs without computation. Deviations are fractions of the actual time.
    """
    run = request.run
    try:
        schedules, times = verify_run(run, _source(run, request.profile))
    except UserError as error:
        raise UserError(f"{run}: {error}") if str(error).startswith("no") else error from None
    if request.as_json:
        document = verification_document(schedules) if schedules is not None else {}
        more = verified_document(times) if times is not None else {}
        show_json({**document, "collectives": more} if document and more else document or more)
    else:
        show(verification_view(schedules) if schedules is not None else ())
        show(verified_view(times) if times is not None else ())
    means = {"collectives": times.mean_absolute} if times is not None else {}
    if schedules is not None:
        means[f"bar {schedules.headline}"] = schedules.deviations[schedules.headline].mean_absolute
    for what, mean in means.items():
        if request.within is not None and mean > request.within:
            raise CheckError(
                f"{run}: mean absolute deviation {mean:.1%} of {what} is above {request.within:.1%}"
            )


def _source(run: Path, profile: Path | None) -> Source | None:
    """The named profile, else that of the run; None: the run has none."""
    own = (run if run.is_dir() else run.parent) / PROFILE
    if profile is None and not own.exists():
        return None
    path = own if profile is None else profile_path(profile)
    return Source(read_profile(path), str(path), draws=1)
