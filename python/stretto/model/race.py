# SPDX-License-Identifier: BSD-3-Clause
"""A race of variants against a program as it is: paired runs, and losers leave early. Knows times only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from stretto.data.pairs import FEWEST_PAIRS
from stretto.model.paired_runs import MIN_SAVED, PairedRuns
from stretto.model.statistics import Estimate

_CLEARLY_SLOWER = 0.02
"""A variant that costs so much in each of its first two runs leaves before it has an interval."""


@dataclass
class Race:
    """Variants by name, with their pairs so far: a run of the variant and one as it is, in one round."""

    plain_s: dict[str, list[float]] = field(default_factory=dict)
    changed_s: dict[str, list[float]] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    """Variants that have left, each with the reason."""
    failed: set[str] = field(default_factory=set)
    """Those of them that cannot run."""

    @staticmethod
    def of(names: Sequence[str]) -> Race:
        """A race of these variants."""
        return Race({name: [] for name in names}, {name: [] for name in names})

    @property
    def running(self) -> list[str]:
        """The variants that are still in."""
        return [name for name in self.plain_s if name not in self.left]

    def add(self, plain_s: float, changed_s: Mapping[str, float]) -> None:
        """One round: the time as it is, and the times of the variants of that round."""
        for name, time_s in changed_s.items():
            self.plain_s[name].append(plain_s)
            self.changed_s[name].append(time_s)

    def leave(self, name: str, reason: str) -> None:
        """A variant that cannot run leaves."""
        self.left[name] = reason
        self.failed.add(name)

    def runs(self, name: str) -> PairedRuns:
        """All pairs of a variant."""
        return PairedRuns(tuple(self.plain_s[name]), tuple(self.changed_s[name]))

    def saved(self, name: str) -> Estimate:
        """What the variant saves, as a part of the time."""
        return self.runs(name).saved()

    def drop_losers(self) -> None:
        """Those leave that cost time, and those that are certainly not the best."""
        for name in self.running:
            ratios = [changed / plain for plain, changed in zip(self.plain_s[name], self.changed_s[name])]
            if len(ratios) >= 2 and min(ratios) > 1 + _CLEARLY_SLOWER:
                self.left[name] = "slower"
        measured = {name: self.saved(name) for name in self.running if self.runs(name).pairs >= FEWEST_PAIRS}
        if not measured:
            return
        best = max(measured.values(), key=lambda one: one.value)
        for name, saved in measured.items():
            if saved.ci95_high <= 0:
                self.left[name] = "saves nothing"
            elif saved.ci95_high < best.ci95_low:
                self.left[name] = "saves less than the best"

    def promising(self) -> list[str]:
        """The variants that save time that matters in the runs so far, the best first. That is no proof: the
        best of many is partly chosen by chance, so that its runs flatter it. New runs show what it saves.
        """
        names = [
            name
            for name in self.plain_s
            if name not in self.failed and self.runs(name).pairs and self.saved(name).value >= MIN_SAVED
        ]
        return sorted(names, key=lambda name: -self.saved(name).value)

    def certain(self) -> list[str]:
        """Those of them whose interval says so, too."""
        return [name for name in self.promising() if self.runs(name).saves()]
