# SPDX-License-Identifier: BSD-3-Clause
"""`stretto trace --memory` records the data accesses that a scripted program logs."""

import shutil
import subprocess
from pathlib import Path

import pytest
from memory_runs import (
    BIN,
    INDEPENDENT_S,
    PARTS,
    PERIOD_S,
    ROUNDS,
    Traced,
    compile_instrumented,
    environment,
    is_built,
    needs_fortran,
    needs_memory,
    run,
    trace,
)
from traced_runs import PROGRAMS, ROOT, launch, parameters

PAGE = 512  # doubles per page
TOLERANCE = 0.05  # relative, of a period or gap

pytestmark = needs_memory


@pytest.fixture(scope="session")
def instrumented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_instrumented(tmp_path_factory.mktemp("program"))


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("program") / "plain"
    run(BIN / "mpicxx", "-std=c++17", "-O2", PROGRAMS / "scripted_pattern.cpp", "-o", target)
    return target


@pytest.fixture(scope="session")
def instrumented_fortran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("fortran") / "scripted"
    run(BIN / "stretto-fc", "-O2", PROGRAMS / "scripted_pattern.f90", "-o", target, preset="openmpi4")
    return target


def check_pattern(result: Traced, first_known: int) -> None:
    """Production in order and consumption in reverse order, at the logged times."""
    produced, consumed = result.times("produced"), result.times("consumed")
    assert sorted(produced) == [(turn, part) for turn in range(first_known, ROUNDS) for part in range(PARTS)]
    assert sorted(consumed) == [(turn, part) for turn in range(ROUNDS) for part in range(PARTS)]
    assert list(result.orders("produced")) == [list(range(PARTS))] * (ROUNDS - first_known)
    assert list(result.orders("consumed")) == [list(reversed(range(PARTS)))] * ROUNDS
    printed_ns = result.printed_ns
    for what, times in (("produced", produced), ("consumed", consumed)):
        # Against what the program says of itself: it may lose its core anywhere. And the better half: also between
        # a touch and the line about it.
        errors = sorted(abs(ns - printed_ns[what][key]) for key, ns in times.items())
        assert errors[len(errors) // 4] < TOLERANCE * 1e9 * PERIOD_S, errors
        first, last = (0, PARTS - 1) if what == "produced" else (PARTS - 1, 0)
        same(
            [times[turn, last] - times[turn, first] for turn in range(first_known, ROUNDS)],
            [
                printed_ns[what][turn, last] - printed_ns[what][turn, first]
                for turn in range(first_known, ROUNDS)
            ],
        )
    turns = range(first_known, ROUNDS)
    same(
        [printed_ns["sent"][turn, 0] - produced[turn, PARTS - 1] for turn in turns],
        [printed_ns["sent"][turn, 0] - printed_ns["produced"][turn, PARTS - 1] for turn in turns],
    )
    same(
        [consumed[turn, PARTS - 1] - printed_ns["received"][turn, 0] for turn in turns],
        [printed_ns["consumed"][turn, PARTS - 1] - printed_ns["received"][turn, 0] for turn in turns],
    )
    assert (
        min(printed_ns["sent"][turn, 0] - printed_ns["produced"][turn, PARTS - 1] for turn in turns)
        >= 1e9 * INDEPENDENT_S
    )


def same(recorded: list[float], printed: list[int]) -> None:
    """Within the tolerance unless the program lost its core between an access and its log entry."""
    assert min(abs(one - other) / other for one, other in zip(recorded, printed)) < TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("nonblocking",)], ids=["blocking", "nonblocking"])
def test_times_orders_and_periods_are_those_of_the_script(
    words: tuple[str, ...], instrumented: Path, tmp_path: Path
) -> None:
    # The first message registers its buffer, so its production is unknown.
    check_pattern(trace(instrumented, tmp_path, *words), first_known=1)


@needs_fortran
@pytest.mark.every_mpi
@pytest.mark.matrix
def test_the_same_is_seen_of_fortran(instrumented_fortran: Path, tmp_path: Path) -> None:
    check_pattern(trace(instrumented_fortran, tmp_path, preset="openmpi4"), first_known=1)


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("nonblocking",)], ids=["blocking", "nonblocking"])
def test_pages_show_the_same_of_a_program_as_it_is(
    words: tuple[str, ...], plain: Path, tmp_path: Path
) -> None:
    check_pattern(trace(plain, tmp_path, *words, level="page", per_part=PAGE), first_known=1)


def test_other_data_on_the_last_page_of_a_message_is_not_part_of_it(plain: Path, tmp_path: Path) -> None:
    result = trace(plain, tmp_path, "adjacent", level="page", per_part=PAGE)
    consumed, printed_ns = result.times("consumed"), result.printed_ns["consumed"]
    assert list(result.orders("consumed")) == [list(reversed(range(PARTS)))] * ROUNDS
    errors = sorted(abs(ns - printed_ns[key]) for key, ns in consumed.items())
    assert errors[len(errors) // 4] < TOLERANCE * 1e9 * PERIOD_S, errors
    # A page has the end of the part before it, too: within a round that is seen. Not what follows the message.
    late = [ns - result.printed_ns["produced"][key] for key, ns in result.times("produced").items()]
    assert len(late) == PARTS * (ROUNDS - 1)
    assert sorted(late)[3 * len(late) // 4] < TOLERANCE * 1e9 * PERIOD_S, late


def test_persistent_messages_that_move_no_data_leave_pages_watched(plain: Path, tmp_path: Path) -> None:
    result = trace(plain, tmp_path, "empty", level="page", per_part=PAGE)
    assert len(result.times("produced")) == PARTS * (ROUNDS - 1)
    assert len(result.times("consumed")) == PARTS * ROUNDS


def test_pages_stay_watched_when_the_block_before_them_is_freed(plain: Path, tmp_path: Path) -> None:
    result = trace(plain, tmp_path, "neighbour", level="page", per_part=PAGE)
    assert len(result.times("produced")) == PARTS * (ROUNDS - 1)
    assert len(result.times("consumed")) == PARTS * ROUNDS


@pytest.mark.slow
def test_a_page_that_is_mostly_of_others_says_nothing(plain: Path, tmp_path: Path) -> None:
    alone = trace(plain, tmp_path / "alone", level="page", per_part=1)
    assert len(alone.times("produced")) == PARTS * (ROUNDS - 1)
    assert len(alone.times("consumed")) == PARTS * ROUNDS
    shared = trace(plain, tmp_path / "shared", "adjacent", level="page", per_part=1)
    # Other data is touched first; and last, after a store to the message has opened the page.
    assert not shared.times("consumed")


@pytest.mark.slow
def test_watching_pages_takes_no_more_than_it_is_given(plain: Path, tmp_path: Path) -> None:
    large = 128 * PAGE
    enough = trace(plain, tmp_path / "enough", level="page", per_part=large)
    assert len(enough.times("consumed")) == PARTS * ROUNDS
    little = trace(plain, tmp_path / "little", level="page", per_part=large, share="1e-6")
    assert len(little.times("consumed")) < PARTS * ROUNDS
    launch = (BIN / "mpiexec", "-n", "2", plain, tmp_path / "log", "1", "1", "1")
    watched = (BIN / "stretto", "trace", "--memory", "page", "-o", tmp_path / "wrong", "--", *launch)
    text = run("env", "STRETTO_TRACE_SHARE=most", *watched).stderr
    assert text.count("STRETTO_TRACE_SHARE is 'most'") == 1


@needs_fortran
@pytest.mark.every_mpi
@pytest.mark.matrix
def test_pages_show_the_same_of_fortran(tmp_path: Path) -> None:
    program = tmp_path / "plain"
    run(
        "/usr/bin/mpifort.openmpi", "-O2", PROGRAMS / "scripted_pattern.f90", "-o", program, preset="openmpi4"
    )
    result = trace(program, tmp_path, level="page", preset="openmpi4", per_part=PAGE)
    check_pattern(result, first_known=1)


@pytest.mark.slow
@pytest.mark.parametrize("preset", parameters(["mpich", "openmpi4"]))
def test_protected_pages_break_no_program(preset: str, tmp_path: Path) -> None:
    if not is_built(preset):
        pytest.skip(f"NOT BUILT FOR {preset}: scripts/native {preset} tests builds it")
    compiler = BIN / "mpicxx" if preset == "mpich" else "/usr/bin/mpicxx.openmpi"
    program = tmp_path / "hostile"
    run(compiler, "-std=c++17", "-pthread", PROGRAMS / "hostile_memory.cpp", "-o", program, preset=preset)
    command = launch(preset, str(program), str(tmp_path / "file"), ranks=2)
    watched = (BIN / "stretto", "trace", "--memory", "page", "-o")
    done = run(*watched, tmp_path / "t", "--", *command, preset=preset)
    assert done.stdout == "right\n"
    assert "errno" not in done.stderr  # what the kernel refused, Open MPI says and then does otherwise
    ended = run(*watched, tmp_path / "u", "--", *command, "own handler", preset=preset, status=4)
    assert "ended with 4" in ended.stderr


@pytest.mark.slow
def test_a_copy_produces_what_it_copies(instrumented: Path, tmp_path: Path) -> None:
    result = trace(instrumented, tmp_path, "copies")
    produced = result.times("produced")
    errors = [abs(ns - result.printed_ns["packed"][turn, 0]) for (turn, _), ns in produced.items()]
    assert len(errors) == PARTS * (ROUNDS - 1)
    assert min(errors) < TOLERANCE * 1e9 * PERIOD_S


@pytest.mark.slow
def test_a_part_may_be_as_short_as_a_number(instrumented: Path, tmp_path: Path) -> None:
    result = trace(instrumented, tmp_path, per_part=1)
    assert list(result.orders("produced")) == [list(range(PARTS))] * (ROUNDS - 1)


@pytest.mark.slow
def test_a_program_that_was_not_instrumented_is_reported_and_gives_durations(
    instrumented: Path, plain: Path, tmp_path: Path
) -> None:
    command = (BIN / "mpiexec", "-n", "2", plain, tmp_path / "log", "1", "1", "1")
    done = run(BIN / "stretto", "trace", "--memory", "byte", "-o", tmp_path / "t", "--", *command)
    assert done.stderr.count("the program was not built with stretto-cc") == 1
    same = (BIN / "mpiexec", "-n", "2", instrumented, tmp_path / "log", "1", "1", "1")
    watched = (BIN / "stretto", "trace", "--memory", "byte", "--clean", tmp_path / "t")
    assert "durations are those of" in run(*watched, "-o", tmp_path / "v", "--", *same).stderr
    longer = (BIN / "mpiexec", "-n", "2", instrumented, tmp_path / "log", "2", "1", "1")
    refused = run(*watched, "-o", tmp_path / "w", "--", *longer, status=2)
    assert "of 64 bytes" in refused.stderr and "of 128 bytes" in refused.stderr
    refused = run(BIN / "stretto", "trace", "--memory", "bit", "-o", tmp_path / "u", "--", *command, status=2)
    assert "--memory" in refused.stderr and refused.stderr.count("\n") == 1


def test_a_datatype_is_taken_apart_once_however_often_it_is_sent(tmp_path: Path) -> None:
    program = tmp_path / "derived"
    run(BIN / "stretto-cxx", "-std=c++17", "-rdynamic", PROGRAMS / "derived_types.cpp", "-o", program, "-ldl")
    command = (BIN / "mpiexec", "-n", "2", program)
    done = run(BIN / "stretto", "trace", "--memory", "byte", "-o", tmp_path / "t", "--", *command)
    assert done.stdout == "2 questions\n", "of two datatypes, with fifty messages each"


def test_the_compilers_pass_on_their_options(tmp_path: Path) -> None:
    assert run(BIN / "stretto-cc", "--version").stdout == run(BIN / "mpicc", "--version").stdout
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n")
    run(BIN / "stretto-cc", "-c", source, "-o", tmp_path / "main.o")
    run(BIN / "stretto-cc", tmp_path / "main.o", "-o", tmp_path / "linked")
    run(tmp_path / "linked")
    source.write_text("int main(void) { return 0 }\n")
    assert "error" in run(BIN / "stretto-cc", source, "-o", tmp_path / "wrong", status=1).stderr


@pytest.mark.parametrize(
    "options",
    [("-O2",), ("-O0", "-fno-plt", "-no-pie"), ("-O2", "-masm=intel"), ("-O3", "-fPIC", "-flto", "-pipe")],
    ids=" ".join,
)
def test_accesses_of_every_sort_are_seen(options: tuple[str, ...], tmp_path: Path) -> None:
    check_accesses(options, tmp_path, {})


@pytest.mark.skipif(
    shutil.which("clang++-16") is None,
    reason="NO CLANG 16: its instrumentation is not tested; apt-get install clang-16",
)
def test_accesses_of_every_sort_are_seen_as_clang_instruments_them(tmp_path: Path) -> None:
    check_accesses(("-O2",), tmp_path, {"MPICH_CXX": "clang++-16"})


def check_accesses(options: tuple[str, ...], directory: Path, variables: dict[str, str]) -> None:
    program = directory / "accesses"
    command = [
        BIN / "stretto-cxx",
        "-std=c++17",
        f"-I{ROOT / 'src'}",
        *options,
        PROGRAMS / "accesses.cpp",
        "-o",
        program,
    ]
    subprocess.run(command, check=True, env={**environment("mpich"), **variables})
    assert run(program).stdout == "done\n"
