# SPDX-License-Identifier: BSD-3-Clause
"""`stretto preload progress` with unmodified programs: it moves their data without other effects."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from processes import completed, needs_built
from traced_runs import (
    COMPILERS,
    LAUNCHERS,
    ROOT,
    compiled,
    compiler_of,
    environment,
    launch,
    preset_fixture,
    spawn_failed,
    stretto,
)

from stretto.native.library_rules import progress_variables

LIBRARY = "lib/libstretto_progress.so"
NOT_IN_THIS_MPI = 77
CORES = len(os.sched_getaffinity(0))
OPERATIONS = [
    *("point-to-point", "persistent-alltoall"),
    *(
        pytest.param(one, marks=pytest.mark.slow)
        for one in ("persistent", "partitioned", "alltoall", "allreduce", "neighbour", "window")
    ),
]
BUILT = [name for name in LAUNCHERS if (ROOT / "build" / name / LIBRARY).is_file()]
pytestmark = needs_built(BUILT, "LIBSTRETTO_PROGRESS.SO")
preset = preset_fixture(BUILT)


@pytest.fixture(scope="module")
def program(preset: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(compiled(preset, "progressed.c", tmp_path_factory.mktemp(preset)))


@pytest.fixture(scope="module")
def driven(preset: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(compiled(preset, "driven.c", tmp_path_factory.mktemp(preset)))


def run(
    preset: str, program: str, *arguments: str, ranks: int = 2, **variables: str
) -> subprocess.CompletedProcess[str]:
    if 2 * ranks > CORES:
        variables.setdefault("STRETTO_POLL_INTERVAL_S", "0.001")  # without it, there is no thread
    command = launch(preset, program, *arguments, ranks=ranks)
    return stretto(preset, "preload", "progress", "--", *command, **variables)


def test_a_large_message_moves_while_the_receiver_computes(preset: str, program: str, tmp_path: Path) -> None:
    done = run(preset, program, "rendezvous", str(tmp_path / "sent"))
    assert done.returncode == 0, done.stderr
    assert "sent while the receiver computed" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.matrix_but(
    "openmpi", operation=["point-to-point", "partitioned", "persistent-alltoall", "window"]
)
def test_operations_complete_while_the_other_side_computes(
    preset: str, driven: str, operation: str, tmp_path: Path
) -> None:
    if operation == "partitioned" and preset == "openmpi":
        pytest.skip(
            "OPEN MPI 5 LOSES PARTITIONED OPERATIONS, so that the thread ends: "
            "test_no_partitioned_operation_is_lost tests that; MPICH's are driven"
        )
    done = run(preset, driven, operation, str(tmp_path / "done"))
    if done.returncode == NOT_IN_THIS_MPI:
        pytest.skip(f"{preset} HAS NO SUCH OPERATION: {operation}")
    assert (done.returncode, done.stdout) == (0, "while it computed\n"), done.stderr
    assert "stretto" not in done.stderr, "an MPI may warn of its own transports"


def test_settings_of_mpi_are_those_that_gain_predicts_with(preset: str) -> None:
    family = "mpich" if preset == "mpich" else "openmpi"
    for name, value in progress_variables(family).items():
        assert run(preset, "printenv", name, ranks=1).stdout == f"{value}\n"
        assert run(preset, "printenv", name, ranks=1, **{name: "users"}).stdout == "users\n"


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("starts", [3, 450])
@pytest.mark.matrix_but("mpich", ranks=[3])
@pytest.mark.matrix_but("openmpi", ranks=[3], starts=[450])
def test_no_partitioned_operation_is_lost(preset: str, starts: int, ranks: int, tmp_path: Path) -> None:
    """Polls at short intervals meet every state of the operations; under Open MPI 5 such runs never ended."""
    ring = compiled(preset, "partitioned_ring.c", tmp_path)
    rounds = str(450 // starts)
    done = run(preset, str(ring), rounds, str(starts), ranks=ranks, STRETTO_POLL_INTERVAL_S="0.00001")
    if done.returncode == NOT_IN_THIS_MPI:
        pytest.skip(f"{preset} HAS NO PARTITIONED OPERATIONS")
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
    said = (
        "stretto: no progress thread: Open MPI 5 loses partitioned operations" if preset == "openmpi" else ""
    )
    ours = [line for line in done.stderr.splitlines() if line.startswith("stretto")]
    assert "".join(ours).startswith(said) and len(ours) == (1 if said else 0)


@pytest.mark.slow  # make test does not build it
def test_programs_of_the_standard_abi_have_a_library_of_their_own(tmp_path: Path) -> None:
    wrapper = COMPILERS["mpich"].with_name("mpicc_abi")
    if "mpich" not in BUILT or not wrapper.is_file():
        pytest.skip("NOT BUILT FOR mpich, OR IT HAS NO mpicc_abi: scripts/native mpich tests builds it")
    driven = compiled("mpich", "driven.c", tmp_path, wrapper=wrapper)
    moved = run("mpich", str(driven), "point-to-point", str(tmp_path / "a"))
    assert (moved.returncode, moved.stdout, moved.stderr) == (0, "while it computed\n", "")
    program = str(compiled("mpich", "progressed.c", tmp_path, wrapper=wrapper))
    for mode in ("exchange", "threads", "plain-init", "sessions"):
        done = run("mpich", program, mode, ranks=3)
        assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", ""), mode


def test_an_mpi_without_threads_goes_on_without_one(preset: str, program: str, tmp_path: Path) -> None:
    cc = Path("/usr/bin/cc")
    limited = str(compiled(preset, "few_threads.c", tmp_path, "-shared", "-fPIC", wrapper=cc))
    done = run(preset, program, "exchange", LD_PRELOAD=limited, STRETTO_STATISTICS=str(tmp_path / "file"))
    assert (done.returncode, done.stdout) == (0, "ok\n")
    assert done.stderr.startswith("stretto: no progress thread: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("ranks", [*(pytest.param(few, marks=pytest.mark.slow) for few in (1, 2)), 3])
@pytest.mark.parametrize("mode", ["exchange", "plain-init", "fork", "pending", "poll", "threads", "sessions"])
@pytest.mark.matrix_but("mpich", ranks=[1, 3])
@pytest.mark.matrix_but("openmpi", ranks=[3])
def test_programs_get_their_own_results_and_thread_level(
    preset: str, program: str, mode: str, ranks: int
) -> None:
    done = run(preset, program, mode, ranks=ranks)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.matrix_but("openmpi", ranks=[2])
def test_a_request_that_nobody_completes_ends_as_without_the_library(
    preset: str, program: str, ranks: int
) -> None:
    """An MPI may complain of it at MPI_Finalize: the same number of times."""
    plain = completed(launch(preset, program, "forgotten", ranks=ranks), env=environment(preset), timeout=60)
    done = run(preset, program, "forgotten", ranks=ranks)
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
    assert sorted(done.stderr.splitlines()) == sorted(plain.stderr.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranks", "reason"),
    [
        (CORES + 1, f"{CORES + 1} ranks share {CORES} cores"),
        (CORES, f"{CORES} ranks and their threads need {2 * CORES} cores, and may use {CORES} cores"),
    ],
)
@pytest.mark.matrix_but("openmpi", ranks=[CORES + 1])
def test_where_a_host_has_no_cores_for_threads_there_are_none(
    preset: str, program: str, tmp_path: Path, ranks: int, reason: str
) -> None:
    file = tmp_path / "statistics.txt"
    asked = run(preset, program, "exchange", ranks=ranks, STRETTO_STATISTICS=str(file))
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, "ok\n", "") and file.is_file()
    file.unlink()
    command = launch(preset, program, "exchange", ranks=ranks)
    done = stretto(preset, "preload", "progress", "--", *command, STRETTO_STATISTICS=str(file))
    assert (done.returncode, done.stdout) == (0, "ok\n") and not file.exists()
    assert done.stderr == (
        f"stretto: no progress thread: {reason}; STRETTO_POLL_INTERVAL_S=0.004 starts one all the same\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "own"), [("exchange", "funneled"), ("plain-init", "single")])
@pytest.mark.matrix_but("openmpi", mode=["plain-init"])
def test_without_a_thread_mpi_has_the_level_of_the_program(
    preset: str, program: str, mode: str, own: str, tmp_path: Path
) -> None:
    """MPI_THREAD_MULTIPLE makes each message dearer."""
    shows = str(compiled(preset, "shown_level.c", tmp_path, "-shared", "-fPIC"))
    command = launch(preset, program, mode, ranks=CORES)
    for variables, level in (({}, own), ({"STRETTO_POLL_INTERVAL_S": "0.01"}, "multiple")):
        done = stretto(preset, "preload", "progress", "--", *command, LD_PRELOAD=shows, **variables)
        assert (done.returncode, done.stdout) == (0, f"initialised with {level}\nok\n"), done.stderr


def test_spawned_processes_have_a_thread_of_their_own(preset: str, program: str, tmp_path: Path) -> None:
    plain = completed(launch(preset, program, "spawn", ranks=2), env=environment(preset), timeout=60)
    if plain.returncode != 0:
        pytest.skip(f"THIS MPI CANNOT SPAWN HERE: {plain.stderr[-200:]}")
    for _ in range(5):
        done = run(preset, program, "spawn")
        if not spawn_failed(done):
            break
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr


@pytest.mark.parametrize("module", ["f90", "f08"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_fortran_programs_get_their_own_results(preset: str, module: str, ranks: int, tmp_path: Path) -> None:
    flags = ["-DF08", "-DERROR="] if module == "f08" else ["-DERROR=,error"]
    if not compiler_of(preset, Path("progressed.f90")).is_file() or preset == "mpich":
        pytest.skip(f"{preset} HAS NO FORTRAN: Debian's Open MPI has (apt install libopenmpi-dev gfortran)")
    program = compiled(preset, "progressed.f90", tmp_path, "-cpp", *flags)
    file = tmp_path / "statistics.txt"
    done = run(preset, str(program), ranks=ranks, STRETTO_STATISTICS=str(file))
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "ok", "")
    rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert {row[1] for row in rows} == {"51"}  # 5 ways of 10 requests, and a collective


@pytest.mark.slow
def test_two_libraries_share_the_statistics_file(preset: str, program: str, tmp_path: Path) -> None:
    command = launch(preset, program, "exchange", ranks=2)
    for order in ("collectives,progress", "progress,collectives"):
        file = tmp_path / f"{order}.txt"
        file.write_text("of an earlier run\n", encoding="utf-8")
        variables = {"STRETTO_STATISTICS": str(file), "STRETTO_POLL_INTERVAL_S": "0.001"}
        done = stretto(preset, "preload", order, "--", *command, **variables)
        assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
        text = file.read_text(encoding="utf-8")
        assert "# libstretto_progress" in text and "# stretto collectives" in text
        assert "of an earlier run" not in text


def test_the_exit_status_is_the_programs(preset: str, program: str) -> None:
    assert run(preset, program, "status").returncode == 4
    assert run(preset, program, "abort").returncode == 5


def test_statistics_have_a_row_per_rank(preset: str, program: str, tmp_path: Path) -> None:
    file = tmp_path / "statistics.txt"
    done = run(preset, program, "exchange", ranks=3, STRETTO_STATISTICS=str(file))
    assert done.returncode == 0, done.stderr
    head, _, *rows, saved = file.read_text(encoding="utf-8").splitlines()
    assert head.startswith("# libstretto_progress")
    assert [row.split()[0] for row in rows] == ["0", "1", "2"]
    # 6 ways of 12 requests, one collective and 3 starts of two persistent requests.
    assert {row.split()[1] for row in rows} == {"79"}
    assert {row.split()[2] for row in rows} == {"0.000"}  # 79 numbers
    assert saved.startswith("# time saved")


def test_statistics_leave_persistent_requests_active(preset: str, tmp_path: Path) -> None:
    """Asking MPICH whether one is complete deactivates it, and the program's wait finds nothing."""
    program = compiled(preset, "persistent_waits.c", tmp_path)
    variables = {"STRETTO_STATISTICS": str(tmp_path / "file"), "STRETTO_POLL_INTERVAL_S": "0.004"}
    done = run(preset, str(program), ranks=2, **variables)
    assert (done.returncode, done.stdout.strip()) == (0, "ok"), done.stderr


def test_statistics_count_the_bytes_that_moved_during_computation(
    preset: str, program: str, tmp_path: Path
) -> None:
    file = tmp_path / "statistics.txt"
    done = run(preset, program, "rendezvous", str(tmp_path / "sent"), STRETTO_STATISTICS=str(file))
    assert "sent while the receiver computed" in done.stdout, done.stderr
    rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    # 8 MiB of rank 1 moved while it computed; rank 0 waits for its send at once.
    assert float(rows[1][2]) == pytest.approx(8.389, abs=0.001)
    assert float(rows[1][3]) == pytest.approx(8.389, abs=0.001)
    assert all(float(row[6]) <= float(row[5]) <= float(row[4]) for row in rows), "empty polls, polls, wakes"


def test_a_wrong_interval_is_reported_once_and_the_program_runs(preset: str, program: str) -> None:
    done = run(preset, program, "exchange", STRETTO_POLL_INTERVAL_S="soon")
    assert (done.returncode, done.stdout) == (0, "ok\n")
    assert done.stderr.count("STRETTO_POLL_INTERVAL_S=soon") == 1


@pytest.mark.slow
def test_the_recorder_may_run_with_it(preset: str, program: str, tmp_path: Path) -> None:
    command = launch(preset, program, "exchange", ranks=2)
    for order in ("trace,progress", "progress,trace"):
        directory = tmp_path / order
        directory.mkdir()
        done = stretto(preset, "preload", order, "--", *command, STRETTO_TRACE_DIR=str(directory))
        assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
        assert len(list(directory.iterdir())) >= 2


@pytest.mark.slow
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
    done = run("mpich", sys.executable, "-c", code, ranks=3)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
