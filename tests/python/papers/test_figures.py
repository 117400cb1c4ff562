# SPDX-License-Identifier: BSD-3-Clause
"""Claims with their bounds, and the verdicts that an attack leaves."""

import dataclasses
import math
from collections.abc import Callable

import pytest

from validation.papers import attack
from validation.papers.attack import Judged, Verdict, headline, judge
from validation.papers.figures import Claim, Computation, Computed, PaperFigure
from validation.papers.outcome import Outcome
from validation.papers.probe_machine import ProbeMachine
from validation.papers.provenance import Parameter
from validation.papers.views import because, calibrated_text
from validation.papers.world import World, alternatives, with_fabric

CLAIM = Claim("k", "a ratio", "about half", "section 1", 0.45, 0.55, "about: 10 %", number=0.5)


@pytest.fixture(autouse=True)
def one_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    """One unpublished parameter, whose number is believed to be 1."""
    only = {"rate": Parameter("rate", 1.0, "estimated: by hand", 0.5, 2.0, "a factor of two", ())}
    monkeypatch.setattr(attack, "parameters", lambda: only)


def judged(compute: Computation | None, claim: Claim = CLAIM) -> Judged:
    figure = PaperFigure("f", "a figure", (claim,), "by hand", parameters=("rate",))
    ((only,), _) = judge("p", figure, compute, "full")
    return only


def constant(value: float) -> Computation:
    return lambda _: Computed({"k": value})


def needs_overlap(world: World) -> Computed:
    return Computed({"k": 0.5 if world.overlaps else 1.0})


def rate_of(world: World) -> float:
    return dict(world.values).get("rate", 1.0)


@pytest.mark.parametrize(("value", "holds"), [(0.45, True), (0.55, True), (0.44, False), (math.nan, False)])
def test_a_claim_holds_within_both_bounds_only(value: float, holds: bool) -> None:
    assert CLAIM.holds(value) is holds


def test_what_is_expected_names_number_and_bounds() -> None:
    assert CLAIM.expected == "0.5 (0.45 to 0.55)"
    assert dataclasses.replace(CLAIM, number=None).expected == "0.45 to 0.55"
    assert dataclasses.replace(CLAIM, low=0.5, high=0.5).expected == "0.5 (exactly)"


def test_a_claim_that_a_world_breaks_and_no_parameter_does_is_reproduced() -> None:
    one = judged(needs_overlap)
    assert one.verdict is Verdict.REPRODUCED and one.broken_by == ("no overlap",)
    assert one.parts == ()


def test_a_claim_that_nothing_breaks_is_by_construction() -> None:
    assert judged(constant(0.5)).verdict is Verdict.CONSTRUCTED


def test_a_claim_declared_constructed_is_no_evidence_but_may_differ() -> None:
    claim = dataclasses.replace(CLAIM, constructed="it was put in")
    assert judged(needs_overlap, claim).verdict is Verdict.CONSTRUCTED
    assert judged(constant(0.6), claim).verdict is Verdict.DIFFERS
    one = judged(lambda world: Computed({"k": rate_of(world)}), claim)
    assert one.value == 1.0 and one.parts, "it differs, and is attacked as any other"


def test_a_claim_that_holds_for_a_part_of_a_range_is_calibrated_and_shows_the_part() -> None:
    one = judged(lambda world: Computed({"k": 0.5 if rate_of(world) < 1.5 and world.overlaps else 1.0}))
    assert one.verdict is Verdict.CALIBRATED
    (part,) = one.parts
    assert part.low == 0.5 and 1.45 < part.high < 1.5


def test_a_claim_that_chose_a_parameter_is_calibrated(monkeypatch: pytest.MonkeyPatch) -> None:
    only = {"rate": Parameter("rate", 1.0, "calibrated: by hand", 0.5, 2.0, "why", ("p/f/k",))}
    monkeypatch.setattr(attack, "parameters", lambda: only)
    one = judged(needs_overlap)
    assert one.verdict is Verdict.CALIBRATED and one.chosen == ("rate",)


def test_a_value_outside_its_bounds_or_missing_differs() -> None:
    assert judged(constant(0.6)).verdict is Verdict.DIFFERS
    assert judged(lambda _: Computed({"another": 0.5})).verdict is Verdict.DIFFERS


def test_a_claim_that_differs_and_that_nothing_changes_says_so() -> None:
    claim = dataclasses.replace(CLAIM, reason="a cause")
    nothing = "a cause; no parameter with a range changes it, and no alternative world"
    assert because(judged(constant(0.6), claim)) == nothing
    moved = judged(lambda world: Computed({"k": 0.6 if world.overlaps else 0.7}), claim)
    assert because(moved) == "a cause; no parameter with a range changes it"


def test_a_world_without_a_value_refutes_nothing() -> None:
    one = judged(lambda world: Computed({"k": 0.5 if world.overlaps else math.nan}))
    assert one.broken_by == () and one.verdict is Verdict.CONSTRUCTED


def test_without_a_computation_it_is_not_possible() -> None:
    claim = dataclasses.replace(CLAIM, impossible="its machine is gone")
    assert judged(None, claim).verdict is Verdict.IMPOSSIBLE


def test_a_claim_that_holds_with_another_plausible_value_alone_is_calibrated() -> None:
    one = judged(lambda world: Computed({"k": 0.5 if 0.6 < rate_of(world) < 0.8 else 2 * rate_of(world)}))
    assert one.verdict is Verdict.CALIBRATED and one.value == 2.0
    (part,) = one.parts
    assert 0.6 < part.low <= part.high < 0.8


def test_a_claim_that_fails_inside_a_range_and_not_at_its_ends_is_calibrated() -> None:
    one = judged(lambda world: Computed({"k": 0.45 if rate_of(world) == 1.0 else 0.55}))
    assert one.verdict is Verdict.CONSTRUCTED
    one = judged(
        lambda world: Computed({"k": 1.0 if 1.3 < rate_of(world) < 1.9 else 0.5 + rate_of(world) / 1e3})
    )
    assert one.verdict is Verdict.CALIBRATED and one.parts[0].high < 1.3


def test_bounds_that_lie_between_two_places_are_found() -> None:
    one = judged(lambda world: Computed({"k": 0.4 if rate_of(world) < 1.31 else 0.6}))
    assert one.verdict is Verdict.DIFFERS, "a jump over the bounds"
    one = judged(lambda world: Computed({"k": (rate_of(world) - 0.9) * 20}))
    assert one.value == pytest.approx(2.0) and one.verdict is Verdict.CALIBRATED
    (part,) = one.parts
    assert 0.92 < part.low <= part.high < 0.93


def test_what_chose_a_parameter_and_holds_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    only = {"rate": Parameter("rate", 1.0, "calibrated: by hand", 0.5, 2.0, "why", ("p/f/k",))}
    monkeypatch.setattr(attack, "parameters", lambda: only)
    assert headline([judged(needs_overlap)]) == (0, 0)
    assert headline([judged(constant(0.6))]) == (0, 1)


def test_claims_that_quote_parts_of_a_sentence_count_once() -> None:
    parts = [judged(constant(0.6), dataclasses.replace(CLAIM, words=words, sentence="s")) for words in "ab"]
    assert headline(parts) == (0, 1)


def eta_of(world: World) -> float:
    return dict(world.values).get("m.overlap", 1.0) if world.overlaps else 0.0


def test_a_claim_that_needs_enough_overlap_and_nothing_else_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    eta = Parameter("m.overlap", 1.0, "estimated: by hand", 0.0, 1.0, "no paper publishes it", ())
    monkeypatch.setattr(attack, "parameters", lambda: {"m.overlap": eta})
    figure = PaperFigure("f", "a figure", (CLAIM,), "by hand", machines=("m",))

    def only(holds: Callable[[float], bool]) -> Judged:
        ((one,), _) = judge("p", figure, lambda w: Computed({"k": 0.5 if holds(eta_of(w)) else 1.0}), "full")
        return one

    needs = only(lambda share: share > 0.4)
    assert needs.verdict is Verdict.CALIBRATED and needs.depends_on_eta_alone
    assert because(needs).endswith("of 0 to 1; how much the machine overlapped is all that is open")
    assert not only(lambda share: 0.4 < share < 0.7).depends_on_eta_alone, "outside with the believed value"


def test_the_page_says_how_many_calibrated_claims_are_outside_with_the_believed_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def outcome(compute: Computation) -> Outcome:
        one = judged(compute)
        return Outcome("p", PaperFigure("f", "a figure", (CLAIM,)), [one])

    every = [
        outcome(lambda world: Computed({"k": 0.5 if rate_of(world) < 1.5 and world.overlaps else 1.0})),
        outcome(lambda world: Computed({"k": rate_of(world)})),
        outcome(constant(0.6)),
    ]
    only = {"rate": Parameter("rate", 1.0, "calibrated: by hand", 0.5, 2.0, "why", ("p/f/k",))}
    monkeypatch.setattr(attack, "parameters", lambda: only)
    every.append(outcome(needs_overlap))
    assert calibrated_text(every) == (
        "The 3 calibrated claims: 1 outside with the believed values; 1 that hold and chose a parameter; "
        "1 that hold with the believed values, and for a part of a range or at some sizes only, "
        "0 of them over all ranges but eta's"
    )


def test_a_claim_that_no_world_breaks_says_over_which_ranges_it_holds() -> None:
    one = judged(lambda world: Computed({"k": 0.5 + rate_of(world) / 1e3}))
    assert one.verdict is Verdict.CONSTRUCTED
    assert because(one).endswith("; holds over the whole range of the 1 parameter that changes it")


def test_a_parameter_that_changes_nothing_is_not_counted() -> None:
    assert judged(needs_overlap).ranges == 0


def test_simulations_that_hold_at_the_full_sizes_alone_are_not_reproduced() -> None:
    figure = PaperFigure("f", "a figure", (CLAIM,), "by hand", parameters=("rate",), simulated=True)
    ((one,), _) = judge(
        "p", figure, lambda world: Computed({"k": 0.5 if world.form == "full" else 1}), "full"
    )
    assert one.verdict is Verdict.CALIBRATED and one.only_at == "short"


def test_simulations_that_hold_at_the_sizes_of_the_attack_alone_do_not_differ() -> None:
    """They are not attacked at the full sizes, where another plausible value may do."""
    figure = PaperFigure("f", "a figure", (CLAIM,), "by hand", parameters=("rate",), simulated=True)
    ((one,), _) = judge(
        "p", figure, lambda world: Computed({"k": 1 if world.form == "full" else 0.5}), "full"
    )
    assert one.verdict is Verdict.CALIBRATED and one.only_at == "short"
    assert because(one).endswith("inside at the sizes of the short form")


def test_simulations_that_differ_are_attacked_too() -> None:
    figure = PaperFigure("f", "a figure", (CLAIM,), "by hand", parameters=("rate",), simulated=True)
    ((one,), _) = judge("p", figure, lambda world: Computed({"k": rate_of(world)}), "full")
    assert one.value == 1.0 and one.parts, "another plausible rate lies within the bounds"
    assert one.verdict is Verdict.CALIBRATED


def test_a_fabric_of_half_the_bandwidth_is_one_of_the_worlds() -> None:
    (world,) = (one for one in alternatives("short") if one.fabric_share < 1)
    assert b'bb_bw="3.84e+09Bps"' in with_fabric(world.platform("fsn"), 32, 1).xml, "240 MB/s a node, halved"
    assert b"bb_bw" not in with_fabric(World().platform("fsn"), 32, 1).xml
    free, shared = (ProbeMachine.named("bassi", one) for one in (World(), world))
    assert shared.all_ranks_gap_s > free.all_ranks_gap_s
    assert shared.two_ranks_gap_s == free.two_ranks_gap_s


def test_the_headline_counts_only_sentences_that_could_have_failed() -> None:
    def said(words: str, compute: Computation | None, **changes: str) -> Judged:
        return judged(compute, dataclasses.replace(CLAIM, words=words, **changes))

    gone = said("d", None, impossible="its machine is gone")
    every = [said("a", needs_overlap), said("b", constant(0.5)), said("c", constant(0.6)), gone]
    assert headline(every) == (1, 2)
    assert headline([*every, said("a", constant(0.5))]) == (1, 2), "a part by construction says nothing"
    assert headline([*every, said("a", constant(0.6))]) == (0, 2), "a sentence is what its worst part is"
    assert headline([*every, said("d", needs_overlap)]) == (1, 3)
