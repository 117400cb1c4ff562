# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts follow from intervals and threshold, and know which figures are better when larger."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stretto.data.results import ResultRow, Results
from stretto.model.compare import compare_results, failures


def row(
    value: float | None, half: float = 0.01, metric: str = "latency", unit: str = "s", **axes: Any
) -> ResultRow:
    low, high = (None, None) if value is None else (value - half, value + half)
    return ResultRow(metric, unit, value, low, high, 30, {"probe": "latency", **axes})


def verdict(a: ResultRow, b: ResultRow, threshold: float = 0.05) -> str:
    (found,) = compare_results(Results((a,)), Results((b,)), threshold).rows
    return found.verdict


@pytest.mark.parametrize(
    ("b", "half", "expected"),
    [
        (1.01, 0.01, "SAME"),  # overlapping, within the threshold
        (1.04, 0.01, "AMBIGUOUS"),  # apart, within the threshold
        (1.2, 0.3, "AMBIGUOUS"),  # overlapping, beyond the threshold
        (1.2, 0.01, "SLOWER"),
        (0.8, 0.01, "FASTER"),
    ],
)
def test_the_verdict_of_a_time(b: float, half: float, expected: str) -> None:
    assert verdict(row(1.0), row(b, half)) == expected


@pytest.mark.parametrize("metric", ["bandwidth", "eta", "knee_overlap", "bound"])
def test_some_figures_are_better_when_larger(metric: str) -> None:
    unit = "B/s" if metric == "bandwidth" else "1"
    assert verdict(row(0.5, metric=metric, unit=unit), row(0.9, metric=metric, unit=unit)) == "FASTER"
    assert verdict(row(0.9, metric=metric, unit=unit), row(0.5, metric=metric, unit=unit)) == "SLOWER"


def test_fractions_are_compared_by_their_difference() -> None:
    """eta of 0.01 against 0.03 is three times as much, and nothing that matters."""
    assert verdict(row(0.01, 0.02, "eta", "1"), row(0.03, 0.02, "eta", "1")) == "SAME"
    assert verdict(row(-0.2, 0.01, "eta", "1"), row(0.2, 0.01, "eta", "1")) == "FASTER"
    assert verdict(row(0.0, 0.0), row(1.0)) == "SLOWER"


def test_the_threshold_is_an_option() -> None:
    assert verdict(row(1.0), row(1.2), threshold=0.3) == "AMBIGUOUS"
    assert verdict(row(1.0), row(1.025), threshold=0.01) == "SLOWER"


def test_a_value_without_interval_is_its_own_interval() -> None:
    bare = ResultRow("latency", "s", 1.0)
    assert verdict(bare, bare) == "SAME" and verdict(bare, ResultRow("latency", "s", 2.0)) == "SLOWER"


def test_rows_are_matched_by_axes_and_counted_when_they_are_not() -> None:
    a = Results(
        (row(1.0, size_bytes=8), row(2.0, size_bytes=16), row(None, size_bytes=32), row(None, size_bytes=64))
    )
    b = Results(
        (row(2.0, size_bytes=8), row(None, size_bytes=32), row(1.0, size_bytes=64), row(3.0, size_bytes=128))
    )
    found = compare_results(a, b)
    assert [(r.a.axes["size_bytes"], r.verdict) for r in found.rows] == [(8, "SLOWER"), (64, "AMBIGUOUS")]
    assert (found.unresolved, found.only_a, found.only_b) == (1, 1, 1)


def test_where_a_protocol_range_ends_does_not_keep_it_from_being_compared() -> None:
    a, b = (
        row(1e-6, 0, "L", "s", method="spaced-trains", size_min_bytes=8, size_max_bytes=m)
        for m in (1024, 4096)
    )
    assert verdict(a, b) == "SAME"


def test_times_of_work_that_each_run_calibrates_are_left_out() -> None:
    rows = (
        row(1.0, metric="time", quantity="T_w"),
        row(1.0, metric="time", quantity="T_t"),
        row(1.0, metric="work"),
    )
    assert compare_results(Results(rows), Results(rows)).rows == ()


values = st.builds(row, st.floats(-1e3, 1e3), st.floats(0, 1e3), unit=st.sampled_from(("s",)))


@given(values, values)
def test_what_is_faster_one_way_is_slower_the_other(a: ResultRow, b: ResultRow) -> None:
    opposite = {"FASTER": "SLOWER", "SLOWER": "FASTER"}
    there, back = verdict(a, b, 0.0), verdict(b, a, 0.0)
    assert back == opposite.get(there, there)
    assert verdict(a, a) == "SAME"


def test_what_fail_on_asks_for() -> None:
    found = compare_results(
        Results((row(1.0, x=1), row(1.0, x=2), row(1.0, x=3))),
        Results((row(2.0, x=1), row(0.5, x=2), row(1.0, x=3))),
    )
    counts = {kind: len(failures(found, kind)) for kind in ("slower", "faster", "different")}
    assert counts == {"slower": 1, "faster": 1, "different": 2}
