# SPDX-License-Identifier: BSD-3-Clause
"""What counts as a difference between a run of MPICH's test suite and the same run under a library."""

from collections.abc import Callable
from pathlib import Path

import pytest

from validation.mpich_suite import (
    ENDS,
    Finding,
    Kept,
    Outcome,
    difference,
    in_turn,
    outcome,
    row,
    steady_difference,
)
from validation.mpich_suite_source import Case, cases_of, read_cases

PASSED = outcome(0, " No Errors\n")
FAILED = outcome(1, "Fatal error at 0x55\n")


def runs(*outcomes: Outcome) -> Callable[[str | None], Outcome]:
    """Gives one outcome after the other, and fails when asked for more."""
    left = list(outcomes)
    return lambda _library: left.pop(0)


def test_lines_of_ranks_have_no_order() -> None:
    assert difference(outcome(0, "one\ntwo\n"), outcome(0, "two\none\n")) is None


def test_addresses_times_and_what_stretto_says_are_no_difference() -> None:
    plain = outcome(0, "window at 0x7ffe12 after 1.25 s\n")
    assert (
        difference(
            plain, outcome(0, "stretto: 3 files\nMPICH: 1 reference\nwindow at 0x7f0000 after 0.75 s\n")
        )
        is None
    )


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (outcome(0, " No Errors\nrank 1: wrong\n"), "prints 'rank 1: wrong'"),
        (outcome(0, ""), "prints less"),
        (outcome(139, " No Errors\n"), "ends with 139, plain ends with 0"),
        (Outcome(None), "does not end, plain ends with 0"),
    ],
)
def test_other_lines_another_status_and_a_hang_are_differences(other: Outcome, what: str) -> None:
    assert difference(PASSED, other) == what


def test_a_line_more_often_is_a_difference() -> None:
    assert difference(PASSED, outcome(0, " No Errors\n No Errors\n")) is not None


def test_a_plain_run_that_hangs_is_compared_with_nothing() -> None:
    assert difference(Outcome(None), PASSED) is None


def test_a_run_that_fails_plain_must_fail_alike() -> None:
    assert difference(FAILED, outcome(1, "Fatal error in another place\n")) is None
    assert difference(FAILED, PASSED) == "ends with 0, plain ends with 1"


def test_a_difference_must_be_seen_twice_with_plain_runs_in_between() -> None:
    five = (PASSED,) * 5
    assert steady_difference(runs(PASSED), "trace", PASSED) is None
    assert steady_difference(runs(FAILED, *five, FAILED), "trace", PASSED) == "ends with 1, plain ends with 0"
    assert steady_difference(runs(FAILED, *five, PASSED), "trace", PASSED) == "unsteady"
    assert steady_difference(runs(FAILED, PASSED, FAILED), "trace", PASSED) == "unsteady"


def test_a_list_of_the_suite_is_read_as_its_own_runner_reads_it() -> None:
    text = """# comment
bcast 4 arg=-count=10 arg=-fast env=MPIR_CVAR_A=1,2 timeLimit=30 mpiversion=3.0

ssend 2 xfail=ticket1
ssend 2
subdirectory
"""
    assert list(read_cases(text, "coll")) == [
        Case("coll", "bcast", 4, ("-count=10", "-fast"), (("MPIR_CVAR_A", "1,2"),), 30.0),
        Case("coll", "ssend", 2),
    ]
    assert next(case.name for case in read_cases(text, "coll")) == (
        "coll/bcast 4 -count=10 -fast MPIR_CVAR_A=1,2"
    )


def test_cases_are_those_that_were_built_of_a_part_and_its_directories(tmp_path: Path) -> None:
    source, directory = tmp_path / "source", tmp_path / "build"
    for path in (source / "threads/pt2pt", directory / "threads/pt2pt"):
        path.mkdir(parents=True)
    (source / "threads/testlist").write_text("# parts\npt2pt\ncomm # not built\n", encoding="utf-8")
    (source / "threads/pt2pt/testlist").write_text("built 2\nnot_built 2\n", encoding="utf-8")
    (directory / "threads/pt2pt/built").touch()
    assert list(cases_of(source, directory, "threads")) == [Case("threads/pt2pt", "built", 2)]


def test_parts_take_turns() -> None:
    one, two, three = (Case("coll", name, 2) for name in ("one", "two", "three"))
    cases = {"coll": [one, two], "rma": [], "comm": [three]}
    assert list(in_turn(cases)) == [("coll", one), ("comm", three), ("coll", two)]


def test_a_row_counts_runs_with_a_finding_of_each_kind() -> None:
    case = Case("coll", "one", 2)
    twice = [Finding("trace", "trace: prints less"), Finding("replay", "replay ends with 3")]
    found = [(case, twice), (case, []), (case, [Finding("trace", "trace: does not end")])]
    counts = dict(zip(ENDS, row("coll", 9, found)[3:], strict=True))
    assert row("coll", 9, found)[:3] == ("coll", "9", "3")
    assert counts == {**dict.fromkeys(ENDS, "0"), "trace": "2", "replay": "1"}


def test_an_ended_run_continues_with_the_cases_that_are_left(tmp_path: Path) -> None:
    file = tmp_path / "mpich.jsonl"
    first, second = (Case("rma", name, 2, limit_s=1.0) for name in ("put1", "get1"))
    found = [Finding("trace", "trace: ends with 1, plain ends with 0")]
    Kept(file, continues=False).add(first, found)
    again = Kept(file, continues=True)
    assert again.findings(first) == found and again.findings(second) is None
    assert Kept(file, continues=False).findings(first) is None
