# SPDX-License-Identifier: BSD-3-Clause
"""Piecewise-linear functions of message size: where the pieces meet (protocol breaks), and their lines.

Knows no LogGP. All fits are of relative residuals, so that small messages count as much as large ones.
"""

from collections.abc import Sequence

import numpy as np

from stretto.model.statistics import SHORTEST_S, Floats

FEWEST_SIZES = 3  # a segment through two sizes fits anything
MOST_SEGMENTS = 4
# What explains less than 0.1 % of a value is no protocol; nor is rounding, where the data is exact.
_NEGLIGIBLE = 1e-3
_MOST_NOISE = 1e6  # relative: absurd samples have more, whose square is no number


def choose_segments(sizes: Floats, series: Sequence[Floats], noise: Sequence[float]) -> list[slice]:
    """Splits sizes into segments in each of which every series is a line in size.

    The number of segments has the smallest Bayesian information criterion (Schwarz, Annals of Statistics 6
    (1978) 461-464) on relative residuals, their places the smallest sum of squares (dynamic programming).
    Residuals count in units of the noise, and the noise is part of their variance: among few sizes the plain
    criterion rewards fitting the noise itself (a false break in 11 % of seeds; so, in under 1 %).

    Args:
        sizes: Ascending, bytes, shape (m,); equal ones stay together.
        series: What is measured at each, positive, shape (m,) each; all break at the same sizes.
        noise: The relative standard error of each series.

    Returns:
        The segments as slices of `sizes`, in order. One when there are fewer than 2 FEWEST_SIZES sizes.
    """
    scales = [min(relative, _MOST_NOISE) ** 2 + _NEGLIGIBLE**2 for relative in noise]
    costs = [_squares_of_segments(sizes, values) / scale for values, scale in zip(series, scales)]
    cost: Floats = np.sum(costs, axis=0)
    count, observations = len(sizes), len(sizes) * len(series)
    best = np.full((MOST_SEGMENTS + 1, count + 1), np.inf)
    before = np.zeros((MOST_SEGMENTS + 1, count + 1), dtype=int)
    best[0, 0] = 0
    for pieces in range(1, MOST_SEGMENTS + 1):
        totals = best[pieces - 1][:, None] + cost
        before[pieces], best[pieces] = np.argmin(totals, axis=0), np.min(totals, axis=0)
    criteria = [np.inf]
    for pieces in range(1, MOST_SEGMENTS + 1):
        parameters = 2 * len(series) * pieces + (pieces - 1)
        variance = best[pieces, count] / observations + 1
        criteria.append(observations * np.log(variance) + parameters * np.log(observations))
    pieces, end = int(np.argmin(criteria)), count
    if np.isinf(criteria[pieces]):
        return [slice(0, count)]
    segments = []
    while pieces > 0:
        start = int(before[pieces, end])
        segments.append(slice(start, end))
        pieces, end = pieces - 1, start
    return segments[::-1]


def _squares_of_segments(sizes: Floats, values: Floats) -> Floats:
    """At [i, j] the squared relative residuals of a line through points i to j-1; infinite if refused."""
    count = len(sizes)
    first, end, point = np.ogrid[:count, : count + 1, :count]
    weights = ((point >= first) & (point < end)) / values**2
    x, y = _normalised(sizes - 1), values
    total = np.maximum(weights.sum(axis=2), np.finfo(float).tiny)
    x_off = x - ((weights * x).sum(axis=2) / total)[:, :, None]
    y_off = y - ((weights * y).sum(axis=2) / total)[:, :, None]
    spread = np.maximum((weights * x_off**2).sum(axis=2), np.finfo(float).tiny)
    slope = (weights * x_off * y_off).sum(axis=2) / spread
    squares: Floats = (weights * (y_off - slope[:, :, None] * x_off) ** 2).sum(axis=2)
    inner = np.zeros((count, count + 1), dtype=int)
    for start in range(count):
        fresh = np.append(1, np.diff(sizes[start:]) > 0)
        inner[start, start + 1 :] = np.cumsum(fresh)
    squares[inner < FEWEST_SIZES] = np.inf
    for place in np.flatnonzero(np.diff(sizes) == 0) + 1:  # never between equal sizes
        squares[place, :] = squares[:, place] = np.inf
    return np.vstack([squares, np.full((1, count + 1), np.inf)])


def _normalised(x: Floats) -> Floats:
    largest = float(np.max(np.abs(x)))
    return x / largest if largest else x


def line_weights(sizes: Floats, values: Floats) -> Floats:
    """What to multiply measured values by to get the line through them with the smallest relative residuals.

    Args:
        sizes: Bytes, shape (m,), at least two different.
        values: The values that the residuals are relative to, shape (m,).

    Returns:
        Shape (2, m): the row for the value at one byte, and the row for the slope a byte. Fixed weights keep
        replicates of the same sizes comparable.
    """
    scale = float(np.max(sizes - 1)) or 1.0
    values = np.maximum(values, SHORTEST_S)
    design = np.stack([np.ones_like(sizes), (sizes - 1) / scale], axis=1) / values[:, None]
    rows: Floats = np.linalg.pinv(design) / values[None, :]
    rows[1] /= scale
    return rows


def constant_weights(values: Floats) -> Floats:
    """What to multiply measured values by for one constant, each as precise as `values` is small."""
    largest = float(np.max(values))
    if largest <= 0:
        return np.full(len(values), 1 / len(values))
    weights = 1 / np.maximum(values / largest, 1e-6) ** 2
    total: Floats = weights / weights.sum()
    return total
