# SPDX-License-Identifier: BSD-3-Clause
"""A collective on a p1 x p2 grid: the runtime functions of its two phases added up (section 3 of the paper).

Row groups have p2 members, column groups p1 (section 2, which section 3 contradicts).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from stretto.errors import UserError
from stretto.model.collective.functions import Functions, Prediction, added, in_a_row
from stretto.model.collective.programs import ROOTED, Part, Placement, parts_of


@dataclass(frozen=True)
class Grid:
    """p1 row groups of p2 processes each, and p2 column groups of p1."""

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def members(self) -> int:
        return self.rows * self.columns


def parse_grid(text: str, members: int, what: str = "grid") -> Grid:
    """The grid that `P1xP2` means; `what` names the option or the member in the error.

    Raises:
        UserError: That is no grid of `members` processes; says which there are.
    """
    shown = text if len(text) <= 20 else f"{text[:20]}..."
    grid = _grid(text)
    if grid is None:
        raise UserError(f"{what} '{shown}' is not P1xP2; write it like 4x24")
    if grid.members != members:
        known = ", ".join(str(g) for g in grids_of(members)) or "none: it is prime"
        raise UserError(f"{what} '{text}' has {grid.members} processes, not {members}; choose from {known}")
    return grid


def _grid(text: str) -> Grid | None:
    first, _, second = text.lower().partition("x")
    if len(text) > 20 or not all(n.isascii() and n.isdigit() and int(n) > 0 for n in (first, second)):
        return None
    return Grid(int(first), int(second))


def full_grid(text: str, members: int) -> Grid | None:
    """The grid that a sample says; None where it does not hold exactly `members`: such have no prediction."""
    grid = _grid(text)
    return grid if grid is not None and grid.members == members else None


def grids_of(members: int) -> list[Grid]:
    """All p1 x p2 = p with neither of them 1, p1 ascending."""
    return [Grid(p1, members // p1) for p1 in range(2, members // 2 + 1) if members % p1 == 0]


# The b of the leader and of the concurrent groups: the table in docs/formats.md.
_SIZES: Mapping[str, tuple[str, str]] = {
    "broadcast": ("b", "b"),
    "reduce": ("b", "b"),
    "allreduce": ("b", "b"),
    "scatter": ("p1 b", "b"),
    "gather": ("p1 b", "b"),
    "allgather": ("b", "p2 b"),
    "reduce-scatter": ("b", "p2 b"),
    "alltoall": ("p1 b", "p2 b"),
}


_COLUMNS_FIRST = ("gather", "reduce")

# Into how many a message may be cut, and whose messages are (as the library of collectives has it).
SEGMENTS = (2, 4, 8, 16, 32, 64)
CUT = ("broadcast", "reduce")


@dataclass(frozen=True)
class TwoPhase:
    """Predictions of one two-phase call.

    Attributes:
        grid: On which it is.
        leader: The phase in the leader groups, of one segment.
        concurrent: The phase in the concurrent groups, of one segment.
        segments: Into how many the message is cut; one: first one phase, then the other.
        overlap: Which fraction of the shorter phase hides under the longer's next segment.
        coupling_s: What the whole takes beyond the sum of its phases, where that was measured.
    """

    grid: Grid
    leader: Prediction
    concurrent: Prediction
    segments: int = 1
    overlap: float = 0.0
    coupling_s: float = 0.0

    @property
    def total(self) -> Prediction:
        """Of all segments: s (t1 + t2) - (s - 1) overlap min(t1, t2). Uncut: t1 + t2 and the coupling."""
        phases = [self.leader, self.concurrent]
        both = added(phases)
        if both.time_s is None or self.segments == 1:
            return in_a_row(phases, self.coupling_s)
        shorter_s = min(self.leader.time_s or 0.0, self.concurrent.time_s or 0.0)
        hidden_s = (self.segments - 1) * self.overlap * shorter_s
        return Prediction(self.segments * both.time_s - hidden_s, both.deviation)


def phase_size_bytes(operation: str, phase: str, grid: Grid, size_bytes: int) -> int:
    """The b of a phase of a two-phase call of `size_bytes` on `grid`."""
    leader, concurrent = _SIZES[operation]
    times = {"b": 1, "p1 b": grid.rows, "p2 b": grid.columns}
    return times[leader if phase == "leader" else concurrent] * size_bytes


def phase_placement(operation: str, phase: str, grid: Grid) -> Placement:
    """Which ranks the groups of a phase have: columns all at once, rows all at once where no root leads."""
    if phase == "concurrent":
        return Placement(grid.columns, grid.columns)
    return Placement(1, 1 if operation in ROOTED else grid.rows)


def predict_two_phase(functions: Functions, operation: str, grid: Grid, size_bytes: int) -> TwoPhase:
    """t(p2, ...) + t(p1, ...): of a broadcast t(p2, b) + t(p1, b), of an allgather t(p2, b) + t(p1, p2 b)."""
    leader_bytes = phase_size_bytes(operation, "leader", grid, size_bytes)
    concurrent_bytes = phase_size_bytes(operation, "concurrent", grid, size_bytes)
    return TwoPhase(
        grid,
        functions.predict(
            operation, grid.columns, leader_bytes, "leader", phase_placement(operation, "leader", grid)
        ),
        functions.predict(
            operation,
            grid.rows,
            concurrent_bytes,
            "concurrent",
            phase_placement(operation, "concurrent", grid),
        ),
        coupling_s=functions.coupling_s(operation, grid.rows, grid.columns, size_bytes)
        + functions.beyond_s(phases_of(operation, grid), size_bytes),
    )


def phases_of(operation: str, grid: Grid, size_bytes: int = 1) -> list[list[Part]]:
    """The messages of both phases in their order, in bytes (or in units of b); none where not known."""
    order = ("concurrent", "leader") if operation in _COLUMNS_FIRST else ("leader", "concurrent")
    return [
        parts_of(
            operation,
            grid.columns if phase == "leader" else grid.rows,
            phase_placement(operation, phase, grid),
            phase_size_bytes(operation, phase, grid, size_bytes),
        )
        for phase in order
    ]


def fastest_cut(functions: Functions, operation: str, grid: Grid, size_bytes: int) -> TwoPhase:
    """The two-phase call with the number of segments that is predicted to be fastest; often one."""
    best = predict_two_phase(functions, operation, grid, size_bytes)
    overlap = functions.phases_overlap(operation, grid.members, size_bytes)
    if overlap is None or operation not in CUT or best.total.time_s is None:
        return best
    for segments in SEGMENTS:
        cut = segmented(functions, operation, grid, size_bytes, segments, overlap)
        if cut.total.time_s is None:
            break
        best = min(best, cut, key=lambda two: two.total.time_s or 0.0)
    return best


def segmented(
    functions: Functions, operation: str, grid: Grid, size_bytes: int, segments: int, overlap: float
) -> TwoPhase:
    """The call cut into `segments`, whose phases overlap by so much of the shorter."""
    whole = predict_two_phase(functions, operation, grid, size_bytes // segments)
    return TwoPhase(grid, whole.leader, whole.concurrent, segments, overlap)
