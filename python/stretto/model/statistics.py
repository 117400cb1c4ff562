# SPDX-License-Identifier: BSD-3-Clause
"""Medians and their bootstrap over rounds, for all replicates at once. Independent of the probes.

Each resample draws whole rounds of a case, so that values measured together stay together.
docs/decisions/statistics.md gives the reasons and the coverage of the intervals.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

REPLICATES = 1000
DEFAULT_SEED = 20261121
SHORTEST_S = 1e-12  # below the resolution of every clock; shorter times count as zero
TAIL = 0.025
"""The probability outside each end of an interval."""
FEWEST_ROUNDS = 3
"""Of a figure with an interval. Two rounds in one burst, or both of little delay, lie closer together than a
factor makes good.
"""
_FEWEST_FOR_PERCENTILES = 4  # rounds; fewer give too few different replicates
_OF_THREE = 3.47
"""An interval of three rounds reaches so many standard deviations of the replicates. Three normal values have
their median within these in 95 of 100 cases.
"""
_SPREAD_OF_THREE = (
    0.91  # of medians of three normal values, in root mean squares of the replicates' deviation
)
_FEWEST_TO_CORRELATE = 5  # rounds; of fewer a correlation says nothing
_BY_CHANCE = 1.16  # times 1 / sqrt(n): two independent quantities exceed it together in 5 of 100 cases
_MAX_CORRELATED = 0.8
_MAX_SHORT = 127  # rounds; their counts fit into a byte, which makes sums faster


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
    return _short_resamples(n, seed) if n <= _MAX_SHORT else _resamples(n, seed)


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

    Where rounds that follow one another are correlated, the replicates are spread accordingly. No resample is
    formed. With a quantity's values in ascending order, the counts of a resample give the
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
    value = median(values)
    spread = spread_of_rounds(values)
    if spread > 1:
        medians = value[:, None] + spread * (medians - value[:, None])
    return Bootstrapped(value, medians, n)


def spread_of_rounds(values: Floats) -> float:
    """By how much medians of rounds in this order spread more than those of independent rounds.

    A burst of another program slows several rounds in a row down, so that they say less than as many
    independent ones. With the correlation r of the ranks of consecutive rounds, where it exceeds chance, the
    variance is (1 + r) / (1 - r) times as large (an autoregressive process of first order).
    """
    from scipy.stats import rankdata  # imported on use: it is slow

    n = values.shape[1]
    if n < _FEWEST_TO_CORRELATE:
        return 1.0
    ranks = rankdata(values, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    squares = (ranks**2).sum(axis=1)
    varying = squares > 0
    if not varying.any():
        return 1.0
    products = (ranks[varying, 1:] * ranks[varying, :-1]).sum(axis=1)
    correlation = float(np.mean(products / squares[varying])) + 1 / n  # that of independent rounds is -1 / n
    if correlation * np.sqrt(n) < _BY_CHANCE:
        return 1.0
    correlation = min(correlation, _MAX_CORRELATED)
    return float(np.sqrt((1 + correlation) / (1 - correlation)))


def interval(
    value: float, replicates: Floats, n: int, positive: bool = False, degrees: float | None = None
) -> Estimate:
    """`value` with the interval of its finite replicates, which covers from FEWEST_ROUNDS on.

    The percentiles of the replicates are moved away from `value` by the factor by which few rounds let them
    fall short: a bootstrap has sqrt((n - 1) / n) of the spread, and normal percentiles where it needs
    Student's (Hesterberg, The American Statistician 69 (2015), section 5.3). Two and three rounds have a
    number of standard deviations of the replicates. One round has no interval; its ends are the value.

    Args:
        value: The statistic of the sample.
        replicates: That of each resample.
        n: Rounds of each case.
        positive: Whether the interval is that of the logarithm.
        degrees: Degrees of freedom of the replicates' spread, if several cases contribute.
    """
    degrees = max(n - 1.0, degrees or 0.0)
    finite = replicates[np.isfinite(replicates)]
    if finite.size == 0 or n < 2:
        return Estimate(value, value, value, n)
    if positive and value > 0 and finite.min() > 0:
        low, high = np.exp(_ends(float(np.log(value)), np.log(finite), n, degrees))
        return Estimate(value, float(low), float(high), n)
    low, high = _ends(value, finite, n, degrees)
    # What cannot be negative has no negative end.
    return Estimate(value, max(low, 0.0) if finite.min() >= 0 and value >= 0 else low, high, n)


def _ends(value: float, replicates: Floats, n: int, degrees: float) -> tuple[float, float]:
    """The ends of an interval of at least two rounds."""
    if n < _FEWEST_FOR_PERCENTILES:
        half = _standard_deviations(n, degrees) * float(np.std(replicates))
        return value - half, value + half
    low, high = np.quantile(replicates, (TAIL, 1 - TAIL)) - value
    expansion = _expansion(n, degrees)
    return value + expansion * min(0.0, float(low)), value + expansion * max(0.0, float(high))


def _standard_deviations(n: int, degrees: float) -> float:
    """Half the width of an interval of two or three rounds, in standard deviations of the replicates. Two
    rounds have a mean as median, and Student's factor.
    """
    if n == 3:
        return min(_OF_THREE, t_quantile(degrees) * _SPREAD_OF_THREE)
    return t_quantile(degrees) * math.sqrt(n / (n - 1))


@lru_cache(maxsize=256)
def _expansion(n: int, degrees: float) -> float:
    """By how much the percentiles of a bootstrap of `n` rounds are nearer than the ends of an interval that
    covers.
    """
    from scipy.special import ndtri  # imported on use: it is slow

    return t_quantile(degrees) / float(ndtri(1 - TAIL)) * math.sqrt(n / (n - 1))


def t_quantile(degrees: float) -> float:
    """Half the width of Student's t interval, in standard errors."""
    from scipy.special import stdtrit  # imported on use: it is slow

    return float(stdtrit(degrees, 1 - TAIL))
