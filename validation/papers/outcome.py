# SPDX-License-Identifier: BSD-3-Clause
"""A figure with what came out: its claims with their verdicts, its plot, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from validation.papers.attack import Judged, judge
from validation.papers.computations import computation
from validation.papers.figures import PaperFigure, Plot
from validation.papers.measured import Measured, of_figure
from validation.papers.world import Form


@dataclass(frozen=True)
class Outcome:
    """One figure. `comparable`: whether its verdicts are those of the full form."""

    paper: str
    figure: PaperFigure
    judged: Sequence[Judged]
    plot: Plot | None = None
    measured: Sequence[Measured] = ()
    comparable: bool = True


def evaluate(paper: str, figure: PaperFigure, form: Form, run: Sequence[Measured] = ()) -> Outcome:
    """Computes a figure, and attacks its claims."""
    judged, result = judge(paper, figure, computation(paper, figure.name), form)
    plot = None if result is None else result.plot
    measured = of_figure(f"{paper}/{figure.name}", run)
    return Outcome(paper, figure, judged, plot, measured, form == "full" or not figure.simulated)
