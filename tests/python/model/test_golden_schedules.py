# SPDX-License-Identifier: BSD-3-Clause
"""Answers of `stretto-model` about schedules and paths: a golden sample of random cases.

An independent implementation gave the same answers to 1e-9.
"""

import json
from pathlib import Path

import pytest
from golden_answers import differences

from stretto.native.model import query_model

GOLDEN = Path(__file__).parents[2] / "golden" / "model-schedules.json"
KINDS = ("path", "schedule-ft", "schedule-spmv")


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
