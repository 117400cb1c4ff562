# SPDX-License-Identifier: BSD-3-Clause
"""The recorder changes neither the life nor the exit status of a program, whatever its handles are."""

import json
import subprocess
from pathlib import Path

import pytest
from memory_runs import BIN, environment, is_built
from processes import completed, needs_built
from traced_runs import compiled, spawn_failed

from stretto.data.trace_directory import open_trace

pytestmark = needs_built(is_built("mpich"), "THE RECORDER")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("mpich", "fleeting_handles.c", tmp_path_factory.mktemp("program"))


def traced(program: Path, directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [BIN / "stretto", "trace", "-o", directory, "--", BIN / "mpiexec", "-n", "2", program, *words]
    return completed(command, timeout=60, env=environment("mpich"))


def test_handles_that_no_recorded_call_made_may_be_freed(program: Path, tmp_path: Path) -> None:
    done = traced(program, tmp_path / "t")
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
    assert all(file.complete for file in open_trace(tmp_path / "t"))


@pytest.mark.slow
def test_a_spawned_program_has_a_trace_of_its_own(program: Path, tmp_path: Path) -> None:
    for attempt in range(5):
        trace = tmp_path / str(attempt)
        done = traced(program, trace, "spawned")
        if not spawn_failed(done):
            break
    # UCX under MPICH says so where a peer ends while it looks for its memory, with the recorder and without.
    printed = [line for line in done.stdout.splitlines() if "UCX  ERROR" not in line]
    assert (done.returncode, printed) == (0, ["right"]), done.stderr
    for directory in (trace, trace / "spawned-0001"):
        assert [file.header.rank for file in open_trace(directory) if file.complete] == [0, 1]


def test_the_exit_status_is_the_programs(program: Path, tmp_path: Path) -> None:
    done = traced(program, tmp_path / "t", "fails")
    assert done.returncode == 7 and "ended with 7" in done.stderr
    assert all(file.complete for file in open_trace(tmp_path / "t"))


@pytest.mark.slow
def test_the_rank_that_died_stands_first_and_the_trace_replays_to_its_end(
    program: Path, tmp_path: Path
) -> None:
    done = traced(program, tmp_path / "t", "dies")
    assert done.returncode not in (0, 1)
    assert "without MPI_Finalize: rank 1 outside of MPI, rank 0 in MPI_Recv" in done.stderr
    command = [BIN / "stretto", "replay", tmp_path / "t", "--loggp", "L=1us", "--json"]
    replayed = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert replayed.returncode == 0, replayed.stderr
    found = json.loads(replayed.stdout)
    assert found["makespan_s"] > 0 and found["trace"]["incomplete"] == 2
    command = [BIN / "stretto", "whatif", tmp_path / "t"]
    shown = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert shown.returncode == 0 and "Without MPI_Finalize" in " ".join(shown.stdout.split())
