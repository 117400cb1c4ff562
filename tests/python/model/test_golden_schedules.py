# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto-model` answers about schedules, kernels and paths: a golden sample of random cases.

A second implementation in another language gave the same answers to 1e-9.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from stretto.native.model import ask

GOLDEN = Path(__file__).parents[2] / "golden" / "model-schedules.json"
KINDS = ("graph", "kernel", "path", "schedule-ft", "schedule-spmv")
TOLERANCE = 1e-9


def differences(found: Any, expected: Any, where: str, scale: float) -> list[str]:
    """Where two answers differ by more than TOLERANCE of the value, or of `scale` for a difference of clocks."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if found.keys() != expected.keys():
            return [f"{where}: {sorted(found)} instead of {sorted(expected)}"]
        return [
            line
            for key in expected
            for line in differences(found[key], expected[key], f"{where}.{key}", scale)
        ]
    if isinstance(expected, list) and isinstance(found, list):
        if len(found) != len(expected):
            return [f"{where}: {len(found)} items instead of {len(expected)}"]
        pairs = enumerate(zip(found, expected, strict=True))
        return [line for i, (one, other) in pairs for line in differences(one, other, f"{where}[{i}]", scale)]
    if isinstance(expected, float) and isinstance(found, int | float):
        close = abs(found - expected) <= TOLERANCE * max(abs(expected), scale)
        return [] if close else [f"{where}: {found} instead of {expected}"]
    return [] if found == expected else [f"{where}: {found!r} instead of {expected!r}"]


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_those_of_the_golden_sample(kind: str) -> None:
    cases = json.loads(GOLDEN.read_text(encoding="utf-8"))[kind]
    assert len(cases) >= 40
    answers = ask([case["request"] for case in cases])
    wrong = []
    for place, (case, answer) in enumerate(zip(cases, answers, strict=True)):
        expected = case["answer"]
        longest_s = max(expected.get("total_s", [0.0]))
        wrong += differences(answer, expected, f"{kind}[{place}]", longest_s)
    assert wrong == []
