# SPDX-License-Identifier: BSD-3-Clause
"""`stretto preload collectives` with unmodified programs in C++, Fortran and Python."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from processes import completed, needs_built
from traced_runs import (
    LAUNCHERS,
    PROGRAMS,
    ROOT,
    compiled,
    environment,
    events_of,
    launch,
    parameters,
    stretto,
)

from bench.harness.kernels import kernel_arguments
from stretto.data.trace_directory import open_trace

LIBRARY = "lib/libstretto_collectives.so"
BUILT = [name for name in LAUNCHERS if (ROOT / "build" / name / LIBRARY).is_file()]
pytestmark = needs_built(BUILT, "LIBSTRETTO_COLLECTIVES.SO")
RANKS = 6
ITERATIONS = 3


def preloaded(
    preset: str, command: list[str], libraries: str = "collectives", **variables: str
) -> subprocess.CompletedProcess[str]:
    return stretto(preset, "preload", libraries, "--", *command, XDG_DATA_HOME="/nowhere", **variables)


def jacobi(preset: str) -> list[str]:
    program = str(ROOT / "build" / preset / "bin" / "stretto-run")
    settings = ("--variant=column", "--set=size=100", f"--set=iterations={ITERATIONS}")
    return launch(preset, program, *kernel_arguments(["jacobi", *settings]), ranks=RANKS)


@pytest.mark.parametrize("preset", parameters(BUILT[:1]))
def test_a_profile_chooses_and_one_without_functions_is_reported_once(preset: str, tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    function = {"operation": "allreduce", "terms": [{"of_p": "p-1", "of_b": "b", "coefficient": 1e-6}]}
    profile = tmp_path / "profile.json"
    profile.write_text(
        json.dumps({"schema": "stretto.profile/1.0", "loggp": [], "collectives": [function]}),
        encoding="utf-8",
    )
    statistics = tmp_path / "statistics.txt"
    program = launch(preset, sys.executable, str(PROGRAMS / "collectives.py"), ranks=RANKS)
    done = preloaded(preset, program, STRETTO_PROFILE=str(profile), STRETTO_STATISTICS=str(statistics))
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in statistics.read_text(encoding="utf-8").splitlines()]
    row = next(row for row in rows if row[:3] == ["allreduce", "6", "7512"])  # 8000 bytes are of that class
    assert row[3] in ("2x3", "3x2")
    assert float(row[6]) == pytest.approx(7512 * 3, rel=1e-3)  # (p1 - 1 + p2 - 1) b us

    profile.write_text('{"schema": "stretto.profile/1.0", "loggp": []}', encoding="utf-8")
    done = preloaded(preset, jacobi(preset), STRETTO_PROFILE=str(profile))
    assert done.returncode == 0
    assert done.stderr.count("has no runtime functions") == 1


@pytest.mark.parametrize("preset", parameters(BUILT[:1]))
def test_without_a_profile_one_line_says_so_with_the_commands_that_make_it(preset: str) -> None:
    done = preloaded(preset, jacobi(preset), STRETTO_CLUSTER="hal/cpu")
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "no profile of" in line]
    assert " on cluster hal/cpu: every collective stays flat; " in line
    assert "stretto probe collective" in line
    assert "no profile" not in preloaded(preset, jacobi(preset), STRETTO_GRIDS="2x3").stderr


@pytest.mark.parametrize("preset", parameters(BUILT[:1]))
@pytest.mark.parametrize(("coefficient", "stale"), [(1e-12, True), (10.0, True), (None, False)])
def test_a_profile_that_no_longer_fits_is_stale(
    preset: str, coefficient: float | None, stale: bool, tmp_path: Path
) -> None:
    """Predictions of a picosecond and of ten seconds are wrong on every machine."""
    terms = [{"of_p": "1", "of_b": "1", "coefficient": coefficient}]
    functions = [{"operation": "allreduce", "terms": terms}] if coefficient is not None else []
    profile = tmp_path / "profile.json"
    profile.write_text(
        json.dumps({"schema": "stretto.profile/1.0", "loggp": [], "collectives": functions}), encoding="utf-8"
    )
    done = preloaded(preset, jacobi(preset), STRETTO_PROFILE=str(profile), STRETTO_STATISTICS="1")
    assert done.returncode == 0, done.stderr
    assert ("# the profile is stale: collectives took " in done.stderr) == stale
    assert (f"measure again for {profile}" in done.stderr) == stale


@pytest.mark.parametrize("preset", parameters(BUILT[:1]))
@pytest.mark.parametrize(
    ("variable", "value", "text"),
    [
        ("STRETTO_GRIDS", "3y2", "STRETTO_GRIDS: '3y2' is no form"),
        ("STRETTO_ALGORITHM", "magic", "STRETTO_ALGORITHM=magic: give library or reference"),
        ("STRETTO_PROFILE", "/nowhere/profile.json", "/nowhere/profile.json: cannot be read"),
    ],
)
def test_a_wrong_setting_is_reported_once_and_the_program_ends_with_2(
    preset: str, variable: str, value: str, text: str
) -> None:
    done = preloaded(preset, jacobi(preset), **{variable: value})
    assert done.returncode == 2
    assert done.stderr.count(f"stretto: {text}") == 1  # besides the launcher's own message


@pytest.mark.parametrize("preset", parameters(BUILT))
@pytest.mark.parametrize(("libraries", "recorded"), [("trace,collectives", 1), ("collectives,trace", 2)])
def test_with_the_recorder_calls_or_phases_are_recorded(
    preset: str, libraries: str, recorded: int, tmp_path: Path
) -> None:
    """An allreduce on rank 0 consists of one over its row and one over its column."""
    variables = {"STRETTO_TRACE_DIR": str(tmp_path), "STRETTO_GRIDS": "2x3", "STRETTO_STATISTICS": "1"}
    done = preloaded(preset, jacobi(preset), libraries, **variables)
    assert done.returncode == 0, done.stderr
    (calls,) = re.findall(r"^allreduce .* 2x3 +(\d+) ", done.stderr, re.M)
    names = [event.name for event in events_of(open_trace(tmp_path)[0])]
    assert names.count("MPI_Allreduce") == recorded * int(calls)


@pytest.mark.slow
@pytest.mark.parametrize("preset", parameters(BUILT))
def test_nonblocking_collectives_complete_inside_other_calls(preset: str, tmp_path: Path) -> None:
    """A second phase that a rank starts in its wait would hang these programs, and so would groups made at the start."""
    program = str(compiled(preset, "nonblocking_collectives.c", tmp_path))
    for case in ("in-a-receive", "started-late", "mixed"):
        command = launch(preset, program, case, ranks=4)
        done = preloaded(preset, command, STRETTO_GRIDS="2x2", STRETTO_STATISTICS="1")
        assert (done.returncode, done.stdout) == (0, "right\n"), (case, done.stderr)
        assert re.search(r"^allreduce .* 2x2 ", done.stderr, re.M), (
            "the program's blocking call has two phases"
        )


CASES = ("large counts", "between groups", "refused", "own messages", "a file at the end")


@pytest.fixture(scope="module", params=parameters(BUILT))
def alike(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """An MPI, and decided_alike.c compiled with it."""
    program = compiled(request.param, "decided_alike.c", tmp_path_factory.mktemp("alike"))
    return request.param, str(program)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
@pytest.mark.matrix_but("openmpi", case=["between groups"])
def test_ranks_choose_by_what_is_equal_on_all_of_them(
    alike: tuple[str, str], case: str, tmp_path: Path
) -> None:
    """Ranks that choose by anything else wait for each other for ever."""
    preset, program = alike
    command = launch(preset, program, case, str(tmp_path / "data"), ranks=4)
    plain = completed(command, timeout=60, check=True, env=environment(preset))
    done = preloaded(preset, command, STRETTO_GRIDS="2x2")
    assert (done.returncode, sorted(done.stdout.splitlines())) == (0, sorted(plain.stdout.splitlines()))


@pytest.mark.skipif("mpich" not in BUILT, reason="of MPICH alone")
@pytest.mark.parametrize(
    ("ranks", "own", "value"), [(1, None, []), (2, None, ["mpir"] * 2), (2, "auto", ["auto"] * 2)]
)
def test_algorithms_that_keep_the_core_are_not_used_on_a_crowded_host(
    ranks: int, own: str | None, value: list[str]
) -> None:
    """What MPICH is told on one core. The variables are set before MPI is, and so in any program."""
    variable = "MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM"
    given = [] if own is None else ["-genv", variable, own]
    preload = ["-genv", "LD_PRELOAD", str(ROOT / "build" / "mpich" / LIBRARY)]
    command = launch("mpich", "taskset", "-c", "0", "printenv", variable, ranks=ranks)
    done = completed([command[0], *given, *preload, *command[1:]], timeout=60, env=environment("mpich"))
    assert done.stdout.split() == value


@pytest.mark.every_mpi
@pytest.mark.skipif("mpich" not in BUILT or len(BUILT) < 2, reason="needs MPICH and an Open MPI")
def test_the_library_of_another_mpi_is_refused_by_itself() -> None:
    other = ROOT / "build" / next(name for name in BUILT if name != "mpich") / LIBRARY
    command = launch("mpich", "-genv", "LD_PRELOAD", str(other), *jacobi("mpich")[3:], ranks=2)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "preload the one of its MPI" in done.stderr


needs_fortran = pytest.mark.skipif(
    "openmpi4" not in BUILT,
    reason="NO MPI WITH A FORTRAN BINDING HERE: Fortran is not tested; apt-get install libopenmpi-dev, scripts/native openmpi4 tests",
)


def fortran_run(name: str, tmp_path: Path, *flags: str) -> tuple[subprocess.CompletedProcess[str], set[str]]:
    """One of our programs with the preloaded library: its end, and the operations on the 2 x 3 grid."""
    gfortran = next(filter(None, map(shutil.which, ("gfortran", "gfortran-12", "gfortran-13"))), None)
    if gfortran is None:
        pytest.skip("NO GFORTRAN: Fortran is not tested; apt-get install gfortran")
    program = tmp_path / name
    subprocess.run(
        ["mpifort.openmpi", *flags, "-o", str(program), str(PROGRAMS / f"{name}.f90")],
        env={**os.environ, "OMPI_FC": gfortran},
        cwd=tmp_path,
        check=True,
    )
    done = preloaded(
        "openmpi4", launch("openmpi4", str(program), ranks=RANKS), STRETTO_GRIDS="2x3", STRETTO_STATISTICS="1"
    )
    assert done.returncode == 0, done.stderr
    return done, {
        row[0] for row in map(str.split, done.stderr.splitlines()) if len(row) == 7 and row[3] == "2x3"
    }


@needs_fortran
@pytest.mark.every_mpi
@pytest.mark.matrix
def test_a_fortran_program_goes_through_both_of_its_bindings(tmp_path: Path) -> None:
    done, calls = fortran_run("collectives", tmp_path)
    assert done.stdout == f"right {RANKS}\n"
    assert calls == {
        *("broadcast", "gather", "scatter", "reduce", "allreduce", "allgather", "reduce-scatter", "alltoall")
    }


@needs_fortran
@pytest.mark.every_mpi
@pytest.mark.matrix
@pytest.mark.parametrize("flag", ["-fsecond-underscore", "-fno-underscoring"])
def test_however_a_fortran_compiler_spells_names(flag: str, tmp_path: Path) -> None:
    done, calls = fortran_run("spellings", tmp_path, flag)
    assert (done.stdout, calls) == ("right\n", {"broadcast", "allreduce"})


@pytest.mark.parametrize("preset", parameters([name for name in BUILT if name != "openmpi4"]))
def test_an_mpi4py_program_gives_the_same_result(preset: str) -> None:
    """Its wheel finds the MPI at run time, and calls the functions of MPI-4 where there are such."""
    pytest.importorskip("mpi4py")
    library = LAUNCHERS[preset].parents[1] / "lib" / ("libmpi.so.12" if preset == "mpich" else "libmpi.so.40")
    command = launch(preset, sys.executable, str(PROGRAMS / "collectives.py"), ranks=RANKS)
    variables = {"STRETTO_GRIDS": "2x3", "STRETTO_STATISTICS": "1", "MPI4PY_LIBMPI": str(library)}
    done = preloaded(preset, command, **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"right {RANKS}\n"
    assert (
        len(re.findall(r"^(?:allreduce|allgather|alltoall|scatter|gather) .* 2x3 ", done.stderr, re.M)) >= 5
    )
