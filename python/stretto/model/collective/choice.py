# SPDX-License-Identifier: BSD-3-Clause
"""Flat, p1 x p2, or undecided: what the runtime functions advise for a call, and what that would gain."""

from collections.abc import Iterable
from dataclasses import dataclass

from stretto.model.collective.functions import Functions, Prediction
from stretto.model.collective.two_phase import Gain, TwoPhase
from stretto.native.model import Answer

FLAT, UNDECIDED = "flat", "undecided"

# An operation, its p and its b.
CallSize = tuple[str, int, int]


@dataclass(frozen=True)
class Choice:
    """What to use for an operation of `size_bytes` among `members`.

    Attributes:
        use: `flat`, `undecided` (which means flat), or the grid as `P1xP2`.
        flat: The flat call.
        grids: Every p1 x p2 grid, fastest first, those without a prediction last.
        gain: Of the best grid over `flat`; None where one of the two is unknown.
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
        """The fastest two-phase call of those that have a prediction; None where none has."""
        return self.grids[0] if self.grids and self.grids[0].total.known else None


def choices(functions: Functions, calls: Iterable[CallSize]) -> list[Choice]:
    """For each call the fastest grid where it certainly beats flat, flat where that wins, else undecided.

    Certainly: the intervals of the two predictions lie apart (docs/formats.md).
    """
    mine = list(calls)
    if not mine:
        return []
    questions = [{"operation": o, "members": p, "size_bytes": b} for o, p, b in mine]
    answers = functions.ask("collective-choices", calls=questions)["choices"]
    return [_choice(call, answer) for call, answer in zip(mine, answers, strict=True)]


def choose(functions: Functions, operation: str, members: int, size_bytes: int) -> Choice:
    """The choice for one call; of many ask by `choices`."""
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
