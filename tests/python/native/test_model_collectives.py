# SPDX-License-Identifier: BSD-3-Clause
"""Answers of `stretto-model` about collectives and Jacobi iterations: a golden sample, and refusals.

The sample is of random profiles, on which a second implementation of the paper agreed to 1e-9.
"""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from golden_answers import differences

from stretto.native.model import Answer, InvalidRequest, query_model

GOLDEN = Path(__file__).parents[2] / "golden" / "model-collectives.json"
KINDS = (
    "collective-calls",
    "collective-choices",
    "collective-factors",
    "collective-grids",
    "jacobi",
)


def golden(kind: str) -> tuple[list[dict[str, Any]], list[Answer]]:
    """The requests of a kind with the answers that are expected."""
    known = json.loads(GOLDEN.read_text(encoding="utf-8"))
    cases = [case for case in known["cases"] if case["request"]["kind"] == kind]
    for case in cases:
        request = case["request"]
        if "functions" in request:
            request["functions"] = known["functions"][request["functions"]]
    return [case["request"] for case in cases], [case["answer"] for case in cases]


def longest_s(answers: Mapping[str, object]) -> float:
    """The longest of times that are next to each other."""
    return max(
        (one["time_s"] or 0.0 for one in answers.values() if isinstance(one, dict) and "time_s" in one),
        default=0.0,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_those_of_the_golden_sample(kind: str) -> None:
    requests, expected = golden(kind)
    assert differences(query_model(requests), expected, kind, scale_of=longest_s) == []


def test_the_golden_sample_has_every_outcome() -> None:
    _, choices = golden("collective-choices")
    uses = Counter(choice["use"] for answer in choices for choice in answer["choices"])
    assert uses["flat"] and uses["undecided"] and sum("x" in use for use in uses)
    for kind, least in (
        ("collective-calls", "times"),
        ("collective-grids", "grids"),
        ("jacobi", "iterations"),
    ):
        _, answers = golden(kind)
        assert sum(len(answer[least]) for answer in answers) >= 50


def test_a_difference_is_noticed() -> None:
    expected = {"time_s": 2.0, "reason": None, "grids": [1, 2]}
    assert differences({"time_s": 2.0 + 1e-12, "reason": None, "grids": [1, 2]}, expected, "answer") == []
    assert differences({"time_s": 2.0 + 1e-8, "reason": None, "grids": [1, 2]}, expected, "answer") != []
    assert differences({"time_s": 2.0, "reason": "why", "grids": [1, 2]}, expected, "answer") != []
    assert differences({"time_s": 2.0, "reason": None, "grids": [1]}, expected, "answer") != []


TERM = {"of_p": "p", "of_b": "b", "coefficient": 1e-9}
FUNCTIONS = {"collectives": [{"operation": "broadcast", "terms": [TERM]}]}
CALL = {"operation": "broadcast", "members": 8, "size_bytes": 1000}


def calls(kind: str = "collective-calls", **change: object) -> dict[str, object]:
    """A request about one call with another member."""
    return {"kind": kind, "functions": FUNCTIONS, "calls": [{**CALL, **change}]}


def test_a_call_takes_its_terms() -> None:
    (answer,) = query_model([calls()])
    assert answer["times"] == [{"time_s": pytest.approx(8e-6), "deviation": 0}]
    (answer,) = query_model([calls("collective-grids", grid="2x4")])
    (grid,) = answer["grids"]
    assert grid["total"]["time_s"] == pytest.approx(6e-6) and grid["gain"]["value"] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("request_", "member", "what"),
    [
        (calls(operation="sing"), "calls[0].operation", "is no collective operation"),
        (calls(members=0), "calls[0].members", "give a whole number from 1"),
        (calls(size_bytes=-1), "calls[0].size_bytes", "give a whole number from 0"),
        (calls(phase="third"), "calls[0].phase", "give leader or concurrent"),
        (calls(members=1 << 20, groups=1 << 20), "calls[0].groups", "are too many ranks"),
        (calls("collective-grids", grid="4*2"), "calls[0].grid", "give P1xP2"),
        (calls("collective-grids", grid="65536x65536"), "calls[0].grid", "has too many ranks"),
        (
            calls("collective-grids", grid="2x4", segments=0),
            "calls[0].segments",
            "give a whole number from 1",
        ),
        (calls("collective-grids", grid="2x4", segments=2), "calls[0].overlap", "is missing"),
        ({**calls(), "algorithm": "mine"}, "algorithm", "give library or reference"),
        (
            {**calls(), "functions": {"collectives": [{"operation": "gather"}]}},
            "functions",
            "terms: is missing",
        ),
        ({**calls(), "functions": {"torus": [0]}}, "functions", "torus is not a list"),
        ({"kind": "collective-factors", "torus": [0], "calls": []}, "torus", "is not a list"),
        (
            {"kind": "jacobi", "functions": {}, "unknowns": 9, "ranks": 4, "layouts": [], "grids": ["3x3"]},
            "grids",
            "give P1xP2 of all ranks",
        ),
        (
            {
                "kind": "jacobi",
                "functions": {},
                "unknowns": 9,
                "ranks": 4,
                "layouts": [{"layout": "diagonal"}],
            },
            "layouts[0].layout",
            "give row or column",
        ),
    ],
)
def test_invalid_input_is_refused_with_its_member(
    request_: dict[str, object], member: str, what: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        query_model([request_])
    assert refused.value.member == member and what in refused.value.what
