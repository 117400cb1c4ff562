# SPDX-License-Identifier: BSD-3-Clause
"""The choice depends on the intervals of both predictions; Jacobi follows equations 1 and 2."""

import pytest

from stretto.data.collectives import RuntimeFunction, Term
from stretto.data.figures import Figure
from stretto.errors import UserError
from stretto.model.collective.choice import choose
from stretto.model.collective.functions import Functions
from stretto.model.collective.jacobi import LAYOUTS, Iteration, all_iterations, grid_name
from stretto.model.collective.two_phase import Grid, TwoPhase, grids_of, parse_grid

LOW, HIGH = 2, 1 << 40


def function(operation: str, per_byte: float, of_p: str = "p-1", deviation: float = 0.0) -> RuntimeFunction:
    terms = (Term(of_p, "b", Figure(per_byte)),)
    return RuntimeFunction(operation, LOW, 1 << 20, 1, HIGH, terms=terms, deviation=deviation)


@pytest.mark.parametrize(
    ("deviation", "use"),
    [(0.0, "4x4"), (0.3, "4x4"), (0.45, "undecided")],  # 6 against 15: apart up to 0.43
)
def test_a_grid_is_chosen_where_the_intervals_lie_apart(deviation: float, use: str) -> None:
    functions = Functions((function("broadcast", 1e-9, deviation=deviation),))
    assert choose(functions, "broadcast", 16, 1000).use == use


def test_flat_is_chosen_where_the_best_grid_loses_for_certain() -> None:
    functions = Functions((function("broadcast", 1e-9, "1", deviation=0.1),))
    choice = choose(functions, "broadcast", 16, 1000)
    assert choice.use == "flat" and choice.gain is not None
    assert choice.gain.value == pytest.approx(-1.0)
    assert choice.gain.ci95_low == pytest.approx(1 - 2.2 / 0.9) and choice.gain.ci95_high == pytest.approx(
        1 - 1.8 / 1.1
    )


def test_a_prime_number_of_processes_has_ragged_grids_and_what_is_unknown_is_undecided() -> None:
    functions = Functions((function("broadcast", 1e-9),))
    assert choose(functions, "broadcast", 13, 1000).use == "4x4"
    assert choose(functions, "broadcast", 2, 1000).use == "flat"
    unknown = choose(functions, "reduce", 16, 1000)
    assert unknown.use == "undecided" and "no runtime function for reduce" in str(unknown.reason)


def test_two_sums_that_name_each_other_end() -> None:
    from stretto.data.collectives import Summand

    def loop(operation: str, part: str) -> RuntimeFunction:
        return RuntimeFunction(operation, LOW, 64, 1, HIGH, sum_of=(Summand(part, "b"),))

    functions = Functions((loop("allgather", "allreduce"), loop("allreduce", "allgather")))
    assert "sum within a sum" in str(functions.predict("allgather", 4, 8).reason)


def four_by_four(functions: Functions) -> TwoPhase:
    """A broadcast of 1 MiB on this grid, cut as is fastest."""
    grids = choose(functions, "broadcast", 16, 1 << 20).grids
    return next(two for two in grids if two.grid == Grid(4, 4))


def test_segments_are_taken_where_they_hide_something() -> None:
    flat = function("broadcast", 1e-9, "ceil-log2-p")
    overlap = RuntimeFunction("broadcast", LOW, 64, 1, HIGH, phases_overlap=1.0)
    whole, cut = four_by_four(Functions((flat,))), four_by_four(Functions((flat, overlap)))
    assert whole.segments == 1 and cut.segments == 64
    assert whole.total.time_s is not None and cut.total.time_s is not None
    assert cut.total.time_s / whole.total.time_s == pytest.approx((64 * 2 - 63) / 128)


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


def flat_iteration(functions: Functions, layout: str, unknowns: int, members: int) -> Iteration:
    return all_iterations(functions, unknowns, members, {layout: T_OP}, [None]).rows[0]


def test_equations_1_and_2() -> None:
    functions = Functions(
        (function("allgather", 3e-9), function("reduce", 2e-9), function("broadcast", 1e-9))
    )
    row = flat_iteration(functions, "row", 960, 96)
    assert row.time.time_s == pytest.approx(2 * 960**2 / 96 * T_OP + 95 * 3e-9 * 8 * 10)
    column = flat_iteration(functions, "column", 960, 96)
    assert column.time.time_s == pytest.approx(2 * 960 / 96 * 959 * T_OP + 95 * 3e-9 * 8 * 960)


def test_the_process_with_most_rows_is_waited_for() -> None:
    functions = Functions((function("allgather", 3e-9),))
    row = flat_iteration(functions, "row", 1000, 96)
    assert row.compute_s == pytest.approx(2 * 11 * 1000 * T_OP)
    assert row.communication.time_s == pytest.approx(95 * 3e-9 * 8 * 11)


def test_layout_and_grid_are_ranked_by_time_and_the_unknown_comes_last() -> None:
    functions = Functions((function("allgather", 3e-9, "1"),))
    result = all_iterations(functions, 1000, 16, dict.fromkeys(LAYOUTS, T_OP)).rows
    assert result[0].layout == "row" and result[0].grid is None
    assert [one.layout for one in result[-4:]] == ["column"] * 4 and not result[-1].time.known
    gain = result[1].gain
    assert gain is not None and gain.value < 0


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


def test_a_grid_that_was_requested_is_taken_and_an_unknown_iteration_never() -> None:
    functions = Functions((function("allgather", 3e-9, "1"),))
    times_s = dict.fromkeys(LAYOUTS, T_OP)
    best = all_iterations(functions, 1000, 16, times_s, [Grid(2, 8)]).best
    assert best is not None and (best.layout, best.grid) == ("row", Grid(2, 8))
    assert all_iterations(Functions(()), 1000, 16, times_s).best is None
