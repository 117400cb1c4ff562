# SPDX-License-Identifier: BSD-3-Clause
"""The bootstrap's intervals have the stated coverage."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stretto.model.statistics import (
    REPLICATES,
    bootstrap_medians,
    interval,
    interval_of_several,
    median,
    resampling_counts,
    spread_of_rounds,
    t_quantile,
)
from stretto.model.trains import Series, larger
from validation.noise import ROUND_NOISES
from validation.noisy_cases import ETA, T_C_S, factor, overlap


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12))
def test_the_smoothed_median_is_the_mean_of_the_middle_third(values: list[float]) -> None:
    outside = len(values) // 3
    middle = sorted(values)[outside : len(values) - outside]
    assert float(median(np.array(values))) == pytest.approx(sum(middle) / len(middle), abs=1e-6)


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 200), st.integers(0, 2**32), st.integers(1, 3))
def test_replicates_are_medians_of_resamples_that_share_their_rounds(
    n: int, seed: int, quantities: int
) -> None:
    values = np.random.default_rng(seed).normal(size=(quantities, n))
    result = bootstrap_medians(values, seed)
    counts = resampling_counts(n, seed)
    assert counts.shape == (n, REPLICATES) and (counts.sum(axis=0) == n).all()
    for replicate in (0, 1, REPLICATES - 1):
        resample = np.repeat(values, counts[:, replicate], axis=1)
        moved = spread_of_rounds(values) * (median(resample) - result.value)
        assert result.replicates[:, replicate] == pytest.approx(result.value + moved)
    assert result.value == pytest.approx(median(values))


def test_quantities_of_a_round_stay_together() -> None:
    """What shifts both quantities of a round alike must not widen the interval of their difference."""
    rng = np.random.default_rng(5)
    drift = rng.normal(0, 10, 40)
    result = bootstrap_medians(np.array([drift + 3, drift]), 1)
    assert np.std(result.replicates[0]) > 1
    assert result.replicates[0] - result.replicates[1] == pytest.approx(np.full(REPLICATES, 3.0))


def test_equal_seeds_give_equal_intervals_and_others_do_not() -> None:
    values = np.random.default_rng(1).normal(size=(1, 30))
    first, again, other = (bootstrap_medians(values, seed).replicates for seed in (7, 7, 8))
    assert (first == again).all() and (first != other).any()


def test_outliers_in_a_third_of_the_rounds_do_not_move_the_value() -> None:
    values = np.full((1, 30), 1.0)
    values[0, :10] = 1e6
    assert bootstrap_medians(values, 1).value[0] == 1.0


SEEDS = int(os.environ.get("STRETTO_SEEDS", "250"))


@pytest.mark.slow
@pytest.mark.parametrize("noise", ROUND_NOISES)
@pytest.mark.parametrize("rounds", [2, 3, 4, 6, 9, 11, 30])
def test_intervals_cover_the_truth_as_often_as_stated(rounds: int, noise: str) -> None:
    """A time and an overlap: 92 to 99 %, and three standard errors of so many seeds (docs/results/coverage.md)."""
    covered = np.zeros(2)
    true = (T_C_S * factor(noise), ETA)
    for seed in range(SEEDS):
        case = overlap(noise, rounds, seed)
        found = case.times()["T_c"].estimate, case.eta().estimate
        covered += [
            one is not None and one.ci95_low <= value <= one.ci95_high
            for one, value in zip(found, true, strict=True)
        ]
    slack = 3 * np.sqrt(0.95 * 0.05 / SEEDS)
    assert ((covered / SEEDS >= 0.92 - slack) & (covered / SEEDS <= 0.99 + slack)).all(), covered / SEEDS


def test_three_rounds_have_the_interval_of_their_median() -> None:
    """Wider than 3.47 standard deviations of its bootstrap in 5 of 100 cases, of normal rounds."""
    low, middle, high = np.sort(np.random.default_rng(4).normal(size=(3, 400_000)), axis=0)
    outer = 7 / 27  # of the resamples have the smallest as median, and as many the largest
    mean = outer * (low + high) + (1 - 2 * outer) * middle
    spread = np.sqrt(outer * (low**2 + high**2) + (1 - 2 * outer) * middle**2 - mean**2)
    replicates = np.array([-1.0, 1.0])
    reach = interval(0.0, replicates, 3).ci95_high / np.std(replicates)
    assert np.mean(np.abs(middle) <= reach * spread) == pytest.approx(0.95, abs=0.001)


def test_one_round_has_no_interval() -> None:
    assert interval(1.0, np.ones(REPLICATES), 1).n == 1
    found = interval(1.0, np.ones(REPLICATES), 1)
    assert (found.ci95_low, found.ci95_high) == (1.0, 1.0)


def test_what_cannot_be_negative_has_no_negative_end() -> None:
    assert interval(1.0, np.linspace(0.1, 1.9, REPLICATES), 2).ci95_low == 0.0
    assert interval(1.0, np.linspace(-0.1, 2.1, REPLICATES), 2).ci95_low < 0.0


def test_the_interval_of_a_time_is_by_factors_where_its_reciprocal_is_a_rate() -> None:
    replicates = np.geomspace(1.0, 4.0, REPLICATES)
    found = interval(2.0, replicates, 3, positive=True)
    rate = interval(0.5, 1 / replicates, 3, positive=True)
    assert 0 < found.ci95_low < 1 and found.ci95_high > 4
    assert (1 / rate.ci95_high, 1 / rate.ci95_low) == pytest.approx((found.ci95_low, found.ci95_high))


def test_rounds_in_a_row_that_are_alike_count_less() -> None:
    random = np.random.default_rng(2)
    independent = random.normal(0, 1, (2, 40))
    in_a_row = np.repeat(random.normal(0, 1, (2, 10)), 4, axis=1)
    assert spread_of_rounds(independent) == 1.0
    assert 1.5 < spread_of_rounds(in_a_row) <= 3.0
    assert spread_of_rounds(np.ones((2, 40))) == 1.0, "a simulation without noise"
    assert spread_of_rounds(in_a_row[:, :4]) == 1.0, "too few to say"


def test_an_interval_leaves_out_what_is_not_finite() -> None:
    result = interval(1.0, np.array([np.nan, np.inf, 1.0, 2.0]), 4)
    assert result.ci95_low <= 1 < result.ci95_high < 3
    nothing = interval(1.0, np.array([np.nan]), 4)
    assert (nothing.ci95_low, nothing.ci95_high) == (1.0, 1.0)


def half_width(variances: list[float], rounds: list[int]) -> float:
    found = interval_of_several(1.0, np.array(variances), np.array(rounds, dtype=float), min(rounds))
    assert found.ci95_high - 1 == pytest.approx(1 - found.ci95_low)
    return found.ci95_high - 1


@pytest.mark.parametrize("cases", [1, 2, 7])
@pytest.mark.parametrize("rounds", [3, 4, 11])
def test_the_degrees_of_a_sum_are_those_of_all_that_contributes(cases: int, rounds: int) -> None:
    """Welch: of equal variances, (rounds + 1) cases - 2; of one, its own."""
    one = half_width([1.0], [rounds]) / t_quantile(rounds - 1)
    expected = one * np.sqrt(cases) * t_quantile((rounds + 1) * cases - 2)
    assert half_width([1.0] * cases, [rounds] * cases) == pytest.approx(expected)
    assert half_width([1.0, 1e-9], [rounds, 3]) == pytest.approx(one * t_quantile(rounds - 1), rel=1e-4)


@pytest.mark.parametrize("rounds", range(3, 13))
def test_replicates_of_normal_rounds_spread_more_than_their_medians(rounds: int) -> None:
    """By the factor by which variances of many cases are corrected."""
    values = np.random.default_rng(rounds).normal(size=(4000, rounds))
    of_medians = np.std(median(values))
    of_replicates = np.sqrt(np.mean(np.var(bootstrap_medians(values, 1).replicates, axis=1)))
    corrected = (
        half_width([1.0] * 1000, [rounds] * 1000) / np.sqrt(1000) / t_quantile(1000 * (rounds + 1) - 2)
    )
    assert corrected == pytest.approx(of_medians / of_replicates, rel=0.05)


@pytest.mark.parametrize("noise", ["normal", "skewed"])
@pytest.mark.parametrize("rounds", [3, 4, 11])
def test_the_interval_of_a_sum_of_several_cases_covers(rounds: int, noise: str) -> None:
    random, cases, seeds, covered = np.random.default_rng(8), 7, 400, 0
    middle = float(median(ROUND_NOISES[noise](np.random.default_rng(0), 300_000)))
    for _ in range(seeds):
        drawn = ROUND_NOISES[noise](random, cases * rounds).reshape(cases, rounds)
        found = [bootstrap_medians(one[None, :], place) for place, one in enumerate(drawn)]
        variances = np.array([np.var(one.replicates) for one in found])
        total = sum(float(one.value[0]) for one in found)
        interval_ = interval_of_several(total, variances, np.full(cases, float(rounds)), rounds)
        covered += interval_.ci95_low <= cases * middle <= interval_.ci95_high
    assert 0.93 - 3 * 0.011 <= covered / seeds <= 0.98 + 3 * 0.011


def test_what_cancels_within_a_case_adds_nothing_to_the_degrees() -> None:
    """The rounds of both quantities are the same: their covariance counts."""
    random = np.random.default_rng(5)
    drawn = random.normal(1.0, 0.1, (3, REPLICATES))
    rounds = np.full(3, 4.0)
    series = Series(np.ones(3), drawn, np.arange(3), rounds)
    even, first = series.weighted(np.ones(3)), series.first()
    without_first = (even - first).estimate(4)
    expected = interval_of_several(2.0, np.var(drawn[1:], axis=1), rounds[1:], 4)
    assert without_first.ci95_low == pytest.approx(expected.ci95_low)
    assert first.estimate(4) == interval(1.0, drawn[0], 4), "one case has the interval of its rounds"
    assert (even - even).estimate(4).ci95_high == pytest.approx(0.0)


def test_the_larger_of_two_has_the_spread_of_the_larger() -> None:
    drawn = np.random.default_rng(6).normal(1.0, 0.1, (4, REPLICATES))
    series = Series(
        np.array([1.0, 1.0, 3.0, 3.0]), drawn + np.array([[0], [0], [2], [2]]), np.arange(4), np.full(4, 4.0)
    )
    low, high = series.part(slice(0, 2)).weighted(np.ones(2)), series.part(slice(2, 4)).weighted(np.ones(2))
    assert larger(low, high).estimate(4) == larger(high, low).estimate(4) == high.estimate(4)
