# SPDX-License-Identifier: BSD-3-Clause
"""The registry of the papers' figures is complete and consistent, and the fast figures give their values."""

from __future__ import annotations

import pytest

from stretto.errors import UserError
from stretto.native.programs import native_program
from validation.papers.figures import PaperFigure, evaluate_figure
from validation.papers.registry import PAPERS, selected

FIGURES = [(paper.name, figure) for paper in PAPERS for figure in paper.figures]
IDS = [f"{paper} {figure.name}" for paper, figure in FIGURES]
SIMULATED = ("simulat", "fit to")  # in how; these take seconds each
FAST = [
    (paper, figure)
    for paper, figure in FIGURES
    if figure.compute is not None and not any(word in figure.how for word in SIMULATED)
]


def _is_built() -> bool:
    try:
        native_program("stretto-model", "none")
    except UserError:
        return False
    return True


# What the papers have: figures with results. The others are drawings of algorithms, layouts and protocols.
SHOWN = {
    "probes": {f"figure-{number}" for number in (2, 4, 5, 8, 9, 12, 13, 14, *range(16, 31))}
    | {f"figure-{number}-{side}" for number in (6, 7, 10, 11, 15) for side in ("gather", "scatter")},
    "ft-slides": {"page-7", "page-9", "page-16", "page-19", "page-23"},
    "armci": {"figure-5", "figure-6", "figure-7", "figure-8b", "figure-9"}
    | {f"figure-{number}-{side}" for number in (10, 11) for side in ("left", "right")},
    "two-phase": {"table-1", "table-3", "table-5"}
    | {f"figure-{number}-{place}" for number in range(2, 7) for place in ("top", "bottom")},
    "potential": {"hycom-table", "hycom-bandwidth", "sweep3d-latency", "bandwidth-needed"},
}


def test_every_figure_with_results_is_there() -> None:
    there = {paper.name: {figure.name for figure in paper.figures} for paper in PAPERS}
    assert {name: shown - there[name] for name, shown in SHOWN.items()} == {name: set() for name in SHOWN}
    assert set(there) == set(SHOWN) and len(FIGURES) >= 60


def test_names_are_unique_within_a_paper() -> None:
    assert len(set(IDS)) == len(IDS)


@pytest.mark.parametrize(("paper", "figure"), FIGURES, ids=IDS)
def test_a_figure_says_what_it_shows_and_why_it_does_not_come_out(paper: str, figure: PaperFigure) -> None:
    assert figure.title and figure.claims
    assert bool(figure.impossible) == (figure.compute is None)
    assert not (figure.impossible and figure.differs)
    assert bool(figure.how) == (figure.compute is not None)
    for claim in figure.claims:
        assert claim.text and claim.low <= claim.high, f"{paper} {figure.name}: {claim}"
    assert not figure.reason.endswith(".")


@pytest.mark.skipif(not _is_built(), reason="NO stretto-model: no figure of a paper is tested")
@pytest.mark.parametrize(("paper", "figure"), FAST, ids=[f"{paper} {one.name}" for paper, one in FAST])
def test_a_fast_figure_has_all_values_and_its_documented_verdict(paper: str, figure: PaperFigure) -> None:
    outcome = evaluate_figure(paper, figure, "short", lambda: 0.0)
    assert {claim.key for claim in figure.claims} <= set(outcome.values)
    assert outcome.verdict is figure.expected, [(one.text, outcome.values[one.key]) for one in outcome.failed]


def test_names_select_papers_and_figures() -> None:
    assert len(list(selected())) == len(FIGURES)
    assert {paper.name for paper, _ in selected("armci")} == {"armci"}
    ((paper, figure),) = selected("probes", "figure-4")
    assert (paper.name, figure.name) == ("probes", "figure-4")


@pytest.mark.parametrize(
    ("names", "message"),
    [(("nobody",), "choose from probes, ft-slides"), (("probes", "figure-99"), "probes has no 'figure-99'")],
)
def test_an_unknown_name_is_refused_with_the_known_ones(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        list(selected(*names))
