# SPDX-License-Identifier: BSD-3-Clause
"""One iteration of the Jacobi method, distributed by rows or by columns: equations 1 and 2 of the paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stretto.model.collective import jacobi_loop
from stretto.model.collective.choice import Gain, gain_of
from stretto.model.collective.functions import Functions, Prediction, added
from stretto.model.collective.programs import ALONE, Part, parts_of
from stretto.model.collective.two_phase import Grid, grids_of, phases_of, predict_two_phase

LAYOUTS = ("row", "column")
_BYTES = 8  # of an element; equations 1 and 2 count elements
# What a layout communicates: each operation with whether it moves a block of the vector or all of it.
_COMMUNICATION = {"row": (("allgather", True),), "column": (("reduce", False), ("broadcast", False))}


@dataclass(frozen=True)
class Iteration:
    """The predicted time of one iteration. `grid` is None where its collectives are flat."""

    layout: str
    grid: Grid | None
    compute_s: float
    communication: Prediction

    @property
    def time(self) -> Prediction:
        """Computation and communication, which the paper's program does one after the other."""
        return added([Prediction(self.compute_s), self.communication])


def block_rows(unknowns: int, members: int) -> int:
    """ceil(n / p): the rows, or columns, of the process that has most of them, for which all others wait."""
    return -(-unknowns // members)


def operations(layout: str, unknowns: int, members: int) -> int:
    """Arithmetic operations of that process in an iteration: 2 n^2/p by rows, 2 n/p (n - 1) by columns.

    With ceil(n/p), as the paper's text has it, where the equations have n/p: exact where p divides n.
    """
    columns = unknowns if layout == "row" else unknowns - 1
    return 2 * block_rows(unknowns, members) * columns


def predict_iteration(
    functions: Functions, layout: str, unknowns: int, members: int, operation_s: float, grid: Grid | None
) -> Iteration:
    """T_row = 2 n^2/p t_op + t_mb(p, n/p), T_col = 2 n/p (n-1) t_op + t_acc(p, n) + t_sb(p, n): eq. 1, 2.

    And, where it is known who sends what to whom, what iterations take beyond that because they follow each
    other.

    Args:
        functions: Runtime functions of the machine.
        layout: `row` or `column`.
        unknowns: n.
        members: p.
        operation_s: t_op, the time of one arithmetic operation.
        grid: Of the two-phase collectives; None for flat ones.
    """
    parts = []
    for operation, is_block in _COMMUNICATION[layout]:
        size_bytes = _size_bytes(is_block, unknowns, members)
        if grid is None:
            parts.append(functions.predict(operation, members, size_bytes))
        else:
            parts.append(predict_two_phase(functions, operation, grid, size_bytes).total)
    parts.append(Prediction(_beyond_s(functions, layout, unknowns, members, operation_s, grid)))
    compute_s = operations(layout, unknowns, members) * operation_s
    return Iteration(layout, grid, compute_s, added(parts))


def _size_bytes(is_block: bool, unknowns: int, members: int) -> int:
    return _BYTES * (block_rows(unknowns, members) if is_block else unknowns)


def _beyond_s(
    functions: Functions, layout: str, unknowns: int, members: int, operation_s: float, grid: Grid | None
) -> float:
    """Seconds an iteration, often negative; 0 where messages are not known."""
    if functions.machine is None:
        return 0.0
    messages = [
        _messages(operation, _size_bytes(is_block, unknowns, members), members, grid)
        for operation, is_block in _COMMUNICATION[layout]
    ]
    lines = block_rows(unknowns, members)
    columns = unknowns if layout == "row" else unknowns - 1
    own_lines = [max(0, min(unknowns, lines * (rank + 1)) - lines * rank) for rank in range(members)]
    work_s = [[2 * count * columns * operation_s for count in own_lines]]
    if layout == "column":  # the root makes the new vector of the sum
        work_s.append([2 * unknowns * operation_s, *[0.0] * (members - 1)])
    return jacobi_loop.beyond_s(functions.machine, messages, work_s)


def _messages(operation: str, size_bytes: int, members: int, grid: Grid | None) -> list[Part]:
    """Of one of an iteration's operations, in bytes."""
    if grid is None:
        return parts_of(operation, members, ALONE, size_bytes)
    return [part for phase in phases_of(operation, grid, size_bytes) for part in phase]


def all_iterations(
    functions: Functions,
    unknowns: int,
    members: int,
    operation_s: Mapping[str, float],
    grids: Sequence[Grid | None] | None = None,
) -> list[Iteration]:
    """Iterations by layout and grid; fastest first, the unknown last.

    Args:
        functions: Runtime functions of the machine.
        unknowns: n.
        members: p.
        operation_s: t_op of each layout that is asked about.
        grids: Those asked about, None among them for flat collectives; without it flat and every grid.
    """
    among = (None, *grids_of(members)) if grids is None else grids
    found = [
        predict_iteration(functions, layout, unknowns, members, one_s, grid)
        for layout, one_s in operation_s.items()
        for grid in among
    ]
    return sorted(found, key=lambda it: (it.time.time_s is None, it.time.time_s or 0.0))


def choose_iteration(found: Sequence[Iteration]) -> Iteration | None:
    """The fastest of all layouts, with a grid only where that is faster than flat for certain.

    As for single calls: undecided means flat. A grid to which `found` has no flat iteration was asked for by
    itself. None where no iteration is left.

    Args:
        found: Fastest first (`all_iterations`).
    """
    return next((one for one in found if one.time.known and _is_certain(one, found)), None)


def _is_certain(iteration: Iteration, among: Sequence[Iteration]) -> bool:
    if iteration.grid is None or _flat_of(iteration.layout, among) is None:
        return True
    gain = gain_over_flat(iteration, among)
    return gain is not None and gain.ci95_low > 0


def shortest_flat(found: Sequence[Iteration]) -> Iteration | None:
    """The fastest iteration with flat collectives; None where none is known. `found`: fastest first."""
    return next((one for one in found if one.grid is None and one.time.known), None)


def gain_over_flat(iteration: Iteration, among: Sequence[Iteration]) -> Gain | None:
    """What the iteration gains over the flat one of its layout; None where one of them is unknown."""
    flat = _flat_of(iteration.layout, among)
    return None if flat is None or iteration.grid is None else gain_of(flat.time, iteration.time)


def _flat_of(layout: str, among: Sequence[Iteration]) -> Iteration | None:
    return next((one for one in among if one.layout == layout and one.grid is None), None)


def grid_name(grid: Grid | None) -> str:
    """`P1xP2`, or `flat`."""
    return str(grid) if grid else "flat"
