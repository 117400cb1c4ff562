# SPDX-License-Identifier: BSD-3-Clause
"""Searches the settings of an MPI for the least time of a program, by paired runs within a budget."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

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
class Tuned:
    """The result of a search.

    Attributes:
        race: Every setting with its pairs, by name.
        skipped: Settings that were not tried, because the budget did not allow it.
        chosen: The settings that save time together; None where nothing certainly does.
        confirmed: Runs of `chosen`, apart from those of the search.
    """

    race: Race
    skipped: tuple[str, ...]
    chosen: Setting | None
    confirmed: PairedRuns | None


@dataclass
class Tuner:
    """A search in one place. `on_run` is called after each run."""

    place: Place
    measure: Measure
    budget_s: float
    pairs: int
    on_run: Callable[[], None] = lambda: None

    def search(self, settings: Sequence[Setting]) -> Tuned:
        """Races the settings, then measures the best one and all good ones together.

        Raises:
            RunError: the program fails as it is.
        """
        began = time.monotonic()
        self._run({})  # fills caches, and shows that the program works
        each_s = max(time.monotonic() - began, 1e-3)
        searching_s = (1 - _CONFIRMING_SHARE) * self.budget_s
        possible = int(searching_s / each_s / 3) - 1  # three rounds for an interval
        tried = list(settings[: max(possible, 1)])
        race = self._race(tried, began + searching_s)
        chosen, confirmed = self._confirm(
            [one for name in race.winners() for one in tried if one.name == name]
        )
        return Tuned(race, tuple(one.name for one in settings[len(tried) :]), chosen, confirmed)

    def _race(self, settings: Sequence[Setting], deadline: float) -> Race:
        race = Race.of([one.name for one in settings])
        order = random.Random(_SEED)
        for _ in range(_ROUNDS):
            running = [one for one in settings if one.name in race.running]
            if not running or time.monotonic() > deadline:
                break
            self._round(race, running, order)
            race.drop_losers()
        return race

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

    def _confirm(self, winners: Sequence[Setting]) -> tuple[Setting | None, PairedRuns | None]:
        """The best of each knob together, and the best alone, in new runs; what certainly saves most."""
        if not winners:
            return None, None
        of_knobs = {one.knob: one for one in reversed(winners)}  # the best of each knob comes last
        together = tuple(one for one in winners if of_knobs[one.knob] is one)
        candidates = [replace(combined((winners[0],)), label="")]
        if len(together) > 1:
            candidates.append(combined(together))
        race = Race.of([one.name for one in candidates])
        order = random.Random(_SEED)
        for _ in range(self.pairs):
            self._round(race, [one for one in candidates if one.name in race.running], order)
        for name in race.winners():
            return next(one for one in candidates if one.name == name), race.runs(name)
        return None, None

    def _run(self, variables: Mapping[str, str], libraries: Sequence[str] = ()) -> float:
        seconds = self.measure(self.place, self.place.launch(libraries, variables))
        self.on_run()
        return seconds
