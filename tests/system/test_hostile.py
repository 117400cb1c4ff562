# SPDX-License-Identifier: BSD-3-Clause
"""The one-sided runtime keeps its promises to programs in C, Fortran and ARMCI that nobody would plan."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from runs import process_ends
from traced_runs import COMPILERS, LAUNCHERS, ROOT, environment, launch, parameters

PROGRAMS = ROOT / "tests" / "system" / "programs" / "hostile"
CASES = re.findall(r"CASE\((\w+)\)", (PROGRAMS / "main.c").read_text(encoding="utf-8"))[1:]
ARMCI_CASES = re.findall(r'{"(\w+)", \1}', (PROGRAMS / "armci.c").read_text(encoding="utf-8"))


def libraries_of(preset: str) -> Path:
    """Where the build of a preset has the libraries that programs link with."""
    family = "mpich" if preset == "mpich" else "openmpi"
    return ROOT / "build" / preset / "lib" / "stretto" / family


BUILT = [
    name
    for name in LAUNCHERS
    if (libraries_of(name) / "libstretto.so").is_file() and LAUNCHERS[name].is_file()
]
SETTINGS = [
    (1, "-", "-"),
    (2, "rma", "none"),
    (2, "message", "thread"),
    (4, "message", "poll"),
    (4, "-", "thread"),
]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not BUILT, reason="LIBRARIES NOT BUILT: not tested; scripts/native mpich tests builds them"
    ),
]


@pytest.fixture(scope="module", params=parameters(BUILT))
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def libraries(preset: str, *names: str) -> list[str]:
    """What links with these libraries of a preset's build."""
    directory = libraries_of(preset)
    return [*(f"{directory}/lib{name}.so" for name in names), f"-Wl,-rpath,{directory}", "-lm"]


def compiled(preset: str, target: Path, *sources: Path, uses: tuple[str, ...] = ("stretto",)) -> Path:
    words = [COMPILERS[preset], "-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-pthread"]
    headers = [f"-I{ROOT / 'include'}", f"-I{ROOT / 'include' / 'armci'}"]
    subprocess.run([*words, *headers, *sources, "-o", target, *libraries(preset, *uses)], check=True)
    return target


@pytest.fixture(scope="module")
def program(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    sources = [one for one in sorted(PROGRAMS.glob("*.c")) if one.name not in ("ends.c", "armci.c")]
    checks = ROOT / "tests" / "mpi" / "bindings" / "checks.c"
    return compiled(preset, tmp_path_factory.mktemp(preset) / "hostile", *sources, checks)


@pytest.fixture(scope="module")
def ends(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(preset, tmp_path_factory.mktemp(preset) / "ends", PROGRAMS / "ends.c")


@pytest.fixture(scope="module")
def armci(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp(preset) / "armci"
    return compiled(preset, target, PROGRAMS / "armci.c", uses=("stretto_armci", "stretto_rma"))


@pytest.fixture(scope="module")
def fortran(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("gfortran") is None:
        pytest.skip("NO FORTRAN COMPILER: Fortran is not tested")
    directory = tmp_path_factory.mktemp(preset)
    (module,) = (ROOT / "build" / preset / "include").rglob("stretto.f90")
    words = [
        "gfortran",
        "-O1",
        f"-J{directory}",
        module,
        PROGRAMS / "hostile.f90",
        "-o",
        directory / "fortran",
    ]
    subprocess.run([*words, *libraries(preset, "stretto")], check=True)
    return directory / "fortran"


def run(preset: str, ranks: int, *program: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        launch(preset, *map(str, program), ranks=ranks),
        env=environment(preset, **variables),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.matrix_but("openmpi", ranks=[2], path=["message"])
@pytest.mark.parametrize(("ranks", "path", "progress"), SETTINGS)
@pytest.mark.parametrize("case", CASES)
def test_every_promise_holds(
    preset: str, program: Path, case: str, ranks: int, path: str, progress: str
) -> None:
    done = run(preset, ranks, program, case, path, progress)
    assert done.stdout.count("holds") == ranks and done.returncode == 0, done.stdout + done.stderr


def test_a_runtime_before_and_after_mpi_is_refused(preset: str, ends: Path) -> None:
    done = run(preset, 1, ends, "before")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "before MPI_Init: argument: communicator: is not there" in done.stdout
    assert "after MPI_Finalize: argument: communicator: is not there any more" in done.stdout
    assert "again: finalized: MPI was finalized" in done.stdout


@pytest.mark.matrix_but("openmpi", ranks=[2], path=["message"])
@pytest.mark.parametrize("path", ["", "rma", "message"])
@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_fortran_may_do_all_that_it_can(preset: str, fortran: Path, ranks: int, path: str) -> None:
    done = run(preset, ranks, fortran, *([path] if path else []))
    assert done.stdout.count("holds") == ranks and done.returncode == 0, done.stdout + done.stderr


@pytest.mark.matrix_but("openmpi", ranks=[2], node_ranks=["1"])
@pytest.mark.parametrize("node_ranks", ["0", "1"])
@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("case", ARMCI_CASES)
def test_armci_keeps_its_promises(preset: str, armci: Path, case: str, ranks: int, node_ranks: str) -> None:
    done = run(preset, ranks, armci, case, STRETTO_NODE_RANKS=node_ranks)
    assert done.stdout.count("holds") == ranks and done.returncode == 0, done.stdout + done.stderr


@pytest.mark.matrix_but("openmpi", case=["exits_at_once"])
@pytest.mark.parametrize("case", ["returns", "exits_alone", "exits_at_once", "finalizes"])
def test_a_program_that_ends_early_ends_all_ranks(preset: str, ends: Path, case: str) -> None:
    done = run(preset, 2, ends, case)
    assert done.returncode != 0, done.stdout + done.stderr
    assert "Segmentation" not in done.stderr and "the wait has ended" not in done.stdout
    for process in map(int, re.findall(r"waits (\d+)", done.stdout)):
        process_ends(process)


@pytest.mark.matrix_but("openmpi", number=[signal.SIGTERM])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_wait_and_all_ranks(preset: str, ends: Path, number: signal.Signals) -> None:
    job = subprocess.Popen(
        launch(preset, str(ends), "waits", ranks=2),
        env=environment(preset),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    processes = []
    try:
        assert job.stdout is not None
        processes = [int(job.stdout.readline().split()[1]) for _ in range(2)]
        job.send_signal(number)
        job.communicate(timeout=60)
        for process in processes:
            process_ends(process)
        assert job.returncode != 0
    finally:
        job.kill()
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
