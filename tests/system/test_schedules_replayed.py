# SPDX-License-Identifier: BSD-3-Clause
"""The graph evaluator against the replay engine, where both model the same: sends, offload, no injection queue."""

from pathlib import Path

import numpy as np
import pytest
from replays import needs_replay
from screens import document

from stretto.model.evaluation import Question, evaluate
from stretto.model.network import LogGp, PathCosts
from stretto.model.problem import FtProblem, SpmvProblem
from stretto.model.schedule import Schedule, goal_text

pytestmark = needs_replay

FT, SPMV = FtProblem(64, 256, 8), SpmvProblem(8 * 8192, 0.0, 8)
SCHEDULES = {
    "exchange": FT.schedule("exchange", operation="send"),
    "slabs": FT.schedule("slabs", operation="send"),
    "chunks": FT.schedule("chunks", 32, operation="send"),
    "pencils": FT.schedule("pencils", operation="send"),
    "tiles": FT.schedule("chunks", 256, operation="send"),
    "bulk": SPMV.schedule("bulk", operation="send"),
    "gather": SPMV.schedule("gather", 1, operation="send"),
    "gather deep": SPMV.schedule("gather", 5, operation="send"),
    "scatter": SPMV.schedule("scatter", 3, operation="send"),
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
    replayed = document(capsys, "replay", file, "--loggp", "L=6us,o_s=2us,o_r=1us,g=3us,G=2ns")
    loggp = LogGp.of(L=6e-6, o=2e-6, o_r=1e-6, g=3e-6, G=2e-9)
    (graph,) = evaluate([Question(schedule, PathCosts.uniform(loggp), np.array([work_us * 1e-6]))])
    assert replayed["unreceived"] == 0
    assert float(graph.total_s[0]) == pytest.approx(replayed["makespan_s"], rel=1e-9)
