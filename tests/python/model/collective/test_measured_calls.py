# SPDX-License-Identifier: BSD-3-Clause
"""Measured times of whole calls become members of a profile, and decide where they deviate less."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic_collectives import predict_two_phase

from stretto.data.collectives import RuntimeFunction, Term
from stretto.data.figures import Figure
from stretto.data.measured_collectives import MeasuredCall, MeasuredTime
from stretto.data.samples import read_samples
from stretto.model.collective.choice import choose
from stretto.model.collective.deviations import predicted
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import Call, measured_collectives
from stretto.model.collective.two_phase import Grid

GRID = Grid(2, 4)


def call(
    size: int, time_s: float, grid: Grid | None = None, rounds: int = 11, quantity: str = "total"
) -> Call:
    """A reduction of 8 ranks, with an interval of 2 % below and 1 % above."""
    replicates = np.linspace(0.98, 1.01, 201)[:200] * time_s
    return Call("reduce", "library", 8, size, grid, quantity, 1, time_s, replicates, 2, rounds)


def test_whole_calls_with_rounds_enough_for_an_interval_are_kept_by_size() -> None:
    phase = call(8, 1.0, GRID, quantity="leader")
    made = measured_collectives(
        [call(64, 3.0), call(8, 1.0), call(512, 9.0, rounds=5), call(8, 2.0, GRID), phase]
    )
    assert [(one.grid, [time.size_bytes for time in one.times]) for one in made] == [
        (None, [8, 64]),
        ("2x4", [8]),
    ]
    assert made[0].members == 8 and made[0].times[1].time_s == 3.0
    assert 0.02 < made[0].times[0].deviation < 0.03, "of the replicates, and more for so few rounds"


def test_what_no_profile_can_hold_is_left_out() -> None:
    assert measured_collectives([call(0, 1.0), call(8, 2e3), call(8, 1.0, Grid(1, 8))]) == ()


@pytest.mark.parametrize(
    ("hosts", "in_blocks"),
    [
        ("aabb", True),
        ("aab", True),
        ("abab", False),
        ("abb", False),
        ("aabba", False),
        ("a", True),
        ("", True),
    ],
)
def test_only_ranks_in_equal_blocks_of_nodes_are_as_a_profile_says(hosts: str, in_blocks: bool) -> None:
    samples = read_samples(Path(__file__).parents[3] / "golden" / "samples-1.0.jsonl")
    header = replace(samples.header, hosts=tuple(hosts))
    assert header.is_in_blocks == in_blocks


def test_a_choice_is_by_measured_calls_where_the_function_deviates_more() -> None:
    term = (Term("1", "1", Figure(1e-3)),)
    function = RuntimeFunction("reduce", 2, 8, 1, 1 << 20, terms=term, deviation=0.5)
    flat = MeasuredCall("reduce", 8, (MeasuredTime(64, 3e-3, 0.01),))
    on_grid = MeasuredCall("reduce", 8, (MeasuredTime(64, 2e-3, 0.01),), "2x4")
    functions = Functions((function,), measured=(flat, on_grid), ranks_per_node=2)
    choice = choose(functions, "reduce", 8, 64)
    assert choice.use == "2x4" and choice.flat.measured and choice.flat.time_s == 3e-3
    assert choice.best is not None and choice.best.total.measured and choice.best.total.time_s == 2e-3
    assert predict_two_phase(functions, "reduce", GRID, 64).total.time_s == 2e-3
    assert choose(functions, "reduce", 8, 65).use == "undecided"
    deviating = predicted(functions, [call(64, 3e-3), call(64, 2e-3, GRID)])
    assert [one.time_s for one in deviating] == [1e-3, 2e-3] and not any(one.measured for one in deviating)
