# SPDX-License-Identifier: BSD-3-Clause
"""A figure or table of a paper against what is computed here: claims with tolerances, and the verdict.

A claim is a number or a statement that was read from the paper. Its tolerance stands in the registry, and
not in the computation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

Form = Literal["short", "full"]
"""The short form takes minutes for all figures; the full form has the papers' sizes."""


class Verdict(Enum):
    """Whether a figure comes out here; `CALIBRATED` where a platform was made so that it does."""

    REPRODUCED = "reproduced"
    CALIBRATED = "calibrated"
    DIFFERS = "differs"
    IMPOSSIBLE = "not possible"


@dataclass(frozen=True)
class Claim:
    """One thing that a figure shows.

    Attributes:
        key: The value of the computation that it is about.
        text: The quantity or statement.
        low: The smallest value that reproduces it.
        high: The largest one.
        paper: The paper's number; None for a bound or a statement.
        calibrates: Whether a platform's figure was chosen so that this claim holds. It is no evidence.
    """

    key: str
    text: str
    low: float
    high: float
    paper: float | None = None
    calibrates: bool = False

    def holds(self, value: float) -> bool:
        """Whether the value reproduces the claim; NaN does not."""
        return self.low <= value <= self.high

    def deviation(self, value: float) -> float | None:
        """(value - paper) / paper; None where the paper has no number."""
        return None if not self.paper else value / self.paper - 1

    @property
    def expected(self) -> str:
        """The paper's number or bound, and what is accepted."""
        if (self.low, self.high) == (1.0, 1.0) and self.paper is None:
            return "yes"
        if self.paper is not None:
            return f"{number(self.paper)} ({number(self.low)} to {number(self.high)})"
        if math.isinf(self.high):
            return f"at least {number(self.low)}"
        return (
            f"at most {number(self.high)}"
            if math.isinf(self.low)
            else f"{number(self.low)} to {number(self.high)}"
        )


def near(key: str, text: str, paper: float, within: float, calibrates: bool = False) -> Claim:
    """A number of the paper, with a relative tolerance."""
    reach = abs(paper) * within
    return Claim(key, text, paper - reach, paper + reach, paper, calibrates)


def at_least(key: str, text: str, low: float) -> Claim:
    """A lower bound."""
    return Claim(key, text, low, math.inf)


def at_most(key: str, text: str, high: float) -> Claim:
    """An upper bound."""
    return Claim(key, text, -math.inf, high)


def between(key: str, text: str, low: float, high: float) -> Claim:
    """A range that the paper states."""
    return Claim(key, text, low, high)


def yes(key: str, text: str) -> Claim:
    """A statement; the computation gives 1 where it is true, else 0."""
    return Claim(key, text, 1.0, 1.0)


def number(value: float) -> str:
    """Three significant digits."""
    return "unknown" if math.isnan(value) else f"{value:.3g}"


@dataclass(frozen=True)
class Series:
    """Named values, one for each place on the axis of a plot. NaN leaves one out."""

    name: str
    values: Sequence[float]
    places: Sequence[float] = ()
    """Their places on a numerical axis; empty: the plot's groups."""


@dataclass(frozen=True)
class Plot:
    """What a figure shows.

    Attributes:
        x: The quantity of the axis.
        y: The quantity of the values.
        series: Lines, or the parts of stacked bars.
        groups: The names of the bars; empty: a plot of lines.
        stacked: Whether the series are parts of one bar; else they stand next to each other.
        log_x: Whether the axis of a plot of lines is logarithmic.
        log_y: The same of the values.
    """

    x: str
    y: str
    series: Sequence[Series]
    groups: Sequence[str] = ()
    stacked: bool = False
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Computed:
    """What a computation gives: values by the claims' keys, and a plot like the paper's."""

    values: Mapping[str, float]
    plot: Plot | None = None


Computation = Callable[[Form], Computed]


@dataclass(frozen=True)
class PaperFigure:
    """A figure, a table or a finding in the text of a paper.

    Attributes:
        name: Its name on the command line, such as `figure-4`.
        title: What it shows, in a few words.
        claims: What it shows, in numbers and statements.
        how: How it is computed here.
        compute: Computes it; None where that is not possible.
        differs: The reason where it is known not to come out.
        impossible: The reason where it cannot be computed.
    """

    name: str
    title: str
    claims: tuple[Claim, ...]
    how: str = ""
    compute: Computation | None = None
    differs: str = ""
    impossible: str = ""

    @property
    def expected(self) -> Verdict:
        """The verdict that stands in the documents."""
        if self.compute is None:
            return Verdict.IMPOSSIBLE
        return Verdict.DIFFERS if self.differs else self.holding

    @property
    def holding(self) -> Verdict:
        """The verdict where all claims hold."""
        return Verdict.CALIBRATED if all(one.calibrates for one in self.claims) else Verdict.REPRODUCED

    @property
    def reason(self) -> str:
        """Why it differs or is not possible."""
        return self.differs or self.impossible


@dataclass(frozen=True)
class Paper:
    """A paper with its figures, in the paper's order. `name` is that of the command line."""

    name: str
    title: str
    authors: str
    figures: tuple[PaperFigure, ...]


@dataclass(frozen=True)
class Outcome:
    """A figure with what came out; without a result where it is not possible."""

    figure: PaperFigure
    result: Computed | None = None
    seconds: float = 0.0
    paper: str = ""
    values: Mapping[str, float] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", {} if self.result is None else dict(self.result.values))

    @property
    def failed(self) -> list[Claim]:
        """The claims that do not hold."""
        if self.result is None:
            return []
        return [one for one in self.figure.claims if not one.holds(self.values.get(one.key, math.nan))]

    @property
    def verdict(self) -> Verdict:
        """Reproduced where all claims hold, and not all of them calibrate."""
        if self.result is None:
            return Verdict.IMPOSSIBLE
        return Verdict.DIFFERS if self.failed else self.figure.holding

    @property
    def changed(self) -> bool:
        """Whether the verdict is another one than that of the documents."""
        return self.verdict is not self.figure.expected


def share_reproduced(outcomes: Sequence[Outcome]) -> float:
    """The share that is reproduced of the figures that can be had here, without those calibrated on."""
    reproduced = sum(one.verdict is Verdict.REPRODUCED for one in outcomes)
    return reproduced / max(reproduced + sum(one.verdict is Verdict.DIFFERS for one in outcomes), 1)


def evaluate_figure(paper: str, figure: PaperFigure, form: Form, clock: Callable[[], float]) -> Outcome:
    """Computes a figure. `clock` gives seconds."""
    if figure.compute is None:
        return Outcome(figure, paper=paper)
    begin_s = clock()
    result = figure.compute(form)
    return Outcome(figure, result, clock() - begin_s, paper)
