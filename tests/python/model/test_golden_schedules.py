# SPDX-License-Identifier: BSD-3-Clause
"""Answers of `stretto-model` about schedules and paths: a golden sample of random cases.

An independent implementation gave the same answers to 1e-9.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from stretto.native.model import query_model

GOLDEN = Path(__file__).parents[2] / "golden" / "model-schedules.json"
KINDS = ("path", "schedule-ft", "schedule-spmv")
TOLERANCE = 1e-9


def differences(result: Any, expected: Any, where: str, scale: float) -> list[str]:
    """Where two answers differ by more than TOLERANCE of the value, or of `scale` for a difference of clocks."""
    if isinstance(expected, dict) and isinstance(result, dict):
        if result.keys() != expected.keys():
            return [f"{where}: {sorted(result)} instead of {sorted(expected)}"]
        return [
            line
            for key in expected
            for line in differences(result[key], expected[key], f"{where}.{key}", scale)
        ]
    if isinstance(expected, list) and isinstance(result, list):
        if len(result) != len(expected):
            return [f"{where}: {len(result)} items instead of {len(expected)}"]
        pairs = enumerate(zip(result, expected, strict=True))
        return [line for i, (one, other) in pairs for line in differences(one, other, f"{where}[{i}]", scale)]
    if isinstance(expected, float) and isinstance(result, int | float):
        close = abs(result - expected) <= TOLERANCE * max(abs(expected), scale)
        return [] if close else [f"{where}: {result} instead of {expected}"]
    return [] if result == expected else [f"{where}: {result!r} instead of {expected!r}"]


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_those_of_the_golden_sample(kind: str) -> None:
    cases = json.loads(GOLDEN.read_text(encoding="utf-8"))[kind]
    assert len(cases) >= 40
    answers = query_model([case["request"] for case in cases])
    wrong = []
    for place, (case, answer) in enumerate(zip(cases, answers, strict=True)):
        expected = case["answer"]
        longest_s = max(expected.get("total_s", [0.0]))
        wrong += differences(answer, expected, f"{kind}[{place}]", longest_s)
    assert wrong == []
