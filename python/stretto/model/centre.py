# SPDX-License-Identifier: BSD-3-Clause
"""The centre of few independent values with an interval that covers it at every number of values.

The centre is the median of the mean of two values (the pseudomedian); of symmetric values it is their median
and mean. docs/decisions/statistics.md says why, and docs/results/coverage.md how often the intervals cover
it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from stretto.model.statistics import LEVEL, Estimate, Floats, t_quantile

_EXACT_UP_TO = 100
"""Values; for more the signed ranks' sum is taken as normal."""


def centre(values: Floats, level: float = LEVEL) -> Estimate:
    """The Hodges-Lehmann estimate and the interval that covers the centre with the probability `level`.

    From six values on (at 95 %) the interval holds the centres that Wilcoxon's signed-rank test does not
    refuse. It is exact for every symmetric distribution, also where the spread differs from value to value,
    as in bursts. Fewer values allow no such interval; theirs is that of Student's t, which covers more than
    it says where outliers are frequent. One value has no interval: it is infinite.
    """
    n = len(values)
    means = np.sort(_means_of_two(values))
    estimate = float(np.median(means))
    if n < 2:
        return Estimate(estimate, -math.inf, math.inf, n)
    outside = _outside(n, level)
    if outside > 0:
        return Estimate(estimate, float(means[outside - 1]), float(means[-outside]), n)
    half = t_quantile(n - 1, level) * float(np.std(values, ddof=1)) / math.sqrt(n)
    middle = float(np.mean(values))
    return Estimate(estimate, middle - half, middle + half, n)


def median_with_interval(values: Floats, level: float = LEVEL) -> Estimate:
    """The median and the interval of order statistics, which covers it whatever the distribution is; of
    values too few for one that of `centre`.
    """
    from scipy.special import bdtr  # imported on use: it is slow

    ordered = np.sort(values)
    n, tail = len(ordered), (1 - level) / 2
    outside = int(np.searchsorted(bdtr(np.arange(n), n, 0.5), tail, side="right"))
    if outside == 0:
        return replace(centre(values, level), value=float(np.median(ordered)))
    return Estimate(float(np.median(ordered)), float(ordered[outside - 1]), float(ordered[-outside]), n)


def _means_of_two(values: Floats) -> Floats:
    """The means of every value with itself and with every other one."""
    first, second = np.triu_indices(len(values))
    means: Floats = (values[first] + values[second]) / 2
    return means


@lru_cache(maxsize=256)
def _outside(n: int, level: float) -> int:
    """The interval ends at the means of two of this rank, counted from either end; 0: no interval has this
    level.
    """
    from scipy.special import ndtri  # imported on use: it is slow

    tail = (1 - level) / 2
    if n > _EXACT_UP_TO:
        variance = n * (n + 1) * (2 * n + 1) / 24
        return math.floor(n * (n + 1) / 4 + float(ndtri(tail)) * math.sqrt(variance))
    chances = np.ones(1)  # of the sum of the ranks of positive values, where every sign is a coin's
    for rank in range(1, n + 1):
        with_rank = np.concatenate([np.zeros(rank), chances])
        without = np.concatenate([chances, np.zeros(rank)])
        chances = (with_rank + without) / 2
    return int(np.searchsorted(np.cumsum(chances), tail, side="right"))
