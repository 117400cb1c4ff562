# SPDX-License-Identifier: BSD-3-Clause
"""What a change saves, from pairs of runs with a known saving."""

from __future__ import annotations

import numpy as np
import pytest

from stretto.model.paired_runs import PairedRuns
from stretto.model.race import Race


def runs(saved: float, noise: float, pairs: int, seed: int = 1, drift: float = 0.0) -> PairedRuns:
    """Runs of ten seconds; `drift` is what the machine gets slower by from the first pair to the last."""
    random = np.random.default_rng(seed)
    slower = np.linspace(1, 1 + drift, pairs)
    plain = 10 * slower * random.normal(1, noise, pairs)
    changed = 10 * (1 - saved) * slower * random.normal(1, noise, pairs)
    return PairedRuns(tuple(plain), tuple(changed))


def test_what_is_saved_is_found_with_its_interval() -> None:
    found = runs(0.18, 0.01, 7)
    saved = found.saved()
    assert saved.value == pytest.approx(0.18, abs=0.015)
    assert saved.ci95_low < saved.value < saved.ci95_high
    assert saved.ci95_high - saved.ci95_low < 0.06
    assert found.saves() and not found.costs()
    assert found.changed() == pytest.approx(found.plain() * (1 - saved.value))


def test_nothing_is_neither_saved_nor_lost() -> None:
    decided = [runs(0.0, 0.02, 7, seed) for seed in range(60)]
    assert sum(one.saves() for one in decided) <= 6
    assert sum(one.costs() for one in decided) <= 6


def test_a_loss_is_negative() -> None:
    found = runs(-0.2, 0.01, 5)
    assert found.saved().value == pytest.approx(-0.2, abs=0.03)
    assert found.costs() and not found.saves()


def test_a_certain_saving_that_does_not_matter_is_none() -> None:
    found = PairedRuns((10.0,) * 5, (9.95,) * 5)
    assert found.saved().ci95_low > 0
    assert not found.saves()


def race_of(true: dict[str, float], rounds: int, noise: float = 0.003) -> Race:
    """A race between settings that truly save these parts of the time."""
    race = Race.of(list(true))
    random = np.random.default_rng(5)
    for _ in range(rounds):
        times = {name: 10 * (1 - true[name]) * random.normal(1, noise) for name in race.running}
        race.add(10 * random.normal(1, noise), times)
        race.drop_losers()
    return race


def test_losers_leave_early_and_the_best_wins() -> None:
    race = race_of({"best": 0.2, "good": 0.1, "nothing": 0.0, "slow": -0.3}, 6)
    assert race.left["slow"] == "slower"
    assert race.runs("slow").pairs == 2
    assert race.left["good"] == "saves less than the best"
    assert race.runs("good").pairs < 6
    assert race.running == ["best"]
    assert race.winners()[:2] == ["best", "good"]
    assert race.saved("best").value == pytest.approx(0.2, abs=0.02)


def test_a_setting_without_runs_wins_nothing() -> None:
    race = Race.of(["unmeasured", "failing"])
    race.leave("failing", "failed: it ended with 1")
    assert race.winners() == []
    race.drop_losers()
    assert race.running == ["unmeasured"]


def test_one_slow_run_does_not_end_a_race() -> None:
    race = Race.of(["disturbed"])
    race.add(10.0, {"disturbed": 15.0})
    race.drop_losers()
    race.add(10.0, {"disturbed": 8.0})
    race.drop_losers()
    assert race.running == ["disturbed"]
