# SPDX-License-Identifier: BSD-3-Clause
"""The bootstrap's intervals have the stated coverage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stretto.model.statistics import REPLICATES, bootstrap_medians, interval, median, resampling_counts


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
        assert result.replicates[:, replicate] == pytest.approx(median(resample))
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


@pytest.mark.parametrize("n", [9, 15, 30])
def test_intervals_cover_the_truth_as_often_as_stated(n: int) -> None:
    """One quantity and a difference of two, 1,000 seeds: between 90 % and 97.5 % (docs/decisions/statistics.md)."""
    covered = np.zeros(2)
    for seed in range(1000):
        values = np.random.default_rng(seed).normal(1, 0.05, (2, n))
        result = bootstrap_medians(values, seed)
        one = interval(float(result.value[0]), result.replicates[0], n)
        difference = interval(
            float(result.value[0] - result.value[1]), result.replicates[0] - result.replicates[1], n
        )
        covered += (one.ci95_low <= 1 <= one.ci95_high, difference.ci95_low <= 0 <= difference.ci95_high)
    assert ((covered >= 900) & (covered <= 975)).all(), covered


def test_an_interval_leaves_out_what_is_not_finite() -> None:
    result = interval(1.0, np.array([np.nan, np.inf, 1.0, 2.0]), 4)
    assert 1 <= result.ci95_low <= result.ci95_high <= 2
    nothing = interval(1.0, np.array([np.nan]), 4)
    assert (nothing.ci95_low, nothing.ci95_high) == (1.0, 1.0)
