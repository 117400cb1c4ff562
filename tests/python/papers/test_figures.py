# SPDX-License-Identifier: BSD-3-Clause
"""Claims of papers with their tolerances, and the verdict that follows."""

from __future__ import annotations

import math

import pytest

from validation.papers.figures import (
    Claim,
    Computed,
    Outcome,
    PaperFigure,
    Verdict,
    at_least,
    at_most,
    between,
    evaluate_figure,
    near,
    share_reproduced,
    yes,
)


@pytest.mark.parametrize(
    ("claim", "holding", "failing"),
    [
        (near("k", "a ratio", 0.6, 0.10), (0.541, 0.6, 0.659), (0.539, 0.661)),
        (near("k", "a negative coefficient", -0.085, 0.10), (-0.09, -0.08), (-0.1, 0.085)),
        (near("k", "a count", 64, 0.0), (64,), (63.9, 64.1)),
        (at_least("k", "a gain", 1.2), (1.2, math.inf), (1.19,)),
        (at_most("k", "a deviation", 0.05), (0.05, -1), (0.051,)),
        (between("k", "a range", 1.3, 1.45), (1.3, 1.45), (1.29, 1.46)),
        (yes("k", "a statement"), (1.0,), (0.0, 0.99)),
    ],
)
def test_a_claim_holds_within_its_tolerance_only(
    claim: Claim, holding: tuple[float, ...], failing: tuple[float, ...]
) -> None:
    assert all(map(claim.holds, holding))
    assert not any(map(claim.holds, (*failing, math.nan)))


def test_the_deviation_relates_to_the_papers_number() -> None:
    assert near("k", "", 2.0, 0.1).deviation(2.1) == pytest.approx(0.05)
    assert near("k", "", -0.1, 0.1).deviation(-0.11) == pytest.approx(0.1)
    assert at_least("k", "", 1.2).deviation(2.0) is None


def test_what_is_expected_names_number_bound_or_yes() -> None:
    assert near("k", "", 1.1, 0.10).expected == "1.1 (0.99 to 1.21)"
    assert at_least("k", "", 1.2).expected == "at least 1.2"
    assert at_most("k", "", 0.05).expected == "at most 0.05"
    assert between("k", "", 1.3, 1.45).expected == "1.3 to 1.45"
    assert yes("k", "").expected == "yes"


def figure(*claims: Claim, value: float = 1.0, differs: str = "", impossible: str = "") -> PaperFigure:
    compute = None if impossible else (lambda _: Computed({"k": value}))
    return PaperFigure("f", "a figure", claims, "by hand", compute, differs, impossible)


def outcome(one: PaperFigure) -> Outcome:
    return evaluate_figure("p", one, "short", lambda: 0.0)


def test_a_figure_is_reproduced_where_every_claim_holds() -> None:
    both = (near("k", "", 1.0, 0.1), at_least("k", "", 0.5))
    assert outcome(figure(*both)).verdict is Verdict.REPRODUCED
    assert outcome(figure(*both, value=1.2)).verdict is Verdict.DIFFERS
    assert [one.low for one in outcome(figure(*both, value=1.2)).failed] == [0.9]


def test_a_value_that_the_computation_does_not_give_is_no_reproduction() -> None:
    assert outcome(figure(yes("another", ""))).verdict is Verdict.DIFFERS


def test_what_a_platform_was_calibrated_on_is_no_evidence() -> None:
    calibrated = near("k", "", 1.0, 0.1, calibrates=True)
    assert outcome(figure(calibrated)).verdict is Verdict.CALIBRATED
    assert outcome(figure(calibrated, value=2.0)).verdict is Verdict.DIFFERS
    assert outcome(figure(calibrated, at_least("k", "", 0.5))).verdict is Verdict.REPRODUCED


def test_the_share_is_of_what_can_be_had_here() -> None:
    calibrated = figure(near("k", "", 1.0, 0.1, calibrates=True))
    gone = figure(yes("k", ""), impossible="its machine is gone")
    holding, failing = figure(yes("k", "")), figure(yes("k", ""), value=0.0, differs="for a reason")
    assert share_reproduced([outcome(one) for one in (calibrated, gone, holding, failing, holding)]) == 2 / 3
    assert share_reproduced([outcome(gone)]) == 0


def test_a_figure_without_a_computation_is_not_possible() -> None:
    result = outcome(figure(yes("k", ""), impossible="its machine is gone"))
    assert result.verdict is Verdict.IMPOSSIBLE and not result.changed and not result.failed


@pytest.mark.parametrize(
    ("value", "differs", "changed"),
    [(1.0, "", False), (0.0, "", True), (0.0, "for a reason", False), (1.0, "for a reason", True)],
)
def test_a_verdict_changes_in_both_directions(value: float, differs: str, changed: bool) -> None:
    assert outcome(figure(yes("k", ""), value=value, differs=differs)).changed is changed
