# SPDX-License-Identifier: BSD-3-Clause
"""Chooses flat or p1 x p2 for a collective call from the runtime functions, and gives the gain."""

from collections.abc import Iterable
from dataclasses import dataclass

from stretto.model.collective.functions import Functions, Prediction
from stretto.model.collective.two_phase import Gain, TwoPhase
from stretto.native.model import Answer

FLAT, UNDECIDED = "flat", "undecided"

# Operation, p and b of a call.
CallSize = tuple[str, int, int]


@dataclass(frozen=True)
class Choice:
    """The choice for an operation of `size_bytes` among `members`.

    Attributes:
        use: `flat`, `undecided` (which means flat), or the grid as `P1xP2`.
        flat: The prediction of the flat call.
        grids: The predictions of every p1 x p2 grid, fastest first, unknown ones last.
        gain: The gain of the grid `best` over `flat`; None where one of the two is unknown.
        reason: Why there is no comparison; None where there is one.
    """

    operation: str
    members: int
    size_bytes: int
    use: str
    flat: Prediction
    grids: tuple[TwoPhase, ...]
    gain: Gain | None
    reason: str | None = None

    @property
    def best(self) -> TwoPhase | None:
        """The chosen grid, or the fastest; None where no prediction exists."""
        known = [grid for grid in self.grids if grid.total.known]
        chosen = [grid for grid in known if str(grid.grid) == self.use]
        return next(iter(chosen or known), None)


def choices(functions: Functions, calls: Iterable[CallSize]) -> list[Choice]:
    """For each call the fastest grid, flat, or undecided.

    A grid or flat wins only where the intervals of the two predictions do not overlap (docs/formats.md).
    """
    selected = list(calls)
    if not selected:
        return []
    questions = [{"operation": o, "members": p, "size_bytes": b} for o, p, b in selected]
    answers = functions.query("collective-choices", calls=questions)["choices"]
    return [_choice(call, answer) for call, answer in zip(selected, answers, strict=True)]


def choose(functions: Functions, operation: str, members: int, size_bytes: int) -> Choice:
    """The choice for one call; `choices` is faster for several."""
    return choices(functions, [(operation, members, size_bytes)])[0]


def _choice(call: CallSize, answer: Answer) -> Choice:
    return Choice(
        *call,
        use=answer["use"],
        flat=Prediction.of(answer["flat"]),
        grids=tuple(TwoPhase.of(grid) for grid in answer["grids"]),
        gain=Gain.of(answer["gain"]),
        reason=answer["reason"],
    )
