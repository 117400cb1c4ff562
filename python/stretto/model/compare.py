# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts between two results: row by row SAME, FASTER, SLOWER or AMBIGUOUS, from intervals and points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stretto.data.results import ResultRow, Results

Verdict = Literal["SAME", "FASTER", "SLOWER", "AMBIGUOUS"]
VERDICTS: tuple[Verdict, ...] = ("SAME", "FASTER", "SLOWER", "AMBIGUOUS")
DEFAULT_THRESHOLD = 0.05

LARGER_IS_BETTER = frozenset({"bandwidth", "eta", "knee_overlap", "bound"})
# Each run calibrates its computation again: these show how much of it there was, not how fast anything is.
_CALIBRATED_TIMES = frozenset({"T_w", "T_t"})
# A range is identified by its first size; its last size is a result.
_FOUND = frozenset({"size_max_bytes"})


@dataclass(frozen=True)
class Compared:
    """One figure in both results. `difference`: of B from A, relative to A; absolute where the unit is 1."""

    a: ResultRow
    b: ResultRow
    difference: float | None
    verdict: Verdict


@dataclass(frozen=True)
class Comparison:
    """Rows that both have, in the order of A; how many neither resolves, and how many only one has."""

    rows: tuple[Compared, ...]
    unresolved: int
    only_a: int
    only_b: int

    def count(self, verdict: Verdict) -> int:
        return sum(row.verdict == verdict for row in self.rows)


def compare_results(a: Results, b: Results, threshold: float = DEFAULT_THRESHOLD) -> Comparison:
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
    return Comparison(
        rows=tuple(_compared(one, other, threshold) for one, other in resolved),
        unresolved=len(pairs) - len(resolved),
        only_a=len(ours) - len(pairs),
        only_b=len(known) - len(pairs),
    )


def _is_comparable(row: ResultRow) -> bool:
    return row.metric != "work" and row.axes.get("quantity") not in _CALIBRATED_TIMES


def _key(row: ResultRow) -> tuple[object, ...]:
    return (row.metric, *sorted((k, v) for k, v in row.axes.items() if k not in _FOUND))


def _compared(a: ResultRow, b: ResultRow, threshold: float) -> Compared:
    if a.value is None or b.value is None:
        return Compared(a, b, None, "AMBIGUOUS")
    difference = b.value - a.value
    if a.unit != "1":
        if a.value == 0:
            difference = 0.0 if difference == 0 else float("inf") * difference
        else:
            difference /= abs(a.value)
    small = abs(difference) <= threshold
    if _overlap(a, b):
        verdict: Verdict = "SAME" if small else "AMBIGUOUS"
    elif small:
        verdict = "AMBIGUOUS"
    else:
        verdict = "FASTER" if (difference > 0) == (a.metric in LARGER_IS_BETTER) else "SLOWER"
    finite = difference if abs(difference) != float("inf") else None
    return Compared(a, b, finite, verdict)


def _overlap(a: ResultRow, b: ResultRow) -> bool:
    (a_low, a_high), (b_low, b_high) = _ends(a), _ends(b)
    return a_low <= b_high and b_low <= a_high


def _ends(row: ResultRow) -> tuple[float, float]:
    """The interval; of a row without one, its value."""
    assert row.value is not None
    low = row.value if row.ci95_low is None else row.ci95_low
    high = row.value if row.ci95_high is None else row.ci95_high
    return low, high


def failures(comparison: Comparison, fail_on: str) -> Sequence[Compared]:
    """The rows that `--fail-on` `slower`, `faster` or `different` selects."""
    wanted = {"slower": ("SLOWER",), "faster": ("FASTER",), "different": ("FASTER", "SLOWER")}[fail_on]
    return [row for row in comparison.rows if row.verdict in wanted]
