# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts between two results: SAME, FASTER, SLOWER or AMBIGUOUS, of every row and of every series of rows.

Two runs of one build differ by more than the intervals within each run: memory, cores and connections are
placed again. How much is estimated from the rows themselves. What is FASTER or SLOWER differs by more than
the threshold, by a test that is corrected for the number of tests (Benjamini and Hochberg, J. R. Statist.
Soc. B 57, 1995). docs/comparing.md explains it to users.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from stretto.data.groups import grouped
from stretto.data.results import AxisValue, ResultRow, Results
from stretto.data.sample_columns import SEGMENTS, SPMV_SEGMENTS
from stretto.model.statistics import FEWEST_ROUNDS

Verdict = Literal["SAME", "FASTER", "SLOWER", "AMBIGUOUS"]
VERDICTS: tuple[Verdict, ...] = ("SAME", "FASTER", "SLOWER", "AMBIGUOUS")

FALSE_DISCOVERIES = 0.05
"""The share of the reported differences that may be chance: half of it for series, half for rows."""

LARGER_IS_BETTER = frozenset(
    {"bandwidth", "pair_bandwidth", "message_rate", "eta", "knee_overlap", "bound", "gain", "gain_fraction"}
)
# Each run calibrates its computation again: these show how much of it there was, not how fast anything is.
_CALIBRATED_TIMES = frozenset({"T_w", "T_t"})
# A range is identified by its first size; its last size is a result.
_RESULT_AXES = frozenset({"size_max_bytes"})
_LARGEST_CHANGE = 700.0  # of a logarithm; its exponential is finite
# Parts of other figures, or bounds of them: shown, but no evidence of their own.
_PARTS = frozenset(
    {
        *("exposed", "gain_bound", "gain_fraction", "messages", "overlap_osu", "overlap_imb"),
        *SEGMENTS,
        *SPMV_SEGMENTS,
    }
)
# Default axes of a probe; older files lack them.
_USUAL: Mapping[str, Mapping[str, str]] = {
    "bandwidth": {"buffers": "distinct"},
    "latency": {"buffers": "same"},
}

# Runs are repeatable bit by bit only where no machine is measured.
_EXACT = frozenset({"simulated", "virtual"})
# The least spread between runs of a machine, of relative differences and of fractions such as eta.
_MIN_SPREAD = {"relative": 0.02, "absolute": 0.03}
# Of figures that depend on the placement of memory at the start of a run: o_s has two values on one node, 2.5
# times apart, each in half of the runs.
_MIN_SPREAD_OF = {"o_s": 0.5, "L": 0.5, "o_r": 0.2, "g": 0.2}
# So many show the spread of their metric; of fewer all on the same scale are taken together.
_ENOUGH = 8
# A series of at least so many rows is tested as a whole.
_SERIES_ROWS = 4
# The axes along a series.
_ALONG = frozenset({"size_bytes", "size_min_bytes", "window", "ratio", "rows", "row_length", "nonzero_ratio"})
# Differences between runs have heavier tails than a normal distribution has: Student's t with few degrees.
_DEGREES = 4
_TO_SIGMA = 1.4826  # the standard deviation of a normal distribution over its median absolute deviation
_Z95 = 1.959964
_MIN_SIGMA = 1e-9
_MEDIAN_ERROR = 1.2533  # the standard error of a median over that of a mean, of normal values


@dataclass(frozen=True)
class Compared:
    """One figure in both results.

    Attributes:
        difference: Of B from A, relative to A; absolute where the unit is 1.
        p: The probability of such a difference between runs that differ by the threshold at most; None where
            the row is no evidence of its own.
    """

    a: ResultRow
    b: ResultRow
    difference: float | None
    verdict: Verdict
    p: float | None = None


@dataclass(frozen=True)
class ComparedSeries:
    """The rows of one metric that differ in size or ratio only; `difference` is the median of theirs."""

    metric: str
    axes: Mapping[str, AxisValue]
    rows: tuple[Compared, ...]
    difference: float
    verdict: Verdict

    @property
    def unit(self) -> str:
        return self.rows[0].a.unit

    def count(self, verdict: Verdict) -> int:
        return sum(row.verdict == verdict for row in self.rows)


@dataclass(frozen=True)
class Comparison:
    """Rows and series of both results, in the order of A; numbers of unresolved and of unmatched rows.

    Attributes:
        rows: All rows that at least one resolves.
        series: Those with figures in both, by series.
    """

    rows: tuple[Compared, ...]
    unresolved: int
    only_a: int
    only_b: int
    series: tuple[ComparedSeries, ...] = ()

    def count(self, verdict: Verdict) -> int:
        return sum(row.verdict == verdict for row in self.rows)


def compare_results(a: Results, b: Results, threshold: float = 0.05) -> Comparison:
    """Compares the rows of `b` with those of `a` that have the same metric and axes.

    T_w, T_t and the work in them are left out: every run chooses their count again.

    Args:
        a: What is compared with.
        b: What is judged: FASTER means that B is better, which for bandwidth and overlap is larger.
        threshold: The difference, a fraction, that does not matter.
    """
    known = {_key(row): row for row in b.rows if _is_comparable(row)}
    ours = {_key(row): row for row in a.rows if _is_comparable(row)}
    pairs = [(row, known[key]) for key, row in ours.items() if key in known]
    resolved = [(one, other) for one, other in pairs if one.value is not None or other.value is not None]
    rows, series = _judged([_Pair(one, other, threshold) for one, other in resolved])
    return Comparison(
        rows=rows,
        unresolved=len(pairs) - len(resolved),
        only_a=len(ours) - len(pairs),
        only_b=len(known) - len(pairs),
        series=series,
    )


def failures(comparison: Comparison, fail_on: str) -> Sequence[Compared]:
    """The rows that `--fail-on` `slower`, `faster` or `different` selects."""
    requested = {"slower": ("SLOWER",), "faster": ("FASTER",), "different": ("FASTER", "SLOWER")}[fail_on]
    return [row for row in comparison.rows if row.verdict in requested]


def _is_comparable(row: ResultRow) -> bool:
    return row.metric != "work" and row.axes.get("quantity") not in _CALIBRATED_TIMES


def _key(row: ResultRow) -> tuple[object, ...]:
    axes = {**_USUAL.get(row.metric, {}), **row.axes}
    return (row.metric, *sorted((k, v) for k, v in axes.items() if k not in _RESULT_AXES))


class _Pair:
    """Two rows, their difference, and its standard error within the runs.

    Positive figures differ by the logarithm of their ratio, so that a swap of A and B changes its sign only.
    """

    def __init__(self, a: ResultRow, b: ResultRow, threshold: float) -> None:
        self.a, self.b = a, b
        self.scale = "absolute" if a.unit == "1" else "relative"
        least = _MIN_SPREAD_OF.get(a.metric, _MIN_SPREAD[self.scale])
        self.min_spread = 0.0 if a.axes.get("on") in _EXACT else least
        self.margin = threshold if self.scale == "absolute" else math.log1p(threshold)
        self.change: float | None = None
        self.within = 0.0
        if a.value is None or b.value is None:
            return
        sizes = (1.0, 1.0)
        if self.scale == "absolute":
            self.change = b.value - a.value
        elif a.value > 0 and b.value > 0:
            self.change = math.log(b.value) - math.log(a.value)
            sizes = (a.value, b.value)
        else:
            mean = (abs(a.value) + abs(b.value)) / 2 or 1.0
            self.change = (b.value - a.value) / mean
            sizes = (mean, mean)
        errors = (_half_width(row) / size for row, size in zip((a, b), sizes, strict=True))
        self.within = math.hypot(*errors) / _Z95

    @property
    def tested(self) -> bool:
        """Whether the row is evidence: a figure in both of enough rounds, no bound and no part of another."""
        plain = all(row.bound is None and not _lacks_interval(row) for row in (self.a, self.b))
        return self.change is not None and plain and self.a.metric not in _PARTS

    @property
    def series(self) -> tuple[object, ...]:
        axes = sorted((k, v) for k, v in self.a.axes.items() if k not in _ALONG | _RESULT_AXES)
        return (self.a.metric, *axes)

    def p(self, between: float) -> float:
        """The row's p-value, where `between` is the standard deviation of its difference between runs."""
        assert self.change is not None
        return _p(self.change, self.margin, math.hypot(self.within, between))

    def compared(self, p: float | None, direction: int) -> Compared:
        """`direction`: the sign of a significant change; 0 where there is none."""
        if self.change is None or self.a.value is None or self.b.value is None:
            return Compared(self.a, self.b, None, "AMBIGUOUS")
        return Compared(self.a, self.b, self.difference, self.verdict(self.change, direction), p)

    @property
    def difference(self) -> float | None:
        if self.a.value is None or self.b.value is None:
            return None
        change = self.b.value - self.a.value
        if self.scale == "absolute" or change == 0:
            return change
        relative = change / abs(self.a.value) if self.a.value else math.inf
        return relative if math.isfinite(relative) else None

    def verdict(self, change: float, direction: int) -> Verdict:
        if direction:
            return "FASTER" if (direction > 0) == (self.a.metric in LARGER_IS_BETTER) else "SLOWER"
        # Rounding of a difference that is exactly the threshold does not count.
        return "SAME" if abs(change) <= self.margin * (1 + 1e-12) else "AMBIGUOUS"


def _judged(pairs: Sequence[_Pair]) -> tuple[tuple[Compared, ...], tuple[ComparedSeries, ...]]:
    """Verdicts of all rows and of all series.

    Two families of tests, each corrected for its number: the rows one by one, and the medians of series. A
    row is significant by itself, or as one beyond the threshold in a series that is.
    """
    all_tested = (index for index, pair in enumerate(pairs) if pair.tested)
    series = grouped(all_tested, lambda index: pairs[index].series)
    tested = [index for members in series.values() for index in members]
    spreads = _spreads([(pairs[index], pairs[index].change or 0.0, pairs[index].within) for index in tested])
    p = {index: pairs[index].p(spread) for index, spread in zip(tested, spreads, strict=True)}
    directions = {index: _sign(pairs[index].change) for index in _discoveries(p)}
    medians = {key: _median_change([pairs[index] for index in members]) for key, members in series.items()}
    long = [key for key, members in series.items() if len(members) >= _SERIES_ROWS]
    spreads = _spreads([(pairs[series[key][0]], *medians[key]) for key in long])
    series_p = {
        key: _p(medians[key][0], pairs[series[key][0]].margin, math.hypot(medians[key][1], spread))
        for key, spread in zip(long, spreads, strict=True)
    }
    turned = {key: _sign(medians[key][0]) for key in _discoveries(series_p)}
    for key, direction in turned.items():
        for index in series[key]:
            if direction * (pairs[index].change or 0.0) > pairs[index].margin:
                directions.setdefault(index, direction)
    rows = tuple(pair.compared(p.get(index), directions.get(index, 0)) for index, pair in enumerate(pairs))
    return rows, tuple(
        _compared_series(
            pairs[members[0]], [rows[index] for index in members], medians[key][0], turned.get(key, 0)
        )
        for key, members in series.items()
    )


def _compared_series(first: _Pair, rows: Sequence[Compared], change: float, direction: int) -> ComparedSeries:
    axes = {name: value for name, value in first.a.axes.items() if name not in _ALONG | _RESULT_AXES}
    shown = change if first.scale == "absolute" else math.expm1(min(change, _LARGEST_CHANGE))
    alone = rows[0].verdict if len(rows) == 1 else first.verdict(change, direction)
    return ComparedSeries(first.a.metric, axes, tuple(rows), shown, alone)


def _median_change(pairs: Sequence[_Pair]) -> tuple[float, float]:
    """The median of the differences, and its standard error from their scatter."""
    changes = np.array([pair.change for pair in pairs], dtype=np.float64)
    middle = float(np.median(changes))
    scatter = _TO_SIGMA * float(np.median(np.abs(changes - middle)))
    return middle, _MEDIAN_ERROR * scatter / math.sqrt(len(pairs))


def _discoveries(p: Mapping[Any, float]) -> list[Any]:
    """The keys that are significant at half the false discovery rate, by Benjamini and Hochberg."""
    from scipy.stats import false_discovery_control  # imported on use: it is slow

    if not p:
        return []
    adjusted = false_discovery_control(list(p.values()), method="bh")
    return [key for key, value in zip(p, adjusted, strict=True) if value <= FALSE_DISCOVERIES / 2]


def _p(change: float, margin: float, sigma: float) -> float:
    """The probability of a change where the true one is the margin at most (two-sided)."""
    from scipy.special import stdtr  # imported on use: it is slow

    beyond = abs(change) - margin
    if beyond <= 0:
        return 1.0
    return min(1.0, 2 * float(stdtr(_DEGREES, -beyond / max(sigma, _MIN_SIGMA))))


def _spreads(tests: Sequence[tuple[_Pair, float, float]]) -> list[float]:
    """The standard deviation of each difference between runs, beyond its error within the runs.

    It is estimated from the scatter of the differences around their median, so that a change of all of them
    does not hide itself. A metric with few of them takes those on the same scale.

    Args:
        tests: A pair that tells metric and scale, the difference, and its error within the runs.
    """
    by_metric: dict[tuple[str, str], list[tuple[float, float]]] = {}
    by_scale: dict[str, list[tuple[float, float]]] = {}
    for pair, change, within in tests:
        by_metric.setdefault((pair.scale, pair.a.metric), []).append((change, within))
        by_scale.setdefault(pair.scale, []).append((change, within))
    result = {
        (scale, metric): _spread(members if len(members) >= _ENOUGH else by_scale[scale])
        for (scale, metric), members in by_metric.items()
    }
    return [max(result[pair.scale, pair.a.metric], pair.min_spread) for pair, _, _ in tests]


def _spread(tests: Iterable[tuple[float, float]]) -> float:
    changes, within = np.array(list(tests)).T
    if len(changes) < _ENOUGH:
        return 0.0
    scatter = _TO_SIGMA * float(np.median(np.abs(changes - np.median(changes))))
    return math.sqrt(max(0.0, scatter**2 - float(np.median(within)) ** 2))


def _half_width(row: ResultRow) -> float:
    """Half the 95 % interval, in the row's unit; 0 of a row without one."""
    if row.ci95_low is None or row.ci95_high is None:
        return 0.0
    return (row.ci95_high - row.ci95_low) / 2


def _lacks_interval(row: ResultRow) -> bool:
    return row.ci95_low is None and 0 < row.n < FEWEST_ROUNDS


def _sign(change: float | None) -> int:
    return 1 if (change or 0.0) > 0 else -1
