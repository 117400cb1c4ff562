# SPDX-License-Identifier: BSD-3-Clause
"""`stretto trace` and `stretto preload` with C and C++ programs of MPI's standard ABI."""

import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from processes import completed
from traced_runs import (
    COMPILERS,
    ROOT,
    compiled,
    environment,
    events_of,
    launch,
    messages,
    stretto,
    traced,
)

from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import Event

MODES = "recorded_modes.cpp"
EVERY_KIND = ROOT / "tests" / "mpi" / "traced_program.cpp"
BIN = COMPILERS["mpich"].parent
pytestmark = [
    pytest.mark.slow,  # make test does not build these libraries
    pytest.mark.skipif(
        not (ROOT / "build" / "mpich" / "lib" / "libstretto_trace_abi.so").is_file(),
        reason="NOT BUILT FOR mpich, OR IT HAS NO mpicc_abi: nothing here is tested; scripts/native mpich tests builds it",
    ),
]
# How often a program makes these depends on the time that its messages take.
POLLS = ("MPI_Test", "MPI_Waitsome", "MPI_Iprobe", "MPI_Improbe", "MPI_Request_get_status", "MPI_Win_test")

COLLECTIVES = ("collective", "gather", "scatter", "neighbor")


def of_standard_abi(source: str | Path, directory: Path) -> Path:
    """The program, linked with the library of the standard ABI."""
    wrapper = "mpicxx_abi" if str(source).endswith(".cpp") else "mpicc_abi"
    return compiled("mpich", source, directory, wrapper=BIN / wrapper)


def recorded(directory: Path, program: Path, ranks: int) -> list[TraceFile]:
    done = traced("mpich", directory, program, ranks=ranks)
    assert done.returncode == 0, done.stderr
    return open_trace(directory)


def calls_of(file: TraceFile) -> Counter[tuple[object, ...]]:
    """What is recorded of the calls that a program makes the same number of times in each run."""
    return Counter(_recorded(event) for event in events_of(file) if not event.name.startswith(POLLS))


def _recorded(event: Event) -> tuple[object, ...]:
    received = event.extra if event.kind in COLLECTIVES else None
    return (event.name, event.kind, event.peer, event.tag, event.size_bytes, received)


@pytest.mark.parametrize(("source", "ranks"), [(EVERY_KIND, 3), (MODES, 2)])
def test_every_call_is_recorded_as_of_the_library_of_mpich_itself(
    source: str | Path, ranks: int, tmp_path: Path
) -> None:
    own = recorded(tmp_path / "own", compiled("mpich", source, tmp_path / "of_mpich"), ranks)
    program = of_standard_abi(source, tmp_path)
    abi = recorded(tmp_path / "abi", program, ranks)
    assert "libmpi_abi.so" in completed(["ldd", program], check=True).stdout
    assert len(own) == len(abi) == ranks
    for one, other in zip(own, abi, strict=True):
        assert other.complete and other.header.family == "mpich"
        assert calls_of(one) == calls_of(other)
    assert messages(abi).keys() == {2}


def test_a_trace_is_read_by_every_command(tmp_path: Path) -> None:
    program = of_standard_abi("messages.c", tmp_path)
    started = launch("mpich", str(program), ranks=2)
    plain = completed(started, env=environment("mpich"), timeout=60, check=True)
    trace = tmp_path / "trace"
    done = traced("mpich", trace, program)
    assert (done.returncode, done.stdout) == (0, plain.stdout), done.stderr
    for file in open_trace(trace):
        names = Counter(event.name for event in events_of(file))
        assert names["MPI_Init"] == names["MPI_Gather"] == names["MPI_Finalize"] == 1
        assert names["MPI_Irecv"] == names["MPI_Isend"] == names["MPI_Waitall"] == 4
        assert names["completion"] == 8
    for command, options, member in (
        ("potential", (), "sites"),
        ("whatif", ("--latency", "1us", "--bandwidth", "1GB/s"), "rows"),
        ("replay", ("--loggp", "L=2us,o=1us"), "makespan_s"),
    ):
        done = stretto("mpich", command, str(trace), *options, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)[member], command


@pytest.mark.parametrize("grid", ["2x2", "flat"])
@pytest.mark.parametrize("algorithm", ["library", "reference"])
def test_replaced_collectives_give_the_same_result(grid: str, algorithm: str, tmp_path: Path) -> None:
    program = of_standard_abi("collectives.c", tmp_path)
    done = preloaded("collectives", program, STRETTO_GRIDS=grid, STRETTO_ALGORITHM=algorithm)
    assert (done.returncode, done.stdout) == (0, "right 4\n"), done.stderr
    served = {row[0] for row in map(str.split, done.stderr.splitlines()) if len(row) == 7 and row[3] == grid}
    assert served == {
        *("broadcast", "gather", "scatter", "reduce", "allreduce", "allgather", "reduce-scatter", "alltoall")
    }


def preloaded(libraries: str, program: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = launch("mpich", str(program), ranks=4)
    variables = {"STRETTO_STATISTICS": "1", "XDG_DATA_HOME": "/nowhere", **variables}
    return stretto("mpich", "preload", libraries, "--", *command, **variables)


def test_the_libraries_work_together(tmp_path: Path) -> None:
    program = of_standard_abi("collectives.c", tmp_path)
    trace = tmp_path / "trace"
    trace.mkdir()
    variables = {"STRETTO_GRIDS": "2x2", "STRETTO_TRACE_DIR": str(trace), "STRETTO_POLL_INTERVAL_S": "0.001"}
    done = preloaded("trace,collectives,progress", program, **variables)
    assert (done.returncode, done.stdout) == (0, "right 4\n"), done.stderr
    (calls,) = re.findall(r"^allreduce .* 2x2 +(\d+) ", done.stderr, re.M)
    names = Counter(event.name for event in events_of(open_trace(trace)[0]))
    assert names["MPI_Allreduce"] + names["MPI_Allreduce_c"] == int(calls) == 4


def test_the_library_of_the_other_mpi_h_is_refused_by_itself(tmp_path: Path) -> None:
    program = compiled("mpich", "collectives.c", tmp_path)
    library = ROOT / "build" / "mpich" / "lib" / "libstretto_collectives_abi.so"
    done = completed(launch("mpich", "-genv", "LD_PRELOAD", str(library), str(program), ranks=2), timeout=60)
    assert done.returncode == 2
    assert "is built for mpi-abi" in done.stderr and "preload the one of its MPI" in done.stderr
