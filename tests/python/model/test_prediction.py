# SPDX-License-Identifier: BSD-3-Clause
"""The gain of a predicted schedule over the bulk-synchronous one, and its bound."""

import numpy as np
import pytest

from stretto.model.evaluation import Times
from stretto.model.prediction import estimate, predicted
from stretto.model.schedule import Shape

SHAPE = Shape("slabs", 4, 2, 1024, "put")


def times(*total_s: float, communication_s: float | None = None) -> Times:
    alone = None if communication_s is None else np.full(len(total_s), communication_s)
    return Times(SHAPE, np.array(total_s), {"work": np.ones(len(total_s))}, alone, {"eq. 1": np.ones(1)})


def test_gain_bound_and_fraction() -> None:
    result = predicted(times(4.0, 5.0), times(5.0, 5.0, communication_s=2.0), np.array([3.0, 8.0]))
    assert result.gain.gain == pytest.approx([1.25, 1.0])
    assert result.gain.bound == pytest.approx([5 / 3, 10 / 8])
    assert result.gain.fraction == pytest.approx([0.25 / (2 / 3), 0.0])
    assert (result.schedule, list(result.segments_s), list(result.closed_s)) == (SHAPE, ["work"], ["eq. 1"])


def test_without_computation_no_fraction_is_possible() -> None:
    result = predicted(times(2.0), times(2.0, communication_s=2.0), np.zeros(1))
    assert result.gain.bound == pytest.approx([1.0]) and np.isnan(result.gain.fraction).all()


def test_times_of_zero_give_finite_gains() -> None:
    result = predicted(times(0.0), times(0.0, communication_s=0.0), np.zeros(1))
    assert np.isfinite(result.gain.gain).all() and np.isfinite(result.gain.bound).all()


def test_an_estimate_is_the_first_draw_with_the_interval_of_all() -> None:
    values = np.concatenate([[7.0], np.linspace(0.0, 10.0, 1001)])
    result = estimate(values)
    assert (result.value, result.n) == (7.0, 1002)
    assert (result.ci95_low, result.ci95_high) == pytest.approx((0.25, 9.75), abs=0.02)
