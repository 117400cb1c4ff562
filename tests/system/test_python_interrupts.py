# SPDX-License-Identifier: BSD-3-Clause
"""A signal reaches a wait of stretto.rma: a Ctrl-C ends the wait for a partner that never comes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from runs import process_ends
from test_python_interface import BUILT, ROOT, run
from traced_runs import environment, launch, parameters

PROGRAM = ROOT / "tests" / "system" / "programs" / "rma_interrupted.py"
CASES = ["handle", "barrier"]
MORE = ["wait_signal", "wait_notify", "blocking_update", "lock", "collective", "other_signal"]
pytestmark = pytest.mark.skipif(
    not BUILT, reason="LIBRARIES NOT BUILT: not tested; scripts/native mpich tests builds them"
)


@pytest.mark.matrix_but("openmpi", case=["handle", "collective"])
@pytest.mark.parametrize("case", [*CASES, *(pytest.param(case, marks=pytest.mark.slow) for case in MORE)])
@pytest.mark.parametrize("preset", parameters(BUILT))
def test_an_interrupted_wait_can_be_repeated(preset: str, case: str, tmp_path: Path) -> None:
    done = run(preset, 2, PROGRAM, case, tmp_path)
    assert done.stdout.count("holds") == 2 and done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("preset", parameters(BUILT))
def test_a_second_interrupt_ends_what_cannot_be_abandoned(preset: str, tmp_path: Path) -> None:
    done = run(preset, 2, PROGRAM, "twice", tmp_path)
    assert "one more interrupt ends all ranks" in done.stderr
    assert "an operation to rank 1 does not end" in done.stderr and done.returncode != 0, done.stderr
    assert "holds" not in done.stdout


@pytest.mark.parametrize("reached", ["rank", "launcher"])
@pytest.mark.parametrize("preset", parameters(BUILT))
def test_a_job_whose_wait_is_interrupted_ends_as_one(preset: str, reached: str, tmp_path: Path) -> None:
    command = launch(preset, sys.executable, str(PROGRAM), "uncaught", str(tmp_path), ranks=2)
    job = subprocess.Popen(
        command,
        env={**environment(preset), "PYTHONPATH": str(ROOT / "python")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert job.stdout is not None
        rank = int(job.stdout.readline().split()[1])
        os.kill(rank if reached == "rank" else job.pid, signal.SIGINT)
        _, errors = job.communicate(timeout=60)
    finally:
        job.kill()
    assert "MPI_Finalize" not in errors, errors
    if preset == "mpich" or reached == "rank":  # Open MPI's launcher sends its ranks another signal
        assert "KeyboardInterrupt" in errors, errors
        assert job.returncode in (2, 130), "mpiexec of MPICH ends with 2, as after any interrupt"
    assert job.returncode != 0
    process_ends(rank)
