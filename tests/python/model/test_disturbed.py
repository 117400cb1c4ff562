# SPDX-License-Identifier: BSD-3-Clause
"""A case that other programs disturbed most of the time has no figure, and says why."""

import json
from pathlib import Path
from typing import Any

import pytest
from synthetic_samples import header, sample

from stretto.data.results import ResultRow
from stretto.data.samples import Samples, read_samples
from stretto.model.derive import derive_results
from stretto.model.disturbed import busy_cases, disturbed_share

AXES = {
    "transport": "mpi-two-sided",
    "operation": "send",
    "progress": "none",
    "side": "both",
    "direction": "both-ways",
    "ratio": 1.0,
}


def rounds(size: int, count: int, case: int = 0) -> list[dict[str, Any]]:
    """Rounds of an overlap of one half."""
    times = {"T_c": 1.0, "T_w": 1.0, "T_t": 1.5}
    return [
        sample("overlap", case, name, number, time_s, size_bytes=size, work_s=1.0, work_max_s=1.0, **AXES)
        for number in range(count)
        for name, time_s in times.items()
    ]


def disturbed(size: int, count: int, case: int = 0) -> list[dict[str, Any]]:
    row = sample("overlap", case, "T_t", 0, 9.0, size_bytes=size, **AXES)
    return [{**row, "row": "disturbed", "lost_s": 7.0, "switches": 9} for _ in range(count)]


def read(tmp_path: Path, *rows: dict[str, Any], settings: dict[str, Any] | None = None) -> Samples:
    lines = [header(**(settings or {})), *rows]
    lines.append({"row": "end", "rows": len(lines)})
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return read_samples(path)


def load(others_cores: float) -> dict[str, Any]:
    row = {"row": "load", "host": "a", "when": "during", "seconds": 9.0, "cores": 2, "ranks": 2}
    return {**row, "others_cores": others_cores, "stolen_cores": 0.0, "waiting_share": 0.5, "runnable": 4}


def etas(samples: Samples) -> dict[int, ResultRow]:
    return {int(row.axes["size_bytes"]): row for row in derive_results(samples).rows if row.metric == "eta"}


def test_disturbed_samples_do_not_count(tmp_path: Path) -> None:
    samples = read(tmp_path, *rounds(8, 9), *disturbed(8, 27))
    assert etas(samples)[8].value == pytest.approx(0.5)
    assert disturbed_share(samples) == 0.5
    assert not list(busy_cases(samples))


def test_a_case_that_was_disturbed_most_of_the_time_is_too_busy(tmp_path: Path) -> None:
    samples = read(tmp_path, *rounds(8, 9), *disturbed(8, 28), *rounds(64, 9, case=1))
    found = etas(samples)
    assert found[8].value is None and found[8].ci95_low is None
    assert found[8].reason == "too busy: the ranks lost their processor in 28 of 55 samples"
    assert found[64].value == pytest.approx(0.5)


@pytest.mark.parametrize(("others_cores", "has_figure"), [(1.9, False), (0.1, True)])
def test_where_others_keep_the_cores_busy_few_samples_may_be_disturbed(
    others_cores: float, has_figure: bool, tmp_path: Path
) -> None:
    samples = read(tmp_path, load(others_cores), *rounds(8, 9), *disturbed(8, 2), *rounds(64, 9, case=1))
    found = etas(samples)
    assert (found[8].value is not None) == has_figure
    assert found[64].value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("count", "asked", "others_cores", "reason"),
    [
        (6, 12, 0.0, None),
        (5, 12, 0.0, "5 of 12 rounds before the budget ended; give --budget"),
        (5, 12, 2.0, "too busy: 5 of 12 rounds before the budget ended"),
        (5, 5, 0.0, None),  # as many as were asked for
        (5, None, 0.0, None),
    ],
)
def test_a_budget_that_leaves_too_few_rounds_for_an_interval_gives_no_figure(
    count: int, asked: int | None, others_cores: float, reason: str | None, tmp_path: Path
) -> None:
    settings = {} if asked is None else {"settings": {"min_rounds": asked}}
    found = etas(read(tmp_path, load(others_cores), *rounds(8, count), settings=settings))[8]
    assert found.reason == reason
    assert (found.value is None, found.ci95_low is None) == ((reason is not None,) * 2)
    assert found.n == count


def test_two_rounds_of_a_machine_have_no_interval(tmp_path: Path) -> None:
    one, two, three = (etas(read(tmp_path, *rounds(8, n), settings={"on": "local"}))[8] for n in (1, 2, 3))
    for row in (one, two):
        assert (row.value, row.ci95_low, row.ci95_high) == (pytest.approx(0.5), None, None)
    assert three.ci95_low is not None


def test_a_case_without_any_good_sample_is_in_the_results(tmp_path: Path) -> None:
    found = etas(read(tmp_path, *disturbed(8, 3), *rounds(64, 9, case=1)))
    assert found[8].value is None and "3 of 3 samples" in str(found[8].reason)
    assert found[8].axes["transport"] == "mpi-two-sided" and found[8].axes["ratio"] == 1.0


def test_without_disturbance_nothing_changes(tmp_path: Path) -> None:
    samples = read(tmp_path, *rounds(8, 9))
    assert disturbed_share(samples) == 0
    assert etas(samples)[8].value == pytest.approx(0.5)
    assert disturbed_share(read(tmp_path)) == 0
