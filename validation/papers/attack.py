# SPDX-License-Identifier: BSD-3-Clause
"""Every claim is attacked: by worlds in which the paper would be wrong, and over the plausible ranges of what
the papers do not publish. The verdict says what is left.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from validation.papers.figures import Claim, Computation, Computed, PaperFigure
from validation.papers.provenance import Parameter, parameters
from validation.papers.registry import claim_name
from validation.papers.world import Form, World, alternatives

_BISECTIONS = 5


class Verdict(Enum):
    """What a claim is worth here."""

    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    CALIBRATED = "calibrated"
    CONSTRUCTED = "by construction"
    IMPOSSIBLE = "not possible here"


COULD_HAVE_FAILED = (Verdict.REPRODUCED, Verdict.CALIBRATED, Verdict.DIFFERS)


@dataclass(frozen=True)
class Part:
    """The part of a parameter's plausible range over which a claim holds: from `low` to `high`."""

    parameter: Parameter
    low: float
    high: float

    @property
    def whole(self) -> bool:
        return self.low <= self.parameter.low and self.high >= self.parameter.high


@dataclass(frozen=True)
class Judged:
    """A claim with what came out.

    Attributes:
        value: Its value in the believed world; NaN where it cannot be computed.
        broken_by: The names of the worlds that break it.
        chosen: The parameters whose values were chosen by it.
        parts: The parameters that matter: those over whose whole range it does not hold.
        ranges: How many parameters were varied.
    """

    name: str
    claim: Claim
    value: float = math.nan
    broken_by: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    ranges: int = 0

    @property
    def verdict(self) -> Verdict:
        """Reproduced is what is inside its bounds, may fail, and was fitted to nothing."""
        if self.claim.impossible:
            return Verdict.IMPOSSIBLE
        if not self.claim.holds(self.value):
            return Verdict.DIFFERS
        if self.claim.constructed:
            return Verdict.CONSTRUCTED
        if self.chosen or self.parts:
            return Verdict.CALIBRATED
        return Verdict.REPRODUCED if self.broken_by else Verdict.CONSTRUCTED


def varied(figure: PaperFigure) -> list[Parameter]:
    """The unpublished parameters that a figure depends on."""
    return [
        one
        for name, one in parameters().items()
        if name in figure.parameters or name.partition(".")[0] in figure.machines
    ]


def judge(
    paper: str, figure: PaperFigure, compute: Computation | None, form: Form
) -> tuple[list[Judged], Computed | None]:
    """Computes a figure in the believed world, and attacks its claims."""
    if compute is None:
        return [_judged(paper, figure, one) for one in figure.claims], None
    believed = World(form=form)
    result = compute(believed)
    judged = [
        dataclasses.replace(_judged(paper, figure, one), value=result.values.get(one.key, math.nan))
        for one in figure.claims
    ]
    open_ones = [one for one in judged if one.claim.holds(one.value) and not one.claim.constructed]
    if (
        figure.simulated
    ):  # a claim that chose a parameter is calibrated whatever an attack by simulations says
        open_ones = [one for one in open_ones if not one.chosen]
    if open_ones:
        # Simulations are attacked at the sizes of the short form, which take seconds each.
        sizes: Form = "short" if figure.simulated else form
        attacked = {one.name: one for one in _attacked(figure, compute, sizes, open_ones)}
        judged = [attacked.get(one.name, one) for one in judged]
    return judged, result


def _judged(paper: str, figure: PaperFigure, claim: Claim) -> Judged:
    name = claim_name(paper, figure.name, claim)
    chosen = tuple(one.name for one in parameters().values() if name in one.chosen_by)
    return Judged(name, claim, chosen=chosen)


def _attacked(
    figure: PaperFigure, compute: Computation, form: Form, judged: Sequence[Judged]
) -> Iterator[Judged]:
    worlds = [(world.name, _values(compute, world)) for world in alternatives(form)]
    asked = varied(figure)
    believed = World(form=form)
    ends = {
        (one.name, end): _values(compute, believed.with_value(one.name, end))
        for one in asked
        for end in (one.low, one.high)
    }
    for mine in judged:
        claim = mine.claim
        broken = tuple(name for name, values in worlds if _breaks(claim, values))
        parts = []
        for one in asked:
            low = _reach(claim, compute, one, one.low, _holds(claim, ends[one.name, one.low]), form)
            high = _reach(claim, compute, one, one.high, _holds(claim, ends[one.name, one.high]), form)
            part = Part(one, low, high)
            if not part.whole:
                parts.append(part)
        yield dataclasses.replace(mine, broken_by=broken, parts=tuple(parts), ranges=len(asked))


def _reach(claim: Claim, compute: Computation, one: Parameter, end: float, holds: bool, form: Form) -> float:
    """How far from the believed value towards an end of the range a claim holds, by halving."""
    if holds:
        return end
    inside, outside = one.value, end
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        if _holds(claim, _values(compute, World(form=form).with_value(one.name, middle))):
            inside = middle
        else:
            outside = middle
    return inside


def _holds(claim: Claim, values: dict[str, float]) -> bool:
    return claim.holds(values.get(claim.key, math.nan))


def _values(compute: Computation, world: World) -> dict[str, float]:
    return dict(compute(world).values)


def _breaks(claim: Claim, values: dict[str, float]) -> bool:
    """Whether a world refutes a claim; a value that it does not give refutes nothing."""
    value = values.get(claim.key, math.nan)
    return not math.isnan(value) and not claim.holds(value)


def headline(judged: Iterable[Judged]) -> tuple[int, int]:
    """How many claims are reproduced, and how many could have failed."""
    verdicts = [one.verdict for one in judged]
    return verdicts.count(Verdict.REPRODUCED), sum(one in COULD_HAVE_FAILED for one in verdicts)
