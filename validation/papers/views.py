# SPDX-License-Identifier: BSD-3-Clause
"""The papers' figures on a terminal: the list, one figure, and the summary of many."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from stretto.report.screen import Column, Part, heading, prose, table
from validation.papers.figures import (
    Claim,
    Outcome,
    Paper,
    PaperFigure,
    Verdict,
    number,
    share_reproduced,
)


def list_view(figures: Sequence[tuple[Paper, PaperFigure]]) -> Iterator[Part]:
    """The figures by paper, with the verdict of the documents."""
    papers = list(dict.fromkeys(paper.name for paper, _ in figures))
    yield heading(f"{len(figures)} figures, tables and findings of {len(papers)} papers.")
    columns = (Column("figure", width=26), Column("shows", words=True), Column("verdict", words=True))
    for name in papers:
        mine = [(paper, figure) for paper, figure in figures if paper.name == name]
        yield ""
        yield heading(f"{name}: {mine[0][0].title}")
        yield table(columns, [(one.name, one.title, one.expected.value) for _, one in mine])
    yield ""


def figure_view(outcome: Outcome) -> Iterator[Part]:
    """What the paper shows, what came out, and the verdict."""
    figure = outcome.figure
    yield heading(f"{outcome.paper} {figure.name}: {outcome.verdict.value}")
    yield prose(figure.title)
    if figure.how:
        yield prose(f"Here: {figure.how}.")
    columns = (
        Column("shown", words=True),
        Column("paper", words=True),
        Column("here"),
        Column("deviation"),
        Column(""),
    )
    rows = [(claim.text, claim.expected, *claim_cells(outcome, claim)) for claim in figure.claims]
    yield table(columns, rows)
    if figure.reason and outcome.verdict in (Verdict.DIFFERS, Verdict.IMPOSSIBLE):
        yield prose(f"{outcome.verdict.value}: {figure.reason}.")
    yield ""


def claim_cells(outcome: Outcome, claim: Claim) -> tuple[str, str, str]:
    """The value that came out, its deviation, and whether it reproduces the claim."""
    value = outcome.values.get(claim.key)
    if value is None or math.isnan(value):
        return "-", "-", "-"
    off = claim.deviation(value)
    shown = ("no", "yes")[value == 1.0] if claim.expected == "yes" else number(value)
    mark = "ok" if claim.holds(value) else "differs"
    return shown, "-" if off is None else f"{100 * off:+.1f} %", "calibrates" if claim.calibrates else mark


def line_of(outcome: Outcome) -> str:
    """One line of progress."""
    changed = " (CHANGED)" if outcome.changed else ""
    return f"{outcome.paper:10} {outcome.figure.name:24} {outcome.verdict.value}{changed}"


def summary_view(outcomes: Sequence[Outcome]) -> Iterator[Part]:
    """The answer, then one line a figure."""
    count = {verdict: sum(one.verdict is verdict for one in outcomes) for verdict in Verdict}
    share = f"{100 * share_reproduced(outcomes):.0f} %"
    had = count[Verdict.REPRODUCED] + count[Verdict.DIFFERS]
    yield heading(
        f"{count[Verdict.REPRODUCED]} of {had} figures that can be had here are reproduced ({share})."
    )
    yield prose(
        f"{count[Verdict.DIFFERS]} differ for a known reason, {count[Verdict.IMPOSSIBLE]} are not possible, "
        f"{count[Verdict.CALIBRATED]} were calibrated on and are no evidence.",
        indent=0,
    )
    yield ""
    columns = (Column("figure", width=36), Column("verdict", width=14), Column("because", words=True))
    yield table(columns, [_summary_row(one) for one in outcomes])
    yield ""


def _summary_row(outcome: Outcome) -> tuple[str, str, str]:
    verdict = outcome.verdict.value + ("!" if outcome.changed else "")
    reason = outcome.figure.reason if outcome.verdict in (Verdict.DIFFERS, Verdict.IMPOSSIBLE) else ""
    return f"{outcome.paper} {outcome.figure.name}", verdict, reason


def changes(outcomes: Iterable[Outcome]) -> list[str]:
    """A sentence for each verdict that is not that of the documents, with the claims that decide."""
    return [
        f"{one.paper} {one.figure.name}: {one.verdict.value}, documented as {one.figure.expected.value}"
        + "".join(f"; {claim.text}: {number(one.values.get(claim.key, math.nan))}" for claim in one.failed)
        for one in outcomes
        if one.changed
    ]


def reproduction_document(outcomes: Sequence[Outcome], form: str) -> dict[str, Any]:
    """The document of `--json`."""
    return {
        "form": form,
        "share_reproduced": share_reproduced(outcomes),
        "figures": [_figure_document(one) for one in outcomes],
    }


def _figure_document(outcome: Outcome) -> dict[str, Any]:
    figure = outcome.figure
    return {
        "paper": outcome.paper,
        "figure": figure.name,
        "title": figure.title,
        "how": figure.how,
        "verdict": outcome.verdict.value,
        "documented": figure.expected.value,
        "reason": figure.reason,
        "claims": [_claim_document(outcome, claim) for claim in figure.claims],
    }


def _claim_document(outcome: Outcome, claim: Claim) -> dict[str, Any]:
    value = outcome.values.get(claim.key, math.nan)
    finite = {name: one if math.isfinite(one) else None for name, one in _numbers(claim, value).items()}
    return {
        "text": claim.text,
        **finite,
        "paper": claim.paper,
        "holds": claim.holds(value),
        "calibrates": claim.calibrates,
    }


def _numbers(claim: Claim, value: float) -> dict[str, float]:
    return {"value": value, "low": claim.low, "high": claim.high}
