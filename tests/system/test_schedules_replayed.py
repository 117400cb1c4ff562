# SPDX-License-Identifier: BSD-3-Clause
"""The graph evaluator against the replay engine, where both model the same: sends, offload, no injection queue."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from replays import needs_replay

from stretto.commands import run
from stretto.model.goal import goal_text
from stretto.model.graph import evaluate
from stretto.model.network import LogGp, Network
from stretto.model.schedule import Schedule, ft_schedule, spmv_schedule

pytestmark = needs_replay

SCHEDULES = {
    "exchange": ft_schedule("exchange", 8, 64, 4096, operation="send"),
    "slabs": ft_schedule("slabs", 8, 64, 4096, operation="send"),
    "chunks": ft_schedule("chunks", 8, 64, 4096, 32, operation="send"),
    "pencils": ft_schedule("pencils", 8, 64, 4096, operation="send"),
    "tiles": ft_schedule("chunks", 8, 64, 4096, 256, operation="send"),
    "bulk": spmv_schedule("bulk", 8, 65536, two_sided=True),
    "gather": spmv_schedule("gather", 8, 65536, 1, two_sided=True),
    "gather deep": spmv_schedule("gather", 8, 65536, 5, two_sided=True),
    "scatter": spmv_schedule("scatter", 8, 65536, 3, two_sided=True),
}
# Work a rank in microseconds: nothing, about as much as the wire takes, more.
WORK_US = (0, 640, 6400)


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("work_us", WORK_US)
def test_the_graph_ends_when_the_replay_does(
    name: str, work_us: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schedule: Schedule = SCHEDULES[name]
    file = tmp_path / "schedule.goal"
    file.write_text(goal_text(schedule, work_us * 1e-6), encoding="ascii")
    capsys.readouterr()
    assert run(["replay", str(file), "--loggp", "L=6us,o_s=2us,o_r=1us,g=3us,G=2ns", "--json"]) == 0
    replayed = json.loads(capsys.readouterr().out)
    loggp = LogGp.of(L=6e-6, o=2e-6, o_r=1e-6, g=3e-6, G=2e-9)
    graph = evaluate(schedule, Network.uniform(loggp), np.array([work_us * 1e-6]))
    assert replayed["unreceived"] == 0
    assert float(graph.total_s[0]) == pytest.approx(replayed["makespan_s"], rel=1e-9)
