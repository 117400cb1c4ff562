# SPDX-License-Identifier: BSD-3-Clause
"""Measures the commands that read traces, over the number of records and of ranks.

The traces are generated (`bench.generated_trace`) and lie in the system's cache. The floor is reading their
bytes; `stretto-replay` reads the same records and replays them on one network.
"""

from __future__ import annotations

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
RANKS = [2, 8, 64, 1024]
SEED = 1
_NETWORK = ("--latency", "2us", "--bandwidth", "1GB/s")
_PIECE_BYTES = 1 << 20
_TARGETS_S = {(10_000_000, 8): {"potential": 4, "report": 8}, (100_000_000, 8): {"potential": 40}}
_MAX_GIB = 2
_COMMANDS = ("stretto-replay", "potential", "report", "whatif")
COLUMNS = ("records", "ranks", "bytes, s", *(f"{one}, s" for one in _COMMANDS), "GiB at most")


def run(context: Context) -> Iterator[Result]:
    """Yields a table with one row per trace, then the checks of those that have targets."""
    build(context.build, "stretto-replay", "stretto-analyse")
    rows, checks = [], []
    for records in context.options.records:
        for ranks in context.options.traced_ranks:
            with TemporaryDirectory() as made:
                bytes_s, commands = measured(Path(made), records, ranks)
            rows.append(row(records, ranks, bytes_s, commands))
            for name, target_s in _TARGETS_S.get((records, ranks), {}).items():
                what = f"{name}, {records:.0e} records of {ranks} ranks"
                checks.append(Check(f"{what}, s", "-", exactly(commands[name].elapsed_s), target_s))
                checks.append(Check(f"{what}, GiB", "-", exactly(commands[name].peak_gib), _MAX_GIB))
    yield Table("Single runs, traces in the system's cache; memory of the largest process", COLUMNS, rows)
    yield Checks("Traces", checks)


def measured(directory: Path, records: int, ranks: int) -> tuple[float, Mapping[str, Used]]:
    """The time of reading the bytes of a generated trace, and what each command used."""
    trace = directory / "trace"
    generate(trace, records, ranks, SEED)
    reading_s(trace)  # into the cache
    stretto = str(Path(sys.executable).parent / "stretto")
    replay = str(native_program("stretto-replay", "none"))
    commands = {
        "stretto-replay": [replay, str(trace), "--loggp=L=2us,G=1ns"],
        "potential": [stretto, "potential", str(trace)],
        "report": [stretto, "report", str(trace), "-o", str(directory / "report.html")],
        "whatif": [stretto, "whatif", str(trace), *_NETWORK],
    }
    return reading_s(trace), {name: used_by(name, command) for name, command in commands.items()}


def reading_s(trace: Path) -> float:
    """The time of reading all bytes of a trace."""
    buffer = bytearray(_PIECE_BYTES)
    begin = time.monotonic()
    for path in traces_in(trace):
        with path.open("rb", buffering=0) as file:
            while file.readinto(buffer):
                pass
    return time.monotonic() - begin


def row(records: int, ranks: int, bytes_s: float, commands: Mapping[str, Used]) -> tuple[str, ...]:
    """The cells of a trace; a command that failed has its status in place of its time."""
    times = (
        f"status {one.status}" if one.status else f"{one.elapsed_s:.1f}"
        for one in (commands[name] for name in _COMMANDS)
    )
    max_gib = max(one.peak_gib for one in commands.values())
    return f"{records:.0e}", str(ranks), f"{bytes_s:.2f}", *times, f"{max_gib:.2f}"
