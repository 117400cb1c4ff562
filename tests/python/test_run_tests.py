# SPDX-License-Identifier: BSD-3-Clause
"""The summary of `make test` counts all tests, and a runner that ended early as a failure."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

from run_tests import (
    ROOT,
    UNSTEADY,
    Outcome,
    node_id,
    read_junit,
    read_passed,
    read_unsteady,
    repeated,
)
from test_parts import PARTS

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
    assert read_passed("ctest", junit(tmp_path, text)) == {"ctest: a"}
    assert read_passed("ctest", tmp_path / "none.xml") == set()


FIRST = Outcome(10, ("a", "b", "d"), (("c", "no disk"),))


def test_a_failure_is_a_failure_and_does_not_run_again() -> None:
    assert repeated(FIRST, {}, lambda _: pytest.fail("repeated")) == FIRST
    assert repeated(FIRST, {"c", "other"}, lambda _: pytest.fail("repeated")) == FIRST


def test_only_known_ones_run_again_and_do_not_count_as_passed() -> None:
    asked: list[str] = []
    outcome = repeated(FIRST, {"b", "d", "x"}, lambda names: asked.extend(names) or {"a", "b"})
    assert asked == ["b", "d"]
    assert outcome == Outcome(10, ("a", "d"), (("c", "no disk"),), ("b",))
    assert outcome.summary == "10 passed, 2 failed, 1 skipped, 1 unsteady"
    assert FIRST.summary == "10 passed, 3 failed, 1 skipped"


@pytest.mark.parametrize(
    "line", ["mpich: a", "mpich: a | hangs", "mpich: a | | https://x.org/1", "a | hangs | https://x.org/1"]
)
def test_an_unsteady_test_needs_a_reason_and_an_issue(tmp_path: Path, line: str) -> None:
    file = tmp_path / "unsteady.txt"
    file.write_text(f"# list\n\nmpich: b | hangs | https://x.org/1\n{line}\n")
    with pytest.raises(ValueError, match=r"unsteady\.txt, line 4"):
        read_unsteady(file)
    file.write_text("# list\n\nmpich: b | hangs | https://x.org/1\n")
    assert read_unsteady(file) == {"mpich: b": "hangs (https://x.org/1)"}


def test_the_list_of_unsteady_tests_is_readable() -> None:
    read_unsteady(UNSTEADY)


def test_pytest_finds_a_test_by_its_name_in_a_junit_file() -> None:
    module = "tests/python/test_run_tests.py"
    name = test_an_unsteady_test_needs_a_reason_and_an_issue.__name__
    assert node_id(f"pytest: tests.python.test_run_tests.{name}[a.b-c]") == f"{module}::{name}[a.b-c]"
    assert node_id("pytest: tests.python.test_run_tests.TestA.test_b") == f"{module}::TestA::test_b"


def selected(part: str, marks: set[str]) -> bool:
    return Expression.compile(PARTS[part].marks).evaluate(lambda name, **_: name in marks)


MARKS = ("slow", "every_mpi", "matrix", "long", "alone")


@pytest.mark.parametrize("marks", [set(some) for n in range(6) for some in combinations(MARKS, n)])
def test_each_part_has_the_tests_of_the_smaller_one(marks: set[str]) -> None:
    assert selected("all", marks)
    assert selected("change", marks) or not selected("quick", marks)
    assert selected("quick", marks) == (not marks & {"slow", "every_mpi", "matrix"})


def test_each_part_has_the_builds_of_the_smaller_one() -> None:
    quick, change, everything = (set(PARTS[name].builds) for name in ("quick", "change", "all"))
    assert quick < change < everything
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
    assert everything <= {one["name"] for one in presets}


def test_what_a_change_leaves_to_another_build_is_there() -> None:
    """The unit tests run with the sanitizers."""
    change = PARTS["change"].builds
    assert "unit" in "".join(change["mpich"].labels or ())
    assert "unit" not in "".join(change["sanitize"].labels or ())
