# SPDX-License-Identifier: BSD-3-Clause
"""The papers' figures on a terminal: the list, one figure, and the summary of many."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from stretto.report.screen import Column, Part, heading, prose, table
from validation.papers.attack import Judged, Stretch, Verdict, headline
from validation.papers.figures import Paper, PaperFigure, number
from validation.papers.outcome import Outcome
from validation.papers.registry import documented


def list_view(figures: Sequence[tuple[Paper, PaperFigure]]) -> Iterator[Part]:
    """The figures by paper, with the verdicts of their claims in the page."""
    papers = list(dict.fromkeys(paper.name for paper, _ in figures))
    yield heading(f"{len(figures)} figures, tables and findings of {len(papers)} papers.")
    columns = (Column("figure", width=26), Column("shows", words=True), Column("verdicts", words=True))
    for name in papers:
        mine = [(paper, figure) for paper, figure in figures if paper.name == name]
        yield ""
        yield heading(f"{name}: {mine[0][0].title}")
        rows = [(one.name, one.title, _documented(f"{name}/{one.name}", one)) for _, one in mine]
        yield table(columns, rows)
    yield ""


def _documented(name: str, figure: PaperFigure) -> str:
    verdicts = [documented().get(f"{name}/{one.key}", "new") for one in figure.claims]
    return ", ".join(f"{verdicts.count(one)} {one}" for one in dict.fromkeys(verdicts))


def figure_view(outcome: Outcome) -> Iterator[Part]:
    """Every claim of a figure: words, bounds, value, verdict, and what the attack found."""
    figure = outcome.figure
    yield heading(f"{outcome.paper} {figure.name}: {figure.title}")
    if figure.how:
        yield prose(f"Here: {figure.how}.")
    for one in outcome.judged:
        yield ""
        yield prose(f"{one.claim.quoted} ({one.claim.where})")
        yield prose(f"{one.claim.quantity}: paper {one.claim.expected}; here {shown(one.value)}")
        yield prose(f"{one.verdict.value}: {because(one)}")
    for measured in outcome.measured:
        yield prose(f"{measured.kind}: {measured.text}.")
        if measured.contradicts:
            yield prose(f"This contradicts the figure: {measured.contradicts}.")
    yield ""


def shown(value: float) -> str:
    """A value, or a dash."""
    return "-" if math.isnan(value) else number(value)


def because(one: Judged) -> str:
    """What the verdict rests on, in words."""
    claim = one.claim
    if one.verdict is Verdict.IMPOSSIBLE:
        return claim.impossible
    if one.verdict is Verdict.DIFFERS:
        return f"{claim.reason or 'no cause is known'}; {_tried(one)}"
    if one.verdict is Verdict.CONSTRUCTED:
        return claim.constructed or f"{_unbroken(one)}; {over(one)}"
    if not claim.holds(one.value):
        reason = f"; there: {claim.reason}" if claim.reason else ""
        inside = f"at the sizes of the {one.only_at} form" if one.only_at else f"with {_spans(one.parts)}"
        return f"outside with the believed values{reason}; inside {inside}"
    if one.only_at:
        return f"it does not hold at the sizes of the {one.only_at} form, at which it would be attacked"
    if one.chosen and not one.ranges:
        return f"its number chose {', '.join(one.chosen)}; not attacked"
    broken = f"broken by {', '.join(one.broken_by)}" if one.broken_by else _unbroken(one)
    return f"{broken}; {over(one)}"


def _tried(one: Judged) -> str:
    """How much was tried to bring a claim inside its bounds."""
    if one.ranges == 0:
        worlds = "" if one.worlds else ", and no alternative world"
        return f"no parameter with a range changes it{worlds}"
    if one.ranges == 1:
        return "outside over the whole range of the 1 parameter that changes it"
    return f"outside over the whole range of each of {one.ranges} parameters that change it"


def _unbroken(one: Judged) -> str:
    if one.worlds == 0:
        return "no alternative world changes it"
    worlds = "1 alternative world changes" if one.worlds == 1 else f"{one.worlds} alternative worlds change"
    return f"{worlds} it, and none breaks it"


def over(one: Judged) -> str:
    """Over which ranges of unpublished parameters the claim holds."""
    chosen = f"its number chose {', '.join(one.chosen)}; " if one.chosen else ""
    if not one.parts:
        return f"{chosen}{_holds_over(one.ranges)}"
    open_yet = "; how much the machine overlapped is all that is open" if one.depends_on_eta_alone else ""
    return f"{chosen}{_spans(one.parts)}{open_yet}"


def _holds_over(ranges: int) -> str:
    if ranges == 0:
        return "no parameter with a range changes it"
    if ranges == 1:
        return "holds over the whole range of the 1 parameter that changes it"
    return f"holds over the whole range of {ranges} parameters that change it"


def _spans(parts: Sequence[Stretch]) -> str:
    return "; ".join(
        f"{each.parameter.name} only {number(each.low)} to {number(each.high)} "
        f"of {number(each.parameter.low)} to {number(each.parameter.high)}"
        for each in parts
    )


def line_of(outcome: Outcome) -> str:
    """One line of progress."""
    verdicts = [one.verdict.value for one in outcome.judged]
    counts = ", ".join(f"{verdicts.count(one)} {one}" for one in dict.fromkeys(verdicts))
    return f"{outcome.paper:10} {outcome.figure.name:24} {counts}"


def headline_text(outcomes: Sequence[Outcome]) -> str:
    """The answer: reproduced of those that could have failed."""
    judged = [one for outcome in outcomes for one in outcome.judged]
    reproduced, could = headline(judged)
    return f"{reproduced} of {could} sentences of the papers that could have failed are reproduced"


def counts(outcomes: Sequence[Outcome]) -> dict[Verdict, int]:
    """How many claims have each verdict."""
    verdicts = [one.verdict for outcome in outcomes for one in outcome.judged]
    return {one: verdicts.count(one) for one in Verdict}


def calibrated_text(outcomes: Sequence[Outcome]) -> str:
    """How the calibrated claims are divided: what is outside with the believed values is no success."""
    mine = [one for outcome in outcomes for one in outcome.judged if one.verdict is Verdict.CALIBRATED]
    inside = [one for one in mine if one.claim.holds(one.value)]
    free = [one for one in inside if not one.chosen]
    eta = sum(one.depends_on_eta_alone for one in free)
    return (
        f"The {len(mine)} calibrated claims: {len(mine) - len(inside)} outside with the believed values; "
        f"{len(inside) - len(free)} that hold and chose a parameter; {len(free)} that hold with the believed "
        f"values, and for a part of a range or at some sizes only, {eta} of them over all ranges but eta's"
    )


def summary_view(outcomes: Sequence[Outcome]) -> Iterator[Part]:
    """The answer, then one line a claim."""
    count = counts(outcomes)
    yield heading(f"{headline_text(outcomes)}.")
    yield prose(
        f"{count[Verdict.DIFFERS]} differ, {count[Verdict.CALIBRATED]} are calibrated or hold for a part of "
        f"a plausible range, {count[Verdict.CONSTRUCTED]} hold by construction, "
        f"{count[Verdict.IMPOSSIBLE]} are not possible here.",
        indent=0,
    )
    yield ""
    columns = (Column("claim", width=44, words=True), Column("here"), Column("verdict", width=17))
    rows = [(one.name, shown(one.value), one.verdict.value) for outcome in outcomes for one in outcome.judged]
    yield table(columns, rows)
    yield ""


def changed(outcomes: Iterable[Outcome]) -> list[str]:
    """A sentence for each claim whose verdict is not that of the page."""
    known = documented()
    return [
        f"{one.name}: {one.verdict.value}, documented as {known.get(one.name, 'new')}; "
        f"here {shown(one.value)}"
        for outcome in outcomes
        if outcome.comparable
        for one in outcome.judged
        if one.verdict.value != known.get(one.name)
    ]


def document_of(outcomes: Sequence[Outcome], form: str) -> dict[str, Any]:
    """The document of `--json`."""
    reproduced, could = headline(one for outcome in outcomes for one in outcome.judged)
    return {
        "form": form,
        "reproduced": reproduced,
        "could_have_failed": could,
        "claims": [_claim_document(one) for outcome in outcomes for one in outcome.judged],
    }


def _claim_document(one: Judged) -> dict[str, Any]:
    claim = one.claim
    return {
        "name": one.name,
        "words": claim.words,
        "where": claim.where,
        "quantity": claim.quantity,
        "low": claim.low,
        "high": claim.high,
        "paper": claim.number,
        "value": None if math.isnan(one.value) else one.value,
        "verdict": one.verdict.value,
        "broken_by": list(one.broken_by),
        "chose": list(one.chosen),
        "holds_only": {each.parameter.name: [each.low, each.high] for each in one.parts},
        "because": because(one),
    }
