# SPDX-License-Identifier: BSD-3-Clause
"""Grids, and Jacobi iterations as the native model answers. `tests/cpp` has its rules, test_published.py its choices."""

import pytest

from stretto.data.collectives import RuntimeFunction, Term
from stretto.data.figures import Figure
from stretto.errors import UserError
from stretto.model.collective.functions import Functions
from stretto.model.collective.jacobi import all_iterations
from stretto.model.collective.two_phase import Grid, grids_of, parse_grid


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


def test_only_requested_grids_are_predicted_and_none_is_chosen_without_functions() -> None:
    times_s = {"row": 1.25e-9, "column": 1.25e-9}
    gathered = RuntimeFunction("allgather", 2, 1 << 20, 1, 1 << 40, terms=(Term("1", "b", Figure(3e-9)),))
    functions = Functions((gathered,))
    result = all_iterations(functions, 1000, 16, times_s, [Grid(2, 8)])
    assert [(one.layout, one.grid, one.time.known) for one in result.rows] == [
        ("row", Grid(2, 8), True),
        ("column", Grid(2, 8), False),
    ]
    assert result.best == result.rows[0]
    assert all_iterations(Functions(()), 1000, 16, times_s).best is None
