# SPDX-License-Identifier: BSD-3-Clause
"""The page `docs/results/papers.md`: all figures of the papers with their verdicts, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validation.papers.figures import Outcome, Paper, Verdict, share_reproduced
from validation.papers.views import claim_cells

PICTURES = "papers"
"""The directory of the pictures, next to the page."""


def picture_name(outcome: Outcome) -> str:
    """The file of a figure's picture."""
    return f"{outcome.paper}-{outcome.figure.name}.svg"


def papers_page(papers: Sequence[Paper], outcomes: Sequence[Outcome], command: str, when: str) -> str:
    """The page as Markdown.

    Args:
        papers: The papers, in the order of the page.
        outcomes: Their figures.
        command: The command that makes the page.
        when: The date and the machine.
    """
    return "\n".join([*_head(outcomes, command, when), *_papers(papers, outcomes)])


def _head(outcomes: Sequence[Outcome], command: str, when: str) -> Iterator[str]:
    count = {verdict: sum(one.verdict is verdict for one in outcomes) for verdict in Verdict}
    yield "# The papers, figure by figure\n"
    yield (
        "Every figure, table and finding of the five papers that can be had on a substrate, next to what "
        "comes out here.\nNumbers in the column *paper* were read from the paper; the range in brackets is "
        "what counts as reproduced, and\nwas stated before. *calibrates* marks what a platform's figure was "
        'chosen for: it is no evidence. `make papers\nARGS="PAPER FIGURE"` computes one of them.\n'
    )
    yield f"## {when}: `{command}`\n"
    heads = " | ".join(one.value for one in Verdict)
    yield f"| {heads} | reproduced of those that can be had |\n|{'---|' * (len(Verdict) + 1)}"
    numbers = " | ".join(str(count[one]) for one in Verdict)
    yield f"| {numbers} | {100 * share_reproduced(outcomes):.0f} % |\n"


def _papers(papers: Sequence[Paper], outcomes: Sequence[Outcome]) -> Iterator[str]:
    for paper in papers:
        mine = [one for one in outcomes if one.paper == paper.name]
        if not mine:
            continue
        yield f"## `{paper.name}`: {paper.title}\n"
        yield f"{paper.authors}.\n"
        yield "| figure | shows | verdict |\n|---|---|---|"
        for one in mine:
            reason = f" because {one.figure.reason}" if one.verdict is Verdict.DIFFERS else ""
            reason = f": {one.figure.reason}" if one.verdict is Verdict.IMPOSSIBLE else reason
            yield f"| {one.figure.name} | {one.figure.title} | **{one.verdict.value}**{reason} |"
        yield ""
        for one in mine:
            if one.result is not None:
                yield from _figure(one)


def _figure(outcome: Outcome) -> Iterator[str]:
    figure = outcome.figure
    yield f"### {outcome.paper} {figure.name}\n"
    yield f"{figure.title[0].upper()}{figure.title[1:]}. Here: {figure.how}.\n"
    yield "| shown | paper | here | deviation | |\n|---|---|---|---|---|"
    for claim in figure.claims:
        yield "| " + " | ".join((claim.text, claim.expected, *claim_cells(outcome, claim))) + " |"
    yield ""
    if outcome.result is not None and outcome.result.plot is not None:
        yield f"![{figure.title}]({PICTURES}/{picture_name(outcome)})\n"
