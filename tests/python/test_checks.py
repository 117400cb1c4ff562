# SPDX-License-Identifier: BSD-3-Clause
"""What a check of a bench or a validation shows, and when it holds."""

import numpy as np
import pytest

from bench.harness.checks import BELOW_TARGET, Check, both_sides, median_of
from stretto.model.statistics import Estimate


@pytest.mark.parametrize(
    ("value", "low", "high", "verdict"),
    [
        (1.1, 1.0, 1.3, "holds"),
        (0.9, 0.5, 0.95, "holds"),
        (1.2, 1.05, 1.3, "noisy"),
        (0.8, 0.7, 0.95, "noisy"),
        (1.2, 1.11, 1.3, BELOW_TARGET),
        (0.8, 0.7, 0.89, BELOW_TARGET),
    ],
)
def test_a_ratio_may_miss_on_both_sides(value: float, low: float, high: float, verdict: str) -> None:
    (check,) = both_sides("replayed", "recorded", Estimate(value, low, high, 5), 0.1)
    assert check.verdict == verdict
    assert check.cells[-2:] == ("0.9 to 1.1", verdict)


def test_a_check_without_a_figure_or_a_target_has_no_verdict() -> None:
    assert Check("a", "b", None, 1.0, within=0.1).verdict == "unresolved"
    assert Check("a", "b", Estimate(2, 1, 3, 5), None).cells[-2:] == ("-", "-")
    assert Check("a", "b", Estimate(2, 1, 3, 5), 1.5).cells[-2:] == ("<= 1.5", "noisy")
    assert Check("a", "b", Estimate(2, 1, 3, 5), 1.5, at_least=True).cells[-2:] == (">= 1.5", "holds")


@pytest.mark.parametrize(("n", "low", "high"), [(6, 1, 6), (8, 1, 8), (9, 2, 8), (12, 3, 10), (25, 8, 18)])
def test_the_interval_of_a_median_ends_at_the_textbook_s_order_statistics(
    n: int, low: int, high: int
) -> None:
    found = median_of(np.arange(1.0, n + 1))
    assert (found.value, found.ci95_low, found.ci95_high) == ((n + 1) / 2, low, high)


def test_a_median_of_few_values_has_the_wider_interval_of_their_centre() -> None:
    found = median_of(np.array([1.0, 2.0, 4.0]))
    assert found.value == 2.0 and found.ci95_low < 0 and found.ci95_high > 5
