# SPDX-License-Identifier: BSD-3-Clause
"""The summary of `make test` counts all tests, and a runner that ended early as a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from run_tests import MOST_REPEATED, Outcome, read_junit, read_passed, repeated

CTEST = """<testsuite>
<testcase name="a" classname="a" status="run"><system-out>fine</system-out></testcase>
<testcase name="b" classname="b" status="fail"><failure message="no"/></testcase>
<testcase name="c" classname="c" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>x.cpp:3: Skipped
too small a machine

[  SKIPPED ] Suite.C (0 ms)</system-out></testcase>
</testsuite>"""


def junit(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "junit.xml"
    file.write_text(text)
    return file


def test_counts_passed_failed_and_skipped_with_reason(tmp_path: Path) -> None:
    outcome = read_junit("ctest", junit(tmp_path, CTEST), status=8)
    assert outcome.passed == 1
    assert outcome.failed == ("ctest: b",)
    assert outcome.skipped == (("ctest: Suite.C", "too small a machine"),)


def test_one_entry_may_be_many_tests(tmp_path: Path) -> None:
    text = CTEST.replace("fine", "[==========] 6 tests ran. (1 ms total)\n[  PASSED  ] 5 tests.\n")
    assert read_junit("ctest", junit(tmp_path, text), status=8).passed == 5


def test_skip_inside_a_passed_test_is_not_hidden(tmp_path: Path) -> None:
    text = CTEST.replace(
        'status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>', 'status="run">'
    )
    outcome = read_junit("ctest", junit(tmp_path, text), status=8)
    assert outcome.passed == 2
    assert [name for name, _ in outcome.skipped] == ["ctest: Suite.C"]


def test_runner_without_a_result_is_a_failure(tmp_path: Path) -> None:
    assert len(read_junit("pytest", tmp_path / "none.xml", status=4).failed) == 1
    assert len(read_junit("pytest", junit(tmp_path, "<testsuite/>"), status=0).failed) == 1


def test_bad_status_without_a_failed_test_is_a_failure(tmp_path: Path) -> None:
    text = '<testsuite><testcase name="a" classname="a" status="run"/></testsuite>'
    assert len(read_junit("ctest", junit(tmp_path, text), status=1).failed) == 1


def test_entries_that_passed_as_a_whole(tmp_path: Path) -> None:
    text = CTEST.replace("fine", "[  PASSED  ] 5 tests.\n").replace(
        "a machine", "a machine\n[  PASSED  ] 1 test."
    )
    assert read_passed("ctest", junit(tmp_path, text)) == {"ctest: a": 5}
    assert read_passed("ctest", tmp_path / "none.xml") == {}


def test_what_passes_alone_is_unsteady() -> None:
    first = Outcome(10, ("a", "b", "d"), (("c", "no disk"),))
    outcome = repeated(first, lambda: {"b": 3, "d": 1, "other": 1})
    assert outcome == Outcome(14, ("a",), (("c", "no disk"),), ("b", "d"))


@pytest.mark.parametrize("failed", ["a", "x: exit status 8, 0 tests passed", "pytest: pytest.internal"])
def test_what_did_not_pass_alone_has_failed(failed: str) -> None:
    first = Outcome(10, (failed,))
    assert repeated(first, lambda: {}) == repeated(first, lambda: {"other": 1}) == first


def test_only_a_few_failures_are_repeated() -> None:
    many = Outcome(10, tuple(map(str, range(MOST_REPEATED + 1))))
    assert repeated(many, lambda: pytest.fail("repeated")) == many
    assert repeated(Outcome(3), lambda: pytest.fail("repeated")) == Outcome(3)
