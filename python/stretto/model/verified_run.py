# SPDX-License-Identifier: BSD-3-Clause
"""What can be verified of a run: its schedules, its collectives, or its Jacobi iteration."""

from __future__ import annotations

from pathlib import Path

from stretto.data.jacobi_run import is_jacobi_run, read_jacobi_run
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


def verify_run(run: Path, source: Source | None) -> tuple[Verification | None, VerifiedTimes | None]:
    """The schedules of FT and SPMV in a run, and its collectives or its Jacobi iteration; one may be None.

    Args:
        run: A run directory, one of its files, or what `stretto run jacobi --json` printed.
        source: The profile; None where there is none.

    Raises:
        UserError: Nothing in it can be modelled.
    """
    if is_jacobi_run(run):
        return None, verify_jacobi(read_jacobi_run(run), _needed(source).profile)
    results = load_results(run)
    calls = has_collectives(results)
    schedules = verify(results, source) if measured_schedules(results) or not calls else None
    if not calls or (schedules is not None and source is None):
        return schedules, None
    return schedules, verify_collectives(results, _needed(source).profile)


def _needed(source: Source | None) -> Source:
    if source is None:
        raise UserError("no profile; name one with --profile")
    return source
