# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of MPI's calls, and what programs do to their process: traced as without the recorder, and replayed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from processes import completed, needs_built
from traced_runs import COMPILERS, LAUNCHERS, environment, events_of, launch, parameters, recorder_of, stretto

from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import SAYS_SOURCE

PROGRAMS = Path(__file__).parent / "programs"
BUILT = [name for name in LAUNCHERS if recorder_of(name).is_file()]
pytestmark = [
    pytest.mark.slow,
    needs_built(BUILT, "THE RECORDER"),
]

ARGUMENTS = (
    "zero_counts", "zero_persistent", "zero_partitioned", "alltoallw_null_types", "rooted_between_groups",
    "scattered_sums_between_groups", "ignored_arguments", "fetched_without_operands", "null_handles",
)  # fmt: skip
MATCHED = (
    "fewer_ranks", "failed_messages", "cancelled_and_freed", "started_in_another_order", "isendrecv_from_any",
)  # fmt: skip
LEFT = ("thrown_out_of_a_handler", "jumped_out_of_a_handler")
FAULTS = dict.fromkeys(
    ("openmpi", "openmpi4"), ("zero_counts", "zero_persistent", "alltoallw_null_types", "failed_messages")
)
"""The cases that an MPI itself fails, without the recorder, too."""


def compiled(preset: str, source: str, target: Path, *options: str, wrapper: Path | None = None) -> Path:
    """`wrapper` instruments what the MPI's compiler compiles."""
    compiler = COMPILERS[preset]
    if source.endswith(".cpp"):
        compiler = compiler.with_name(compiler.name.replace("mpicc", "mpicxx"))
    variables = environment(preset, STRETTO_CXX=str(compiler))
    command = [wrapper or compiler, *options, PROGRAMS / source, "-o", target]
    subprocess.run(command, check=True, capture_output=True, env=variables)
    return target


@pytest.fixture(scope="module", params=parameters(BUILT))
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


NOT_EVERYWHERE = {
    "HAS_PARTITIONED": ("MPI_Psend_init", "zero_partitioned"),
    "HAS_PERSISTENT_COLLECTIVES": ("MPI_Bcast_init", "started_in_another_order"),
    "HAS_ISENDRECV": ("MPI_Isendrecv", "isendrecv_from_any"),
}
"""What an MPI may lack: the macro of the programs, a call of it, and the case that is nothing but it."""


@pytest.fixture(scope="module")
def lacking(preset: str, tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """The macros of what this MPI's library does not have."""
    source = tmp_path_factory.mktemp("check") / "check.c"
    missing = set()
    for macro, (call, _) in NOT_EVERYWHERE.items():
        source.write_text(f"int {call}(void); int main(void) {{ return {call}(); }}", encoding="utf-8")
        command = [COMPILERS[preset], source, "-o", source.with_suffix("")]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            missing.add(macro)
    return frozenset(missing)


def edges(preset: str, source: str, target: Path, lacking: frozenset[str]) -> Path:
    macros = [f"-D{macro}" for macro in NOT_EVERYWHERE if macro not in lacking]
    return compiled(preset, source, target / "edges", "-std=c++17", *macros)


def there(names: tuple[str, ...], lacking: frozenset[str]) -> tuple[str, ...]:
    without = {NOT_EVERYWHERE[macro][1] for macro in lacking}
    return tuple(name for name in names if name not in without)


@pytest.fixture(scope="module")
def argument_edges(preset: str, lacking: frozenset[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return edges(preset, "edges_of_arguments.cpp", tmp_path_factory.mktemp("program"), lacking)


@pytest.fixture(scope="module")
def matching_edges(preset: str, lacking: frozenset[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return edges(preset, "edges_of_matching.cpp", tmp_path_factory.mktemp("program"), lacking)


def traced(preset: str, program: Path, directory: Path, names: tuple[str, ...], *options: str) -> None:
    """Traces the cases that the MPI has without a fault; they succeed, and the trace replays."""
    able = [name for name in names if name not in FAULTS.get(preset, ())]
    done = stretto(
        preset, "trace", *options, "-o", str(directory), "--", *launch(preset, str(program), *able, ranks=4)
    )
    assert (done.returncode, done.stdout.split("\n")[:-1]) == (0, [f"{one} right" for one in able]), (
        done.stderr
    )
    replayed = stretto(preset, "replay", str(directory), "--loggp", "L=1us,o=1us,g=1us,G=1ns", "--json")
    assert replayed.returncode == 0, replayed.stderr
    assert json.loads(replayed.stdout)["trace"]["incomplete"] == 0


@pytest.mark.parametrize("memory", ["off", "page"])
@pytest.mark.matrix_but("openmpi", memory=["off"])
def test_only_significant_arguments_are_read(
    preset: str, argument_edges: Path, lacking: frozenset[str], tmp_path: Path, memory: str
) -> None:
    traced(preset, argument_edges, tmp_path / "t", there(ARGUMENTS, lacking), "--memory", memory)


def test_what_moved_no_message_has_no_partner(
    preset: str, matching_edges: Path, lacking: frozenset[str], tmp_path: Path
) -> None:
    traced(preset, matching_edges, tmp_path / "t", there(MATCHED, lacking))


def test_what_arrives_in_a_larger_buffer_of_isendrecv_is_counted(
    preset: str, matching_edges: Path, lacking: frozenset[str], tmp_path: Path
) -> None:
    """Open MPI's status of the operation is that of its receive; MPICH's says nothing, and the buffer counts."""
    if "HAS_ISENDRECV" in lacking:
        pytest.skip("this MPI has no MPI_Isendrecv")
    traced(preset, matching_edges, tmp_path / "t", ("isendrecv_of_less_than_the_buffer",))
    arrived_bytes = 4 if preset.startswith("openmpi") else None
    for file in open_trace(tmp_path / "t"):
        events = events_of(file)
        (half,) = (one for one in events if one.kind == "receive_half")
        (over,) = (one for one in events if one.kind == "completion" and one.request == half.request)
        assert half.size_bytes == 400
        assert (over.size_bytes if over.count == SAYS_SOURCE else None) == arrived_bytes


def test_an_error_handler_may_leave_a_call(preset: str, matching_edges: Path, tmp_path: Path) -> None:
    """By an exception, or by longjmp: the calls after it are recorded."""
    traced(preset, matching_edges, tmp_path / "t", LEFT)
    for file in open_trace(tmp_path / "t"):
        names = Counter(event.name for event in events_of(file))
        assert names["MPI_Barrier"] == names["MPI_Allreduce"] == 2
        assert names["MPI_Send"] == 3, "a call that an exception leaves has a record"


@pytest.fixture(scope="module")
def unfriendly(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("program") / "unfriendly"
    return compiled(BUILT[0], "unfriendly.cpp", target, "-std=c++17", "-ldl")


@pytest.mark.parametrize("removes", [False, True])
def test_files_of_the_program_stay_its_own(unfriendly: Path, tmp_path: Path, removes: bool) -> None:
    """A program that closes all descriptors gets the recorder's number for a file of its own."""
    trace = tmp_path / "t"
    words = [str(tmp_path / "own"), *([str(trace)] if removes else [])]
    command = launch(BUILT[0], str(unfriendly), "closed_descriptors", *words, ranks=2)
    done = stretto(BUILT[0], "trace", "-o", str(trace), "--", *command)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
    if removes:
        assert done.stderr.count("cannot be opened again: recording stops") == 2
    else:
        counts = [Counter(event.name for event in events_of(file)) for file in open_trace(trace)]
        assert counts[0]["MPI_Send"] == counts[1]["MPI_Recv"] == 6000


def test_memory_of_messages_may_move(unfriendly: Path, tmp_path: Path) -> None:
    command = launch(BUILT[0], str(unfriendly), "moved_buffer", ranks=2)
    done = stretto(BUILT[0], "trace", "--memory", "page", "-o", str(tmp_path / "t"), "--", *command)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


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
    command = launch(BUILT[0], str(unfriendly), case, ranks=2)
    variables = {"STRETTO_TRACE_SHARE": "1"}  # every message is watched
    done = stretto(
        BUILT[0], "trace", "--memory", "page", "-o", str(tmp_path / "t"), "--", *command, **variables
    )
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


def test_files_that_may_not_grow_end_the_recording_alone(unfriendly: Path, tmp_path: Path) -> None:
    command = launch(BUILT[0], str(unfriendly), "small_files", ranks=2)
    done = stretto(BUILT[0], "trace", "-o", str(tmp_path / "t"), "--", *command)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
    assert done.stderr.count("records were lost: the disk of the trace was full, or a file may not") == 2
    for words in (("potential",), ("whatif",), ("replay", "--loggp", "L=1us,G=1ns")):
        shown = stretto(BUILT[0], words[0], str(tmp_path / "t"), *words[1:])
        assert shown.returncode == 0, shown.stderr
        first = " ".join(shown.stdout.split())
        assert re.match(
            r"\d+ records of rank 0, 1 were lost after \S+ s, as the disk .* record again on", first
        )


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
    program = compiled(
        BUILT[0], "unfriendly.cpp", tmp_path / "program", "-std=c++17", "-ldl", wrapper=wrapper
    )
    command = launch(BUILT[0], str(program), "locked_memory", ranks=2)
    variables = {"LOCK_FIRST": "1"} if first else {}
    done = stretto(
        BUILT[0], "trace", "--memory", memory, "-o", str(tmp_path / "t"), "--", *command, **variables
    )
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


@pytest.mark.parametrize("memory", ["off", "page"])
def test_a_process_ends_with_the_last_thread_of_the_program(
    unfriendly: Path, tmp_path: Path, memory: str
) -> None:
    command = launch(BUILT[0], str(unfriendly), "main_ends_first", ranks=2)
    done = stretto(BUILT[0], "trace", "--memory", memory, "-o", str(tmp_path / "t"), "--", *command)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


def test_a_plugin_at_the_address_of_another_has_its_own_call_sites(unfriendly: Path, tmp_path: Path) -> None:
    plugins = [
        str(compiled(BUILT[0], "plugin.c", tmp_path / f"{name}.so", "-shared", "-fPIC")) for name in "ab"
    ]
    command = launch(BUILT[0], str(unfriendly), "second_plugin", *plugins, ranks=2)
    done = stretto(BUILT[0], "trace", "-o", str(tmp_path / "t"), "--", *command)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
    for file in open_trace(tmp_path / "t"):
        sites = [event.site for event in events_of(file) if event.name == "MPI_Barrier"]
        places = [file.definitions.sites[one] for one in sites]
        assert [one.module for one in places] == plugins
        assert places[0].address == places[1].address, "the two files do not have the same code"
