# SPDX-License-Identifier: BSD-3-Clause
"""Every claim is attacked: by worlds in which the paper would be wrong, and over the plausible ranges of what
the papers do not publish. The verdict says what is left.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from validation.papers.figures import Claim, Computation, Computed, PaperFigure
from validation.papers.provenance import Parameter, parameters
from validation.papers.registry import claim_name
from validation.papers.world import OVERLAP, Form, World, alternatives

PLACES, SIMULATED_PLACES = 7, 2
"""At how many places of a plausible range a claim is tried; simulations are slow, and tried at the ends."""
_BISECTIONS = 5
_CROSSINGS = 10
"""How often the stretch between two places is halved that have values on both sides of a claim's bounds."""
Values = Mapping[str, float]
"""A figure's values by the keys of its claims."""


class Verdict(Enum):
    """What a claim is worth here."""

    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    CALIBRATED = "calibrated"
    CONSTRUCTED = "by construction"
    IMPOSSIBLE = "not possible here"


COULD_HAVE_FAILED = (Verdict.REPRODUCED, Verdict.CALIBRATED, Verdict.DIFFERS)


@dataclass(frozen=True)
class Stretch:
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
        parts: Of a claim that holds, the parameters over whose whole range it does not; of one that does not
            hold, those with a value at which it would.
        ranges: How many parameters were varied that change the value.
        worlds: How many of the alternative worlds change the value.
        only_at: The sizes of the attack, where it does not hold there and holds at its value's, or the other
            way round, so that it is not attacked; else empty.
    """

    name: str
    claim: Claim
    value: float = math.nan
    broken_by: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    parts: tuple[Stretch, ...] = ()
    ranges: int = 0
    worlds: int = 0
    only_at: str = ""

    @property
    def verdict(self) -> Verdict:
        """Reproduced is what is inside its bounds, may fail, and was fitted to nothing."""
        if self.claim.impossible:
            return Verdict.IMPOSSIBLE
        if not self.claim.holds(self.value):
            return Verdict.CALIBRATED if self.parts or self.only_at else Verdict.DIFFERS
        if self.claim.constructed:
            return Verdict.CONSTRUCTED
        if self.chosen or self.parts or self.only_at:
            return Verdict.CALIBRATED
        return Verdict.REPRODUCED if self.broken_by else Verdict.CONSTRUCTED

    @property
    def depends_on_eta_alone(self) -> bool:
        """Whether it holds over all ranges but those of the share eta that overlaps, of which it needs
        enough.
        """
        ends = f".{OVERLAP}"
        return bool(self.parts) and all(
            one.parameter.name.endswith(ends) and one.high >= one.parameter.high for one in self.parts
        )

    @property
    def sentence(self) -> tuple[str, str]:
        """The paper and its words, or the name of a sentence of which claims quote different parts."""
        return self.name.partition("/")[0], self.claim.sentence or self.claim.words

    @property
    def could_have_failed(self) -> bool:
        """What chose a parameter and holds cannot fail."""
        fitted = bool(self.chosen) and self.claim.holds(self.value)
        return self.verdict in COULD_HAVE_FAILED and not fitted


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
        dataclasses.replace(
            _judged(paper, figure, one),
            value=math.nan if one.impossible else result.values.get(one.key, math.nan),
        )
        for one in figure.claims
    ]
    # A claim that chose a parameter, and holds, is calibrated whatever an attack by simulations says.
    open_ones = [
        one
        for one in judged
        if not (one.claim.constructed and one.claim.holds(one.value))
        and not math.isnan(one.value)
        and not (figure.simulated and one.chosen and one.claim.holds(one.value))
    ]
    if open_ones:
        # Most simulations are attacked at the sizes of the short form, which take seconds each.
        sizes: Form = figure.attacked if figure.simulated and form == "full" else form
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
    believed = _values(compute, World(form=form))
    scans = [
        _Scan(one, compute, form, believed, SIMULATED_PLACES if figure.simulated else PLACES)
        for one in varied(figure)
    ]
    for mine in judged:
        claim = mine.claim
        holds = _holds(claim, believed)
        if holds is not claim.holds(mine.value):  # other sizes than those of the value
            yield dataclasses.replace(mine, only_at=form)
            continue
        broken = tuple(name for name, values in worlds if _breaks(claim, values))
        changing = sum(
            not math.isclose(values.get(claim.key, math.nan), believed[claim.key], rel_tol=1e-9)
            for _, values in worlds
        )
        moving = [scan for scan in scans if scan.moves(claim.key)]
        parts = [part for scan in moving if (part := scan.part(claim)) and not part.whole]
        yield dataclasses.replace(
            mine, broken_by=broken, parts=tuple(parts), ranges=len(moving), worlds=changing
        )


class _Scan:
    """The values of a figure over the plausible range of a parameter."""

    def __init__(
        self, one: Parameter, compute: Computation, form: Form, believed: Values, places: int
    ) -> None:
        self._parameter, self._compute, self._form = one, compute, form
        self._at = {one.value: believed}
        for end in (one.low, one.high):
            self._values(end)
        self._moving = {key for key, value in believed.items() if self._moves(key, value)}
        if self._moving:
            for place in one.steps(places):
                self._values(place)

    def moves(self, key: str) -> bool:
        """Whether a value is another one at the ends of the range."""
        return key in self._moving

    def _moves(self, key: str, believed: float) -> bool:
        every = [values.get(key, math.nan) for values in self._at.values()]
        return any(not math.isclose(one, believed, rel_tol=1e-9) for one in every)

    def part(self, claim: Claim) -> Stretch | None:
        """Where a claim holds: around the believed value, or else the longest stretch; None: nowhere."""
        self._look_between(claim)
        places = sorted(self._at)
        holds = [_holds(claim, self._at[place]) for place in places]
        stretches: list[list[int]] = []
        for index, one in enumerate(holds):
            if one and index and holds[index - 1]:
                stretches[-1].append(index)
            elif one:
                stretches.append([index])
        believed = places.index(self._parameter.value)
        longest = max(stretches, key=lambda one: places[one[-1]] - places[one[0]], default=None)
        mine = next((one for one in stretches if believed in one), longest)
        if mine is None:
            return None
        first, last = mine[0], mine[-1]
        low, high = places[first], places[last]
        if first > 0:
            low, _ = self._halved(claim, low, places[first - 1], _BISECTIONS)
        if last + 1 < len(places):
            high, _ = self._halved(claim, high, places[last + 1], _BISECTIONS)
        return Stretch(self._parameter, low, high)

    def _look_between(self, claim: Claim) -> None:
        """Adds places where a claim holds, between neighbours with values on both sides of its bounds."""
        places = sorted(self._at)
        for low, high in zip(places[:-1], places[1:], strict=True):
            if {_side(claim, self._at[low]), _side(claim, self._at[high])} == {-1, 1}:
                self._halved(claim, low, high, _CROSSINGS)

    def _halved(self, claim: Claim, first: float, second: float, halvings: int) -> tuple[float, float]:
        """Two places that a claim tells apart, nearer to each other; it ends where the claim holds between
        two at which it does not.
        """
        sides = [_side(claim, self._at[place]) for place in (first, second)]
        for _ in range(halvings):
            middle = (first + second) / 2
            side = _side(claim, self._values(middle))
            if side == 0 and 0 not in sides:
                break
            first, second = (middle, second) if side == sides[0] else (first, middle)
        return first, second

    def _values(self, place: float) -> Values:
        """The values at a place, which are computed once."""
        if place not in self._at:
            world = World(form=self._form).with_value(self._parameter.name, place)
            self._at[place] = _values(self._compute, world)
        return self._at[place]


def _side(claim: Claim, values: Values) -> int | None:
    """Where a value is: -1 below a claim's bounds, 0 inside, 1 above. None: there is no value."""
    value = values.get(claim.key, math.nan)
    if math.isnan(value):
        return None
    return (value > claim.high) - (value < claim.low)


def _holds(claim: Claim, values: Values) -> bool:
    return claim.holds(values.get(claim.key, math.nan))


def _values(compute: Computation, world: World) -> Values:
    return dict(compute(world).values)


def _breaks(claim: Claim, values: Values) -> bool:
    """Whether a world refutes a claim; a value that it does not give refutes nothing."""
    value = values.get(claim.key, math.nan)
    return not math.isnan(value) and not claim.holds(value)


def headline(judged: Iterable[Judged]) -> tuple[int, int]:
    """How many sentences of the papers are reproduced, and how many could have failed: some part of them can
    fail, and chose no parameter. A sentence is what its worst part is; parts that hold by construction say
    nothing.
    """
    sentences: dict[tuple[str, str], list[Judged]] = {}
    for one in judged:
        sentences.setdefault(one.sentence, []).append(one)
    could = [parts for parts in sentences.values() if any(one.could_have_failed for one in parts)]
    verdicts = [{one.verdict for one in parts} - {Verdict.CONSTRUCTED} for parts in could]
    return verdicts.count({Verdict.REPRODUCED}), len(could)
