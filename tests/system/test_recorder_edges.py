# SPDX-License-Identifier: BSD-3-Clause
"""Calls that fail or are left early, and what programs do to their process: traced as without the recorder, and replayed.

tests/standard has the other edge cases of MPI's calls.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from processes import completed, needs_built
from traced_runs import (
    COMPILERS,
    LAUNCHERS,
    compiled,
    environment,
    events_of,
    launch,
    preset_fixture,
    recorder_of,
    stretto,
    traced,
)

from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import SAYS_SOURCE
from tests.standard.program import declared

BUILT = [name for name in LAUNCHERS if recorder_of(name).is_file()]
pytestmark = [
    pytest.mark.slow,
    needs_built(BUILT, "THE RECORDER"),
]
preset = preset_fixture(BUILT)


@pytest.fixture(scope="module")
def has_isendrecv(preset: str, tmp_path_factory: pytest.TempPathFactory) -> bool:
    return "Isendrecv" in declared(COMPILERS[preset], tmp_path_factory.mktemp("header"))


@pytest.fixture(scope="module")
def edges(preset: str, has_isendrecv: bool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    macros = ["-DHAS_ISENDRECV"] if has_isendrecv else []
    return compiled(preset, "edges_of_matching.cpp", tmp_path_factory.mktemp("program"), *macros)


def check_cases(preset: str, program: Path, directory: Path, *names: str) -> None:
    """Traces the cases; they succeed, and the trace replays."""
    done = traced(preset, directory, program, *names, ranks=4)
    assert (done.returncode, done.stdout.split("\n")[:-1]) == (0, [f"{one} right" for one in names]), (
        done.stderr
    )
    replayed = stretto(preset, "replay", str(directory), "--loggp", "L=1us,o=1us,g=1us,G=1ns", "--json")
    assert replayed.returncode == 0, replayed.stderr
    assert json.loads(replayed.stdout)["trace"]["incomplete"] == 0


def test_what_moved_no_message_has_no_partner(preset: str, edges: Path, tmp_path: Path) -> None:
    if preset.startswith("openmpi"):
        pytest.skip("OPEN MPI ITSELF FAILS in messages that are too long: not tested with it")
    check_cases(preset, edges, tmp_path / "t", "failed_messages")


def test_more_communicators_than_numbers_may_follow_one_another(
    preset: str, edges: Path, tmp_path: Path
) -> None:
    """The numbers of those that were freed are given again."""
    check_cases(preset, edges, tmp_path / "t", "communicators_one_after_the_other")


def test_what_arrives_in_a_larger_buffer_of_isendrecv_is_counted(
    preset: str, edges: Path, has_isendrecv: bool, tmp_path: Path
) -> None:
    """Open MPI's status of the operation is that of its receive; MPICH's says nothing, and the buffer counts."""
    if not has_isendrecv:
        pytest.skip("this MPI has no MPI_Isendrecv")
    check_cases(preset, edges, tmp_path / "t", "isendrecv_of_less_than_the_buffer")
    arrived_bytes = 4 if preset.startswith("openmpi") else None
    for file in open_trace(tmp_path / "t"):
        events = events_of(file)
        (half,) = (one for one in events if one.kind == "receive_half")
        (over,) = (one for one in events if one.kind == "completion" and one.request == half.request)
        assert half.size_bytes == 400
        assert (over.size_bytes if over.count == SAYS_SOURCE else None) == arrived_bytes


def test_an_error_handler_may_leave_a_call(preset: str, edges: Path, tmp_path: Path) -> None:
    """By an exception, or by longjmp: the calls after it are recorded."""
    check_cases(preset, edges, tmp_path / "t", "thrown_out_of_a_handler", "jumped_out_of_a_handler")
    for file in open_trace(tmp_path / "t"):
        names = Counter(event.name for event in events_of(file))
        assert names["MPI_Barrier"] == names["MPI_Allreduce"] == 2
        assert names["MPI_Send"] == 3, "a call that an exception leaves has a record"


@pytest.fixture(scope="module")
def unfriendly(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(BUILT[0], "unfriendly.cpp", tmp_path_factory.mktemp("program"), "-ldl")


def unfriendly_run(
    program: Path, tmp_path: Path, case: str, *words: Path | str, memory: str = "off", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Traces one of the cases, which goes on as it would without the recorder."""
    level = ("--memory", memory)
    done = traced(BUILT[0], tmp_path / "t", program, case, *words, options=level, **variables)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
    return done


@pytest.mark.parametrize("removes", [False, True])
def test_files_of_the_program_stay_its_own(unfriendly: Path, tmp_path: Path, removes: bool) -> None:
    """A program that closes all descriptors gets the recorder's number for a file of its own."""
    trace = tmp_path / "t"
    words = [tmp_path / "own", *([trace] if removes else [])]
    done = unfriendly_run(unfriendly, tmp_path, "closed_descriptors", *words)
    if removes:
        assert done.stderr.count("cannot be opened again: recording stops") == 2
    else:
        counts = [Counter(event.name for event in events_of(file)) for file in open_trace(trace)]
        assert counts[0]["MPI_Send"] == counts[1]["MPI_Recv"] == 6000


def test_memory_of_messages_may_move(unfriendly: Path, tmp_path: Path) -> None:
    unfriendly_run(unfriendly, tmp_path, "moved_buffer", memory="page")


@pytest.mark.parametrize(
    "case", ["blocked_signals", "blocking_handler", "ending_threads", "touched_while_remapped"]
)
def test_pages_are_watched_where_signals_are_blocked(unfriendly: Path, tmp_path: Path, case: str) -> None:
    """A fault while its signal is blocked would end the program, and one of a page that is no longer watched."""
    _watched_by_page(unfriendly, tmp_path, case)


@pytest.mark.parametrize("case", ["alternate_stack", "stack_of_another_thread", "coroutine_stack"])
def test_pages_are_watched_where_stacks_have_messages(unfriendly: Path, tmp_path: Path, case: str) -> None:
    """The kernel ends a program whose stack for a signal cannot be written."""
    _watched_by_page(unfriendly, tmp_path, case)


def _watched_by_page(unfriendly: Path, tmp_path: Path, case: str) -> None:
    every = {"STRETTO_TRACE_SHARE": "1"}  # every message is watched
    unfriendly_run(unfriendly, tmp_path, case, memory="page", **every)


def test_files_that_may_not_grow_end_the_recording_alone(unfriendly: Path, tmp_path: Path) -> None:
    done = unfriendly_run(unfriendly, tmp_path, "small_files")
    assert done.stderr.count("records were lost: the disk of the trace was full, or a file may not") == 2
    for words in (("potential",), ("whatif",), ("replay", "--loggp", "L=1us,G=1ns")):
        shown = stretto(BUILT[0], words[0], str(tmp_path / "t"), *words[1:])
        assert shown.returncode == 0, shown.stderr
        first = " ".join(shown.stdout.split())
        assert re.match(
            r"\d+ records of rank 0, 1 were lost after \S+ s, as the disk .* record again on", first
        )


def test_a_file_in_the_place_of_standard_error_stays_the_programs(unfriendly: Path, tmp_path: Path) -> None:
    unfriendly_run(unfriendly, tmp_path, "own_file_for_errors", tmp_path / "own")
    assert [(tmp_path / f"own{rank}").read_text() for rank in range(2)] == ["", ""]


def test_a_program_that_a_rank_starts_after_its_end_leaves_its_trace(
    unfriendly: Path, tmp_path: Path
) -> None:
    done = unfriendly_run(unfriendly, tmp_path, "starts_another")
    assert done.stderr.count("rank 0 records nothing") == 1, done.stderr
    counts = [Counter(event.name for event in events_of(file)) for file in open_trace(tmp_path / "t")]
    assert counts[0]["MPI_Send"] == counts[1]["MPI_Recv"] == 3000


FULL_DISK = """mount -t tmpfs -o size=64k none "$0" || exit 99
head -c 1000000 /dev/zero > "$0/fill" 2> /dev/null
"$@"; status=$?; ls "$0"; exit $status"""


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT ROOT: no small disk can be mounted")
def test_a_full_disk_leaves_no_file_and_the_programs_status(unfriendly: Path, tmp_path: Path) -> None:
    recorder = [str(Path(sys.executable).parent / "stretto"), "trace", "-o", str(tmp_path / "t"), "--"]
    command = [*recorder, *launch(BUILT[0], str(unfriendly), "coroutine_stack", ranks=2)]
    done = completed(
        ["unshare", "-m", "sh", "-c", FULL_DISK, tmp_path, *command], timeout=120, env=environment(BUILT[0])
    )
    if done.returncode == 99:
        pytest.skip("NO PERMISSION TO MOUNT: the full disk is not tested")
    assert (done.returncode, done.stdout) == (0, "right\nfill\n"), done.stderr
    assert done.stderr.count("No space left on device") == 2 and "nothing was recorded" in done.stderr


def test_a_program_without_a_loader_is_named(tmp_path: Path) -> None:
    source, program = tmp_path / "static.c", tmp_path / "static"
    source.write_text("int main(void) { return 0; }", encoding="utf-8")
    for options in (["-static"], ["-static-pie"]):
        subprocess.run(["cc", *options, source, "-o", program], check=True)
        command = launch(BUILT[0], str(program), ranks=1)
        for start in (["trace", "-o", str(tmp_path / "t")], ["preload", "progress"]):
            done = stretto(BUILT[0], *start, "--", *command)
            assert done.returncode == 0
            assert f"{program} is statically linked: nothing can be preloaded into it" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT ROOT: memory beyond a small limit cannot be locked")
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("memory", ["off", "page", "byte"])
def test_a_program_may_lock_its_memory(tmp_path: Path, memory: str, first: bool) -> None:
    """Before MPI begins, and later: only what it uses is in memory, of an instrumented program, too."""
    wrapper = Path(sys.executable).parent / "stretto-cxx" if memory == "byte" else None
    program = compiled(BUILT[0], "unfriendly.cpp", tmp_path, "-ldl", wrapper=wrapper)
    variables = {"LOCK_FIRST": "1"} if first else {}
    unfriendly_run(program, tmp_path, "locked_memory", memory=memory, **variables)


@pytest.mark.parametrize("memory", ["off", "page"])
def test_a_process_ends_with_the_last_thread_of_the_program(
    unfriendly: Path, tmp_path: Path, memory: str
) -> None:
    unfriendly_run(unfriendly, tmp_path, "main_ends_first", memory=memory)


def test_a_plugin_at_the_address_of_another_has_its_own_call_sites(unfriendly: Path, tmp_path: Path) -> None:
    plugins = [
        str(compiled(BUILT[0], "plugin.c", tmp_path / name, "-shared", "-fPIC")) for name in ("a", "b")
    ]
    unfriendly_run(unfriendly, tmp_path, "second_plugin", *plugins)
    for file in open_trace(tmp_path / "t"):
        sites = [event.site for event in events_of(file) if event.name == "MPI_Barrier"]
        places = [file.definitions.sites[one] for one in sites]
        assert [one.module for one in places] == plugins
        assert places[0].address == places[1].address, "the two files do not have the same code"
