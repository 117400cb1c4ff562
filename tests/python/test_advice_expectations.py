# SPDX-License-Identifier: BSD-3-Clause
"""The known best changes of the programs in validation/advice, and how advice is judged against them."""

import re
from dataclasses import replace

import pytest

from validation.advice.expectations import (
    Lines,
    Program,
    Said,
    found,
    judged,
    programs,
    reasons_of_misses,
    said,
)

ALL = {one.name: one for one in programs()}
BOUNDARY, TRAP = ALL["boundary_last"], ALL["refine"]
BEST = Said("wait later", 28, Lines(6, 8), 0.1, "move interior boundary_last.c:6-8 before it")


def test_about_half_of_the_programs_have_a_trap_in_both_languages() -> None:
    traps = [one for one in ALL.values() if one.trap]
    assert len(ALL) >= 10 and abs(2 * len(traps) - len(ALL)) <= 1
    assert {one.language for one in traps} == {"C", "Fortran"}


@pytest.mark.parametrize("program", ALL.values(), ids=ALL)
def test_expected_lines_are_calls_and_loops_of_the_source(program: Program) -> None:
    lines = program.source.read_text(encoding="utf-8").splitlines()
    for one in (program.best, *program.right):
        assert all(re.search(r"\bMPI_[A-Z]", lines[site - 1]) for site in one.sites)
        if one.region is not None:
            text = "\n".join(lines[one.region.first - 1 : one.region.last])
            assert re.search(r"\bfor \(|\bdo \w", text)
    forms = {form for form in ("CHANGED", "TEMPTING") if any(form in line for line in lines)}
    assert ("TEMPTING" in forms) == bool(program.trap)
    assert ("CHANGED" in forms) == (program.best.kind != "nothing")


def test_advice_for_other_lines_or_of_another_kind_would_break_the_program() -> None:
    assert judged(BOUNDARY, BEST) == "best"
    assert judged(BOUNDARY, replace(BEST, region=Lines(6, 13))) == "would break"
    assert judged(BOUNDARY, replace(BEST, region=None)) == "would break"
    assert judged(BOUNDARY, replace(BEST, site=24)) == "would break"
    assert judged(BOUNDARY, replace(BEST, kind="split the loop")) == "would break"
    assert judged(BOUNDARY, replace(BEST, kind="progress thread")) == "harmless"


def test_reasons_are_of_programs() -> None:
    for entry in ("advice", "advice-gain"):
        assert set(reasons_of_misses(entry)) <= set(ALL)


def test_nothing_is_found_where_nothing_would_break() -> None:
    assert found(TRAP, []) and not found(TRAP, [BEST])
    assert found(BOUNDARY, [BEST]) and not found(BOUNDARY, [])


def test_regions_that_are_not_offered_are_no_advice() -> None:
    region = {"where": "interior boundary_last.c:6-8", "kind": "re-arrangement", "offered": True}
    work = {"side": "arrival", "where": "main boundary_last.c:28", "hidden_s": 1.0, "refused": ""}
    document = {"on_network": None, "time": {"run_s": 10.0}, "changes": []}

    def advice_of(region: dict[str, object], work: dict[str, object]) -> list[Said]:
        return said({**document, "movable": [{**work, "regions": [region]}]})

    (one,) = advice_of(region, work)
    assert judged(BOUNDARY, one) == "best" and one.gain == 0.1
    assert advice_of({**region, "offered": False}, work) == []
    assert advice_of(region, {**work, "refused": "its messages come one after another"}) == []
