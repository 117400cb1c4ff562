# SPDX-License-Identifier: BSD-3-Clause
"""Breaks are found where they are, and not where they are not."""

import numpy as np
import pytest

from stretto.model.segments import choose_segments, constant_weights, line_weights

SIZES = np.array([8.0 * 2**i for i in range(18)])


def line(intercept: float, slope: float) -> np.ndarray:
    return intercept + slope * (SIZES - 1)


def noisy(values: np.ndarray, noise: float, seed: int) -> np.ndarray:
    return values * (1 + noise * np.random.default_rng(seed).standard_normal(len(values)))


def test_exact_lines_are_one_segment() -> None:
    assert choose_segments(SIZES, [line(3e-6, 1e-9), line(14e-6, 1e-9)], [0, 0]) == [slice(0, 18)]


@pytest.mark.parametrize("place", [3, 8, 13, 15])
def test_an_exact_break_is_found_wherever_three_sizes_are_left(place: int) -> None:
    broken = np.where(np.arange(18) < place, line(3e-6, 1e-9), line(20e-6, 0.5e-9))
    assert choose_segments(SIZES, [broken], [0]) == [slice(0, place), slice(place, 18)]


def test_a_break_that_shows_in_one_series_only_breaks_both() -> None:
    handshake = np.where(np.arange(18) < 13, line(14e-6, 1e-9), line(44e-6, 1e-9))
    result = choose_segments(
        SIZES, [noisy(line(3e-6, 1e-9), 0.01, 1), noisy(handshake, 0.01, 2)], [0.01, 0.01]
    )
    assert result == [slice(0, 13), slice(13, 18)]


def test_three_protocols_are_three_segments() -> None:
    index = np.arange(18)
    broken = np.select([index < 6, index < 12], [line(3e-6, 5e-9), line(9e-6, 1e-9)], line(60e-6, 0.3e-9))
    assert choose_segments(SIZES, [broken], [0.005]) == [slice(0, 6), slice(6, 12), slice(12, 18)]


def test_noise_alone_makes_no_break() -> None:
    """500 seeds of lines with the noise that medians of 30 rounds have: in at most 2 % a break that is not there."""
    false = 0
    for seed in range(500):
        series = [noisy(line(3e-6, 1e-9), 0.012, 2 * seed), noisy(line(14e-6, 1e-9), 0.012, 2 * seed + 1)]
        false += len(choose_segments(SIZES, series, [0.012, 0.012])) > 1
    assert false <= 10


def test_too_few_sizes_are_one_segment_and_equal_ones_stay_together() -> None:
    few = SIZES[:2]
    assert choose_segments(few, [np.array([1.0, 9.0])], [0]) == [slice(0, 2)]
    twice = np.repeat(SIZES[::3], 2)
    steps = np.where(twice < 600, 1.0, 9.0)
    for segment in choose_segments(twice, [steps], [0]):
        assert segment.start % 2 == 0 and segment.stop % 2 == 0 and segment.stop - segment.start >= 6


def test_the_weights_of_a_line_give_its_value_at_one_byte_and_its_slope() -> None:
    at_one_byte, slope = line_weights(SIZES, line(3e-6, 1e-9)) @ line(3e-6, 1e-9)
    assert at_one_byte == pytest.approx(3e-6) and slope == pytest.approx(1e-9)


def test_constant_weights_favour_what_is_small_and_survive_zeros() -> None:
    weights = constant_weights(np.array([1.0, 10.0, 0.0]))
    assert weights.sum() == pytest.approx(1) and weights[2] > weights[0] > weights[1]
    assert constant_weights(np.zeros(4)) == pytest.approx(np.full(4, 0.25))


@pytest.mark.parametrize(("squares", "segments"), [(8.6, 1), (8.8, 2)])
def test_a_break_must_improve_the_information_criterion(squares: float, segments: int) -> None:
    """Six sizes on two exact lines: a break is better above 6 (6^(1/2) - 1) = 8.70 squares of the noise."""
    sizes = SIZES[:6]
    values = np.where(np.arange(6) < 3, 3e-6, 3.6e-6) + 1e-9 * (sizes - 1)
    design = np.stack([np.ones(6), sizes - 1], axis=1) / values[:, None]
    residuals = design @ np.linalg.lstsq(design, np.ones(6), rcond=None)[0] - 1
    noise = float(np.sqrt(np.sum(residuals**2) / squares - 1e-4))  # 1e-4: the square of what is negligible
    assert len(choose_segments(sizes, [values], [noise])) == segments
