# SPDX-License-Identifier: BSD-3-Clause
"""Runtime functions as `stretto show RUN collectives` and the report have them."""

import re
from pathlib import Path

import pytest

from stretto.data.collectives import RuntimeFunction, Summand, Term
from stretto.data.figures import Figure
from stretto.data.profile import Profile
from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.report.cells import tables
from stretto.report.runtime_functions import formula, function_cells, function_tables
from stretto.report.screen import plain_text


def function(**more: object) -> RuntimeFunction:
    return RuntimeFunction("broadcast", 2, 16, 8, 65536, **more)  # type: ignore[arg-type]


def term(of_p: str, of_b: str, coefficient: float) -> Term:
    return Term(of_p, of_b, Figure(coefficient))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"terms": (term("1", "1", 1.2e-5), term("ceil-log2-p", "b", 3.4e-9))}, "12 + 0.0034 b ceil(log2 p)"),
        ({"terms": (term("p-1", "1", 2e-6), term("1", "1", -1e-6))}, "2 (p-1) - 1"),
        ({"terms": ()}, "0"),
        ({"sum_of": (Summand("gather", "b"), Summand("broadcast", "p b"))}, "gather(b) + broadcast(pb)"),
        ({"phases_overlap": 0.8}, "80 % of the shorter phase hidden by segments"),
    ],
)
def test_a_function_reads_as_a_formula_in_microseconds(given: dict[str, object], expected: str) -> None:
    assert formula(function(**given)) == expected


def test_a_row_has_the_ranges_and_the_error() -> None:
    one = function(terms=(term("p", "1", 1e-6),), phase="leader", deviation=0.021)
    assert function_cells(one) == ["broadcast", "leader", "2-16", "8-64KiB", "1 p", "2.1"]


def test_the_tables_of_the_paper_fit_a_terminal() -> None:
    text = plain_text(tables(function_tables(read_profile(profile_path(Path("clic"))))))
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"^broadcast", text, re.MULTILINE)


def test_without_functions_there_is_no_table() -> None:
    assert list(function_tables(Profile(()))) == []
    assert list(function_tables(None)) == []
