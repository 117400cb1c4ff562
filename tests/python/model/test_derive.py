# SPDX-License-Identifier: BSD-3-Clause
"""Every metric of docs/formats.md is derived with its axes; incomplete runs give their measurements."""

import re
from pathlib import Path
from typing import Any

import pytest
from synthetic_samples import PATH, loggp_rows, overlap_rows, sample, samples_of, unexpected_rows

from stretto.data.samples import read_samples
from stretto.model.derive import derive_results

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden"


def test_every_metric_of_the_contract_is_derived(tmp_path: Path) -> None:
    section = (
        (ROOT / "docs" / "formats.md").read_text().split("## results.json")[1].split("## profile.json")[0]
    )
    promised = {
        name
        for line in section.splitlines()
        if re.match(r"\| `\w+`.*\| `\S+` \|", line)
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    files = (GOLDEN / "samples-1.0.jsonl", Path(__file__).with_name("schedules-virtual.jsonl"))
    limit = samples_of(tmp_path / "limit.jsonl", [*loggp_rows(rounds=3), *unexpected_rows(4095)])
    further = [*overlap_rows(1e-3, 1e-3, 1.5e-3, probe="nbc"), *pair_rows(2)]
    samples = [*map(read_samples, files), limit, samples_of(tmp_path / "further.jsonl", further)]
    derived = {row.metric for one in samples for row in derive_results(one).rows}
    assert promised and promised <= derived


def rates(tmp_path: Path, **members: Any) -> dict[str, Any]:
    axes = {**PATH, "size_bytes": 1000, **members}
    probe, messages = str(axes.pop("probe")), int(axes.pop("messages"))
    rows = [
        {**sample(probe, 0, "T_c", r, t, messages, **axes), "ranks": axes.get("ranks", 2)}
        for r, t in enumerate((1, 2, 3))
    ]
    (row,) = derive_results(samples_of(tmp_path / "s.jsonl", rows)).rows
    return {
        "metric": row.metric,
        "value": row.value,
        "low": row.ci95_low,
        "high": row.ci95_high,
        "unit": row.unit,
    }


def pair_rows(pairs: int) -> list[dict[str, Any]]:
    """A message of 1000 bytes every 10 us of each pair, and 4 us one way."""
    axes = {**PATH, "pairs": pairs, "size_bytes": 1000}
    times = {"stream": 640e-6, "ping_pong": 8e-6 * 64}
    return [
        sample("pairs", 9, name, r, time_s, 64, **axes) for name, time_s in times.items() for r in range(3)
    ]


def test_rates_of_several_pairs_are_those_of_all_together(tmp_path: Path) -> None:
    rows = derive_results(samples_of(tmp_path / "s.jsonl", pair_rows(3))).rows
    found = {row.metric: row.value for row in rows}
    assert found == pytest.approx(
        {"pair_latency": 4e-6, "pair_bandwidth": 3 * 1000 / 10e-6, "message_rate": 3 / 10e-6}
    )


def test_other_benchmarks_formulas_see_the_time_of_the_work_under_way(tmp_path: Path) -> None:
    """The worked example: a progress thread steals the core, so that nothing is gained."""
    rows = overlap_rows(1e-3, 1e-3, 2e-3, work_under_way_s=2e-3, probe="nbc", operation="alltoall")
    found = {row.metric: row.value for row in derive_results(samples_of(tmp_path / "s.jsonl", rows)).rows}
    assert found["eta"] == pytest.approx(0)
    assert found["overlap_osu"] == pytest.approx(1) and found["overlap_imb"] == pytest.approx(0.5)
    assert found["kappa"] == pytest.approx(2)


def test_other_benchmarks_formulas_are_cut_at_zero(tmp_path: Path) -> None:
    rows = overlap_rows(1e-3, 1e-3, 3e-3, probe="nbc", operation="alltoall")
    found = {row.metric: row.value for row in derive_results(samples_of(tmp_path / "s.jsonl", rows)).rows}
    assert found["eta"] == pytest.approx(-1)
    assert found["overlap_osu"] == found["overlap_imb"] == 0


def test_times_of_persistent_requests_are_those_of_one_message(tmp_path: Path) -> None:
    rows = overlap_rows(8e-3, 8e-3, 8e-3, probe="persistent", transport="mpi-persistent")
    for row in rows:
        row["messages"] = 0 if row["quantity"] == "T_w" else 8
    found = derive_results(samples_of(tmp_path / "s.jsonl", rows)).rows
    values = {(row.metric, row.axes.get("quantity")): row.value for row in found}
    assert values["time", "T_c"] == pytest.approx(1e-3) and values["eta", None] == pytest.approx(1)


def test_latency_is_time_a_message_halved_for_what_goes_there_and_back(tmp_path: Path) -> None:
    result = rates(tmp_path, probe="latency", messages=10)
    assert result["value"] == pytest.approx(0.1) and result["unit"] == "s"
    assert rates(tmp_path, probe="latency", messages=10, operation="put")["value"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("axes", "factor"),
    [
        ({"direction": "one-way"}, 1),
        ({"direction": "both-ways"}, 2),
        ({"direction": "both-ways", "ranks": 8}, 8),
        ({"pattern": "gather-all", "ranks": 4}, 12),
    ],
)
def test_bandwidth_is_bytes_of_all_pairs_over_time(axes: dict[str, Any], factor: int, tmp_path: Path) -> None:
    result = rates(tmp_path, probe="bandwidth", messages=64, **axes)
    assert result["value"] == pytest.approx(factor * 64 * 1000 / 2)
    assert result["low"] < result["value"] < result["high"]


def test_a_time_under_ten_noise_floors_is_unresolved(tmp_path: Path) -> None:
    rows = [sample("latency", 0, "T_c", r, 1e-6, 1, **PATH, size_bytes=8) for r in range(3)]
    (row,) = derive_results(samples_of(tmp_path / "s.jsonl", rows, noise_floor_s=2e-7)).rows
    assert row.value is None and row.n == 3 and "noise floors" in str(row.reason)


def test_without_a_noise_floor_the_clock_s_resolution_stands_in(tmp_path: Path) -> None:
    lines = (GOLDEN / "samples-1.0.jsonl").read_text().splitlines(keepends=True)
    del lines[1], lines[-1]
    (tmp_path / "s.jsonl").write_text("".join(lines))
    assert derive_results(read_samples(tmp_path / "s.jsonl")).rows


def test_an_incomplete_round_is_left_out(tmp_path: Path) -> None:
    rows = overlap_rows(1e-3, 1e-3, 1.5e-3, rounds=4)[:-1]
    result = {row.metric: row for row in derive_results(samples_of(tmp_path / "s.jsonl", rows)).rows}
    assert result["eta"].n == 3


def test_samples_without_rows_give_results_without_rows(tmp_path: Path) -> None:
    assert derive_results(samples_of(tmp_path / "s.jsonl", [])).rows == ()


def test_equal_samples_give_equal_results() -> None:
    samples = read_samples(GOLDEN / "samples-1.0.jsonl")
    assert derive_results(samples) == derive_results(samples)


def test_a_probe_that_is_not_known_yet_gives_no_rows(tmp_path: Path) -> None:
    rows = [sample("telepathy", 0, "T_c", 0, 1.0, 1, **PATH)]
    assert derive_results(samples_of(tmp_path / "s.jsonl", rows)).rows == ()
