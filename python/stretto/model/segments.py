# SPDX-License-Identifier: BSD-3-Clause
"""Piecewise-linear functions of message size: their breaks, which are protocol changes, and their lines.

Independent of LogGP. All fits minimise relative residuals, so that small messages count as much as large
ones.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from stretto.model.statistics import SHORTEST_S, Floats

Flags = npt.NDArray[np.bool_]

FEWEST_SIZES = 3  # a segment through two sizes fits anything
MAX_SEGMENTS = 4
# What explains less than 1 % of a value is no protocol: models of messages are no better than that.
_NEGLIGIBLE = 1e-2
_MAX_NOISE = 1e6  # relative: absurd samples have more, whose square is no number


def choose_segments(
    sizes: Floats,
    series: Sequence[Floats],
    noise: Sequence[float],
    counted: Sequence[Flags] | None = None,
    known_break: int | None = None,
) -> list[slice]:
    """Splits sizes into segments in each of which every series is a line in size.

    The number of segments minimises the Bayesian information criterion (Schwarz, Annals of Statistics 6
    (1978) 461-464) of the relative residuals. Dynamic programming finds the breaks with the least sum of
    squares. Residuals are in units of the noise, and the noise is part of their variance. Otherwise, the
    criterion would reward fitting the noise where there are few sizes.

    Args:
        sizes: Bytes, ascending, shape (m,); equal sizes stay in one segment.
        series: Positive measured values at each size, shape (m,) each; all break at the same sizes.
        noise: The relative standard error of each series.
        counted: Which values of each series count, shape (m,) each; None: all.
        known_break: Where a segment begins whatever the series say; None: nowhere.

    Returns:
        The segments as slices of `sizes`, in order; one for fewer than 2 FEWEST_SIZES sizes.
    """
    flags = counted if counted is not None else [np.ones(len(sizes), dtype=bool)] * len(series)
    if known_break is not None and 0 < known_break < len(sizes):
        parts = [slice(0, known_break), slice(known_break, len(sizes))]
        return [
            slice(part.start + found.start, part.start + found.stop)
            for part in parts
            for found in choose_segments(
                sizes[part], [s[part] for s in series], noise, [f[part] for f in flags]
            )
        ]
    scales = [min(relative, _MAX_NOISE) ** 2 + _NEGLIGIBLE**2 for relative in noise]
    costs = [
        _squares_of_segments(sizes, values, one) / scale
        for values, scale, one in zip(series, scales, flags, strict=True)
    ]
    cost: Floats = np.sum(costs, axis=0)
    count, observations = len(sizes), sum(int(one.sum()) for one in flags)
    best = np.full((MAX_SEGMENTS + 1, count + 1), np.inf)
    before = np.zeros((MAX_SEGMENTS + 1, count + 1), dtype=int)
    best[0, 0] = 0
    for pieces in range(1, MAX_SEGMENTS + 1):
        totals = best[pieces - 1][:, None] + cost
        before[pieces], best[pieces] = np.argmin(totals, axis=0), np.min(totals, axis=0)
    criteria = [np.inf]
    for pieces in range(1, MAX_SEGMENTS + 1):
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


def _squares_of_segments(sizes: Floats, values: Floats, counted: Flags) -> Floats:
    """At [i, j] the squared relative residuals of a line through points i to j-1; infinite if refused."""
    count = len(sizes)
    first, end, point = np.ogrid[:count, : count + 1, :count]
    weights = ((point >= first) & (point < end) & counted) / values**2
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
    for place in np.flatnonzero(np.diff(sizes) == 0) + 1:  # equal sizes are not separated
        squares[place, :] = squares[:, place] = np.inf
    return np.vstack([squares, np.full((1, count + 1), np.inf)])


def _normalised(x: Floats) -> Floats:
    largest = float(np.max(np.abs(x)))
    return x / largest if largest else x


def line_weights(sizes: Floats, values: Floats) -> Floats:
    """The weights of measured values that give the line with the smallest relative residuals.

    Args:
        sizes: Bytes, shape (m,), at least two different ones.
        values: The references of the relative residuals, shape (m,).

    Returns:
        Shape (2, m): one row for the value at one byte, one for the slope per byte. All replicates use the
        same weights, so that they are comparable.
    """
    scale = float(np.max(sizes - 1)) or 1.0
    values = np.maximum(values, SHORTEST_S)
    design = np.stack([np.ones_like(sizes), (sizes - 1) / scale], axis=1) / values[:, None]
    rows: Floats = np.linalg.pinv(design) / values[None, :]
    rows[1] /= scale
    return rows


def constant_weights(values: Floats) -> Floats:
    """The weights of measured values that give a constant; the precision falls with `values`."""
    largest = float(np.max(values))
    if largest <= 0:
        return np.full(len(values), 1 / len(values))
    weights = 1 / np.maximum(values / largest, 1e-6) ** 2
    total: Floats = weights / weights.sum()
    return total
