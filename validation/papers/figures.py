# SPDX-License-Identifier: BSD-3-Clause
"""A paper's figures: their claims, and what computations give. `claims/*.json` has the claims."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from validation.papers.world import Form, World


@dataclass(frozen=True)
class Claim:
    """One thing that a figure shows, frozen before it is computed.

    Attributes:
        key: The value of the computation that it is about.
        quantity: What the value is.
        words: The paper's own; in brackets: what it shows without words.
        where: Their section, page, slide, table or figure.
        low: The smallest value that the paper's precision allows.
        high: The largest one.
        bounds: How the bounds follow from the paper.
        number: The paper's number; None where it has only words.
        reason: Why it is known not to hold.
        impossible: Why it cannot be computed here.
        constructed: Why it holds whatever the paper says; empty where it may fail.
        sentence: A name that claims share which quote parts of one sentence; empty: their words are it.
    """

    key: str
    quantity: str
    words: str
    where: str
    low: float
    high: float
    bounds: str
    number: float | None = None
    reason: str = ""
    impossible: str = ""
    constructed: str = ""
    sentence: str = ""

    def holds(self, value: float) -> bool:
        """Whether the value is inside the bounds; NaN is not."""
        return self.low <= value <= self.high

    @property
    def quoted(self) -> str:
        """The words in quotation marks; a description has none."""
        return self.words if self.words.startswith("[") else f'"{self.words}"'

    @property
    def expected(self) -> str:
        """The bounds, after the paper's number where it has one."""
        span = f"{number(self.low)} to {number(self.high)}" if self.low < self.high else "exactly"
        return span if self.number is None else f"{number(self.number)} ({span})"


def number(value: float) -> str:
    """Four significant digits."""
    return "unknown" if math.isnan(value) else f"{value:.4g}"


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


Computation = Callable[[World], Computed]


@dataclass(frozen=True)
class PaperFigure:
    """A figure, a table or a finding in the text of a paper.

    Attributes:
        name: Its name on the command line, such as `figure-4`.
        title: What it shows, in a few words.
        claims: What it shows, in numbers and words.
        how: How it is computed here.
        machines: The platforms whose unpublished figures it depends on.
        parameters: The other parameters that it depends on (`provenance.json`).
        simulated: Whether programs run on a simulated machine for it.
        attacked: The form at whose sizes it is attacked, where it is simulated.
    """

    name: str
    title: str
    claims: tuple[Claim, ...]
    how: str = ""
    machines: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    simulated: bool = False
    attacked: Form = "short"


@dataclass(frozen=True)
class Paper:
    """A paper with its figures, in the paper's order. `name` is that of the command line."""

    name: str
    title: str
    authors: str
    figures: tuple[PaperFigure, ...]
