# SPDX-License-Identifier: BSD-3-Clause
"""Gains, their bound and kappa of paired rounds with known truth, and the rows of a problem."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from stretto.model.gain import Gains, gains_of
from stretto.model.schedules import Problem, problems_of

ROUNDS = 41
TIMES = {"T_w": 10e-3, "T_c": 8e-3, "exchange": 18e-3, "slabs": 10.5e-3}
CASE = {"probe": "ft", "case": 0, "ranks": 4, "transport": "mpi-rma", "progress": "none"}
CASE |= {"rows": 64, "row_length": 512, "scale": 1.0, "flops": 1e6}
SCHEDULES: dict[str, dict[str, Any]] = {
    "exchange": {"schedule": "exchange", "operation": "put", "chunks": 4, "size_bytes": 131072},
    "slabs": {"schedule": "slabs", "operation": "put", "chunks": 4, "size_bytes": 131072},
}


def frame(noise: float, skip: tuple[str, int] | None = None, **case: Any) -> pl.DataFrame:
    """Rows of one case; a round's noise is common to its quantities, as that of a machine is."""
    rng = np.random.default_rng(5)
    rows = []
    for number in range(ROUNDS):
        common = 1 + noise * rng.standard_normal()
        for name, time_s in TIMES.items():
            if (name, number) == skip:
                continue
            taken = time_s * common * (1 + 0.2 * noise * rng.standard_normal())
            work = 0.0 if name == "T_c" else (10e-3 if name == "T_w" else 11e-3) * common
            rows.append(
                {**CASE, **case, "quantity": name, "round": number, "time_s": taken, "messages": 3}
                | {"work_s": work, "work_min_s": 0.9 * work, "work_max_s": 1.2 * work}
                | {axis: SCHEDULES.get(name, {}).get(axis) for axis in SCHEDULES["slabs"]}
            )
    requested = [*pl.DataFrame(rows).columns]
    absent = [pl.lit(None).alias(name) for name in _columns() if name not in requested]
    return pl.DataFrame(rows).with_columns(absent)


def _columns() -> list[str]:
    from stretto.data.sample_columns import COLUMNS

    return [column.name for column in COLUMNS]


def gains(noise: float, floor_s: float = 1e-6) -> Gains:
    (problem,) = problems_of(frame(noise))
    return gains_of(problem, floor_s, seed=1)


def test_axes_of_the_problem_and_of_its_schedules() -> None:
    (problem,) = problems_of(frame(0.0))
    assert isinstance(problem, Problem)
    assert problem.axes["rows"] == 64 and problem.axes["scale"] == 1.0
    assert "schedule" not in problem.axes and "operation" not in problem.axes
    assert problem.runs["slabs"].axes["chunks"] == 4
    assert problem.runs["T_w"].axes == {}
    assert problem.reference is problem.runs["exchange"]
    assert problem.rounds == ROUNDS


def test_a_round_that_is_incomplete_is_dropped() -> None:
    (problem,) = problems_of(frame(0.0, skip=("slabs", 40)))
    assert problem.rounds == ROUNDS - 1
    assert len(problem.runs["exchange"].time_s) == ROUNDS - 1


def test_exact_figures_without_noise() -> None:
    result = gains(0.0)
    bound = result.bound().estimate
    assert bound is not None and bound.value == pytest.approx(18 / 10)
    gain = result.gain("slabs").estimate
    assert gain is not None and gain.value == pytest.approx(18 / 10.5)
    fraction = result.fraction("slabs").estimate
    assert fraction is not None and fraction.value == pytest.approx((18 / 10.5 - 1) / (18 / 10 - 1))
    kappa = result.kappa("slabs").estimate
    assert kappa is not None and kappa.value == pytest.approx(1.1)
    segments = {(name, over): f.estimate for name, over, f in result.segment_rows("slabs")}
    maximum = segments["work", "max"]
    assert maximum is not None and maximum.value == pytest.approx(13.2e-3)


def test_noise_that_all_of_a_round_share_leaves_gains_sharp() -> None:
    gain = gains(0.1).gain("slabs").estimate
    time = gains(0.1).time("slabs").estimate
    assert gain is not None and time is not None
    assert gain.ci95_low < 18 / 10.5 < gain.ci95_high
    assert gain.ci95_high - gain.ci95_low < 0.5 * (time.ci95_high - time.ci95_low) / time.value * gain.value


def test_a_time_under_the_noise_floors_is_unresolved() -> None:
    result = gains(0.0, floor_s=0.9e-3)
    assert result.gain("slabs").estimate is not None  # the shortest of the two is 10.5 ms
    assert result.bound().estimate is None and "8" in (result.bound().reason or "")
    assert result.fraction("slabs").estimate is None


def test_where_there_is_nothing_to_gain_no_share_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TIMES, "T_c", 1e-4)
    assert "too little" in (gains(0.0).fraction("slabs").reason or "")


def test_spmv_adds_its_two_computations() -> None:
    rows = frame(0.0).with_columns(
        pl.lit("spmv").alias("probe"),
        pl.lit(2e-3).alias("local_work_s"),
        pl.lit(3e-3).alias("remote_work_s"),
        pl.col("schedule").replace({"exchange": "bulk", "slabs": "gather"}),
        pl.col("quantity").replace({"exchange": "bulk", "slabs": "gather,prefetch=1"}),
    )
    (problem,) = problems_of(rows)
    assert problem.runs["bulk"].work_s("spmv")[0] == pytest.approx(5e-3)
    assert problem.reference is problem.runs["bulk"]
