# SPDX-License-Identifier: BSD-3-Clause
"""The claims are complete, frozen and documented; their parameters have sources and ranges; quotations are true."""

import math
from pathlib import Path

import pytest
from processes import has_program, needs_built

from stretto.errors import UserError
from validation.papers import collective_calls, simulation
from validation.papers.attack import Verdict, varied
from validation.papers.computations import computation
from validation.papers.figures import PaperFigure
from validation.papers.measured import Measured, quoted
from validation.papers.provenance import needs_range, parameters
from validation.papers.registry import changes, claim_name, digest, documented, papers, selected
from validation.papers.world import World

ROOT = Path(__file__).resolve().parents[3]
FIGURES = [(paper.name, figure) for paper in papers() for figure in paper.figures]
IDS = [f"{paper} {figure.name}" for paper, figure in FIGURES]
FAST = [
    (paper, figure)
    for paper, figure in FIGURES
    if computation(paper, figure.name) is not None and not figure.simulated
]
CLAIMS = [claim_name(paper, figure.name, one) for paper, figure in FIGURES for one in figure.claims]
# Figures of a platform that no claim depends on: sums of others, and messages within a node.
NOT_USED = ("latency_s", "nodes", "node_latency_s", "eager_limit_bytes", "node_bandwidth_bytes_per_s")


# What the papers have: figures with results. The others are drawings of algorithms, layouts and protocols.
SHOWN = {
    "probes": {f"figure-{number}" for number in (2, 4, 5, 8, 9, 12, 13, 14, *range(16, 31))}
    | {f"figure-{number}-{side}" for number in (6, 7, 10, 11, 15) for side in ("gather", "scatter")},
    "ft-slides": {"page-7", "page-9", "page-16", "page-19", "page-22-pencils", "page-23"},
    "armci": {"figure-5", "figure-6", "figure-7", "figure-8b", "figure-9"}
    | {f"figure-{number}-{side}" for number in (10, 11) for side in ("left", "right")},
    "two-phase": {"table-1", "table-3", "table-5"}
    | {f"figure-{number}-{place}" for number in range(2, 7) for place in ("top", "bottom")},
    "potential": {"hycom-table", "hycom-bandwidth", "sweep3d-latency", "bandwidth-needed"},
}


def test_every_figure_with_results_is_there() -> None:
    there = {paper.name: {figure.name for figure in paper.figures} for paper in papers()}
    assert {name: shown - there[name] for name, shown in SHOWN.items()} == {name: set() for name in SHOWN}


def test_names_of_claims_are_unique() -> None:
    assert len(set(CLAIMS)) == len(CLAIMS)


@pytest.mark.parametrize(("paper", "figure"), FIGURES, ids=IDS)
def test_a_claim_has_words_and_two_finite_bounds(paper: str, figure: PaperFigure) -> None:
    possible = computation(paper, figure.name) is not None
    assert figure.title and figure.claims and bool(figure.how) == possible
    for claim in figure.claims:
        assert claim.words and claim.where and claim.quantity and claim.bounds
        assert math.isfinite(claim.low) and math.isfinite(claim.high) and claim.low <= claim.high
        assert claim.number is None or claim.low <= claim.number <= claim.high
        assert possible or claim.impossible


def test_claims_change_only_with_a_line_in_the_log() -> None:
    """Whoever changes a claim adds a change with its date, old, new and why, and the digest of the claims."""
    assert changes()[-1]["digest"] == digest()
    for one in changes():
        assert all(one[name] for name in ("date", "claim", "old", "new", "why"))


def test_every_claim_has_a_documented_verdict() -> None:
    assert list(documented()) == CLAIMS
    assert set(documented().values()) <= {one.value for one in Verdict}


def test_a_claim_that_differs_says_why() -> None:
    reasons = {
        claim_name(paper, figure.name, one): one.reason for paper, figure in FIGURES for one in figure.claims
    }
    assert [
        name for name, verdict in documented().items() if verdict == "differs" and not reasons[name]
    ] == []


def test_every_unpublished_parameter_has_a_plausible_range() -> None:
    needed = {
        name for _, figure in FIGURES for machine in figure.machines for name in needs_range(machine)
    } | {name for _, figure in FIGURES for name in figure.parameters}
    missing = needed - set(parameters())
    assert {name for name in missing if name.partition(".")[2] not in NOT_USED} == set()


class _Simulated(Exception):
    """A computation got to its first simulation."""


def test_a_simulated_figure_names_the_parameters_that_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parameter that is read and not named is never varied."""
    read: set[str] = set()
    value_of = World.value

    def value(world: World, name: str) -> float:
        read.add(name)
        return value_of(world, name)

    def stop(*_: object, **__: object) -> None:
        raise _Simulated

    monkeypatch.setattr(World, "value", value)
    for module in (simulation, collective_calls):
        monkeypatch.setattr(module, "run_simulated", stop)
        monkeypatch.setattr(module, "native_program", lambda *_: Path())
    for paper, figure in FIGURES:
        compute = computation(paper, figure.name)
        if compute is not None and figure.simulated:
            read.clear()
            with pytest.raises(_Simulated):
                compute(World(name=figure.name))
            named = {one.name for one in varied(figure)}
            assert read <= named, f"{paper}/{figure.name}"


@pytest.mark.parametrize("name", parameters())
def test_a_believed_value_is_plausible_and_has_a_source(name: str) -> None:
    one = parameters()[name]
    assert one.low < one.high and one.low <= one.value <= one.high
    assert one.source.partition(":")[0] in ("published", "estimated", "calibrated", "vendor", "paper")
    assert set(one.chosen_by) <= set(CLAIMS)


@pytest.mark.parametrize("one", quoted(), ids=lambda one: one.figures[0])
def test_a_quotation_stands_in_the_page_that_it_names(one: Measured) -> None:
    assert bool(one.page) != bool(one.source)
    if not one.page:
        return
    page = (ROOT / "docs" / "results" / f"{one.page}.md").read_text(encoding="utf-8")
    assert [quote for quote in one.quotes if quote not in page] == []
    assert set(one.figures) <= {f"{paper}/{figure.name}" for paper, figure in FIGURES}


@pytest.mark.slow
@needs_built(has_program("stretto-model", "none"), "STRETTO-MODEL")
@pytest.mark.parametrize(("paper", "figure"), FAST, ids=[f"{paper} {one.name}" for paper, one in FAST])
def test_a_fast_figure_has_values_inside_or_outside_bounds_as_documented(
    paper: str, figure: PaperFigure
) -> None:
    compute = computation(paper, figure.name)
    assert compute is not None
    values = compute(World()).values
    for one in figure.claims:
        verdict = documented()[claim_name(paper, figure.name, one)]
        if verdict not in ("calibrated", "not possible here"):  # the first may hold with other values alone
            assert one.holds(values[one.key]) is not (verdict == "differs"), (one.key, values[one.key])


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
