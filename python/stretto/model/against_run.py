# SPDX-License-Identifier: BSD-3-Clause
"""What of a run can be compared with predictions: its schedules, its collectives, or its Jacobi iteration."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stretto.data.jacobi_run import is_jacobi_run, read_jacobi_run
from stretto.data.profile import Profile
from stretto.errors import UserError
from stretto.model.collective.verified import (
    VerifiedTimes,
    has_collectives,
    verify_collectives,
    verify_jacobi,
)
from stretto.model.measured import measured_schedules
from stretto.model.parameters import Source
from stretto.model.run_files import load_results
from stretto.model.verify import Verification, verify


def schedules_against(probe: str, run: Path, source: Source | None) -> Verification:
    """The schedules of the probe `probe`, ft or spmv, in a run.

    Args:
        probe: The probe.
        run: A run directory, or one of its files.
        source: The profile; None where there is none.

    Raises:
        UserError: The run has no schedule of this probe, or none can be modelled.
    """
    results = load_results(run)
    own = replace(results, rows=tuple(row for row in results.rows if row.axes.get("probe") == probe))
    if not measured_schedules(own):
        raise UserError(f"no run of {probe} in it; `stretto probe {probe}` makes one")
    return verify(own, source)


def calls_against(run: Path, source: Source | None) -> VerifiedTimes:
    """The collective calls of a run, or its Jacobi iteration, whose time is that of collectives.

    Args:
        run: A run directory, one of its files, or what `stretto run jacobi --json` printed.
        source: The profile; None where there is none.

    Raises:
        UserError: The run has neither, there is no profile, or nothing can be modelled.
    """
    if is_jacobi_run(run):
        return verify_jacobi(read_jacobi_run(run), _profile(source))
    results = load_results(run)
    if not has_collectives(results):
        raise UserError("no run of collective in it; `stretto probe collective` makes one")
    return verify_collectives(results, _profile(source))


def _profile(source: Source | None) -> Profile:
    if source is None:
        raise UserError("no profile; name one with --profile")
    return source.profile
