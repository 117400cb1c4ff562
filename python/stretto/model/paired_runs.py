# SPDX-License-Identifier: BSD-3-Clause
"""Times of a program as it is and changed, measured in pairs, and the part that the change saves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stretto.model.statistics import DEFAULT_SEED, Estimate, bootstrap_medians, interval

LEAST_SAVED = 0.01
"""A smaller part of the time is nothing to change a job script for."""


@dataclass(frozen=True)
class PairedRuns:
    """Seconds of both variants; runs of the same index were made one after the other."""

    plain_s: tuple[float, ...]
    changed_s: tuple[float, ...]

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return len(self.plain_s)

    def plain(self) -> float:
        """The median time as it is, seconds."""
        return self._medians()[0]

    def changed(self) -> float:
        """The median time changed, seconds."""
        return self._medians()[1]

    def saved(self) -> Estimate:
        """The part of the time that the change saves; negative where it costs time. Pairs are resampled."""
        found = bootstrap_medians(np.array([self.plain_s, self.changed_s]), DEFAULT_SEED)
        value = 1 - float(found.value[1] / found.value[0])
        return interval(value, 1 - found.replicates[1] / found.replicates[0], self.pairs)

    def saves(self) -> bool:
        """Whether the change certainly saves time that matters."""
        saved = self.saved()
        return saved.ci95_low > 0 and saved.value >= LEAST_SAVED

    def costs(self) -> bool:
        """Whether the change certainly costs time."""
        return self.saved().ci95_high < 0

    def _medians(self) -> tuple[float, float]:
        plain, changed = bootstrap_medians(np.array([self.plain_s, self.changed_s]), DEFAULT_SEED).value
        return float(plain), float(changed)
