# SPDX-License-Identifier: BSD-3-Clause
"""Predicted times against a measured one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stretto.data.predicted_times import NamedTime


@dataclass(frozen=True)
class Deviation:
    """A prediction and its distance from the measured time, as a fraction of the latter."""

    predicted: NamedTime
    deviation: float


@dataclass(frozen=True)
class PredictionCheck:
    """All predictions, in their order, against what was measured."""

    measured: NamedTime
    deviations: tuple[Deviation, ...]

    @property
    def nearest(self) -> Deviation:
        return min(self.deviations, key=lambda one: abs(one.deviation))


def check_predictions(predictions: Sequence[NamedTime], measured: NamedTime) -> PredictionCheck:
    """Compares every prediction with the measured time, which must not be zero."""
    return PredictionCheck(
        measured,
        tuple(Deviation(one, one.time_s / measured.time_s - 1) for one in predictions),
    )
