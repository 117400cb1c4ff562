# SPDX-License-Identifier: BSD-3-Clause
"""Compares measured collective calls and Jacobi iterations with the runtime functions of a profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.collectives import ALGORITHMS
from stretto.data.jacobi_run import JacobiRun
from stretto.data.profile import Profile
from stretto.data.results import Results
from stretto.errors import UserError
from stretto.model.collective.deviations import measured_calls, predicted
from stretto.model.collective.functions import Functions, Prediction
from stretto.model.collective.jacobi import all_iterations
from stretto.model.collective.measured import FLAT, Call
from stretto.model.collective.two_phase import full_grid


@dataclass(frozen=True)
class VerifiedTime:
    """A measured time with its prediction. `axes` name the call or the iteration."""

    axes: Mapping[str, str | int]
    measured_s: float
    predicted: Prediction

    @property
    def deviation(self) -> float | None:
        """(predicted - measured) / measured; None without a prediction."""
        return None if self.predicted.time_s is None else self.predicted.time_s / self.measured_s - 1


@dataclass(frozen=True)
class VerifiedTimes:
    """The times of one run; at least one has a prediction."""

    rows: tuple[VerifiedTime, ...]

    @property
    def mean_absolute(self) -> float:
        """The mean absolute deviation of the predicted rows."""
        return float(np.mean([abs(off) for off in self._deviations()]))

    @property
    def worst(self) -> float:
        """The largest deviation, with its sign."""
        return max(self._deviations(), key=abs)

    @property
    def missing(self) -> tuple[str, ...]:
        """The reasons of missing predictions, each once."""
        return tuple(dict.fromkeys(row.predicted.reason for row in self.rows if row.predicted.reason))

    def _deviations(self) -> list[float]:
        return [off for row in self.rows if (off := row.deviation) is not None]


def has_collectives(results: Results) -> bool:
    """Whether there are measured collective calls."""
    return bool(measured_calls(results.rows))


def verify_collectives(results: Results, profile: Profile) -> VerifiedTimes:
    """Each measured call and phase in one piece against the runtime functions.

    Raises:
        UserError: No call has a prediction.
    """
    calls = measured_calls(results.rows)
    rows: list[VerifiedTime] = []
    for algorithm in ALGORITHMS:
        selected = [
            one for one in calls if one.algorithm == algorithm and one.segments == 1 and one.phase_members > 1
        ]
        predictions = predicted(Functions.of(profile, algorithm), selected)
        rows += [
            VerifiedTime(_axes(call), call.time_s, one)
            for call, one in zip(selected, predictions, strict=True)
        ]
    return _refuse_unknown(rows)


def verify_jacobi(run: JacobiRun, profile: Profile) -> VerifiedTimes:
    """The mean iteration of a run against equation 1 or 2 with its measured time of an operation.

    Raises:
        UserError: The iteration has no prediction.
    """
    grid = None if run.grid == FLAT else full_grid(run.grid, run.ranks)
    if grid is None and run.grid != FLAT:
        raise UserError(f"its grid {run.grid} is ragged, and such an iteration has no prediction")
    functions = Functions.of(profile, run.algorithm)
    result = all_iterations(functions, run.size, run.ranks, {run.layout: run.operation_s}, [grid])
    axes: Mapping[str, str | int] = {
        "operation": f"jacobi by {run.layout}s",
        "algorithm": run.algorithm,
        "members": run.ranks,
        "grid": run.grid,
        "quantity": "iteration",
        "size_bytes": 8 * run.size,
    }
    return _refuse_unknown([VerifiedTime(axes, run.iteration_s, result.rows[0].time)])


def _axes(call: Call) -> Mapping[str, str | int]:
    return {
        "operation": call.operation,
        "algorithm": call.algorithm,
        "members": call.members,
        "grid": FLAT if call.grid is None else str(call.grid),
        "quantity": call.quantity,
        "size_bytes": call.size_bytes,
    }


def _refuse_unknown(rows: Sequence[VerifiedTime]) -> VerifiedTimes:
    if all(row.deviation is None for row in rows):
        reason = next((row.predicted.reason for row in rows if row.predicted.reason), "no call was measured")
        raise UserError(f"nothing can be modelled ({reason}); `stretto fit` makes runtime functions")
    return VerifiedTimes(tuple(rows))
