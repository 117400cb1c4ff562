# SPDX-License-Identifier: BSD-3-Clause
"""A collective on a p1 x p2 grid: p1 row groups of p2 members, p2 column groups of p1 (section 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from stretto.errors import UserError
from stretto.model.collective.functions import Functions, Prediction
from stretto.native.model import Answer


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
    """The grid of the text `P1xP2`; `what` names the option or member in the error.

    Raises:
        UserError: It is no grid of `members` processes; the message lists the valid ones.
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
    """The grid of a sample; None where it has not exactly `members`, because it then has no prediction."""
    grid = _grid(text)
    return grid if grid is not None and grid.members == members else None


def grids_of(members: int) -> list[Grid]:
    """All p1 x p2 = p with neither of them 1, p1 ascending."""
    return [Grid(p1, members // p1) for p1 in range(2, members // 2 + 1) if members % p1 == 0]


@dataclass(frozen=True)
class Gain:
    """1 - t_two-phase / t_flat with the interval from both deviations; negative for a loss."""

    value: float
    ci95_low: float
    ci95_high: float

    @staticmethod
    def of(answer: Answer | None) -> "Gain | None":
        """The gain in an answer of `stretto-model`; None where a time is unknown."""
        return None if answer is None else Gain(answer["value"], answer["ci95_low"], answer["ci95_high"])


@dataclass(frozen=True)
class GridCall:
    """A two-phase call to predict.

    Attributes:
        operation: Such as `broadcast`.
        grid: Its grid.
        size_bytes: b of the whole call.
        segments: The number of segments of the message; with one, the phases do not overlap.
        overlap: The fraction of the shorter phase that the longer one's next segment hides.
    """

    operation: str
    grid: Grid
    size_bytes: int
    segments: int = 1
    overlap: float = 0.0


@dataclass(frozen=True)
class TwoPhase:
    """Predictions of one two-phase call.

    Attributes:
        grid: Its grid.
        leader: The phase in the leader groups, for one segment.
        concurrent: The phase in the concurrent groups, for one segment.
        total: The time of all segments.
        segments: The number of segments of the message.
        coupling_s: The time of the unsegmented call beyond its phases by functions; may be negative.
        gain: The gain over the flat call; None where a time is unknown.
    """

    grid: Grid
    leader: Prediction
    concurrent: Prediction
    total: Prediction
    segments: int
    coupling_s: float
    gain: Gain | None

    @staticmethod
    def of(answer: Answer) -> "TwoPhase":
        """The two-phase call in an answer of `stretto-model`."""
        return TwoPhase(
            Grid(answer["rows"], answer["columns"]),
            Prediction.of(answer["leader"]),
            Prediction.of(answer["concurrent"]),
            Prediction.of(answer["total"]),
            answer["segments"],
            answer["beyond_s"],
            Gain.of(answer["gain"]),
        )


def two_phase_times(functions: Functions, calls: Sequence[GridCall]) -> list[TwoPhase]:
    """The predicted times of the calls; docs/formats.md has the table of phases."""
    if not calls:
        return []
    questions = [
        {
            "operation": call.operation,
            "grid": str(call.grid),
            "size_bytes": call.size_bytes,
            "segments": call.segments,
            "overlap": call.overlap,
        }
        for call in calls
    ]
    return [TwoPhase.of(grid) for grid in functions.query("collective-grids", calls=questions)["grids"]]
