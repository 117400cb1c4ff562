# SPDX-License-Identifier: BSD-3-Clause
"""`stretto trace --memory` records the data accesses that a scripted program logs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from stretto.data.trace import Event, open_trace
from stretto.errors import UserError
from stretto.native.programs import native_library

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"
BIN = Path(sys.executable).parent
PARTS, ROUNDS = 8, 5
PERIOD_S, INDEPENDENT_S = 300e-6, 900e-6
PAGE = 512  # doubles per page
TOLERANCE = 0.05  # relative, of a period or gap


def is_built(preset: str) -> bool:
    return all(
        (ROOT / "build" / preset / "lib" / f"libstretto_{name}.so").is_file() for name in ("memory", "trace")
    )


def has_no_memory_runtime() -> bool:
    try:
        native_library("libstretto_memory.so", "none")
    except UserError:
        return True
    return False


pytestmark = [
    pytest.mark.alone,  # what the programs do takes as long as they say only where they have a core
    pytest.mark.skipif(
        has_no_memory_runtime() or not is_built("mpich"),
        reason="LIBSTRETTO_MEMORY IS NOT BUILT: nothing here is tested; scripts/native mpich tests builds it",
    ),
]
needs_fortran = pytest.mark.skipif(
    not is_built("openmpi4") or shutil.which("gfortran") is None,
    reason="NO MPI WITH A FORTRAN BINDING, OR NO GFORTRAN: Fortran is not tested; apt-get install gfortran libopenmpi-dev, "
    "scripts/native openmpi4 tests",
)
MPIEXEC = {"mpich": BIN / "mpiexec", "openmpi4": Path("/usr/bin/mpiexec.openmpi")}


def environment(preset: str) -> dict[str, str]:
    root_may_run = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")
    compilers = {"STRETTO_CC": str(BIN / "mpicc"), "STRETTO_CXX": str(BIN / "mpicxx")}
    if preset == "openmpi4":
        compilers = {"STRETTO_CC": "/usr/bin/mpicc.openmpi", "STRETTO_FC": "/usr/bin/mpifort.openmpi"}
    built = {"STRETTO_BUILD": str(ROOT / "build" / preset)}
    return {**os.environ, **built, **compilers, **dict.fromkeys(root_may_run, "1")}


def run(*command: str | Path, preset: str = "mpich", status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment(preset),
    )
    assert done.returncode == status, done.stderr
    return done


@pytest.fixture(scope="session")
def instrumented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("program") / "scripted"
    run(BIN / "stretto-cxx", "-std=c++17", "-O2", "-g", PROGRAMS / "scripted_pattern.cpp", "-o", target)
    return target


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


@dataclass(frozen=True)
class Traced:
    """Events of the sender and the receiver, and their logs: ns of the clock by event, round and part."""

    sender: list[Event]
    receiver: list[Event]
    epochs: tuple[int, int]
    printed_ns: dict[str, dict[tuple[int, int], int]]

    def times(self, what: str) -> dict[tuple[int, int], float]:
        """`produced` or `consumed` in the trace, in ns of the clock, by number of the message and part."""
        return {
            key: self.epochs[what == "consumed"] + 1e9 * event.begin_s
            for key, event in self.parts(what).items()
        }

    def parts(self, what: str) -> dict[tuple[int, int], Event]:
        """The records of `produced` or `consumed`, by number of the message and part."""
        produces = what == "produced"
        events = self.sender if produces else self.receiver
        calls = ("MPI_Send", "MPI_Isend") if produces else ("MPI_Recv", "MPI_Irecv")
        numbers = [event.request for event in events if event.name in calls]
        return {
            (numbers.index(event.request), event.count): event
            for event in events
            if event.name == what and event.begin_s > 0
        }

    def moved(self, what: str, turn: int) -> list[float]:
        """When the parts of a message are produced or consumed with independent work first, in s of the trace."""
        return [
            event.duration_s or event.begin_s for (one, _), event in self.parts(what).items() if one == turn
        ]

    def orders(self, what: str) -> Iterator[list[int]]:
        """The parts in the order of their accesses, message by message."""
        times = self.times(what)
        for turn in sorted({turn for turn, _ in times}):
            yield sorted((part for one, part in times if one == turn), key=lambda part: times[turn, part])


# All the time that watching by page needs, unless said: no message goes unwatched though the core was lost for a while.
def trace(
    program: Path,
    directory: Path,
    *words: str,
    level: str = "byte",
    preset: str = "mpich",
    per_part: int = 64,
    share: str = "1",
) -> Traced:
    script = [str(per_part), str(round(1e6 * PERIOD_S)), str(round(1e6 * INDEPENDENT_S)), *words]
    options = ("trace", "--memory", level, "-o", directory / "trace", "--")
    oversubscribe = ["--oversubscribe"] if preset == "openmpi4" else []
    launch = [MPIEXEC[preset], *oversubscribe, "-n", "2", program, directory / "log", *script]
    run("env", f"STRETTO_TRACE_SHARE={share}", BIN / "stretto", *options, *launch, preset=preset)
    files = open_trace(directory / "trace")
    events = [[event for block in file.blocks() for event in file.events(block.records)] for file in files]
    printed_ns: dict[str, dict[tuple[int, int], int]] = {}
    for rank in range(2):
        for line in Path(f"{directory / 'log'}.{rank}").read_text().splitlines():
            what, turn, part, ns = line.split()
            printed_ns.setdefault(what, {})[int(turn), int(part)] = int(ns)
    return Traced(events[0], events[1], (files[0].header.epoch_ns, files[1].header.epoch_ns), printed_ns)


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


@pytest.mark.parametrize("words", [(), ("nonblocking",)], ids=["blocking", "nonblocking"])
def test_times_orders_and_periods_are_those_of_the_script(
    words: tuple[str, ...], instrumented: Path, tmp_path: Path
) -> None:
    # The first message registers its buffer, so its production is unknown.
    check_pattern(trace(instrumented, tmp_path, *words), first_known=1)


@needs_fortran
@pytest.mark.every_mpi
def test_the_same_is_seen_of_fortran(instrumented_fortran: Path, tmp_path: Path) -> None:
    check_pattern(trace(instrumented_fortran, tmp_path, preset="openmpi4"), first_known=1)


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


def test_a_page_that_is_mostly_of_others_says_nothing(plain: Path, tmp_path: Path) -> None:
    alone = trace(plain, tmp_path / "alone", level="page", per_part=1)
    assert len(alone.times("produced")) == PARTS * (ROUNDS - 1)
    assert len(alone.times("consumed")) == PARTS * ROUNDS
    shared = trace(plain, tmp_path / "shared", "adjacent", level="page", per_part=1)
    # Other data is touched first; and last, after a store to the message has opened the page.
    assert not shared.times("consumed")


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
def test_pages_show_the_same_of_fortran(tmp_path: Path) -> None:
    program = tmp_path / "plain"
    run(
        "/usr/bin/mpifort.openmpi", "-O2", PROGRAMS / "scripted_pattern.f90", "-o", program, preset="openmpi4"
    )
    result = trace(program, tmp_path, level="page", preset="openmpi4", per_part=PAGE)
    check_pattern(result, first_known=1)


@pytest.mark.parametrize("preset", ["mpich", "openmpi4"])
def test_protected_pages_break_no_program(preset: str, tmp_path: Path) -> None:
    if not is_built(preset):
        pytest.skip(f"NOT BUILT FOR {preset}: scripts/native {preset} tests builds it")
    compiler = BIN / "mpicxx" if preset == "mpich" else "/usr/bin/mpicxx.openmpi"
    program = tmp_path / "hostile"
    run(compiler, "-std=c++17", "-pthread", PROGRAMS / "hostile_memory.cpp", "-o", program, preset=preset)
    oversubscribe = ["--oversubscribe"] if preset == "openmpi4" else []
    command = (MPIEXEC[preset], *oversubscribe, "-n", "2", program, tmp_path / "file")
    watched = (BIN / "stretto", "trace", "--memory", "page", "-o")
    done = run(*watched, tmp_path / "t", "--", *command, preset=preset)
    assert done.stdout == "right\n"
    assert "errno" not in done.stderr  # what the kernel refused, Open MPI says and then does otherwise
    ended = run(*watched, tmp_path / "u", "--", *command, "own handler", preset=preset, status=4)
    assert "ended with 4" in ended.stderr


def test_a_copy_produces_what_it_copies(instrumented: Path, tmp_path: Path) -> None:
    result = trace(instrumented, tmp_path, "copies")
    produced = result.times("produced")
    errors = [abs(ns - result.printed_ns["packed"][turn, 0]) for (turn, _), ns in produced.items()]
    assert len(errors) == PARTS * (ROUNDS - 1)
    assert min(errors) < TOLERANCE * 1e9 * PERIOD_S


def test_a_part_may_be_as_short_as_a_number(instrumented: Path, tmp_path: Path) -> None:
    result = trace(instrumented, tmp_path, per_part=1)
    assert list(result.orders("produced")) == [list(range(PARTS))] * (ROUNDS - 1)


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


def ends_s(result: Traced, latency_s: float) -> tuple[float, float]:
    """When the receiver is done, in s of computing: as the program is written, and where messages go out when their
    data is produced (nobody saw when that of the first was) and are waited for when the first of it is needed, with what
    is independent before that."""
    sends, before_sends, _ = calls(result.sender, "MPI_Send")
    receives, _, after_receives = calls(result.receiver, "MPI_Recv")
    computed_s = in_place_s = moved_s = 0.0
    for turn, (send, receive) in enumerate(zip(sends, receives, strict=True)):
        computed_s += send.begin_s - (before_sends[turn].begin_s + before_sends[turn].duration_s)
        produced_s = computed_s
        if turn > 0:
            produced_s -= max(send.begin_s - max(result.moved("produced", turn)), 0.0)
        done_s = after_receives[turn].begin_s
        received_s = receive.begin_s + receive.duration_s
        in_place_s = max(in_place_s, computed_s + latency_s) + done_s - received_s
        used_s = min(result.moved("consumed", turn))
        moved_s = max(moved_s + used_s - received_s, produced_s + latency_s) + done_s - used_s
    return in_place_s, moved_s


def calls(events: list[Event], name: str) -> tuple[list[Event], list[Event], list[Event]]:
    """The calls of this name, each with its previous and next call."""
    all_calls = [event for event in events if event.name.startswith("MPI_")]
    at = [number for number, event in enumerate(all_calls) if event.name == name]
    return tuple([all_calls[number + by] for number in at] for by in (0, -1, 1))


def test_every_level_gains(instrumented: Path, tmp_path: Path) -> None:
    in_place_s, moved_s = ends_s(trace(instrumented, tmp_path), 500e-6)
    times = times_of_levels(tmp_path)
    # The receiver's, at the first message; the others follow it.
    assert in_place_s - moved_s > 0.9 * INDEPENDENT_S
    assert times["traced"] - times["independent"] > 0.9 * INDEPENDENT_S
    # The receiver needs the last part first, and the sender has that last: there is no more to gain than bytes on
    # their way.
    bytes_s = 8 * 64 * PARTS / 5e9
    assert times["consumer"] == pytest.approx(times["independent"], abs=bytes_s)
    assert times["producer-consumer"] == pytest.approx(times["independent"], abs=bytes_s)
    assert times["independent"] >= times["consumer"] >= times["producer-consumer"]


def times_of_levels(directory: Path) -> dict[str, float]:
    """The predicted seconds of the scripted program's trace."""
    network = ("--latency", "500us", "--bandwidth", "5GB/s")
    result = json.loads(run(BIN / "stretto", "whatif", directory / "trace", *network, "--json").stdout)
    assert (result["trace"]["produced"], result["trace"]["consumed"]) == (ROUNDS - 1, ROUNDS)
    times = {row["level"]: row["time_s"] for row in result["rows"]}
    assert list(times) == ["traced", "independent", "consumer", "producer-consumer"]
    return times


def test_levels_need_what_a_plain_trace_lacks(tmp_path: Path, instrumented: Path) -> None:
    trace(instrumented, tmp_path, level="off")
    command = (BIN / "stretto", "whatif", tmp_path / "trace", "--level", "consumer")
    refused = run(*command, status=2)
    assert "--memory" in refused.stderr and refused.stderr.count("\n") == 1
