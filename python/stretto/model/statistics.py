# SPDX-License-Identifier: BSD-3-Clause
"""Medians and their bootstrap over rounds, for all replicates at once. Independent of the probes.

Each resample draws whole rounds of a case, so that values measured together stay together.
docs/decisions/statistics.md gives the reasons and the coverage of the intervals.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

REPLICATES = 1000
DEFAULT_SEED = 20261121
SHORTEST_S = 1e-12  # below the resolution of every clock; shorter times count as zero
_TAIL = 0.025  # the probability outside each end of a 95 % interval
_MOST_SHORT = 127  # rounds; their counts fit into a byte, which makes sums faster


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval from `n` rounds."""

    value: float
    ci95_low: float
    ci95_high: float
    n: int


@dataclass(frozen=True)
class Bootstrapped:
    """A statistic of the sample and of each resample.

    Attributes:
        value: The statistic of the sample; any shape S.
        replicates: The statistic of each resample; shape S + (REPLICATES,).
        n: The number of rounds.
    """

    value: Floats
    replicates: Floats
    n: int

    def estimate(self) -> Estimate:
        """The value and percentile interval of a scalar statistic."""
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
    """How often each of `n` rounds is in each resample: shape (n, REPLICATES); each column sums to `n`.

    The result depends on `n` and `seed` only. Small results are cached, because many cases have the same
    number of rounds.
    """
    return _short_resamples(n, seed) if n <= _MOST_SHORT else _resamples(n, seed)


def median(values: Floats) -> Floats:
    """The smoothed median along the last axis: the mean of the middle third of the values.

    It tolerates outliers in up to a third of the rounds on one side, and it is more precise than the middle
    value alone. It is smooth, so its bootstrap intervals have the right coverage.
    """
    count = values.shape[-1]
    outside = count // 3
    ascending = np.sort(values, axis=-1)
    middle: Floats = ascending[..., outside : count - outside].mean(axis=-1)
    return middle


def bootstrap_medians(values: Floats, seed: int) -> Bootstrapped:
    """Smoothed medians of several quantities over the same rounds and over resamples of these rounds.

    No resample is formed. With a quantity's values in ascending order, the counts of a resample give the
    share of each value in its middle third.

    Args:
        values: Shape (quantities, n); column r has round r of every quantity.
        seed: The seed of the resamples; independent data, such as another case, needs another seed.

    Returns:
        Medians of shape (quantities,) and replicates of shape (quantities, REPLICATES).
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

    These are plain percentiles, whose coverage is right for the smoothed median from nine rounds on. Tails
    corrected for few rounds (Hesterberg, The American Statistician 69 (2015), section 5.3) cover more.
    """
    finite = replicates[np.isfinite(replicates)]
    if finite.size == 0:
        return Estimate(value, value, value, n)
    low, high = np.quantile(finite, (_TAIL, 1 - _TAIL))
    return Estimate(value, float(low), float(high), n)
