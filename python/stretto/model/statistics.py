# SPDX-License-Identifier: BSD-3-Clause
"""Medians and their bootstrap over rounds, all replicates at once. Knows arrays, not probes.

The rounds of a case are resampled as wholes, so that what was measured together stays together
(docs/decisions/statistics.md says why, and what the intervals cover).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

REPLICATES = 1000
DEFAULT_SEED = 20261121
SHORTEST_S = 1e-12  # no clock tells less: what is shorter is no time, and nothing is divided by it
_TAIL = 0.025  # outside each end of a 95 % interval
_MOST_SHORT = 127  # rounds: their counts fit into a byte, which makes the sums below four times faster


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval from `n` rounds, in the unit of what was estimated."""

    value: float
    ci95_low: float
    ci95_high: float
    n: int


@dataclass(frozen=True)
class Bootstrapped:
    """A statistic of the sample and of each replicate.

    Attributes:
        value: Of the sample itself; any shape S.
        replicates: Of each resample; shape S + (REPLICATES,).
        n: Rounds that it rests on.
    """

    value: Floats
    replicates: Floats
    n: int

    def estimate(self) -> Estimate:
        """Value and percentile interval of a scalar statistic."""
        return interval(float(self.value), self.replicates, self.n)


@lru_cache(maxsize=128)
def _short_resamples(n: int, seed: int) -> npt.NDArray[np.int8]:
    return _resamples(n, seed).astype(np.int8)


def _resamples(n: int, seed: int) -> npt.NDArray[np.int32]:
    drawn = np.random.default_rng((seed, n)).integers(n, size=(REPLICATES, n))
    flat = (drawn + n * np.arange(REPLICATES)[:, None]).ravel()
    counts = np.bincount(flat, minlength=n * REPLICATES).reshape(REPLICATES, n)
    return np.ascontiguousarray(counts.T, dtype=np.int32)


def resampling_counts(n: int, seed: int) -> npt.NDArray[np.int8] | npt.NDArray[np.int32]:
    """How often each of `n` rounds is in each resample: shape (n, REPLICATES), each column adds up to `n`.

    The same for the same `n` and `seed`; small ones are remembered, because many cases
    have equally many rounds.
    """
    return _short_resamples(n, seed) if n <= _MOST_SHORT else _resamples(n, seed)


def median(values: Floats) -> Floats:
    """The smoothed median along the last axis: the mean of the middle third of the values.

    As indifferent to outliers as a measurement needs (up to a third of the rounds on one side), more precise
    than the middle value alone, and, being smooth, rightly covered by its bootstrap.
    """
    count = values.shape[-1]
    outside = count // 3
    ascending = np.sort(values, axis=-1)
    middle: Floats = ascending[..., outside : count - outside].mean(axis=-1)
    return middle


def bootstrap_medians(values: Floats, seed: int) -> Bootstrapped:
    """Smoothed medians of several quantities over the same rounds, and of resamples of these rounds.

    A resample is never formed: walking a quantity's values in ascending order, the counts of the resample say
    which of them make up its middle third.

    Args:
        values: Shape (quantities, n); column r is round r of every quantity.
        seed: Which resamples; what is independent (another case) needs another seed.

    Returns:
        Of shape (quantities,), replicates of shape (quantities, REPLICATES).
    """
    quantities, n = values.shape
    counts = resampling_counts(n, seed)
    outside = n // 3
    medians = np.empty((quantities, REPLICATES))
    order = np.argsort(values, axis=1)
    for index in range(quantities):
        ascending = values[index, order[index]]
        reached = np.cumsum(counts[order[index]], axis=0, dtype=counts.dtype)[:-1]
        share = (np.clip(reached, outside, n - outside) - outside) / (n - 2 * outside)
        medians[index] = ascending[-1] - np.diff(ascending) @ share
    return Bootstrapped(median(values), medians, n)


def interval(value: float, replicates: Floats, n: int) -> Estimate:
    """`value` with the percentile interval of its finite replicates.

    Plain percentiles: with the smoothed median they cover 93 to 96 % from nine rounds on; tails that
    are corrected for few rounds (Hesterberg, The American Statistician 69 (2015), section 5.3) cover more.
    """
    finite = replicates[np.isfinite(replicates)]
    if finite.size == 0:
        return Estimate(value, value, value, n)
    low, high = np.quantile(finite, (_TAIL, 1 - _TAIL))
    return Estimate(value, float(low), float(high), n)
