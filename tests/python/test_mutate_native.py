# SPDX-License-Identifier: BSD-3-Clause
"""The lists of native mutants are read as documented, and fit the sources."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mutate_native import LISTS, Mutant, mutated, read_list

ROOT = Path(__file__).resolve().parents[2]

LIST = """# a comment
mutant the limit is off by one
file src/a.cpp
test unit_tests Limit.*
old
    if (a < b) {

      return;
new
    if (a <= b) {
      return;
end
"""


def mutant(old: str, new: str) -> Mutant:
    return Mutant(
        name="m", file="a.cpp", target="unit_tests", selection="A.*", through_ctest=False, old=old, new=new
    )


def test_a_list_is_read() -> None:
    (result,) = read_list(LIST, "a.txt")
    assert (result.name, result.file) == ("the limit is off by one", "src/a.cpp")
    assert result.old == "if (a < b) {\n\n  return;"
    assert result.new == "if (a <= b) {\n  return;"
    assert result.test_command()[1:] == ["--gtest_filter=Limit.*"]


def test_tests_may_be_those_of_ctest() -> None:
    (result,) = read_list(LIST.replace("Limit.*", "ctest ^mpi.rma"), "a.txt")
    assert result.target == "unit_tests"
    assert result.test_command()[-2:] == ["-R", "^mpi.rma"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LIST.replace("file src/a.cpp\n", ""), "a.txt:11: the mutant has no file"),
        (LIST.replace("end\n", ""), "the last mutant has no 'end'"),
        (LIST.replace("test unit", "tests unit"), "a.txt:4: 'tests unit_tests Limit.*' does not belong here"),
    ],
)
def test_a_wrong_list_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        read_list(text, "a.txt")


def test_a_mutant_changes_the_one_place_that_it_names() -> None:
    assert mutated("a < b; c < d", mutant("a < b", "a <= b")) == "a <= b; c < d"
    for text in ("a > b", "a < b; a < b"):
        with pytest.raises(ValueError, match="times, not once"):
            mutated(text, mutant("a < b", "a <= b"))


@pytest.mark.parametrize("path", sorted(LISTS.glob("*.txt")), ids=lambda path: path.stem)
def test_every_mutant_fits_its_source(path: Path) -> None:
    for one in read_list(path.read_text(encoding="utf-8"), path.name):
        text = (ROOT / one.file).read_text(encoding="utf-8")
        assert mutated(text, one) != text, one.name
