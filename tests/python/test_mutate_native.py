# SPDX-License-Identifier: BSD-3-Clause
"""Mutants of native sources change code, one place at a time, and belong to sources that a test mirrors."""

from pathlib import Path

import pytest

from mutate_native import mirrored_sources, mutants_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("code", "mutants"),
    [
        ("if (a < b && !c)", {"if (a <= b && !c)", "if (a < b || !c)", "if (a < b && c)"}),
        ("x = std::min(a, 7);", {"x = std::max(a, 7);", "x = std::min(a, 8);"}),
        ("a -= b - c;", {"a += b - c;", "a -= b + c;"}),
        ("std::vector<int> a; int* b; c << d; T&& e;", set()),
        ('say("a < b"); // a < b', set()),
        ("#if A < 1", set()),
        ("f() {\n  forget(it->second);\n}", {"f() {\n\n}"}),
        ("f() {\n  if (late) return 0;\n}", {"f() {\n\n}", "f() {\n  if (late) return 1;\n}"}),
        ("f() {\n  return g(a);\n}", set()),
    ],
)
def test_operators_change_code_and_nothing_else(code: str, mutants: set[str]) -> None:
    assert {one.applied_to(code) for one in mutants_of("a.cpp", code)} == mutants


def test_a_mutant_names_its_place() -> None:
    (one,) = mutants_of("src/a.cpp", "\n\nreturn a == b;")
    assert str(one) == "src/a.cpp:3: == -> !="


def test_each_source_has_the_suites_of_the_test_that_mirrors_it() -> None:
    known = dict(mirrored_sources(ROOT))
    assert known["src/measure/stopping.cpp"] == "Stopping.*:*/Stopping.*"
    assert {"src/onesided/engine/packet.cpp", "src/onesided/engine/packet.hpp"} <= known.keys()
    assert all(selection and (ROOT / source).is_file() for source, selection in known.items())
