# SPDX-License-Identifier: BSD-3-Clause
"""The calls that the recorder wraps, and the records of every send mode under each MPI."""

import json
import re
import shutil
from collections import Counter
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from calls import every_call
from processes import completed, needs_built
from traced_runs import (
    COMPILERS,
    ROOT,
    compiled,
    events_of,
    messages,
    parameters,
    recorder_of,
    stretto,
    traced,
)

from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace

HEADERS = {**COMPILERS, "mpi-abi": ROOT / ".venv/bin/mpicc_abi"}
HERE = [name for name, compiler in COMPILERS.items() if compiler.is_file()]
BUILT = [name for name in HERE if recorder_of(name).is_file()]
needs_recorder = needs_built(BUILT, "LIBSTRETTO_TRACE", "nothing is recorded")
MODES = ("", "b", "s", "r")
_PROGRAMS = TemporaryDirectory()


def words(name: str) -> list[str]:
    """The entries of a list in src/trace, without comments."""
    lines = (ROOT / "src" / "trace" / name).read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]


@pytest.mark.parametrize(
    "preset", parameters([name for name, compiler in HEADERS.items() if compiler.is_file()])
)
def test_every_call_of_the_header_is_recorded_or_left_out_for_a_reason(preset: str, tmp_path: Path) -> None:
    source = tmp_path / "header.c"
    source.write_text("#include <mpi.h>\n")
    header = completed([HEADERS[preset], "-E", source], check=True).stdout
    declared = {re.sub(r"_c$", "", name) for name in re.findall(r"\bint\s+MPI_(\w+)\s*\(", header)}
    assert {"Send", "Waitall", "Win_create"} <= declared
    known = {call.name for call in every_call() if not call.large}
    left_out = words("left_out.txt")
    unknown = {
        name for name in declared - known if not any(fnmatchcase(name, pattern) for pattern in left_out)
    }
    assert not unknown, "a line of src/interpose/calls.txt, or of left_out.txt with its reason, is missing"
    both = {name for name in known for pattern in left_out if fnmatchcase(name, pattern)}
    assert not both, "recorded, and said to be left out"


@cache
def program_of(preset: str) -> Path:
    """The program, compiled once for all tests."""
    return compiled(preset, "recorded_modes.cpp", Path(_PROGRAMS.name) / preset)


def recorded(
    preset: str, directory: Path, *arguments: str, status: int = 0, memory: str = "off"
) -> list[TraceFile]:
    done = traced(preset, directory / "t", program_of(preset), *arguments, options=("--memory", memory))
    assert done.returncode == status, done.stderr
    return open_trace(directory / "t")


@needs_recorder
@pytest.mark.parametrize("preset", parameters(BUILT))
@pytest.mark.parametrize("memory", ["off", "page"])
def test_all_modes_and_windows_are_recorded(preset: str, memory: str, tmp_path: Path) -> None:
    files = recorded(preset, tmp_path, memory=memory)
    assert messages(files) == {2: 2 * (3 * len(MODES) + 1)}
    for file in files:
        events = events_of(file)
        names = Counter(event.name for event in events)
        for mode in MODES:
            assert names[f"MPI_{mode.capitalize()}send" if mode else "MPI_Send"] == 1
            assert names[f"MPI_I{mode}send"] == 1
            assert names[f"MPI_{mode.capitalize()}send_init" if mode else "MPI_Send_init"] == 1
        assert names["MPI_Buffer_detach"] == 1 and names["MPI_Request_get_status"] >= 1
        windows = [event for event in events if event.name.startswith(("MPI_Win_create", "MPI_Win_allocate"))]
        assert len(windows) == names["MPI_Win_free"] == (3 if preset == "mpich" else 1)
        for event in windows:
            context = file.definitions.contexts[event.context]
            assert context.window and context.members == (0, 1)
        other = 1 - file.header.rank
        epochs = [event for event in events if event.name in ("MPI_Win_post", "MPI_Win_start")]
        assert len(epochs) == 2 * len(windows)
        for event in epochs:
            assert file.definitions.groups[event.extra] == ((other, 1, 1),)
        started = {event.request for event in events if event.request and event.name != "completion"}
        over = [event.request for event in events if event.name == "completion"]
        assert len(over) == len(set(over)) and set(over) <= started
    replayed = stretto(preset, "replay", str(tmp_path / "t"), "--loggp", "L=2us,o=1us", "--json")
    assert replayed.returncode == 0, replayed.stderr
    trace = json.loads(replayed.stdout)["trace"]
    puts_gets_and_fetches = 3
    assert trace["one_sided"] == puts_gets_and_fetches * len(files) * len(windows)
    assert not [name for name in trace["as_computation"] if name.startswith("MPI_Win_")]


@pytest.mark.slow
@needs_recorder
@pytest.mark.parametrize(("way", "status"), [("terminated", 15), ("broken", 11), ("forks", 0)])
def test_a_killed_process_leaves_its_records(way: str, status: int, tmp_path: Path) -> None:
    files = recorded(BUILT[0], tmp_path, way, status=status, memory="page")
    for file in files:
        names = Counter(event.name for event in events_of(file))
        assert names["MPI_Buffer_detach"] == 1 and names["MPI_Win_free"] >= 1
        assert names["MPI_Initialized"] == 0  # of a child, which would write into its parent's file
        assert file.complete == (way == "forks")


@needs_recorder
def test_nothing_is_recorded_after_an_abort_that_returns(tmp_path: Path) -> None:
    source = tmp_path / "aborted.c"  # MPICH comes back for some milliseconds; here for good
    source.write_text(
        "#include <mpi.h>\n"
        "int PMPI_Abort(MPI_Comm comm, int code) { return comm == MPI_COMM_NULL ? code : MPI_SUCCESS; }\n"
        "int main(void) {\n"
        "  char data[4096] = {0};\n"
        "  MPI_Init(0, 0);\n"
        "  MPI_Sendrecv(data, 2048, MPI_CHAR, 0, 0, data + 2048, 2048, MPI_CHAR, 0, 0, MPI_COMM_SELF,\n"
        "               MPI_STATUS_IGNORE);\n"
        "  MPI_Abort(MPI_COMM_WORLD, 7);\n"
        "  MPI_Barrier(MPI_COMM_WORLD);\n"
        "  return MPI_Finalize();\n"
        "}\n"
    )
    program = compiled(BUILT[0], source, tmp_path)
    done = traced(BUILT[0], tmp_path / "t", program, ranks=1, options=("--memory", "page"))
    assert done.returncode == 0 and "without MPI_Finalize: rank 0" in done.stderr
    (file,) = open_trace(tmp_path / "t")
    names = [event.name for event in events_of(file)]
    assert names[-1] == "MPI_Abort" and "MPI_Sendrecv" in names and not file.complete


@pytest.mark.slow
@needs_recorder
def test_what_goes_around_the_recorder_is_missing_and_nothing_else(tmp_path: Path) -> None:
    files = recorded(BUILT[0], tmp_path, "own")
    assert messages(files) == {2: 2 * (3 * len(MODES) + 1), 1: 1}
    refused = stretto(BUILT[0], "whatif", str(tmp_path / "t"))
    assert refused.returncode == 3 and "a message that nobody sends" in refused.stderr
    assert stretto(BUILT[0], "potential", str(tmp_path / "t")).returncode == 0


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="NO GFORTRAN: names of Fortran are not tested")
@needs_recorder
@pytest.mark.parametrize("preset", parameters(BUILT))
def test_fortran_finds_a_name_for_each_of_them(preset: str) -> None:
    library = recorder_of(preset)
    symbols = completed(["nm", "-D", "--defined-only", library], check=True)
    defined = {line.split()[-1] for line in symbols.stdout.splitlines()}
    of_c = {name for name in defined if name.startswith("MPI_") and not name.endswith("_c")}
    without = {name for name in of_c if f"{name.lower()}_" not in defined}
    # Their characters come with hidden lengths.
    assert without <= {
        "MPI_Comm_spawn",
        "MPI_Comm_spawn_multiple",
        "MPI_Comm_accept",
        "MPI_Comm_connect",
        "MPI_Comm_create_from_group",
        "MPI_Intercomm_create_from_groups",
        "MPI_Session_init",
        "MPI_Session_finalize",
        "MPI_Pack_external",
        "MPI_Unpack_external",
    }
    assert len(of_c) > 150


@pytest.mark.every_mpi
@pytest.mark.matrix
@pytest.mark.skipif(
    "openmpi4" not in BUILT or shutil.which("mpifort.openmpi") is None,
    reason="NO MPI WITH mpi_f08: it is not tested; apt-get install gfortran libopenmpi-dev, scripts/native openmpi4 tests",
)
def test_fortran_2008_is_recorded_under_open_mpi(tmp_path: Path) -> None:
    program = compiled("openmpi4", "recorded_f08.f90", tmp_path, f"-J{tmp_path}")
    done = traced("openmpi4", tmp_path / "t", program, ranks=3)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
    files = open_trace(tmp_path / "t")
    assert messages(files) == {2: 2 * 3}
    for file in files:
        events = events_of(file)
        left = (file.header.rank + 2) % 3
        came = [event for event in events if event.name == "completion" and event.tag]
        assert [(event.peer, event.tag, event.size_bytes) for event in came] == [
            (left, 5, 400),
            (left, 6, 200),
        ]
        reduced = [(event.size_bytes, event.extra) for event in events if event.name == "MPI_Allreduce"]
        assert len(reduced) == 2 and file.complete
        assert [event.name for event in events].count("MPI_Init") == 1
