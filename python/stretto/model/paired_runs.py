# SPDX-License-Identifier: BSD-3-Clause
"""Times of a program as it is and changed, measured in pairs, and the part that the change saves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from stretto.data.pairs import FEWEST_PAIRS, MAX_PAIRS
from stretto.model.centre import centre
from stretto.model.statistics import Estimate, Floats, median, t_quantile

Verdict = Literal["saves", "costs", "nothing", "undecided"]

MIN_SAVED = 0.01
"""A smaller part of the time is nothing to change a job script for."""
NOTHING_BELOW = 0.02
"""Where the interval of what is saved ends below this part of the time, nothing is gained."""


@dataclass(frozen=True)
class PairedRuns:
    """Seconds of both variants; runs of the same index were made one after the other.

    What is saved is estimated from the ratios of the two times of each pair. Noise that has the same
    distribution in both runs of a pair makes the logarithms of the ratios symmetric about that of the true
    ratio, whatever the distribution is.
    """

    plain_s: tuple[float, ...]
    changed_s: tuple[float, ...]

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return len(self.plain_s)

    def plain(self) -> float:
        """The median time as it is, seconds."""
        return float(median(np.array(self.plain_s)))

    def changed(self) -> float:
        """The median time changed, seconds."""
        return float(median(np.array(self.changed_s)))

    def saved(self) -> Estimate:
        """The part of the time that the change saves in a pair, with its 95 % interval; negative where it
        costs time.
        """
        log_ratio = centre(self._log_ratios())
        with np.errstate(over="ignore"):
            value, low, high = (
                float(-np.expm1(one)) for one in (log_ratio.value, log_ratio.ci95_high, log_ratio.ci95_low)
            )
        return Estimate(value, low, high, self.pairs)

    def verdict(self) -> Verdict:
        """Whether the change certainly saves or costs time that matters, certainly saves none, or is not
        decided.
        """
        if self.pairs < FEWEST_PAIRS:
            return "undecided"
        saved = self.saved()
        if saved.ci95_low > 0 and saved.value >= MIN_SAVED:
            return "saves"
        if saved.ci95_high < 0 and saved.value <= -MIN_SAVED:
            return "costs"
        return "nothing" if saved.ci95_high < NOTHING_BELOW else "undecided"

    def saves(self) -> bool:
        """Whether the change certainly saves time that matters."""
        return self.verdict() == "saves"

    def costs(self) -> bool:
        """Whether the change certainly costs time that matters."""
        return self.verdict() == "costs"

    def pairs_to_decide(self) -> int | None:
        """The number of pairs that is expected to decide, if they spread as these do; None where that is more
        than a command makes, or where these are decided.
        """
        if self.verdict() != "undecided" or self.pairs < 2:
            return None
        log_ratio = centre(self._log_ratios()).value
        resolved = -log_ratio if self.saved().value >= MIN_SAVED else log_ratio - math.log(1 - NOTHING_BELOW)
        spread = self._spread()
        return next(
            (
                pairs
                for pairs in range(self.pairs + 1, MAX_PAIRS + 1)
                if t_quantile(pairs - 1) * spread / math.sqrt(pairs) <= resolved
            ),
            None,
        )

    def _spread(self) -> float:
        """The standard deviation of the logarithms of the ratios, by the width of their interval."""
        log_ratio = centre(self._log_ratios())
        half = (log_ratio.ci95_high - log_ratio.ci95_low) / 2
        return half * math.sqrt(self.pairs) / t_quantile(self.pairs - 1)

    @property
    def promise(self) -> tuple[bool, float]:
        """By which the better of two changes is taken: that it certainly saves, then how much.

        The better of two equal changes has too good a result. Its interval lies above the truth twice as
        often, and hardly ever below: it covers as often as that of a change that nobody has chosen. Of more
        than two it covers less.
        """
        return self.saves(), self.saved().value

    def _log_ratios(self) -> Floats:
        ratios: Floats = np.log(np.array(self.changed_s) / np.array(self.plain_s))
        return ratios
