# SPDX-License-Identifier: BSD-3-Clause
"""eta and its intervals agree with the truth, negative values included; below the noise it is unresolved."""

from pathlib import Path
from typing import Any

import pytest
from synthetic_samples import overlap_rows, samples_of, segments

from stretto.data.results import ResultRow
from stretto.model.derive import derive_results


def figures(tmp_path: Path, rows: list[dict[str, Any]], noise_floor_s: float = 0.0) -> dict[str, ResultRow]:
    results = derive_results(samples_of(tmp_path / "samples.jsonl", rows, noise_floor_s))
    return {r.metric if r.metric != "time" else str(r.axes["quantity"]): r for r in results.rows}


@pytest.mark.parametrize(
    ("total_s", "eta"),
    [(1e-3, 1.0), (1.5e-3, 0.5), (2e-3, 0.0), (2.5e-3, -0.5), (0.9e-3, 1.1)],
)
def test_eta_is_unclamped(total_s: float, eta: float, tmp_path: Path) -> None:
    result = figures(tmp_path, overlap_rows(1e-3, 1e-3, total_s, rounds=3))
    assert result["eta"].value == pytest.approx(eta)
    assert result["exposed"].value == pytest.approx(total_s - 1e-3)
    assert [result[q].value for q in ("T_c", "T_w", "T_t")] == pytest.approx([1e-3, 1e-3, total_s])


def test_eta_counts_against_the_smaller_of_the_two(tmp_path: Path) -> None:
    assert figures(tmp_path, overlap_rows(4e-3, 1e-3, 4e-3, rounds=3))["eta"].value == pytest.approx(1)
    assert figures(tmp_path, overlap_rows(1e-3, 4e-3, 4.5e-3, rounds=3))["eta"].value == pytest.approx(0.5)


def test_work_that_is_slowed_shows_in_kappa_and_in_the_split(tmp_path: Path) -> None:
    result = figures(tmp_path, overlap_rows(1e-3, 1e-3, 2e-3, rounds=3, work_under_way_s=1.9e-3))
    assert result["kappa"].value == pytest.approx(1.9) and result["work"].value == pytest.approx(1.9e-3)
    assert result["sync"].value == 0


def test_kappa_compares_the_work_with_itself(tmp_path: Path) -> None:
    """What the worker saw of T_w is the base, not the whole time of the run; unless it did not say."""
    rows = overlap_rows(1e-3, 1e-3, 4e-3, rounds=3, work_under_way_s=1.5e-3)
    longer = [{**row, "time_s": 1.25e-3} if row["quantity"] == "T_w" else row for row in rows]
    result = figures(tmp_path, longer)
    assert result["kappa"].value == pytest.approx(1.5)
    silent = [
        {**row, "work_s": 0.0, "work_max_s": 0.0} if row["quantity"] == "T_w" else row for row in longer
    ]
    assert figures(tmp_path, silent)["kappa"].value == pytest.approx(1.5 / 1.25)


def test_kappa_from_below_ten_noise_floors_is_unresolved(tmp_path: Path) -> None:
    rows = overlap_rows(1e-3, 1e-6, 1e-3, rounds=3)
    result = figures(tmp_path, rows, noise_floor_s=1.1e-7)["kappa"]
    assert result.value is None and result.reason == "T_w of 1e-06 s is under 10 noise floors of 1.1e-07 s"
    assert figures(tmp_path, rows, noise_floor_s=0.9e-7)["kappa"].value == pytest.approx(1)


def test_the_segments_of_the_whole_run_are_shown(tmp_path: Path) -> None:
    rows = overlap_rows(1e-3, 1e-3, 2e-3, rounds=3)
    for row in rows:
        if row["quantity"] == "T_t":
            row.update(segments(init=1e-4, work=2e-4, sync=3e-4, barrier=4e-4))
    result = figures(tmp_path, rows)
    assert [result[name].value for name in ("init", "work", "sync", "barrier")] == pytest.approx(
        [1e-4, 2e-4, 3e-4, 4e-4]
    )


def test_contention_gives_kappa_only(tmp_path: Path) -> None:
    result = figures(
        tmp_path, overlap_rows(1e-3, 1e-3, 2e-3, rounds=3, work_under_way_s=1.3e-3, probe="contention")
    )
    assert list(result) == ["kappa"] and result["kappa"].value == pytest.approx(1.3)


def test_eta_from_below_ten_noise_floors_is_unresolved(tmp_path: Path) -> None:
    result = figures(tmp_path, overlap_rows(1e-6, 1e-3, 1e-3, rounds=3), noise_floor_s=2e-7)
    assert result["eta"].value is None and result["eta"].n == 3
    assert result["eta"].reason == "T_c of 1e-06 s is under 10 noise floors of 2e-07 s"
    assert (
        figures(tmp_path, overlap_rows(1e-6, 1e-3, 1e-3, rounds=3), noise_floor_s=9e-8)["eta"].value
        is not None
    )


def test_drift_over_the_rounds_does_not_widen_eta(tmp_path: Path) -> None:
    """The rounds are paired: a machine that slows down by half during the run does so in all three."""
    rows = overlap_rows(1e-3, 1e-3, 1.5e-3, rounds=30)
    rows = [{**row, "time_s": row["time_s"] * (1 + row["round"] / 60)} for row in rows]
    eta = figures(tmp_path, rows)["eta"]
    assert (
        eta.value == pytest.approx(0.5)
        and eta.ci95_low == pytest.approx(0.5)
        and eta.ci95_high == pytest.approx(0.5)
    )


@pytest.mark.slow
@pytest.mark.parametrize(("total_s", "eta"), [(1e-3, 1.0), (1.5e-3, 0.5), (2e-3, 0.0)])
def test_the_interval_of_eta_covers_the_truth(total_s: float, eta: float, tmp_path: Path) -> None:
    """300 seeds of 5 % noise at T_w/T_c = 1, where the denominator may be either."""
    covered, seeds = 0, 300
    rows = [
        row
        for seed in range(seeds)
        for row in overlap_rows(1e-3, 1e-3, total_s, case=seed, noise=0.05, seed=seed, size_bytes=seed + 1)
    ]
    for row in derive_results(samples_of(tmp_path / "samples.jsonl", rows)).rows:
        if row.metric == "eta":
            assert row.ci95_low is not None and row.ci95_high is not None
            covered += row.ci95_low <= eta <= row.ci95_high
    assert 0.92 * seeds <= covered <= 0.98 * seeds


def sweep(knee: float, ratios: tuple[float, ...] = (0.25, 0.5, 1, 2, 4), **how: Any) -> list[dict[str, Any]]:
    """A machine on which work of up to `knee` times T_c is free, and all beyond is not."""
    return [
        row
        for case, ratio in enumerate(ratios)
        for row in overlap_rows(
            1e-3, ratio * 1e-3, max(1, 1 + ratio - knee) * 1e-3, case=case, ratio=ratio, rounds=5, **how
        )
    ]


@pytest.mark.parametrize("knee", [0.0, 0.1, 0.4, 0.9, 1.0, 2.7])
def test_the_knee_is_found_between_the_ratios(knee: float, tmp_path: Path) -> None:
    row = figures(tmp_path, sweep(knee))["knee_overlap"]
    assert row.value == pytest.approx(knee, abs=1e-9) and row.bound is None and "ratio" not in row.axes


def test_a_run_that_is_five_percent_longer_is_not_lengthened(tmp_path: Path) -> None:
    assert figures(tmp_path, sweep(0.96))["knee_overlap"].value == pytest.approx(1.0)


def test_a_knee_beyond_the_sweep_is_a_lower_bound(tmp_path: Path) -> None:
    row = figures(tmp_path, sweep(9.0))["knee_overlap"]
    assert row.value == pytest.approx(4) and row.bound == "lower" and row.reason


def test_one_ratio_is_no_sweep(tmp_path: Path) -> None:
    assert "knee_overlap" not in figures(tmp_path, sweep(1.0, ratios=(1,)))


def test_the_same_point_measured_twice_is_pooled(tmp_path: Path) -> None:
    rows = overlap_rows(1e-3, 1e-3, 1.4e-3, case=0, rounds=4) + overlap_rows(
        1e-3, 1e-3, 1.6e-3, case=1, rounds=4
    )
    results = derive_results(samples_of(tmp_path / "samples.jsonl", rows))
    etas = [row for row in results.rows if row.metric == "eta"]
    assert len(etas) == 1 and etas[0].n == 8 and etas[0].value == pytest.approx(0.5)
