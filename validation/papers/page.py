# SPDX-License-Identifier: BSD-3-Clause
"""The page of the papers as Markdown: every claim with its words, bounds, value, verdict and attack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from validation.papers.attack import Verdict
from validation.papers.figures import Paper, number
from validation.papers.measured import waits_for_a_run
from validation.papers.outcome import Outcome
from validation.papers.provenance import parameters
from validation.papers.views import because, calibrated_text, counts, headline_text, shown

_MEANING = {
    Verdict.REPRODUCED: "inside its bounds, broken by some alternative world, true wherever a plausible "
    "range was tried, and no parameter was chosen by it",
    Verdict.DIFFERS: "outside its bounds, with every plausible value of a parameter; the reason follows",
    Verdict.CALIBRATED: "a parameter was chosen by it, or it holds for a part of a plausible range, or at "
    "some sizes, only",
    Verdict.CONSTRUCTED: "the model was built so, or none of the alternative worlds broke it: no evidence",
    Verdict.IMPOSSIBLE: "nothing here can compute it; the reason follows",
}


_ABOUT = """\
What the five papers say, next to what comes out here. A claim has the paper's words, or a description in
brackets, and two bounds, which follow from the paper's precision and are frozen. The command attacks every
claim: in worlds where the paper would be wrong, and over the plausible range of each parameter that the
papers do not publish, one at a time, at 7 places. Figures that take simulated programs are attacked at
smaller sizes, but where they say otherwise, and at the ends of ranges. Where values lie on both sides of
the bounds, what is between them is tried, too. Machines are models, and a claim about overlap is one about
the share eta that overlaps, from 0 to 1. No paper publishes it for ranks that all communicate at once:
what the ARMCI paper's figure 6 has of one get is a claim itself. A claim that overlap gains something is
therefore calibrated at best, and nothing here shows how the papers' own machines behaved. The line
*measured here* says what real processes did, also where it contradicts; *simulated here* has another
simulation of the same thing. MG, CG and products are computed on the cluster fsn of the FT slides, whose
processors are not those of that paper. An improvement of x % is read as a ratio of times of 1 + x / 100.
"""


def picture_name(outcome: Outcome) -> str:
    """The file of a figure's picture."""
    return f"{outcome.paper}-{outcome.figure.name}.svg"


def papers_page(
    papers: Sequence[Paper],
    outcomes: Sequence[Outcome],
    *,
    note: str,
    pictures: str,
    command: str,
    when: str,
    log: Sequence[Mapping[str, str]],
) -> str:
    """The page as Markdown.

    Args:
        papers: The papers, in the order of the page.
        outcomes: Their figures.
        note: What is left out, for the top of the page; empty for the full page.
        pictures: The directory of the pictures, next to the page.
        command: The command that makes the page.
        when: The date.
        log: The changes of claims.
    """
    parts = (
        _head(outcomes, note, command, when),
        _papers(papers, outcomes, pictures),
        _parameters(),
        _log(log),
    )
    return "\n".join(line for part in parts for line in part)


def _head(outcomes: Sequence[Outcome], note: str, command: str, when: str) -> Iterator[str]:
    count = counts(outcomes)
    yield "# The papers, claim by claim\n"
    if note:
        yield f"**{note}**\n"
    yield _ABOUT
    yield f"## {when}: `{command}`\n"
    yield f"**{headline_text(outcomes)}.**\n"
    yield "| verdict | claims | meaning |\n|---|---|---|"
    for one in Verdict:
        yield f"| {one.value} | {count[one]} | {_MEANING[one]} |"
    yield f"\n{calibrated_text(outcomes)}."
    yield (
        "\n*Could have failed*: reproduced, calibrated and differs, but for what chose a parameter and "
        "holds. A sentence of a paper counts once, as its worst part.\n"
    )


def _papers(papers: Sequence[Paper], outcomes: Sequence[Outcome], pictures: str) -> Iterator[str]:
    for paper in papers:
        mine = [one for one in outcomes if one.paper == paper.name]
        if mine:
            yield f"## `{paper.name}`: {paper.title}\n"
            yield f"{paper.authors}. {headline_text(mine)}.\n"
        for one in mine:
            yield from _figure(one, pictures)


def _figure(outcome: Outcome, pictures: str) -> Iterator[str]:
    figure = outcome.figure
    figure_name = f"{outcome.paper}/{figure.name}"
    yield f"### {outcome.paper} {figure.name}\n"
    how = f" Here: {figure.how}." if figure.how else ""
    yield f"{figure.title[0].upper()}{figure.title[1:]}.{how}\n"
    yield "| the paper | quantity | paper (bounds) | here | verdict | what decides |"
    yield "|---|---|---|---|---|---|"
    for one in outcome.judged:
        claim = one.claim
        words = f"{claim.quoted}, {claim.where}"
        bounds = f"{claim.expected}: {claim.bounds}"
        cells = (words, claim.quantity, bounds, shown(one.value), f"**{one.verdict.value}**", because(one))
        yield "| " + " | ".join(cells) + " |"
    yield ""
    for measured in outcome.measured:
        source = f" ([measured]({measured.page}.md))" if measured.page else ""
        source = f" ({measured.source})" if measured.source else source
        against = f" **Contradicts**: {measured.contradicts}." if measured.contradicts else ""
        yield f"*{measured.kind}*: {measured.text}{source}.{against}\n"
    if all(one.simulated for one in outcome.measured):
        waits = "; it waits for a run of `make papers MEASURED=RUN`" if waits_for_a_run(figure_name) else ""
        yield f"*Measured here*: nothing{waits}.\n"
    if outcome.plot is not None:
        yield f"![{figure.title}]({pictures}/{picture_name(outcome)})\n"


def _parameters() -> Iterator[str]:
    yield "## Parameters that the papers do not publish\n"
    yield "| parameter | value | source | plausible | why | chosen by |\n|---|---|---|---|---|---|"
    for one in parameters().values():
        span = f"{number(one.low)} to {number(one.high)}"
        cells = (one.name, number(one.value), one.source, span, one.why, ", ".join(one.chosen_by))
        yield "| " + " | ".join(cells) + " |"
    yield ""


def _log(log: Sequence[Mapping[str, str]]) -> Iterator[str]:
    yield "## Changes of claims\n"
    yield "| date | claim | old | new | why |\n|---|---|---|---|---|"
    for one in log:
        yield "| " + " | ".join(one[name] for name in ("date", "claim", "old", "new", "why")) + " |"
    yield ""
