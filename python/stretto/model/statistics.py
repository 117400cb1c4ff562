# SPDX-License-Identifier: BSD-3-Clause
"""Medians and their bootstrap over rounds, for all replicates at once. Independent of the probes.

Each resample draws whole rounds of a case, so that values measured together stay together.
docs/decisions/statistics.md gives the reasons and the coverage of the intervals.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

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
_SPREAD_OF_NORMAL = (0.913, 0.933, 0.948, 0.901, 0.925, 0.937, 0.925, 0.939, 0.949, 0.942)
"""Of the medians of three, four, ... normal values, in root mean squares of their replicates' deviation. The
mean's sqrt(n / (n - 1)) would be too much.
"""
_FEWEST_TO_CORRELATE = 5  # rounds; of fewer a correlation says nothing
_BY_CHANCE = 1.16  # times 1 / sqrt(n): two independent quantities exceed it together in 5 of 100 cases
_MAX_CORRELATED = 0.8
_MAX_SHORT = 127  # rounds; their counts fit into a byte


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


_Counts = npt.NDArray[np.signedinteger[Any]]


@lru_cache(maxsize=128)
def _short_resamples(n: int, seed: int) -> _Counts:
    return _resamples(n, seed)


def _resamples(n: int, seed: int) -> _Counts:
    drawn = np.random.default_rng((seed, n)).integers(n, size=(REPLICATES, n))
    flat = (drawn + n * np.arange(REPLICATES)[:, None]).ravel()
    counts = np.bincount(flat, minlength=n * REPLICATES).reshape(REPLICATES, n)
    # The smallest type that holds `n` makes sums fast.
    return np.ascontiguousarray(counts.T, dtype=np.min_scalar_type(-n - 1))


def resampling_counts(n: int, seed: int) -> _Counts:
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
        if ascending[0] == ascending[-1]:
            medians[index] = ascending[0]
            continue
        reached = counts[order[index]]
        for rank in range(1, n):  # several times as fast as np.cumsum along this axis
            np.add(reached[rank - 1], reached[rank], out=reached[rank])
        # Ranks below `first` are in no middle third, those from `last` on are above all of them.
        first = int(np.searchsorted(reached.max(axis=1), outside, side="right"))
        last = int(np.searchsorted(reached.min(axis=1), n - outside))
        share = (np.clip(reached[first:last], outside, n - outside) - outside) / (n - 2 * outside)
        medians[index] = ascending[last] - np.diff(ascending[first : last + 1]) @ share
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


def interval(value: float, replicates: Floats, n: int, positive: bool = False) -> Estimate:
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
    """
    finite = replicates[np.isfinite(replicates)]
    if finite.size == 0 or n < 2:
        return Estimate(value, value, value, n)
    if positive and value > 0 and finite.min() > 0:
        low, high = np.exp(_ends(float(np.log(value)), np.log(finite), n))
        return Estimate(value, float(low), float(high), n)
    low, high = _ends(value, finite, n)
    # What cannot be negative has no negative end.
    return Estimate(value, max(low, 0.0) if finite.min() >= 0 and value >= 0 else low, high, n)


def interval_of_several(value: float, variances: Floats, rounds: Floats, n: int) -> Estimate:
    """Student's interval of a sum of figures of independent cases, each with few rounds of its own.

    The degrees of freedom are Welch's (Biometrika 34 (1947), 28-35): (sum v)^2 / sum(v^2 / (f + 2)) - 2, of
    variances v with f degrees each. Satterthwaite's formula, without the two, gives too few where f is small:
    the square of an estimated variance is larger on average than that of the true one. The sum is closer to
    normal than its terms are, so that it needs no percentiles, and their variances need no margin beyond
    that of normal rounds.

    Args:
        value: The sum.
        variances: Of the replicates of each term, shape (cases,); not all zero.
        rounds: Of each case, shape (cases,).
        n: Rounds that the estimate states.
    """
    corrected = variances * np.array([_spread_of_normal(int(one)) for one in rounds]) ** 2
    total = float(corrected.sum())
    shares = corrected / total
    degrees = 1 / np.sum(shares**2 / (np.maximum(rounds - 1, 1) + 2)) - 2
    half = t_quantile(float(degrees)) * math.sqrt(total)
    return Estimate(value, value - half, value + half, n)


def _spread_of_normal(n: int) -> float:
    """What the standard deviation of replicates is multiplied by to be that of medians of normal rounds."""
    if n < FEWEST_ROUNDS:
        return math.sqrt(n / max(n - 1, 1))
    place = n - FEWEST_ROUNDS
    return _SPREAD_OF_NORMAL[place] if place < len(_SPREAD_OF_NORMAL) else 1.0


def _ends(value: float, replicates: Floats, n: int) -> tuple[float, float]:
    """The ends of an interval of at least two rounds."""
    if n < _FEWEST_FOR_PERCENTILES:
        # Two rounds have a mean as median, and Student's factor.
        standard_deviations = _OF_THREE if n == 3 else t_quantile(1) * math.sqrt(2)
        half = standard_deviations * float(np.std(replicates))
        return value - half, value + half
    low, high = np.quantile(replicates, (TAIL, 1 - TAIL)) - value
    expansion = _expansion(n)
    return value + expansion * min(0.0, float(low)), value + expansion * max(0.0, float(high))


@lru_cache(maxsize=256)
def _expansion(n: int) -> float:
    """By how much the percentiles of a bootstrap of `n` rounds are nearer than the ends of an interval that
    covers.
    """
    from scipy.special import ndtri  # imported on use: it is slow

    return t_quantile(n - 1) / float(ndtri(1 - TAIL)) * math.sqrt(n / (n - 1))


def t_quantile(degrees: float) -> float:
    """Half the width of Student's t interval, in standard errors."""
    from scipy.special import stdtrit  # imported on use: it is slow

    return float(stdtrit(degrees, 1 - TAIL))
