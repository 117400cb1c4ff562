# SPDX-License-Identifier: BSD-3-Clause
"""stretto.rma between ranks: with the embedded MPI alone and with mpi4py's communicators."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from processes import completed
from traced_runs import LAUNCHERS, ROOT, environment, launch, parameters

CHECKS = ROOT / "tests" / "system" / "programs" / "rma_checks.py"
OWNERSHIP = ROOT / "tests" / "system" / "programs" / "rma_ownership.py"
BUILT = [
    name
    for name in LAUNCHERS
    if list((ROOT / "build" / name / "lib" / "stretto").glob("*/libstretto.so")) and LAUNCHERS[name].is_file()
]
pytestmark = pytest.mark.skipif(
    not BUILT, reason="LIBRARIES NOT BUILT: not tested; scripts/native mpich tests builds them"
)


def run_text(directory: Path, ranks: int, text: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of this text."""
    program = directory / "program.py"
    program.write_text(text)
    return run(BUILT[0], ranks, program)


def run(preset: str, ranks: int, *program: str | Path) -> subprocess.CompletedProcess[str]:
    command = launch(preset, sys.executable, *map(str, program), ranks=ranks)
    return completed(command, env={**environment(preset), "PYTHONPATH": str(ROOT / "python")}, timeout=120)


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["default", "between-nodes", "small-segments", "message"])
@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_everything_holds_without_mpi4py(setting: str, ranks: int) -> None:
    done = run(BUILT[0], ranks, CHECKS, setting)
    assert done.stdout.count("everything holds") == ranks, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("preset", parameters(BUILT))
def test_everything_holds_with_a_communicator_of_mpi4py(preset: str) -> None:
    pytest.importorskip("mpi4py")
    if preset != "mpich":
        pytest.skip("MPI4PY'S MPI: this environment's mpi4py starts with the embedded MPI")
    done = run(preset, 3, CHECKS, "between-nodes", "mpi4py")
    assert done.stdout.count("everything holds") == 3, done.stdout + done.stderr


@pytest.mark.parametrize("preset", parameters(BUILT))
def test_each_mpi_serves_python(preset: str) -> None:
    done = run(preset, 2, CHECKS, "between-nodes")
    assert done.stdout.count("everything holds") == 2, done.stdout + done.stderr


def test_every_function_of_the_c_interface_is_called() -> None:
    done = run(BUILT[0], 2, CHECKS, "default", "calls")
    assert done.stdout.count("everything holds") == 2, done.stdout + done.stderr
    # Names of errors are classes here, and a release is importlib.metadata's.
    assert "not called: stretto_error_name stretto_version" in done.stdout.splitlines(), done.stdout


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_the_example_runs(ranks: int) -> None:
    done = run(BUILT[0], ranks, ROOT / "examples" / "runtime.py")
    assert done.stdout == "runtime (Python): puts, gets, the counter and the transform agree\n", done.stderr


def test_the_program_of_the_page_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bindings.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    done = run_text(tmp_path, 2, program + "print('ended')\n")
    assert done.stdout.count("ended") == 2, done.stderr


def test_an_error_of_one_rank_ends_all(tmp_path: Path) -> None:
    program = (
        "from stretto import rma\n"
        "with rma.Runtime() as runtime:\n"
        "    if runtime.rank == 1: raise ValueError('what went wrong')\n"
        "    runtime.barrier()\n"
    )
    done = run_text(tmp_path, 2, program)
    assert done.returncode != 0 and "ValueError: what went wrong" in done.stderr


def test_a_handle_that_is_dropped_warns_and_keeps_its_region(tmp_path: Path) -> None:
    program = (
        "import gc, numpy, warnings\n"
        "from stretto import rma\n"
        "warnings.simplefilter('always')\n"
        "with rma.Runtime(node_ranks=1) as runtime:\n"
        "    region = runtime.region(4)\n"
        "    region.put_nonblocking(numpy.ones(4), 0)\n"
        "    gc.collect()\n"
    )
    done = run_text(tmp_path, 1, program)
    assert done.returncode != 0
    assert "ResourceWarning: a handle of a pending operation was dropped" in done.stderr
    assert "RegionInUseError: the region is in use: 1 handles" in done.stderr


@pytest.mark.parametrize("case", ["implicit", "implicit_to_one_rank", "pieces", "twice"])
def test_arrays_of_pending_operations_are_kept(case: str) -> None:
    done = run(BUILT[0], 2, OWNERSHIP, case)
    assert done.stdout.count("nothing was lost") == 2, done.stdout + done.stderr


@pytest.mark.parametrize("ranks", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_wrong_arguments_are_errors_on_all_ranks_and_end_nothing(ranks: int) -> None:
    done = run(BUILT[0], ranks, ROOT / "tests" / "system" / "programs" / "rma_wrong_arguments.py")
    assert "does not hold" not in done.stdout
    assert done.stdout.count("all came back") == ranks, done.stdout[-200:] + done.stderr[-2000:]
    found = re.search(r"(\d+) calls, (\d+) refused", done.stdout)
    assert found is not None and int(found[2]) > int(found[1]) // 2 > 400


@pytest.mark.slow
def test_a_get_that_times_out_leaves_its_array_alone(tmp_path: Path) -> None:
    done = run(BUILT[0], 2, OWNERSHIP, "timed_out", tmp_path / "given_up")
    assert done.stdout.count("nothing was lost") == 2, done.stdout + done.stderr


@pytest.mark.parametrize("collective", ["allgather", "alltoall", "allreduce", "broadcast"])
def test_a_collective_that_is_dropped_keeps_its_arrays_and_the_runtime(collective: str) -> None:
    done = run(BUILT[0], 2, OWNERSHIP, f"dropped_{collective}")
    assert done.stdout.count("nothing was lost") == 2, done.stdout + done.stderr
    assert "finalize: 1 handles of this rank are pending" in done.stdout and done.returncode != 0


def test_importing_needs_no_mpi() -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("STRETTO_")}
    words = [
        sys.executable,
        "-c",
        "from stretto.rma import Runtime; from stretto.rma.library import loaded_mpi; print(loaded_mpi())",
    ]
    done = subprocess.run(words, env=clean, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "{}\n"
