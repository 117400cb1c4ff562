# SPDX-License-Identifier: BSD-3-Clause
"""The centre of few values, and intervals that cover it as often as they say."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import wilcoxon

from stretto.model.centre import centre


def test_the_estimate_is_the_median_of_the_means_of_two() -> None:
    values = np.array([1.0, 2.0, 4.0, 10.0])
    means = [(a + b) / 2 for a, b in itertools.combinations_with_replacement(values, 2)]
    assert centre(values).value == pytest.approx(np.median(means))


def test_one_value_has_no_interval() -> None:
    found = centre(np.array([3.0]))
    assert (found.value, found.ci95_low, found.ci95_high, found.n) == (3.0, -math.inf, math.inf, 1)


@pytest.mark.parametrize(("n", "half"), [(2, 6.35), (3, 1.31), (4, 0.74), (5, 0.54)])
def test_few_values_have_the_interval_of_the_range_midrange_test(n: int, half: float) -> None:
    """Half its width as a part of the range, about the middle of the range."""
    found = centre(np.arange(0.0, n) ** 2)
    span = (n - 1) ** 2
    assert (found.ci95_high - found.ci95_low) / 2 / span == pytest.approx(half, abs=0.005)
    assert (found.ci95_low + found.ci95_high) / 2 == pytest.approx(span / 2)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_few_normal_values_cover_their_centre(n: int) -> None:
    values = np.random.default_rng(n).normal(0, 1, (100_000, n))
    first = centre(values[0])
    beyond = (first.ci95_high - values[0].max()) / np.ptp(values[0])
    reach = beyond * np.ptp(values, axis=1)
    covered = np.mean((values.min(axis=1) - reach <= 0) & (values.max(axis=1) + reach >= 0))
    assert covered == pytest.approx(0.95, abs=0.003)


@pytest.mark.parametrize("n", [6, 7, 9, 12, 25])
def test_the_interval_holds_what_the_signed_rank_test_does_not_refuse(n: int) -> None:
    values = np.random.default_rng(n).normal(0, 1, n)
    found = centre(values)
    for at, refused in (
        (found.ci95_low + 1e-9, False),
        (found.ci95_low - 1e-9, True),
        (found.ci95_high - 1e-9, False),
        (found.ci95_high + 1e-9, True),
    ):
        p = float(wilcoxon(values - at, method="exact").pvalue)
        assert (p <= 0.05) == refused, (n, at)


def test_many_values_have_the_interval_of_the_exact_test_nearly() -> None:
    values = np.random.default_rng(3).normal(0, 1, 101)
    many, fewer = centre(values), centre(values[:100])
    ratio = (many.ci95_high - many.ci95_low) / (fewer.ci95_high - fewer.ci95_low)
    assert ratio == pytest.approx(1, abs=0.05)
