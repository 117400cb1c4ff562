# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts follow from intervals and threshold, and know which figures are better when larger."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stretto.data.results import ResultRow, Results
from stretto.model.compare import compare_results, failures
from stretto.model.statistics import bootstrap_medians, interval


def row(
    value: float | None, half: float = 0.01, metric: str = "latency", unit: str = "s", **axes: Any
) -> ResultRow:
    low, high = (None, None) if value is None else (value - half, value + half)
    return ResultRow(metric, unit, value, low, high, 30, {"probe": "latency", **axes})


def verdict(a: ResultRow, b: ResultRow, threshold: float = 0.05) -> str:
    (result,) = compare_results(Results((a,)), Results((b,)), threshold).rows
    return result.verdict


@pytest.mark.parametrize(
    ("b", "half", "expected"),
    [
        (1.01, 0.01, "SAME"),  # overlapping, within the threshold
        (1.04, 0.01, "SAME"),  # apart, within the threshold
        (1.08, 0.001, "AMBIGUOUS"),  # apart and beyond the threshold, but runs differ by as much
        (1.2, 0.3, "AMBIGUOUS"),  # overlapping, beyond the threshold
        (1.2, 0.01, "SLOWER"),
        (0.8, 0.01, "FASTER"),
    ],
)
def test_the_verdict_of_a_time(b: float, half: float, expected: str) -> None:
    assert verdict(row(1.0), row(b, half)) == expected


@pytest.mark.parametrize("metric", ["o_s", "L"])
def test_what_the_start_of_a_run_decides_differs_between_runs_of_one_build(metric: str) -> None:
    assert verdict(row(1.0, metric=metric), row(2.5, metric=metric)) == "AMBIGUOUS"
    assert verdict(row(1.0, metric=metric), row(40.0, metric=metric)) == "SLOWER"
    exact = {"metric": metric, "on": "simulated"}
    assert verdict(row(1.0, **exact), row(2.5, **exact)) == "SLOWER"


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
    assert verdict(row(1.0), row(1.2), threshold=0.3) == "SAME"
    assert verdict(row(1.0), row(1.2), threshold=0.15) == "AMBIGUOUS"
    assert verdict(row(1.0), row(1.15), threshold=0.01) == "SLOWER"


def test_a_simulation_has_no_spread_between_runs() -> None:
    """Where every run gives the same figures, a small difference is one."""
    a, b = (row(value, 1e-6, on="simulated") for value in (1.0, 1.025))
    assert verdict(a, b, threshold=0.01) == "SLOWER"
    assert verdict(row(1.0, 1e-6, on="local"), row(1.025, 1e-6, on="local"), threshold=0.01) == "AMBIGUOUS"


def test_a_value_without_interval_is_its_own_interval() -> None:
    bare = ResultRow("latency", "s", 1.0)
    few = replace(bare, n=2)
    assert verdict(few, few) == "SAME" and verdict(few, replace(few, value=2.0)) == "AMBIGUOUS"
    assert verdict(bare, bare) == "SAME" and verdict(bare, ResultRow("latency", "s", 2.0)) == "SLOWER"


def test_rows_are_matched_by_axes_and_counted_when_they_are_not() -> None:
    a = Results(
        (row(1.0, size_bytes=8), row(2.0, size_bytes=16), row(None, size_bytes=32), row(None, size_bytes=64))
    )
    b = Results(
        (row(2.0, size_bytes=8), row(None, size_bytes=32), row(1.0, size_bytes=64), row(3.0, size_bytes=128))
    )
    result = compare_results(a, b)
    assert [(r.a.axes["size_bytes"], r.verdict) for r in result.rows] == [(8, "SLOWER"), (64, "AMBIGUOUS")]
    assert (result.unresolved, result.only_a, result.only_b) == (1, 1, 1)


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


def test_a_part_or_a_bound_is_no_evidence() -> None:
    assert verdict(row(1.0, metric="exposed"), row(9.0, metric="exposed")) == "AMBIGUOUS"
    bound = replace(row(9.0, metric="g"), bound="upper")
    assert verdict(row(1.0, metric="g"), bound) == "AMBIGUOUS"


def test_an_older_file_does_not_say_how_buffers_were_used() -> None:
    old = row(1e9, 1e6, "bandwidth", "B/s", size_bytes=8)
    new = row(1e9, 1e6, "bandwidth", "B/s", size_bytes=8, buffers="distinct")
    same = row(1e9, 1e6, "bandwidth", "B/s", size_bytes=8, buffers="same")
    assert verdict(old, new) == "SAME"
    assert compare_results(Results((old,)), Results((same,))).rows == ()


def test_a_series_that_is_slower_throughout_is_found_where_no_row_is_by_itself() -> None:
    """Twelve sizes, each 12 to 18 % slower with an interval of 10 %: no row says it, all together do."""
    a = [row(1.0, 0.1, size_bytes=8 << k) for k in range(12)]
    b = [row(1.12 + 0.005 * k, 0.1, size_bytes=8 << k) for k in range(12)]
    for k in (0, 5):
        assert verdict(a[k], b[k]) == "AMBIGUOUS"
    result = compare_results(Results(tuple(a)), Results(tuple(b)))
    (series,) = result.series
    assert series.verdict == "SLOWER" and series.difference == pytest.approx(0.147, abs=0.005)
    assert result.count("SLOWER") == 12 and "size_bytes" not in series.axes


values = st.builds(row, st.floats(-1e3, 1e3), st.floats(0, 1e3), unit=st.sampled_from(("s",)))


@given(values, values)
def test_what_is_faster_one_way_is_slower_the_other(a: ResultRow, b: ResultRow) -> None:
    opposite = {"FASTER": "SLOWER", "SLOWER": "FASTER"}
    there, back = verdict(a, b, 0.0), verdict(b, a, 0.0)
    assert back == opposite.get(there, there)
    assert verdict(a, a) == "SAME"


def test_figures_beyond_any_ratio_are_compared() -> None:
    tiny = 5e-324
    assert (verdict(row(tiny, 0.0), row(2.0, 0.0)), verdict(row(2.0, 0.0), row(tiny, 0.0))) == (
        "SLOWER",
        "FASTER",
    )
    (result,) = compare_results(Results((row(tiny, 0.0),)), Results((row(2.0, 0.0),))).rows
    assert result.difference is None


def test_the_rows_of_each_fail_on() -> None:
    result = compare_results(
        Results((row(1.0, x=1), row(1.0, x=2), row(1.0, x=3))),
        Results((row(2.0, x=1), row(0.5, x=2), row(1.0, x=3))),
    )
    counts = {kind: len(failures(result, kind)) for kind in ("slower", "faster", "different")}
    assert counts == {"slower": 1, "faster": 1, "different": 2}


# Spread between runs: of a whole run, of a series in it, of a row in it.
QUIET, MOVED, RESTLESS = (0.0, 0.0, 0.0), (0.01, 0.02, 0.02), (0.02, 0.04, 0.03)
_TRANSPORTS = ("mpi-two-sided", "mpi-rma", "stretto")
Figures = list[tuple[ResultRow, float]]


def figures(rng: np.random.Generator) -> Figures:
    """What a probe measures of a machine: rows with their true values, and the noise of their rounds."""
    result: Figures = []
    for transport in _TRANSPORTS:
        for size in (8 << k for k in range(20)):
            axes = {"transport": transport, "size_bytes": size, "on": "local"}
            latency_s = 1e-6 * (1 + size / 32768)
            result.append((row(latency_s, **axes), rng.uniform(0.01, 0.08)))
            result.append((row(size / latency_s, 1.0, "bandwidth", "B/s", **axes), rng.uniform(0.01, 0.08)))
            for ratio in (0.5, 1.0, 2.0):
                eta = row(rng.uniform(-0.2, 1.0), 0.1, "eta", "1", ratio=ratio, **axes)
                result.append((eta, rng.uniform(0.02, 0.1)))
    return result


def measured(
    rng: np.random.Generator, truth: Figures, spread: tuple[float, float, float], slower: Any = None
) -> Results:
    """One run: eleven rounds a figure with bursts of noise, their median and its interval."""
    of_run, of_series, of_row = spread
    run_shift, series_shifts, rows = rng.normal(0, of_run), {}, []
    for index, (one, noise) in enumerate(truth):
        series = (one.metric, one.axes["transport"])
        shift = series_shifts.setdefault(series, rng.normal(0, of_series)) + of_row * rng.standard_t(3)
        assert one.value is not None
        if one.unit == "1":
            rounds = one.value + shift + rng.normal(0, noise, 11)
        else:
            factor = slower(one) if slower else 1.0
            bursts = (rng.random(11) < 0.1) * rng.exponential(0.5, 11)
            if one.metric == "bandwidth":
                factor, bursts = 1 / factor, -bursts
            rounds = one.value * factor * np.exp(run_shift + shift + rng.normal(0, noise, 11) + bursts)
        medians = bootstrap_medians(rounds[None, :], index)
        result = interval(float(medians.value[0]), medians.replicates[0], 11)
        rows.append(replace(one, value=result.value, ci95_low=result.ci95_low, ci95_high=result.ci95_high))
    return Results(tuple(rows))


@pytest.mark.slow
@pytest.mark.parametrize("spread", [QUIET, MOVED, RESTLESS])
def test_ten_runs_of_one_build_give_at_most_one_false_alarm(spread: tuple[float, float, float]) -> None:
    """All 45 pairs of ten runs of 300 figures each, at the default threshold."""
    rng = np.random.default_rng(20261121)
    truth = figures(rng)
    runs = [measured(rng, truth, spread) for _ in range(10)]
    alarms = 0
    for a, b in itertools.combinations(runs, 2):
        alarms += bool(failures(compare_results(a, b), "different"))
    assert alarms <= 1


def test_a_transport_that_is_slower_by_a_third_is_found() -> None:
    """Its figures are SLOWER, and those of the other two are not."""
    rng = np.random.default_rng(7)
    truth = figures(rng)
    before = measured(rng, truth, MOVED)
    after = measured(rng, truth, MOVED, lambda one: 1.33 if one.axes["transport"] == "mpi-rma" else 1.0)
    result = compare_results(before, after)
    slower = failures(result, "slower")
    assert {one.a.axes["transport"] for one in slower} == {"mpi-rma"} and len(slower) >= 30
    assert failures(result, "faster") == []
