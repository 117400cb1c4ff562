# SPDX-License-Identifier: BSD-3-Clause
"""Reads the golden file of the C++ writers (tests/cpp/golden_test.cpp)."""

from dataclasses import replace
from pathlib import Path

import pytest

from stretto.data.samples import read_samples
from stretto.model.derive import derive_results

WRITTEN = Path(__file__).resolve().parents[2] / "golden" / "samples-written.jsonl"


def test_every_kind_of_row_is_read() -> None:
    samples = read_samples(WRITTEN)
    assert samples.complete
    assert not samples.warnings
    header = samples.header
    assert (header.on, header.locality, header.ranks, header.cases) == ("emulated", "remote", 2, 1)
    assert header.hosts == ("emulated-0", "emulated-1")
    assert header.cpu == 'A "quoted" processor'
    assert header.clock.offset_s == (0, 1.5e-6)
    assert header.settings["max_noise"] == 0.03
    assert [bound.value for bound in samples.bounds] == [0.95]
    assert [skipped.reason for skipped in samples.skipped] == ["has no progress 'thread'"]
    assert samples.noise_floor is not None
    assert samples.noise_floor.value_s == 6e-8
    assert [rate.seconds_per_count for rate in samples.work_rates] == [1.75e-8]
    assert [(check.transfers, check.wrong) for check in samples.checked] == [(2, 0)]
    assert [(end.ended_by, end.rounds, end.discarded) for end in samples.case_ends] == [("budget", 1, 2)]
    assert [(end.visits, end.disturbed) for end in samples.case_ends] == [(2, 1)]
    assert [(load.when, load.others_cores, load.runnable) for load in samples.loads] == [("before", 0.25, 3)]
    assert samples.disturbed["lost_s"].to_list() == [0.0125]
    assert samples.rows["quantity"].to_list() == ["T_c", "T_w", "T_t"]
    assert samples.rows["time_s"].to_list() == [0.0175, 0.00875, 0.0185]


def test_the_figures_are_those_of_the_formulas() -> None:
    samples = read_samples(WRITTEN)
    busy = {row.metric: row for row in derive_results(samples).rows}
    assert busy["eta"].value is None and str(busy["eta"].reason).startswith("too busy")
    undisturbed = replace(samples, disturbed=samples.disturbed.clear())
    rows = {row.metric: row for row in derive_results(undisturbed).rows}
    # eta = (T_c + T_w - T_t) / min(T_c, T_w); kappa = work under communication over T_w
    assert rows["eta"].value == pytest.approx((0.0175 + 0.00875 - 0.0185) / 0.00875)
    assert rows["kappa"].value == pytest.approx(0.009 / 0.00875)
    assert rows["exposed"].value == pytest.approx(0.0185 - 0.00875)
    assert rows["bound"].value == 0.95
