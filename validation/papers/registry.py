# SPDX-License-Identifier: BSD-3-Clause
"""All papers, and the figures that a command line names."""

from __future__ import annotations

from collections.abc import Iterator

from stretto.errors import UserError
from validation.papers import armci, ft_slides, potential_slides, probes, two_phase
from validation.papers.figures import Paper, PaperFigure

PAPERS = (probes.PAPER, ft_slides.PAPER, armci.PAPER, two_phase.PAPER, potential_slides.PAPER)


def selected(paper: str = "", figure: str = "") -> Iterator[tuple[Paper, PaperFigure]]:
    """The figures of the papers that are named; an empty name means all.

    Raises:
        UserError: There is no such paper or figure; the message lists what there is.
    """
    papers = [one for one in PAPERS if one.name == paper or not paper]
    if not papers:
        known = ", ".join(one.name for one in PAPERS)
        raise UserError(f"PAPER: unknown '{paper}'; choose from {known}")
    result = [(one, each) for one in papers for each in one.figures if each.name == figure or not figure]
    if not result:
        known = ", ".join(each.name for each in papers[0].figures)
        raise UserError(f"FIGURE: {paper} has no '{figure}'; choose from {known}")
    yield from result
