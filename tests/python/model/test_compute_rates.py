# SPDX-License-Identifier: BSD-3-Clause
"""Compute rates of a profile come from the computation alone, at the requested scale."""

import pytest

from stretto.data.results import ResultRow
from stretto.model.compute_rates import compute_rates


def alone(probe: str, time_s: float, flops: float, **axes: float) -> ResultRow:
    axes_of = {"probe": probe, "quantity": "T_w", "flops": flops, **axes}
    return ResultRow("time", "s", time_s, 0.9 * time_s, 1.1 * time_s, 9, axes_of)


def test_a_rate_is_time_over_flops_of_the_run_nearest_to_scale_1() -> None:
    rows = [
        alone("ft", 9.0, 1e9, row_length=512, scale=0.25),
        alone("ft", 2.0, 4e9, row_length=512, scale=1.0),
        alone("ft", 5.0, 1e9, row_length=64, scale=1.0),
        alone("spmv", 1.0, 1e6),
        alone("spmv", 8.0, 4e6),
        ResultRow(
            "time", "s", 77.0, axes={"probe": "ft", "quantity": "T_c", "flops": 1e9, "row_length": 512}
        ),
    ]
    result = {(entry.work_kind, entry.row_length): entry.seconds_per_count for entry in compute_rates(rows)}
    assert list(result) == [("fft", 64), ("fft", 512), ("spmv", None)]
    assert result[("fft", 512)].value == pytest.approx(0.5e-9)
    assert result[("fft", 512)].ci95_low == pytest.approx(0.45e-9)
    assert result[("spmv", None)].value == pytest.approx(2e-6)


def test_no_computation_gives_no_rate() -> None:
    assert compute_rates([alone("ft", 1.0, 0.0, row_length=512), ResultRow("eta", "1", 0.9)]) == ()
