# SPDX-License-Identifier: BSD-3-Clause
"""The analysis of a trace by several processes: the same result, wherever the files lie, by hand and in a job."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.generated_trace import generate
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.launch import dividing
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.native.document import launched
from stretto.native.programs import native_program
from stretto.potential.messages import analysed

RANKS = 6
PARTS = ("sites", "time", "network")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("trace")
    generate(found, 20_000, RANKS, 1)
    return found


@pytest.fixture(scope="module")
def alone(directory: Path) -> dict[str, Any]:
    return document(native_program("stretto-analyse", "none"), directory)


@pytest.fixture(scope="module")
def mpi() -> MpiLibrary:
    return find_mpi()


def document(*command: Path | str) -> dict[str, Any]:
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def program(mpi: MpiLibrary) -> Path:
    return native_program("stretto-analyse", mpi.family, mpi.mpiexec)


def same(one: Any, other: Any) -> bool:
    """Equal but for the rounding of sums."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
def test_the_result_does_not_depend_on_the_processes(
    directory: Path, alone: dict[str, Any], mpi: MpiLibrary, processes: int
) -> None:
    assert same(alone, document(mpi.mpiexec, "-n", str(processes), program(mpi), directory))


def test_files_are_read_where_they_lie(
    directory: Path, alone: dict[str, Any], mpi: MpiLibrary, tmp_path: Path
) -> None:
    command: list[Path | str] = [mpi.mpiexec]
    for node in range(2):
        local = tmp_path / f"node-{node}"
        local.mkdir()
        for rank in range(node, RANKS, 2):
            name = f"rank-{rank:06d}.trace"
            (local / name).symlink_to(directory / name)
        command += [":"] if node else []
        command += ["-n", "1", program(mpi), local]
    assert same(alone, document(*command))


@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("ranks", [(0,), (3,), (2, 3, 5)])
def test_damaged_files_end_all_processes_with_one_line(
    directory: Path, mpi: MpiLibrary, tmp_path: Path, ranks: tuple[int, ...], at_end: bool, processes: int
) -> None:
    for file in directory.glob("*.trace"):
        (tmp_path / file.name).symlink_to(file)
    wrong = [tmp_path / f"rank-{rank:06d}.trace" for rank in ranks]
    for one in wrong:
        data = one.read_bytes()
        one.unlink()
        # Without the header, or with a definition in place of the last records.
        one.write_bytes(data[: len(data) // 2] + b"\1\0" * (len(data) // 4) if at_end else b"no trace")
    # MPICH's mpiexec dies of a broken pipe where a program ends before its proxy is set up.
    waits = ("sh", "-c", '"$@"; status=$?; sleep 0.3; exit $status', "sh")
    command = [str(mpi.mpiexec), "-n", str(processes), *waits, str(program(mpi)), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("stretto-analyse:")]
    assert wrong[0].name in line
    assert (f"{len(wrong)} of {RANKS} files cannot be read, first " in line) == (len(wrong) > 1)


def test_a_wrong_option_is_refused_once(mpi: MpiLibrary) -> None:
    command = [str(mpi.mpiexec), "-n", "3", str(program(mpi)), "--nonsense"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = [line for line in done.stderr.splitlines() if line.startswith("stretto-analyse:")]
    assert done.returncode == 2 and len(lines) == 1 and "--nonsense" in lines[0]


def test_a_directory_without_traces_is_refused(mpi: MpiLibrary, tmp_path: Path) -> None:
    command = [str(mpi.mpiexec), "-n", "2", str(program(mpi)), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = [line for line in done.stderr.splitlines() if line.startswith("stretto-analyse:")]
    assert done.returncode == 2 and len(lines) == 1 and "rank-*.trace" in lines[0]


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mpi: MpiLibrary) -> Path:
    """A Slurm job of two nodes, whose srun starts its tasks here. Returns the file with its command line."""
    said = tmp_path / "srun.json"
    srun = tmp_path / "srun"
    srun.write_text(
        f"""#!{sys.executable}
import json, os, sys
words = sys.argv[1:]
if words == ["--mpi=list"]:
    print("pmi2 pmix")
    raise SystemExit
with open({str(said)!r}, "w") as file:
    json.dump(words, file)
tasks = next(word.split("=")[1] for word in words if word.startswith("--ntasks="))
command = [word for word in words if not word.startswith("--")]
for name in [name for name in os.environ if name.startswith("SLURM")]:
    del os.environ[name]  # mpiexec would use srun in a job
os.execv({str(mpi.mpiexec)!r}, [{str(mpi.mpiexec)!r}, "-n", tasks, *command])
"""
    )
    srun.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n[1-2]")
    monkeypatch.setattr(dividing, "MIN_BYTES", 0)
    return said


@pytest.fixture
def traces(directory: Path) -> list[TraceFile]:
    return list(open_trace(directory))


def test_outside_of_a_job_and_for_short_traces_one_process_is_enough(
    traces: list[TraceFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    monkeypatch.setattr(dividing, "MIN_BYTES", 0)
    assert dividing.divided(traces) is None
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n[1-2]")
    monkeypatch.setattr(dividing, "MIN_BYTES", 1 << 40)
    assert dividing.divided(traces) is None


def test_in_a_job_of_several_nodes_the_work_is_divided(
    traces: list[TraceFile], alone: dict[str, Any], job: Path
) -> None:
    several = dividing.divided(traces)
    assert several is not None
    with launched(several):
        together = analysed(traces, *PARTS)
    assert "--nodelist=n1,n2" in json.loads(job.read_text())
    assert same(alone, together)
