# SPDX-License-Identifier: BSD-3-Clause
"""Records programs that run for minutes, and analyses their traces.

Debian's LAMMPS and Quantum ESPRESSO with Debian's Open MPI, and NAS CG with the MPI of the build. Each runs
once plain and once recorded; two short runs before tell how many steps take the time that was asked for.
`--only` chooses programs by the begin of their names: `--only lmp`, `pw.x`, `cg`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.harness.builds import ROOT, build, launcher
from bench.harness.checks import Result, Table
from bench.harness.kernels import kernel_arguments
from bench.harness.processes import used_by
from bench.harness.runner import Context
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.data.trace_records import FIRST_CALL, call_numbers
from stretto.errors import RunError
from validation.applications import APPLICATIONS, MPIEXEC, RECORDER, make_recorder, root_environment
from validation.commands import STRETTO

RANKS = 8
_DYNAMICS = (
    ("calculation='scf'", "calculation='md', nstep={steps}, dt=20."),
    ("ATOMIC_SPECIES", "&ions\n/\nATOMIC_SPECIES"),
    ("Si 0.25 0.25 0.25", "Si 0.26 0.25 0.25"),
)
"""Quantum ESPRESSO moves the atoms of silicon, because a single calculation of them is short."""
_INPUTS = {
    "lmp": ("in.lj", (("box block 0 6 0 6 0 6", "box block 0 16 0 16 0 16"), ("run 40", "run {steps}")), 20),
    "pw.x": ("si.in", _DYNAMICS, 2),
}
"""The file, what of it changes, and the steps of the first short run."""
_MORE = 10
"""Times as many steps has the second one, because the start of a program takes seconds, too."""


@dataclass(frozen=True)
class LongRun:
    """A command in its directory, with the environment that it needs."""

    name: str
    command: Sequence[str]
    directory: Path
    environment: dict[str, str]

    def run(self, *before: str) -> float:
        """Runs it behind `before`; returns its seconds.

        Raises:
            RunError: it failed.
        """
        begin = time.monotonic()
        command, env = [*before, *self.command], self.environment
        done = subprocess.run(
            command, cwd=self.directory, env=env, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise RunError(f"{self.name} ended with {done.returncode}: {done.stderr[-2000:]}")
        return time.monotonic() - begin


def run(context: Context) -> Iterator[Result]:
    """Yields a table of times and sizes, and one of the first sentences of `stretto potential`."""
    rows, answers = [], []
    with TemporaryDirectory(dir=context.options.directory) as made:
        for program in _programs(context, Path(made)):
            plain_s = program.run()
            trace = program.directory / "trace"
            recorded_s = program.run(str(STRETTO), "trace", "-o", str(trace), "--")
            files = open_trace(trace)
            calls = sum(map(_calls, files))
            size_bytes = sum(file.path.stat().st_size for file in files)
            potential = used_by("potential", [str(STRETTO), "potential", str(trace)])
            rows.append(
                (program.name, f"{plain_s:.0f}", f"{recorded_s:.0f}", f"{recorded_s / plain_s:.3f}",
                 f"{1e-6 * calls:.2f}", f"{1e-6 * size_bytes:.1f}", f"{size_bytes / calls:.1f}",
                 f"{potential.elapsed_s:.1f}", f"{potential.peak_gib:.2f}")
            )  # fmt: skip
            answers.append((program.name, _answer(trace)))
            shutil.rmtree(trace)
    columns = (
        *("program", "plain s", "recorded s", "ratio", "10^6 calls", "MB", "bytes a call"),
        *("potential s", "GiB at most"),
    )
    yield Table(f"Runs of minutes, {RANKS} ranks", columns, rows)
    yield Table("What `stretto potential` says first", ("program", "sentences"), answers)


def _programs(context: Context, made: Path) -> Iterator[LongRun]:
    seconds = context.options.run_s
    chosen = tuple(context.options.only.split(",")) if context.options.only else ("",)
    packaged = [name for name in _INPUTS if name.startswith(chosen)]
    if packaged:
        make_recorder()
    for name in packaged:
        if shutil.which(name) is None:
            raise RunError(f"no {name}: apt-get install {APPLICATIONS[name].package}")
        yield _of_debian(name, made / name, seconds)
    if not "cg".startswith(chosen):
        return
    programs = build(context.build, "stretto_programs", "stretto_trace_preload", "stretto-analyse")
    directory = made / "cg"
    directory.mkdir()
    sizes = {0: "A", 30: "B", 150: "C"}
    size = next(sizes[least] for least in sorted(sizes, reverse=True) if seconds >= least)
    words = ("cg", "--class", size, "--variant", "two-sided", "--transport", "mpi-two-sided")
    command = [*launcher(context.build, RANKS), str(programs / "stretto-run"), *kernel_arguments(words)]
    yield LongRun(f"NAS CG, class {size}", command, directory, dict(os.environ))


def _of_debian(name: str, directory: Path, seconds: float) -> LongRun:
    """One of Debian's programs with as many steps as the time allows."""
    application = APPLICATIONS[name]
    file, changes, few = _INPUTS[name]
    directory.mkdir()
    application.prepare(directory)
    text = (directory / file).read_text(encoding="utf-8")
    for before, after in changes:
        text = text.replace(before, after)
    command = [str(MPIEXEC), "--oversubscribe", "-n", str(RANKS), *application.command]
    environment = root_environment() | {"STRETTO_BUILD": str(RECORDER)}
    run = LongRun(f"Debian's {application.package}", command, directory, environment)

    def seconds_of(steps: int) -> float:
        (directory / file).write_text(text.replace("{steps}", str(steps)), encoding="utf-8")
        return run.run()

    short_s, longer_s = seconds_of(few), seconds_of(_MORE * few)
    step_s = max(longer_s - short_s, 0.01) / ((_MORE - 1) * few)
    steps = few + round(max(seconds - short_s, 0.0) / step_s)
    (directory / file).write_text(text.replace("{steps}", str(steps)), encoding="utf-8")
    return run


def _calls(file: TraceFile) -> int:
    return sum(int((call_numbers(block.records) >= FIRST_CALL).sum()) for block in file.blocks())


def _answer(trace: Path) -> str:
    """The paragraphs before the first one that is indented or begins with `1.`, as one line."""
    done = subprocess.run(
        [str(STRETTO), "potential", str(trace)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    lines = []
    for line in done.stdout.splitlines():
        if not line.strip() or line.startswith((" ", "1.", "#", "No change")):
            break
        lines.append(line.strip())
    return " ".join(lines)
