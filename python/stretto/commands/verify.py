# SPDX-License-Identifier: BSD-3-Clause
"""`stretto verify`: compares measured with modelled times of FT and SPMV."""

from __future__ import annotations

from pathlib import Path

from stretto.data.profile_file import read_profile
from stretto.data.run_directory import PROFILE
from stretto.errors import CheckError, UserError
from stretto.model.parameters import Source
from stretto.model.run_files import load_results
from stretto.model.verify import verify as verify_results
from stretto.options.files import VerifyRequest
from stretto.report.screen import show, show_json
from stretto.report.views.verification import verification_document, verification_view


def verify(request: VerifyRequest) -> None:
    """Measured against modelled times, schedule by schedule: bars A, M and E of the probes' paper.

    M has its parameters from the profile. E has o, g and G from the run itself: those of its runs without
    computation. Deviations are fractions of the actual time.
    """
    run, within = request.run, request.within
    try:
        result = verify_results(load_results(run), _source(run, request.profile))
    except UserError as error:
        raise UserError(f"{run}: {error}") if str(error).startswith("no") else error from None
    if request.as_json:
        show_json(verification_document(result))
    else:
        show(verification_view(result))
    mean = result.deviations[result.headline].mean_absolute
    if within is not None and mean > within:
        raise CheckError(
            f"{run}: mean absolute deviation {mean:.1%} of bar {result.headline} is above {within:.1%}"
        )


def _source(run: Path, profile: Path | None) -> Source | None:
    """The named profile, else that of the run; None: the run has none."""
    own = (run if run.is_dir() else run.parent) / PROFILE
    if profile is None and not own.exists():
        return None
    path = profile or own
    return Source(read_profile(path), str(path), draws=1)
