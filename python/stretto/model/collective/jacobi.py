# SPDX-License-Identifier: BSD-3-Clause
"""One iteration of the Jacobi method, distributed by rows or by columns: equations 1 and 2 of the paper.

The network model evaluates them and the additional time of successive iterations
(`src/network/jacobi_iteration.cpp`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stretto.model.collective.functions import Functions, Prediction
from stretto.model.collective.two_phase import Gain, Grid
from stretto.native.model import Answer

LAYOUTS = ("row", "column")


@dataclass(frozen=True)
class Iteration:
    """The predicted time of one iteration.

    Attributes:
        layout: `row` or `column`.
        grid: The grid of its collectives; None where they are flat.
        compute_s: The computation of the process with most rows, for which all others wait.
        communication: The time of its collectives.
        time: The sum of computation and communication, which the paper's program does not overlap.
        gain: The gain over the flat iteration of the layout; None where one of them is unknown or not
            requested.
    """

    layout: str
    grid: Grid | None
    compute_s: float
    communication: Prediction
    time: Prediction
    gain: Gain | None


@dataclass(frozen=True)
class Iterations:
    """Iterations by layout and grid, the fastest first and those without a prediction last.

    Attributes:
        rows: All requested iterations.
        best: The fastest, with a grid only where it is significantly faster than flat; None without any.
    """

    rows: tuple[Iteration, ...]
    best: Iteration | None

    @property
    def shortest_flat(self) -> Iteration | None:
        """The fastest one with flat collectives; None without any prediction."""
        return next((one for one in self.rows if one.grid is None and one.time.known), None)


def all_iterations(
    functions: Functions,
    unknowns: int,
    members: int,
    operation_s: Mapping[str, float],
    grids: Sequence[Grid | None] | None = None,
) -> Iterations:
    """Iterations by every layout with every grid.

    Args:
        functions: The runtime functions of the machine.
        unknowns: n.
        members: p.
        operation_s: t_op, the time of one arithmetic operation, for each requested layout.
        grids: The requested grids, with None for flat collectives; by default flat and every grid.
    """
    answer = functions.query(
        "jacobi",
        unknowns=unknowns,
        ranks=members,
        layouts=[{"layout": layout, "operation_s": one_s} for layout, one_s in operation_s.items()],
        grids=None if grids is None else [grid_name(grid) for grid in grids],
    )
    rows = tuple(_iteration(one) for one in answer["iterations"])
    return Iterations(rows, None if answer["chosen"] is None else rows[answer["chosen"]])


def _iteration(answer: Answer) -> Iteration:
    return Iteration(
        answer["layout"],
        Grid(answer["rows"], answer["columns"]) if answer["rows"] else None,
        answer["compute_s"],
        Prediction.of(answer["communication"]),
        Prediction.of(answer["time"]),
        Gain.of(answer["gain"]),
    )


def grid_name(grid: Grid | None) -> str:
    """`P1xP2`, or `flat`."""
    return str(grid) if grid else "flat"
