# SPDX-License-Identifier: BSD-3-Clause
"""The choice of the runtime's settings for a profile."""

import dataclasses
from pathlib import Path

import pytest

from stretto.data.profile import RuntimeEntry
from stretto.data.results import AxisValue, ResultRow, Results
from stretto.data.sample_rows import Header
from stretto.data.samples import read_samples
from stretto.model.runtime_choice import runtime_entry

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
POINT: dict[str, AxisValue] = {
    "probe": "overlap",
    "transport": "stretto",
    "progress": "thread",
    "operation": "get",
    "direction": "one-way",
    "size_bytes": 1 << 20,
    "ratio": 1.0,
}


def header(**settings: float) -> Header:
    return dataclasses.replace(read_samples(GOLDEN / "samples-1.0.jsonl").header, settings=settings)


def run(
    interval_s: float, eta: float, time_s: float, kappa: float = 1.05, **axes: AxisValue
) -> tuple[Header, Results]:
    at = {**POINT, **axes}
    rows = (
        ResultRow("eta", "1", eta, axes=at),
        ResultRow("kappa", "1", kappa, kappa - 0.01, kappa + 0.01, 9, axes=at),
        ResultRow("time", "s", time_s, axes={**at, "quantity": "T_c"}),
    )
    return header(pace_s=interval_s, segment_bytes=65536, outstanding=64), Results(rows)


def chosen(*runs: tuple[Header, Results]) -> RuntimeEntry | None:
    return runtime_entry(runs)


def test_the_setting_that_hides_most_is_chosen_with_what_it_costs() -> None:
    entry = chosen(run(1e-3, 0.90, 0.0180), run(5e-4, 0.93, 0.0181, kappa=1.08))
    assert entry is not None
    assert (entry.pace_s, entry.segment_bytes, entry.outstanding) == (5e-4, 65536, 64)
    assert entry.kappa is not None and entry.kappa.value == pytest.approx(1.08)


def test_overlap_that_is_bought_with_longer_communication_is_not() -> None:
    entry = chosen(run(1e-3, 0.90, 0.0180), run(4e-3, 0.99, 0.0240))
    assert entry is not None and entry.pace_s == 1e-3


def test_runs_without_a_progress_thread_give_no_entry() -> None:
    assert chosen(run(1e-3, 0.9, 0.018, progress="none")) is None
    without_settings = (header(), run(1e-3, 0.9, 0.018)[1])
    assert chosen(without_settings) is None
    assert chosen() is None


def points(interval_s: float, eta: float, *times_s: float) -> tuple[Header, Results]:
    """A run with T_c at several sizes."""
    _, first = run(interval_s, eta, times_s[0])
    more = (
        row
        for index, time_s in enumerate(times_s[1:], 1)
        for row in run(interval_s, eta, time_s, size_bytes=index)[1].rows
    )
    return header(pace_s=interval_s, segment_bytes=65536, outstanding=64), Results((*first.rows, *more))


def interval_of(*runs: tuple[Header, Results]) -> float | None:
    entry = chosen(*runs)
    return None if entry is None else entry.pace_s


def test_the_cost_is_the_mean_over_points() -> None:
    assert interval_of(points(1e-3, 0.9, 1.0, 1.0), points(4e-3, 0.99, 1.0, 1.09)) == 4e-3
    assert interval_of(points(1e-3, 0.9, 1.0, 1.0), points(4e-3, 0.99, 1.0, 1.11)) == 1e-3


def test_the_cost_counts_common_points_only() -> None:
    assert interval_of(points(1e-3, 0.9, 1.0), points(4e-3, 0.99, 1.0, 7.0)) == 4e-3


def test_a_cost_of_exactly_the_limit_is_allowed() -> None:
    assert interval_of(points(1e-3, 0.9, 1.0), points(4e-3, 0.99, 1.05)) == 4e-3


def test_a_time_of_zero_is_no_point_of_comparison() -> None:
    assert interval_of(points(1e-3, 0.9, 0.0, 1.0), points(4e-3, 0.99, 1.0, 1.04)) == 4e-3


def test_a_run_without_times_of_communication_has_no_cost() -> None:
    head, results = run(4e-3, 0.99, 1.0)
    without = Results(tuple(row for row in results.rows if row.metric != "time"))
    assert interval_of(run(1e-3, 0.9, 1.0), (head, without)) == 4e-3


def test_the_largest_kappa_is_stored_with_its_interval() -> None:
    head, results = run(1e-3, 0.9, 1.0, kappa=1.2)
    both = Results((*results.rows, *run(1e-3, 0.9, 1.0, kappa=1.1, size_bytes=8)[1].rows))
    entry = chosen((head, both))
    assert entry is not None and entry.kappa is not None
    kappa = entry.kappa
    assert (kappa.value, kappa.ci95_low, kappa.ci95_high, kappa.n) == (1.2, 1.2 - 0.01, 1.2 + 0.01, 9)


@pytest.mark.parametrize("other", [{"probe": "contention"}, {"ratio": 2.0}, {"progress": "poll"}])
def test_other_probes_ratios_and_modes_do_not_count(other: dict[str, AxisValue]) -> None:
    assert chosen(run(1e-3, 0.9, 0.018, **other)) is None


@pytest.mark.parametrize("missing", ["pace_s", "segment_bytes", "outstanding"])
def test_a_run_without_a_setting_does_not_count(missing: str) -> None:
    head, results = run(1e-3, 0.9, 0.018)
    settings = {name: value for name, value in head.settings.items() if name != missing}
    assert chosen((dataclasses.replace(head, settings=settings), results)) is None
