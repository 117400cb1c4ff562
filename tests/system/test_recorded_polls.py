# SPDX-License-Identifier: BSD-3-Clause
"""Loops of tests and probes that find nothing: all are counted, and work between them is work in the trace. By a clock that
no other program disturbs.
"""

import re
from collections import Counter
from pathlib import Path

import pytest
from processes import needs_built
from traced_runs import LAUNCHERS, compiled, events_of, parameters, recorder_of, traced

from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import Event

BUILT = [name for name in LAUNCHERS if recorder_of(name).is_file()]
pytestmark = needs_built(BUILT, "LIBSTRETTO_TRACE")
POLLS = ("MPI_Testany", "MPI_Iprobe")
IN_DOUBT = 0.02
"""Of all time, where single polls are not timed."""
READINGS = 0.05
"""Of the time of polls: timed ones include the readings of the clock."""


@pytest.fixture(scope="module", params=parameters(BUILT))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    preset = request.param
    directory = tmp_path_factory.mktemp("polled")
    clock = compiled(preset, "virtual_clock.c", directory, "-shared", "-fPIC", "-O2", "-ldl")
    return preset, compiled(preset, "polled.c", directory, "-O2", clock)


@pytest.mark.parametrize(
    "tags", [pytest.param(1, id="two kinds"), pytest.param(6, id="many kinds", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    ("work_us", "bursts"), [(0, 20_000), (3, 20_000), (100, 2000)], ids=["no work", "short work", "long work"]
)
@pytest.mark.matrix_but("openmpi", work_us=[3], tags=[6])
def test_all_polls_are_counted_and_work_between_them_is_work(
    program: tuple[str, Path], work_us: int, bursts: int, tags: int, tmp_path: Path
) -> None:
    preset, target = program
    done = traced(preset, tmp_path / "t", target, work_us, bursts, tags, timeout_s=600)
    assert done.returncode == 0, done.stderr
    said = re.search(r"(\d+) tests, (\d+) probes, worked ([\d.]+) s, polled ([\d.]+) s", done.stdout)
    assert said is not None, done.stdout
    events = [one for one in events_of(open_trace(tmp_path / "t")[0]) if one.name in POLLS]
    found_nothing = Counter[str]()
    for one in events:
        if one.count == 0:
            found_nothing[one.name] += 1 + one.extra
    assert [found_nothing[name] for name in POLLS] == [int(said[1]), int(said[2])]
    assert no_overlap(events)
    worked_s, polled_s, span_s = float(said[3]), float(said[4]), events[-1].begin_s - events[0].begin_s
    tolerance_s = IN_DOUBT * span_s + READINGS * polled_s
    assert sum(one.duration_s for one in events) == pytest.approx(polled_s, abs=tolerance_s)
    assert between_s(events) == pytest.approx(worked_s, abs=tolerance_s + READINGS * span_s)


def no_overlap(events: list[Event]) -> bool:
    return all(
        after.begin_s >= one.begin_s + one.duration_s - 1e-9
        for one, after in zip(events, events[1:], strict=False)
    )


def between_s(events: list[Event]) -> float:
    """The time that is no poll's, from the first to the last one that another burst follows."""
    bursts = [one for one in events if one.name == "MPI_Iprobe"]
    until = events.index(bursts[-1])
    in_polls_s = sum(one.duration_s for one in events[:until])
    return events[until].begin_s - events[0].begin_s - in_polls_s
