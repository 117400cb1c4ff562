# SPDX-License-Identifier: BSD-3-Clause
"""Choices and Jacobi iterations as the native model answers; its tests are those of `tests/cpp`."""

import pytest

from stretto.data.collectives import RuntimeFunction, Term
from stretto.data.figures import Figure
from stretto.errors import UserError
from stretto.model.collective.choice import choose
from stretto.model.collective.functions import Functions
from stretto.model.collective.jacobi import all_iterations, grid_name
from stretto.model.collective.two_phase import Grid, grids_of, parse_grid

LOW, HIGH = 2, 1 << 40


def function(operation: str, per_byte: float, of_p: str = "p-1", deviation: float = 0.0) -> RuntimeFunction:
    terms = (Term(of_p, "b", Figure(per_byte)),)
    return RuntimeFunction(operation, LOW, 1 << 20, 1, HIGH, terms=terms, deviation=deviation)


def test_flat_is_chosen_where_the_best_grid_loses_for_certain() -> None:
    functions = Functions((function("broadcast", 1e-9, "1", deviation=0.1),))
    choice = choose(functions, "broadcast", 16, 1000)
    assert choice.use == "flat" and choice.gain is not None
    assert choice.gain.value == pytest.approx(-1.0)
    assert choice.gain.ci95_low == pytest.approx(1 - 2.2 / 0.9) and choice.gain.ci95_high == pytest.approx(
        1 - 1.8 / 1.1
    )


def test_the_grids_of_a_number() -> None:
    assert [str(grid) for grid in grids_of(12)] == ["2x6", "3x4", "4x3", "6x2"]
    assert grids_of(7) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3x5", "has 15 processes, not 12; choose from 2x6, 3x4, 4x3, 6x2"),
        ("12", "is not P1xP2"),
        ("0x12", "is not P1xP2"),
        ("3×4", "is not P1xP2"),
        ("-3x-4", "is not P1xP2"),
        ("9" * 5000 + "x2", "is not P1xP2"),
    ],
)
def test_an_invalid_grid_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError) as refused:
        parse_grid(text, 12)
    assert message in str(refused.value)


T_OP = 1.25e-9


@pytest.mark.parametrize(
    ("deviation", "row_op_s", "chosen"),
    [
        (0.01, T_OP, ("column", "4x4")),
        (0.5, T_OP, ("row", "flat")),  # the grid is faster, but not for certain, and flat columns are slower
        (0.01, 0.01 * T_OP, ("row", "flat")),  # communicates longer, and computes shorter
    ],
)
def test_a_grid_is_chosen_where_it_gains_for_certain(
    deviation: float, row_op_s: float, chosen: tuple[str, str]
) -> None:
    """By rows 15 c b on any grid; by columns 30 c b flat, 12 c b on 4 x 4."""
    parts = [("allgather", 20e-9), ("reduce", 1e-9), ("broadcast", 1e-9)]
    functions = Functions(tuple(function(name, one, deviation=deviation) for name, one in parts))
    result = all_iterations(functions, 1600, 16, {"row": row_op_s, "column": T_OP})
    best = result.best
    assert best is not None and (best.layout, grid_name(best.grid)) == chosen


def test_only_requested_grids_are_predicted_and_none_is_chosen_without_functions() -> None:
    times_s = {"row": T_OP, "column": T_OP}
    functions = Functions((function("allgather", 3e-9, "1"),))
    result = all_iterations(functions, 1000, 16, times_s, [Grid(2, 8)])
    assert [(one.layout, one.grid, one.time.known) for one in result.rows] == [
        ("row", Grid(2, 8), True),
        ("column", Grid(2, 8), False),
    ]
    assert result.best == result.rows[0]
    assert all_iterations(Functions(()), 1000, 16, times_s).best is None
