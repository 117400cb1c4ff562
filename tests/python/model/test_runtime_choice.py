# SPDX-License-Identifier: BSD-3-Clause
"""The choice of the runtime's settings for a profile."""

from __future__ import annotations

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
