# SPDX-License-Identifier: BSD-3-Clause
"""Searches the settings of an MPI for the least time of a program, by paired runs within a budget."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from stretto.data.pairs import FEWEST_PAIRS
from stretto.errors import RunError, UserError
from stretto.launch.application import Place
from stretto.launch.knobs import Setting, combined
from stretto.launch.mpiexec import Launch
from stretto.model.paired_runs import PairedRuns
from stretto.model.race import Race

Measure = Callable[[Place, Launch], float]
"""One run; returns what is to be small, in seconds. Raises RunError where the run failed."""

_ROUNDS = 6  # of the search; what is good is measured again afterwards
_CONFIRMING_SHARE = 0.3  # of the budget
_SEED = 1


@dataclass(frozen=True)
class Tested:
    """New runs of what was best in the search.

    Attributes:
        setting: What was run.
        runs: Its pairs; fewer than `planned` where the budget ended before.
    """

    setting: Setting
    runs: PairedRuns
    planned: int


@dataclass(frozen=True)
class Tuned:
    """The result of a search.

    Attributes:
        race: Every setting with its pairs, by name.
        skipped: Settings that were not tried, because the budget did not allow it.
        tested: The best setting in new runs; None where no setting was good in the search.
        deciding_budget_s: A budget in which all planned runs end; None where they have ended.
    """

    race: Race
    skipped: tuple[str, ...]
    tested: Tested | None
    deciding_budget_s: float | None = None

    @property
    def chosen(self) -> Setting | None:
        """The settings that save time together; None where nothing certainly does."""
        return self.tested.setting if self.tested is not None and self.tested.runs.saves() else None

    @property
    def confirmed(self) -> PairedRuns | None:
        """Runs of `chosen`, apart from those of the search."""
        return self.tested.runs if self.tested is not None and self.chosen is not None else None


@dataclass
class Tuner:
    """A search in one place. `on_run` is called after each run, `clock` tells the seconds of the budget."""

    place: Place
    measure: Measure
    budget_s: float
    pairs: int
    on_run: Callable[[], None] = lambda: None
    clock: Callable[[], float] = time.monotonic
    _made: int = field(default=0, init=False)

    def search(self, settings: Sequence[Setting]) -> Tuned:
        """Races the settings, then measures the best one and all good ones together.

        Raises:
            RunError: the program fails as it is.
        """
        began = self.clock()
        self._run({})  # fills caches, and shows that the program works
        each_s = max(self.clock() - began, 1e-3)
        searching_s = (1 - _CONFIRMING_SHARE) * self.budget_s
        possible = int(searching_s / each_s / FEWEST_PAIRS) - 1
        tried = list(settings[: max(possible, 1)])
        race = self._race(tried, began + searching_s)
        candidates = _candidates(race, tried)
        tested = self._confirm(candidates, began + self.budget_s)
        spent_s = self.clock() - began
        is_decided = tested is not None and tested.runs.verdict() != "undecided"
        missing = 0 if is_decided or spent_s <= searching_s else self._missing(race, candidates, tested)
        return Tuned(
            race,
            tuple(one.name for one in settings[len(tried) :]),
            tested,
            spent_s * (1 + missing / self._made) if missing else None,
        )

    def _race(self, settings: Sequence[Setting], deadline: float) -> Race:
        race = Race.of([one.name for one in settings])
        order = random.Random(_SEED)
        for _ in range(_ROUNDS):
            running = [one for one in settings if one.name in race.running]
            if not running or self.clock() > deadline:
                break
            self._round(race, running, order)
            race.drop_losers()
        return race

    def _missing(self, race: Race, candidates: Sequence[Setting], tested: Tested | None) -> int:
        """The runs that the budget did not allow, of the search up to its first intervals, and of the new
        pairs.
        """
        rounds = max((race.runs(name).pairs for name in race.plain_s), default=0)
        missing = max(0, FEWEST_PAIRS - rounds) * (len(race.running) + 1) if race.running else 0
        if tested is not None:
            missing += (self.pairs - tested.runs.pairs) * (len(candidates) + 1)
        return missing

    def _round(self, race: Race, running: Sequence[Setting], order: random.Random) -> None:
        """Every setting once and the program as it is, in random order."""
        variants: list[Setting | None] = [None, *running]
        order.shuffle(variants)
        plain_s, times_s = 0.0, {}
        for one in variants:
            try:
                time_s = self._run(one.variables, one.libraries) if one else self._run({})
            except (RunError, UserError) as error:
                if one is None:
                    raise
                race.leave(one.name, f"failed: {str(error).splitlines()[0]}")
                continue
            if one is None:
                plain_s = time_s
            else:
                times_s[one.name] = time_s
        race.add(plain_s, times_s)

    def _confirm(self, candidates: Sequence[Setting], deadline: float) -> Tested | None:
        """New pairs of both candidates, as many as the budget allows; of them the one that saves more,
        certainly if one does.
        """
        if not candidates:
            return None
        race = Race.of([one.name for one in candidates])
        order = random.Random(_SEED)
        for _ in range(self.pairs):
            if self.clock() > deadline:
                break
            self._round(race, [one for one in candidates if one.name in race.running], order)
        tested = [Tested(one, race.runs(one.name), self.pairs) for one in candidates]
        measured = [one for one in tested if one.runs.pairs]
        return max(measured, key=lambda one: one.runs.promise, default=tested[0])

    def _run(self, variables: Mapping[str, str], libraries: Sequence[str] = ()) -> float:
        seconds = self.measure(self.place, self.place.launch(libraries, variables))
        self._made += 1
        self.on_run()
        return seconds


def _candidates(race: Race, settings: Sequence[Setting]) -> list[Setting]:
    """The best setting of the search alone, and with what certainly saves time by the other knobs: at most
    two, so that the interval of the better one holds.
    """
    of_names = {one.name: one for one in settings}
    promising = [of_names[name] for name in race.promising()]
    if not promising:
        return []
    best, certain = promising[0], [of_names[name] for name in race.certain()]
    of_knobs = {one.knob: one for one in reversed([best, *certain])}  # the best of each knob comes last
    together = tuple(sorted(of_knobs.values(), key=promising.index))
    alone = replace(combined((best,)), label="")
    return [alone, combined(together)] if len(together) > 1 else [alone]
