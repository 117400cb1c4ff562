# SPDX-License-Identifier: BSD-3-Clause
"""The validation of schedules asks for predictions with command lines that `stretto` accepts."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from stretto.commands import request_of
from validation import commands
from validation.papers.schedules import PAPERS_ROWS, SCALES, SCHEDULES, graph_times


def test_the_times_of_graphs_come_from_accepted_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def answer(words: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(request_of(words[1:]))
        rows = [{"schedule": name, "time_s": {"value": len(asked)}} for name in SCHEDULES]
        return subprocess.CompletedProcess(words, 0, json.dumps({"rows": rows}), "")

    monkeypatch.setattr(commands.subprocess, "run", answer)
    times = graph_times(Path("profile.json"), PAPERS_ROWS)
    assert [request.gave("as_json") for request in asked] == [True] * len(SCALES)
    assert {key: times[key] for key in times if key[0] == "slabs"} == {
        ("slabs", scale): number for number, scale in enumerate(SCALES, 1)
    }
