# SPDX-License-Identifier: BSD-3-Clause
"""The proof of a patch: both programs are built in copies of the sources, and run.

The patched one must print and write the same, touch no buffer that MPI uses at that time, and is timed
against the other in pairs.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from stretto.binaries.symbols import name_sites
from stretto.data.trace import TraceFile
from stretto.data.trace_accesses import message_accesses
from stretto.data.trace_directory import open_trace
from stretto.errors import CheckError, RunError, UserError
from stretto.launch.application import Application, Place, placed
from stretto.launch.cluster import EmulatedNetwork
from stretto.launch.mpiexec import Launch
from stretto.launch.pairs import run_pairs
from stretto.launch.recording import recorder_variables
from stretto.model.paired_runs import PairedRuns
from stretto.patch.copies import Built, build, contents, copy_sources, watching_compilers, written
from stretto.patch.outputs import Varying, comparable, varying

_IN = 'cd -- "$0" && out=$1 && shift && exec "$@" >"$out"'


@dataclass(frozen=True)
class Recorded:
    """How the traced program was run."""

    command: tuple[str, ...]
    ranks: int

    @staticmethod
    def of(traces: Sequence[TraceFile]) -> Recorded:
        """The run of a trace. Raises UserError where the trace does not say."""
        header = traces[0].header
        if not header.command:
            raise UserError("--verify: the trace does not say how the program was run; give --launch COMMAND")
        return Recorded(header.command, header.ranks)


@dataclass(frozen=True)
class Verified:
    """What holds of a patch.

    Attributes:
        in_order: Whether even the order of the lines that ranks print is the same.
        varying: How many numbers of the output were not compared, as runs without the patch differ in them.
        files: How many files both runs wrote alike.
        watched: The accesses that were looked at belong to so many messages.
        runs: Times of both programs.
    """

    in_order: bool
    varying: int
    output_bytes: int
    files: int
    watched: int
    runs: PairedRuns


@dataclass(frozen=True)
class _Output:
    stdout: bytes
    files: Mapping[str, str]

    def same_lines(self, other: _Output, known: Varying) -> bool:
        """Whether ranks may have printed this: in another order, as nothing orders their lines."""
        return comparable(self.stdout, known) == comparable(other.stdout, known) and self.files == other.files


@dataclass(frozen=True)
class Verification:
    """A patch and the commands that build and run its program.

    Attributes:
        folder: Of the sources.
        before, after: The texts of the sources that change, by their path.
        build: A shell command, run in a copy of the folder.
        run: The command line that starts the ranks, run there, too; None: as the trace was recorded.
        recorded: How that was.
        pairs: So many runs of each are timed.
        network: Of the emulated hosts on which they are timed; None: this machine.
        without: Folders that are not copied.
    """

    folder: Path
    before: Mapping[Path, bytes]
    after: Mapping[Path, bytes]
    build: str
    run: tuple[str, ...] | None
    recorded: Recorded
    pairs: int
    without: tuple[Path, ...] = ()
    network: EmulatedNetwork | None = None


def verify(asked: Verification, directory: Path, on_step: Callable[[str], None]) -> Verified:
    """Builds, runs and compares in a directory of its own.

    Raises:
        CheckError: the patched program prints or writes something else, or touches a buffer in flight.
        RunError: a program cannot be built, or fails.
        UserError: the program cannot be found, or its build cannot be watched.
    """
    program = _program(asked)
    made = {}
    for name, texts in (("plain", asked.before), ("patched", asked.after), ("watched", asked.after)):
        on_step(f"building, {name}")
        copy_sources(asked.folder, directory / name, texts, asked.without)
        variables = watching_compilers(directory / "compilers") if name == "watched" else {}
        made[name] = build(asked.build, directory / name, program, variables)
    on_step("comparing the output")
    first, again, patched = (
        _output(asked, made[name], directory / run)
        for name, run in (("plain", "run-1"), ("plain", "run-2"), ("patched", "run-3"))
    )
    known = varying(first.stdout, again.stdout)
    if known is None or not first.same_lines(again, known):
        raise CheckError("nothing is proved: two runs without the patch differ in what they write")
    if not first.same_lines(patched, known):
        raise CheckError(f"the patch is wrong: {_difference(first, patched, known)}")
    on_step("watching buffers in flight")
    watched = _watch(asked, made["watched"], directory / "TRACE")
    on_step("timing")
    runs = _times(asked, made["plain"], made["patched"])
    in_order = bool(known) or first.stdout == patched.stdout
    count = sum(map(len, known.values()))
    return Verified(in_order, count, len(first.stdout), len(first.files), watched, runs)


def _program(asked: Verification) -> Path:
    """The program, below the folder of the sources; else its name."""
    word = asked.recorded.command[0]
    found = Path(shutil.which(word) or word)
    resolved = found.resolve()
    return resolved.relative_to(asked.folder) if asked.folder in resolved.parents else Path(found.name)


def _application(asked: Verification, built: Built) -> Application:
    if asked.run is None:
        return Application((str(built.program), *asked.recorded.command[1:]), ranks=asked.recorded.ranks)
    original = asked.folder / built.program.relative_to(built.folder)
    words = [str(built.program) if _names(word, original) else word for word in asked.run]
    if str(built.program) not in words:
        raise UserError(f"--launch: no word of it names the program, {original.name}")
    return Application(tuple(words))


def _names(word: str, program: Path) -> bool:
    """Whether a word of a command line, given in the folder of the sources, is the program."""
    if Path(word).name != program.name:
        return False
    return Path(word).resolve() == program or not word.startswith("/")


def _started(launch: Launch, folder: Path, output: Path | str) -> Launch:
    """The launch in a folder, with its standard output in a file."""
    return Launch(("/bin/sh", "-c", _IN, str(folder), str(output), *launch.argv), launch.env)


def _run(place: Place, launch: Launch, what: str) -> None:
    ended = place.run(launch)
    if ended.status != 0:
        tail = ended.stderr.splitlines()[-10:]
        raise RunError("\n".join([f"the {what} program ended with {ended.status}", *tail]))


def _output(asked: Verification, built: Built, folder: Path) -> _Output:
    """What one run prints and writes, in a fresh copy of the built folder."""
    shutil.copytree(built.folder, folder, symlinks=True)
    copy = Built(folder, folder / built.program.relative_to(built.folder))
    before = contents(folder)
    output = folder.with_suffix(".out")
    with placed(_application(asked, copy)) as place:
        _run(place, _started(place.launch(), folder, output), built.folder.name)
    return _Output(output.read_bytes(), written(before, contents(folder)))


def _difference(one: _Output, other: _Output, known: Varying) -> str:
    if one.files != other.files:
        every = sorted({*one.files, *other.files})
        names = [name for name in every if one.files.get(name) != other.files.get(name)]
        return f"the file {names[0]} that the patched program writes has other bytes"
    lines, others = comparable(one.stdout, known), comparable(other.stdout, known)
    first = next((pair for pair in zip(lines, others) if pair[0] != pair[1]), (b"", b""))
    shown = " and ".join(repr(line.decode(errors="replace")[:60]) for line in first)
    return f"it prints something else: {shown}"


def _watch(asked: Verification, built: Built, trace: Path) -> int:
    """Runs the patched program with recorded accesses; returns how many messages were watched."""
    trace.mkdir()
    variables = recorder_variables(trace, "byte") | {"STRETTO_TRACE_IN_FLIGHT": "1"}
    with placed(_application(asked, built)) as place:
        _run(place, _started(place.launch(["trace"], variables), built.folder, "/dev/null"), "watched")
    found = message_accesses(open_trace(trace))
    sites = [*found.first.values(), *found.last.values()]
    watched = sum(count for places in sites for count in places.values())
    if not watched:
        raise UserError(
            "--verify: no access to a message was recorded; the build must call mpicc, mpicxx or mpifort by"
            " these names, so that stretto's compilers stand in for them"
        )
    for site, places in found.in_flight.items():
        code = max(places, key=lambda one: places[one])
        names = name_sites([site, code])
        raise CheckError(
            f"the patch is wrong: {names[code]} touches the buffer of {names[site]} in flight,"
            f" {sum(places.values())} times"
        )
    return watched


def _times(asked: Verification, plain: Built, patched: Built) -> PairedRuns:
    """Both programs in one place: an emulated network is made once."""
    applications = [replace(_application(asked, one), network=asked.network) for one in (plain, patched)]
    with placed(applications[0]) as place:
        launches = [
            _started(place.launch_of(application), one.folder, "/dev/null")
            for application, one in zip(applications, (plain, patched))
        ]
        return run_pairs(place, launches[0], launches[1], asked.pairs)
