# SPDX-License-Identifier: BSD-3-Clause
"""Flat, p1 x p2, or undecided: what the runtime functions advise for a call, and what that would gain."""

from dataclasses import dataclass

from stretto.model.collective.functions import Functions, Prediction
from stretto.model.collective.two_phase import TwoPhase, fastest_cut, grids_of

FLAT, UNDECIDED = "flat", "undecided"


@dataclass(frozen=True)
class Gain:
    """1 - t_two-phase / t_flat with the interval that both deviations leave; negative is a loss."""

    value: float
    ci95_low: float
    ci95_high: float


@dataclass(frozen=True)
class Choice:
    """What to use for an operation of `size_bytes` among `members`.

    Attributes:
        use: `flat`, `undecided` (which means flat), or the grid as `P1xP2`.
        flat: The flat call.
        best: The fastest two-phase call of those that have a prediction; None where none has.
        gain: Of `best` over `flat`; None where one of the two is unknown.
        reason: Why there is no comparison; None where there is one.
    """

    operation: str
    members: int
    size_bytes: int
    use: str
    flat: Prediction
    best: TwoPhase | None
    gain: Gain | None
    reason: str | None = None


def gain_of(flat: Prediction, two_phase: Prediction) -> Gain | None:
    """None where one of them is unknown, or where the flat call may take no time at all."""
    if flat.time_s is None or two_phase.time_s is None or flat.deviation >= 1 or flat.time_s == 0:
        return None
    ratio = two_phase.time_s / flat.time_s
    worst = ratio * (1 + two_phase.deviation) / (1 - flat.deviation)
    return Gain(1 - ratio, 1 - worst, 1 - ratio * (1 - two_phase.deviation) / (1 + flat.deviation))


def all_grids(functions: Functions, operation: str, members: int, size_bytes: int) -> list[TwoPhase]:
    """Every p1 x p2 grid's prediction, fastest first, those without a prediction last."""
    found = [fastest_cut(functions, operation, grid, size_bytes) for grid in grids_of(members)]
    return sorted(found, key=lambda two: (two.total.time_s is None, two.total.time_s or 0.0))


def choose(functions: Functions, operation: str, members: int, size_bytes: int) -> Choice:
    """The fastest grid where it is faster than flat for certain, flat where that is, else undecided.

    For certain: the intervals of the two predictions lie apart (docs/formats.md).
    """
    flat = functions.predict(operation, members, size_bytes)
    ranked = all_grids(functions, operation, members, size_bytes)
    best = ranked[0] if ranked and ranked[0].total.known else None
    gain = gain_of(flat, best.total) if best else None
    reason = None
    use = UNDECIDED
    if not ranked:
        use, reason = FLAT, f"{members} processes make no grid"
    elif gain is None:
        reason = flat.reason or (
            ranked[0].total.reason if best is None else "the flat call's time is uncertain"
        )
    elif best is not None and gain.ci95_low > 0:
        use = str(best.grid)
    elif gain.ci95_high < 0:
        use = FLAT
    return Choice(operation, members, size_bytes, use, flat, best, gain, reason)
