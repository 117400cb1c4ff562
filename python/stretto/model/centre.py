# SPDX-License-Identifier: BSD-3-Clause
"""The centre of few independent values with an interval that covers it at every number of values.

The centre is the median of the mean of two values (the pseudomedian); of symmetric values it is their median
and mean. docs/decisions/statistics.md says why, and docs/results/coverage.md how often the intervals cover
it.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from stretto.model.statistics import TAIL, Estimate, Floats

_EXACT_UP_TO = 100
"""Values; for more the signed ranks' sum is taken as normal."""


def centre(values: Floats) -> Estimate:
    """The Hodges-Lehmann estimate and the interval that covers the centre in 95 of 100 cases.

    From six values on the interval holds the centres that Wilcoxon's signed-rank test does not
    refuse. It is exact for every symmetric distribution, also where the spread differs from value to value,
    as in bursts. Fewer values allow no such interval; theirs is that of the range-midrange test (Walsh,
    Annals of Mathematical Statistics 20 (1949), 257). It is exact for normal values, and holds all values, so
    that it covers with at least 1 - 2^(1 - n) for every symmetric distribution. One value has no interval: it
    is infinite.
    """
    n = len(values)
    means = np.sort(_means_of_two(values))
    estimate, low, high = (float(one) for one in (np.median(means), means[0], means[-1]))
    if n < 2:
        return Estimate(estimate, -math.inf, math.inf, n)
    outside = _outside(n)
    if outside > 0:
        return Estimate(estimate, float(means[outside - 1]), float(means[-outside]), n)
    beyond = _beyond_range(n) * (high - low)
    return Estimate(estimate, low - beyond, high + beyond, n)


def _means_of_two(values: Floats) -> Floats:
    """The means of every value with itself and with every other one."""
    first, second = np.triu_indices(len(values))
    means: Floats = (values[first] + values[second]) / 2
    return means


@lru_cache(maxsize=256)
def _outside(n: int) -> int:
    """The interval ends at the means of two of this rank, counted from either end; 0: none covers enough."""
    from scipy.special import ndtri  # imported on use: it is slow

    if n > _EXACT_UP_TO:
        variance = n * (n + 1) * (2 * n + 1) / 24
        return math.floor(n * (n + 1) / 4 + float(ndtri(TAIL)) * math.sqrt(variance))
    chances = np.ones(1)  # of the sum of the ranks of positive values, where every sign is a coin's
    for rank in range(1, n + 1):
        with_rank = np.concatenate([np.zeros(rank), chances])
        without = np.concatenate([chances, np.zeros(rank)])
        chances = (with_rank + without) / 2
    return int(np.searchsorted(np.cumsum(chances), TAIL, side="right"))


@lru_cache(maxsize=256)
def _beyond_range(n: int) -> float:
    """How far an interval reaches beyond `n` normal values on either side, as a part of their range.

    It does not hold the centre where all values have one sign, and the smallest is more than the share r of
    the largest. The interval reaches r / (1 - r) of the range further than the values.
    """
    from scipy.integrate import quad  # imported on use: it is slow
    from scipy.optimize import brentq
    from scipy.special import ndtr

    def missed(share: float) -> float:
        def density(largest: float) -> float:
            others = float(ndtr(largest) - ndtr(share * largest)) ** (n - 1)
            return n * others * math.exp(-(largest**2) / 2) / math.sqrt(2 * math.pi)

        return 2 * float(quad(density, 0, math.inf)[0])

    share = float(brentq(lambda one: missed(one) - 2 * TAIL, 0, 1))
    return share / (1 - share)
