# SPDX-License-Identifier: BSD-3-Clause
"""Runtime functions: coefficients come back from times that were made of them, and phases add up as in section 2."""

import math

import numpy as np
import pytest

from stretto.model.collective.measured import Call
from stretto.model.collective.two_phase import Grid
from validation.papers.runtime_forms import CLIC, T3E, RuntimeFunctions, fitted

TAU_S, T_C_S, START_S = -0.0825e-6, 0.0929e-6, 0.009
PROCESSORS, SIZES = (2, 3, 4, 5, 8, 32), (10_000, 500_000)


def call(operation: str, p: int, size_bytes: int, time_s: float) -> Call:
    return Call(operation, "reference", p, size_bytes, None, "total", 1, time_s, np.array([time_s]))


def rooted(p: int, b: int) -> float:
    return START_S + (TAU_S + T_C_S * p) * b


def grown(p: int, b: int) -> float:
    """Linear up to four processors, logarithmic above."""
    return (TAU_S + T_C_S * p) * b if p <= 4 else (0.038e-6 + 0.474e-6 * math.log2(p)) * b


def staged(p: int, b: int) -> float:
    return (TAU_S + T_C_S * p) * b if p <= 4 else (0.141e-6 + 0.101e-6 * math.floor(math.log2(p - 1))) * b


@pytest.fixture(scope="module")
def functions() -> RuntimeFunctions:
    of = {"broadcast": grown, "reduce": staged, "gather": rooted, "scatter": rooted}
    calls = [call(name, p, b, made(p, b)) for name, made in of.items() for p in PROCESSORS for b in SIZES]
    return fitted(CLIC, calls)


def test_the_coefficients_of_exact_times(functions: RuntimeFunctions) -> None:
    assert functions.coefficient("gather", "tau_1") == pytest.approx(START_S)
    assert functions.coefficient("gather", "tau") == pytest.approx(TAU_S)
    assert functions.coefficient("broadcast", "tau", 4) == pytest.approx(TAU_S)
    assert functions.coefficient("broadcast", "t_c", 8) == pytest.approx(0.474e-6)
    assert functions.coefficient("reduce", "t_c", 8) == pytest.approx(0.101e-6)


def test_leader_and_concurrent_groups_have_the_papers_sizes(functions: RuntimeFunctions) -> None:
    grid, b = Grid(3, 8), 10_000  # p1 = 3, p2 = 8
    assert functions.phase_s("broadcast", "leader", grid, b) == pytest.approx(grown(8, b))
    assert functions.phase_s("broadcast", "concurrent", grid, b) == pytest.approx(grown(3, b))
    assert functions.phase_s("scatter", "leader", grid, b) == pytest.approx(rooted(8, 3 * b))
    assert functions.phase_s("gather", "concurrent", grid, b) == pytest.approx(rooted(3, b))


def test_a_two_phase_call_is_the_sum_of_its_phases(functions: RuntimeFunctions) -> None:
    assert functions.call_s("scatter", 24, Grid(3, 8), 10_000) == pytest.approx(
        rooted(8, 30_000) + rooted(3, 10_000)
    )


def test_allreduce_and_allgather_are_sums_of_others(functions: RuntimeFunctions) -> None:
    assert functions.time_s("allreduce", 8, 10_000) == pytest.approx(staged(8, 10_000) + grown(8, 10_000))
    assert functions.time_s("allgather", 8, 10_000) == pytest.approx(rooted(8, 10_000) + grown(8, 80_000))


def test_one_processor_has_nothing_to_do(functions: RuntimeFunctions) -> None:
    assert functions.time_s("broadcast", 1, 10_000) == 0


def test_formula_1_of_the_t3e_ends_at_8448_kb() -> None:
    points = [(p, b) for p in (4, 16, 32) for b in (10_000, 250_000)]
    calls = [call(name, p, b, 3e-9 * p * b) for name in ("gather", "scatter") for p, b in points]
    functions = fitted(T3E, calls)
    assert functions.time_s("gather", 32, 264_000) == pytest.approx(3e-9 * 32 * 264_000)
    assert math.isnan(functions.time_s("gather", 32, 265_000))
    assert functions.time_s("scatter", 32, 265_000) == pytest.approx(3e-9 * 32 * 265_000)
