# SPDX-License-Identifier: BSD-3-Clause
"""What a change saves, from pairs of runs with a known saving: how often the intervals cover it, and what is decided."""

import math
import os

import numpy as np
import pytest

from stretto.data.pairs import FEWEST_PAIRS, MAX_PAIRS
from stretto.model.paired_runs import MIN_SAVED, PairedRuns
from stretto.model.race import Race
from stretto.options.gain import GainRequest
from stretto.options.tune import TuneRequest
from validation.noise import NOISES, paired, rounds_of

SEEDS = int(os.environ.get("STRETTO_SEEDS", "800"))
OF_MANY = int(os.environ.get("STRETTO_SEEDS", "60"))
"""Of the largest numbers of pairs, which take longer."""
DEFAULTS = (GainRequest.runs, TuneRequest.runs)
MIN_COVERED, MAX_COVERED = 0.93, 0.98


def slack(seeds: int) -> float:
    """Three standard errors of a share of 95 %."""
    return 3 * math.sqrt(0.95 * 0.05 / seeds)


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("pairs", [FEWEST_PAIRS, 4, 5, *DEFAULTS, 12])
@pytest.mark.parametrize("saved", [0.0, 0.2])
def test_intervals_cover_what_is_saved(saved: float, pairs: int, noise: str) -> None:
    found = [paired(saved, noise, pairs, seed).saved() for seed in range(SEEDS)]
    covered = np.mean([one.ci95_low <= saved <= one.ci95_high for one in found])
    assert MIN_COVERED - slack(SEEDS) <= covered <= MAX_COVERED + slack(SEEDS)


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISES)
def test_intervals_of_many_pairs_cover_what_is_saved(noise: str) -> None:
    found = [paired(0.2, noise, MAX_PAIRS, seed).saved() for seed in range(OF_MANY)]
    covered = np.mean([one.ci95_low <= 0.2 <= one.ci95_high for one in found])
    assert MIN_COVERED - slack(OF_MANY) <= covered <= MAX_COVERED + slack(OF_MANY)


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("drift", [0.0, 0.5])
@pytest.mark.parametrize("pairs", [FEWEST_PAIRS, *DEFAULTS])
def test_equal_programs_seldom_differ(pairs: int, drift: float, noise: str) -> None:
    """The error of a 95 % interval is 2.5 % on each side, also on a machine that gets slower."""
    found = [paired(0.0, noise, pairs, seed, drift).verdict() for seed in range(SEEDS)]
    most = 0.025 + 3 * math.sqrt(0.025 * 0.975 / SEEDS)
    assert found.count("saves") / SEEDS <= most
    assert found.count("costs") / SEEDS <= most


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("rounds", [FEWEST_PAIRS, 5, TuneRequest.runs])
def test_the_interval_of_the_better_of_two_covers_it(rounds: int, noise: str) -> None:
    found = [max(rounds_of(2, noise, rounds, seed), key=lambda one: one.promise) for seed in range(SEEDS)]
    covered = np.mean([one.saved().ci95_low <= 0 <= one.saved().ci95_high for one in found])
    assert MIN_COVERED - slack(SEEDS) <= covered <= MAX_COVERED + slack(SEEDS)


def test_what_is_saved_is_the_centre_of_the_pairs() -> None:
    found = PairedRuns((10.0, 20.0, 30.0), (8.0, 16.0, 24.0))
    assert found.saved().value == pytest.approx(0.2), "a machine that gets slower changes nothing"
    assert found.saves() and not found.costs() and found.pairs_to_decide() is None


def test_a_loss_is_negative() -> None:
    found = paired(-0.2, "normal", 6, seed=1)
    assert found.saved().value == pytest.approx(-0.2, abs=0.05)
    assert found.costs() and not found.saves()


def test_a_certain_change_that_does_not_matter_is_none() -> None:
    for change in (0.5, -0.5):
        found = PairedRuns((10.0,) * 5, (10.0 - MIN_SAVED * 10 * change,) * 5)
        assert found.verdict() == "nothing"


def test_one_pair_decides_nothing() -> None:
    found = PairedRuns((10.0,), (5.0,))
    assert found.verdict() == "undecided" and found.pairs_to_decide() is None


@pytest.mark.parametrize(("saved", "spread"), [(0.05, 0.03), (0.0, 0.02)])
def test_the_number_of_pairs_that_is_named_decides(saved: float, spread: float) -> None:
    """Of such pairs; that number of new ones decides in most cases, and half as many as a rule do not."""
    random = np.random.default_rng(7)

    def pairs(number: int) -> PairedRuns:
        ratios = (1 - saved) * np.exp(random.normal(0, spread, number))
        return PairedRuns((10.0,) * number, tuple(10 * ratios))

    named = [more for _ in range(200) if (more := pairs(6).pairs_to_decide()) is not None]
    usual = int(np.median(named))
    assert usual > 6
    decided = np.mean([pairs(2 * usual).verdict() != "undecided" for _ in range(200)])
    too_few = np.mean([pairs(max(3, usual // 3)).verdict() != "undecided" for _ in range(200)])
    assert decided >= 0.7 and too_few <= 0.5


def test_pairs_that_spread_too_much_are_never_decided() -> None:
    runs = PairedRuns((10.0, 10.0, 10.0, 10.0), (1.0, 100.0, 1.2, 85.0))
    assert runs.verdict() == "undecided" and runs.pairs_to_decide() is None


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
    assert "best" in race.running and "good" not in race.running
    assert race.promising() == race.certain() == ["best", "good"]
    assert race.saved("best").value == pytest.approx(0.2, abs=0.02)


def test_a_setting_without_runs_promises_nothing() -> None:
    race = Race.of(["unmeasured", "failing"])
    race.add(10.0, {"failing": 5.0})
    race.leave("failing", "failed: it ended with 1")
    assert race.promising() == []
    race.drop_losers()
    assert race.running == ["unmeasured"]


def test_few_pairs_promise_and_are_not_certain() -> None:
    race = Race.of(["lucky"])
    for changed in (7.2, 5.0, 9.9):
        race.add(10.0, {"lucky": changed})
    assert race.promising() == ["lucky"] and race.certain() == []


def test_one_slow_run_does_not_end_a_race() -> None:
    race = Race.of(["disturbed"])
    race.add(10.0, {"disturbed": 15.0})
    race.drop_losers()
    race.add(10.0, {"disturbed": 8.0})
    race.drop_losers()
    assert race.running == ["disturbed"]
