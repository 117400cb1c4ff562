# SPDX-License-Identifier: BSD-3-Clause
"""Measures the commands that read traces, over the number of records and of ranks.

The traces are generated (`bench.generated_trace`), packed as the recorder does it, and lie in the system's
cache. The floors are reading their bytes, and reading the same events in the order of time from an OTF2
archive, as otf2-print does, where that library is installed. `stretto-foreign` converts that archive without
the library. `stretto-replay` reads the same records and replays them on one network.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.generated_trace import generate
from bench.harness.builds import build
from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.processes import Used, used_by
from bench.harness.runner import Context
from stretto.data.trace_names import traces_in
from stretto.native.programs import native_program

RECORDS = [100_000, 1_000_000, 10_000_000]
RANKS = [2, 8, 256, 4096]
_LONGEST, _RANKS_OF_LONGEST = 100_000_000, (8, 4096)
"""From so many records on a row takes minutes: only these numbers of ranks, and no export."""
SEED = 1
_NETWORK = ("--latency", "2us", "--bandwidth", "1GB/s")
_PIECE_BYTES = 1 << 20
_ONE_CORE = ("taskset", "--cpu-list", "0")
_TARGETS_S = {(10_000_000, 8): {"potential": 4, "report": 8}, (100_000_000, 8): {"potential": 40}}
_MAX_GIB = 2
_NAMES = (
    *("OTF2", "from OTF2", "stretto-replay", "potential", "potential on one core", "report", "whatif"),
    "export",
)
COLUMNS = ("records", "ranks", "MB", "bytes", *_NAMES, "GiB at most")


def run(context: Context) -> Iterator[Result]:
    """Yields a table with one row per trace, then the checks of those that have targets."""
    programs = build(context.build, "stretto-foreign", "stretto-replay", "stretto-analyse", "pack_trace")
    if "otf2_events" in targets(context.build):
        build(context.build, "otf2_events")
    rows, checks = [], []
    for records in context.options.records:
        for ranks in context.options.traced_ranks:
            if records >= _LONGEST and ranks not in _RANKS_OF_LONGEST:
                continue
            with TemporaryDirectory() as made:
                directory = context.options.traces or Path(made)
                trace = directory / f"{records}-{ranks}"
                make(trace, records, ranks, programs)
                if context.options.only_make:
                    continue
                bytes_s, commands = measured(trace, Path(made), programs, records < _LONGEST)
                rows.append(row(records, ranks, size_bytes(trace), bytes_s, commands))
            for name, target_s in _TARGETS_S.get((records, ranks), {}).items():
                what = f"{name}, {records:.0e} records of {ranks} ranks"
                checks.append(Check(f"{what}, s", "-", exactly(commands[name].elapsed_s), target_s))
                checks.append(Check(f"{what}, GiB", "-", exactly(commands[name].peak_gib), _MAX_GIB))
    yield Table(
        "Seconds of single runs, traces in the system's cache; memory of the largest process", COLUMNS, rows
    )
    yield Checks("Traces", checks)


def targets(directory: Path) -> str:
    """What the build can make, as one text."""
    command = ["cmake", "--build", str(directory), "--target", "help"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def make(trace: Path, records: int, ranks: int, programs: Path) -> None:
    """Writes a trace, and an archive of its events next to it, unless they are there.

    The trace is packed, and an archive made, where the programs that do it are built.
    """
    packer, writer = programs / "pack_trace", programs / "otf2_events"
    if not trace.is_dir():
        made = trace.with_name(f"{trace.name}-unfinished")
        generate(made, records, ranks, SEED)
        for file in traces_in(made) if packer.is_file() else ():
            packed = file.with_suffix(".packed")
            subprocess.run([str(packer), str(file), str(packed)], check=True)
            packed.replace(file)
        made.rename(trace)
    archive = archive_of(trace)
    if writer.is_file() and not archive.is_dir():
        subprocess.run([str(writer), "write", str(trace), str(archive)], check=True)


def archive_of(trace: Path) -> Path:
    """The OTF2 archive with the events of a trace."""
    return trace.with_name(f"{trace.name}-otf2")


def measured(
    trace: Path, directory: Path, programs: Path, with_export: bool
) -> tuple[float, Mapping[str, Used]]:
    """The time of reading the bytes of a trace, and what each command used.

    `with_export`: also that of writing all events of the trace as text.
    """
    stretto = str(Path(sys.executable).parent / "stretto")
    potential = [stretto, "potential", str(trace)]
    commands = {
        "stretto-replay": [str(native_program("stretto-replay", "none")), str(trace), "--loggp=L=2us,G=1ns"],
        "potential": potential,
        "potential on one core": [*_ONE_CORE, *potential],
        "report": [stretto, "report", str(trace), "-o", str(directory / "report.html")],
        "whatif": [stretto, "whatif", str(trace), *_NETWORK],
    }
    if with_export:
        commands["export"] = [stretto, "report", str(trace), "-o", str(directory / "trace.json")]
    archive = archive_of(trace)
    if archive.is_dir():
        reading_s(archive)  # into the cache
        commands["OTF2"] = [str(programs / "otf2_events"), "read", str(archive)]
        made = directory / "converted"
        made.mkdir()
        commands["from OTF2"] = [
            str(native_program("stretto-foreign", "none")),
            "otf2",
            str(archive / "traces.otf2"),
            str(made),
        ]
    reading_s(trace)
    return reading_s(trace), {name: used_by(name, command) for name, command in commands.items()}


def reading_s(directory: Path) -> float:
    """The time of reading all bytes of the files of a directory."""
    buffer = bytearray(_PIECE_BYTES)
    begin = time.monotonic()
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            with path.open("rb", buffering=0) as file:
                while file.readinto(buffer):
                    pass
    return time.monotonic() - begin


def size_bytes(trace: Path) -> int:
    """The size of all files of a trace."""
    return sum(path.stat().st_size for path in traces_in(trace))


def row(records: int, ranks: int, size: int, bytes_s: float, commands: Mapping[str, Used]) -> tuple[str, ...]:
    """The cells of a trace; a command that failed has its status in place of its time."""
    times = (_cell(commands[name]) if name in commands else "-" for name in _NAMES)
    max_gib = max(one.peak_gib for name, one in commands.items() if not name.endswith("OTF2"))
    return f"{records:.0e}", str(ranks), f"{1e-6 * size:.0f}", f"{bytes_s:.2f}", *times, f"{max_gib:.2f}"


def _cell(one: Used) -> str:
    return f"status {one.status}" if one.status else f"{one.elapsed_s:.1f}"
