# SPDX-License-Identifier: BSD-3-Clause
"""The tables' coefficients come back from times that were made of them, and small messages do not count."""

from __future__ import annotations

import numpy as np
import pytest

from stretto.model.collective.measured import Call
from validation.papers.collective_tables import linear_coefficients

TAU_S, T_C_S = -0.0825e-6, 0.0929e-6


def gather_of(p: int, size_bytes: int, time_s: float) -> Call:
    return Call("gather", "reference", p, size_bytes, None, "total", 1, time_s, np.array([time_s]))


def gathers(start_up_s: float, sizes: tuple[int, ...]) -> list[Call]:
    return [
        gather_of(p, size, start_up_s + (TAU_S + T_C_S * p) * size) for p in (2, 4, 8, 32) for size in sizes
    ]


@pytest.mark.parametrize(("start_up_s", "start_up"), [(0.009, True), (0.0, True), (0.0, False)])
def test_the_coefficients_of_exact_times(start_up_s: float, start_up: bool) -> None:
    tau, t_c = linear_coefficients(gathers(start_up_s, (10_000, 500_000)), start_up)
    assert (tau, t_c) == pytest.approx((1e6 * TAU_S, 1e6 * T_C_S))


def test_messages_below_10_kb_are_left_out() -> None:
    tau, t_c = linear_coefficients([*gathers(0.0, (10_000, 80_000)), gather_of(8, 9_999, 1.0)], False)
    assert (tau, t_c) == pytest.approx((1e6 * TAU_S, 1e6 * T_C_S))
