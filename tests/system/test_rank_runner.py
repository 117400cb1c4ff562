# SPDX-License-Identifier: BSD-3-Clause
"""A failure on one rank of an MPI test fails the test on all ranks, is shown, and hangs no rank."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUITE = "DISABLED_FailingRanks"


def run(test: str, *, ranks: int = 2, requested: int = 2) -> subprocess.CompletedProcess[str]:
    mpiexec = ROOT / ".venv" / "bin" / "mpiexec"
    program = ROOT / "build" / "mpich" / "tests" / "mpi_tests"
    choice = ["--gtest_also_run_disabled_tests", f"--gtest_filter={SUITE}.{test}"]
    options = [f"--ranks={requested}", "--timeout=2", *choice]
    command = [str(mpiexec), "-n", str(ranks), str(program), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("test", "reason"), [("OneExpects", "seen on one rank"), ("OneThrows", "thrown on one rank")]
)
def test_failure_on_one_rank_fails_all_ranks(test: str, reason: str) -> None:
    done = run(test)
    assert done.returncode != 0
    assert "[rank 1]" in done.stderr and reason in done.stderr
    assert "failed on rank 1" in done.stdout and f"[  FAILED  ] {SUITE}.{test}" in done.stdout


def test_rank_that_leaves_early_hangs_no_rank() -> None:
    done = run("OneLeavesTheOthersWaiting")
    assert done.returncode != 0
    assert "left on one rank" in done.stderr and "waited 2 s for the other ranks" in done.stderr


def test_passes_when_no_rank_fails() -> None:
    done = run("NoRankFails")
    assert done.returncode == 0, done.stdout + done.stderr


def test_too_few_ranks_is_a_failure() -> None:
    done = run("NoRankFails", ranks=2, requested=4)
    assert done.returncode != 0
    assert "these tests need 4 ranks" in done.stderr


def test_a_choice_of_no_test_is_a_failure() -> None:
    done = run("NobodyHasThisName")
    assert done.returncode != 0
    assert "no test is chosen" in done.stderr
