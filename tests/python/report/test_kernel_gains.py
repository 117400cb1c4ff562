# SPDX-License-Identifier: BSD-3-Clause
"""Gains of runs of kernels: over the plain way of the same problem, next to the bound of overlap."""

import json
from pathlib import Path

import pytest

from stretto.data.kernel_run import KernelResult, read_kernel_run
from stretto.report.blocks import Figure, Table
from stretto.report.kernel_gains import gain_blocks, gains_of
from stretto.report.views.run import run_view


def ran(
    variant: str, time_s: float, ranks: int = 4, work_s: float = 0.0, verified: bool = True
) -> KernelResult:
    timers = {"work": work_s, "sync": time_s - work_s}
    return KernelResult("f", "mg", "A", variant, "stretto", ranks, time_s, 1.0, verified, 8, timers)


def test_a_gain_is_over_the_plain_run_of_the_same_ranks() -> None:
    runs = [
        ran("two-sided", 4, 4),
        ran("nonblocking", 2, 4),
        ran("two-sided", 9, 8),
        ran("nonblocking", 3, 8),
    ]
    assert [(one.run.ranks, one.gain) for one in gains_of(runs)] == [(4, 2.0), (8, 3.0)]


@pytest.mark.parametrize(
    ("work_s", "bound"), [(2.0, 2.0), (3.0, 4 / 3), (1.0, 4 / 3), (0.0, 1.0), (4.0, 1.0)]
)
def test_the_bound_is_the_sum_over_the_longer(work_s: float, bound: float) -> None:
    (gain,) = gains_of([ran("blocking", 4.0, work_s=work_s), ran("nonblocking", 3.0)])
    assert gain.bound == pytest.approx(bound)


def test_the_first_plain_way_is_the_reference_in_any_order() -> None:
    runs = [ran("blocking", 3.0), ran("nonblocking", 2.0), ran("two-sided", 4.0)]
    assert {one.run.variant: one.gain for one in gains_of(runs)} == {"blocking": 4 / 3, "nonblocking": 2.0}


def test_wrong_results_and_runs_without_a_plain_one_have_no_gain() -> None:
    assert gains_of([ran("two-sided", 4.0), ran("nonblocking", 2.0, verified=False)]) == []
    assert gain_blocks([ran("nonblocking", 2.0), ran("two-sided", 4.0, ranks=8)]) == []


def test_a_plot_has_a_line_a_way_and_the_bound() -> None:
    runs = [
        ran("two-sided", 4, 4, 2),
        ran("nonblocking", 2, 4),
        ran("two-sided", 9, 8, 3),
        ran("nonblocking", 3, 8),
    ]
    figure, table = gain_blocks(runs)
    assert isinstance(figure, Figure) and isinstance(table, Table)
    lines = {one["name"]: (one["x"], one["y"]) for one in figure.spec["data"]}
    assert lines == {
        "nonblocking over stretto": (["4", "8"], [2.0, 3.0]),
        "bound": (["4", "8"], [2.0, 1.5]),
    }
    assert len(table.rows) == 2


@pytest.mark.parametrize(
    ("variant", "more", "carrier"),
    [("two-sided", {"moved_by": "mpi-two-sided"}, "mpi-two-sided"), ("signalled", {}, "stretto")],
)
def test_a_run_names_the_transport_that_carried_its_data(
    variant: str, more: dict[str, str], carrier: str, tmp_path: Path
) -> None:
    """The requested transport is another one where the variant decides it."""
    document = {
        "kernel": "cg", "class": "S", "variant": variant, "transport": "stretto", "ranks": 2, "time_s": 1.0,
        "mops": 1.0, "verified": True, "messages": 1, "timers": {"work": 1.0}, **more,
    }  # fmt: skip
    assert next(run_view(document)) == f"cg class S, {variant}, over {carrier}, 2 ranks"
    (tmp_path / "run.json").write_text(json.dumps(document), encoding="utf-8")
    assert read_kernel_run(tmp_path / "run.json").way == f"{variant} over {carrier}"


def test_the_times_of_different_ranks_are_no_parts_of_the_whole() -> None:
    """Each timer is the largest of a rank: work 0.8 s and sync 0.7 s are no parts of 1 s."""
    document = {
        "kernel": "cg", "class": "S", "variant": "auto", "transport": "stretto", "ranks": 2, "time_s": 1.0,
        "mops": 1.0, "verified": True, "messages": 1, "timers": {"work": 0.8, "sync": 0.7},
    }  # fmt: skip
    lines = list(run_view(document))
    assert lines[1:3] == ["  1 s, 1 Mop/s, 1 messages", "  at most, of any rank: work 800 ms, sync 700 ms"]
    assert list(run_view({**document, "ranks": 1}))[2] == "  of it work 800 ms, sync 700 ms"
