# SPDX-License-Identifier: BSD-3-Clause
"""Measures time and memory of the commands that read long synthetic traces.

In every step, two ranks exchange nonblocking messages with computation between. With `--watched`, the trace
has the times when the eight parts of each message are produced and consumed, so that all levels of overlap
apply. The limit is 4 GiB for 10^8 records (`--records 100000000`). With `--run-s 300`
programs that run for so long are recorded and analysed instead.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.harness.builds import build
from bench.harness.checks import Check, Checks, Result, exactly
from bench.harness.processes import used_by, used_table
from bench.harness.runner import Context
from bench.harness.trace_writer import TraceRecord, TraceWriter
from stretto.data.trace_names import trace_name
from stretto.data.trace_records import COMPLETION, CONSUMED, FIRST_CALL, NO_PEER, PRODUCED, RECORD
from stretto.native.programs import native_program
from stretto.potential.data_work import PARTS
from validation.long_runs import run_long

MAX_GIB = 4.0
CALLS = (
    ("MPI_Init", "plain"),
    ("MPI_Irecv", "irecv"),
    ("MPI_Isend", "isend"),
    ("MPI_Waitall", "waitall"),
    ("MPI_Allreduce", "collective"),
    ("MPI_Finalize", "plain"),
)
NUMBER = {name: FIRST_CALL + index for index, (name, _) in enumerate(CALLS)}
STEP_NS, SIZE_BYTES = 20_000, 8192
STEPS_A_BLOCK = 512  # each block begins with an allreduce
NETWORK = ("--latency", "2us", "--bandwidth", "1GB/s")
LEVELS = ("traced", "independent", "consumer", "producer-consumer")


def step_records(watched: bool) -> np.ndarray:
    """One step with times from 0 and the requests 1 (receive) and 2 (send)."""
    rows: list[tuple[int, int, str | int, dict[str, int]]] = [
        (0, 100, "MPI_Irecv", {"request": 1}),
        (10_000, 150, "MPI_Isend", {"request": 2}),
        *(
            (1_000 * (part + 1), 0, PRODUCED, {"request": 2, "count": part})
            for part in range(PARTS)
            if watched
        ),
        (10_500, 1_500, "MPI_Waitall", {"count": 2}),
        (10_500, 1_500, COMPLETION, {"request": 1}),
        (10_500, 1_500, COMPLETION, {"request": 2}),
        *(
            (12_000 + 900 * part, 0, CONSUMED, {"request": 1, "count": part})
            for part in range(PARTS)
            if watched
        ),
    ]
    records = np.zeros(len(rows), RECORD)
    for record, (begin_ns, duration_ns, call, members) in zip(records, rows):
        special = isinstance(call, int)
        record["begin_and_call"] = begin_ns | (call if isinstance(call, int) else NUMBER[call]) << 48
        record["duration_and_site"] = duration_ns | 1 << 48
        record["bytes_and_context"] = 0 if special else SIZE_BYTES
        record["tag"] = PARTS if call in (PRODUCED, CONSUMED) else 7
        for name, value in members.items():
            record[name] = value
    return records


def write_rank(path: Path, rank: int, ranks: int, steps: int, watched: bool) -> int:
    """Writes a rank's trace; returns the number of records of its steps."""
    step = step_records(watched)
    step["peer"] = (rank + 1) % ranks
    sums = np.zeros(1, RECORD)
    sums["bytes_and_context"] = 8
    sums["peer"] = NO_PEER
    with TraceWriter(path, rank, ranks, {"command": ["made"]}) as writer:
        writer.communicator(0, 0, 1, range(ranks))
        writer.site(0, "/bin/app", 0x1234)
        number = {name: writer.call(name, kind) for name, kind in CALLS}
        assert number == NUMBER
        writer.add(0, TraceRecord(number["MPI_Init"], 0, 1_000, context=0))
        for begin in range(0, steps, STEPS_A_BLOCK):
            count = min(STEPS_A_BLOCK, steps - begin)
            place = np.repeat(np.arange(begin, begin + count, dtype=np.uint64), len(step))
            records = np.tile(step, count)
            records["begin_and_call"] += 2_000 + place * np.uint64(STEP_NS)
            records["request"] += np.where(records["request"] > 0, 2 * place, 0).astype(np.uint32)
            sums["begin_and_call"] = 1_500 + begin * STEP_NS | NUMBER["MPI_Allreduce"] << 48
            begin_ns, end_ns = 1_500 + begin * STEP_NS, (begin + count) * STEP_NS
            writer.add_block(0, sums.tobytes() + records.tobytes(), begin_ns, end_ns)
        writer.add(0, TraceRecord(number["MPI_Finalize"], 2_000 + steps * STEP_NS, context=0))
    return steps * len(step) + -(-steps // STEPS_A_BLOCK)


def make(directory: Path, records: int, watched: bool) -> int:
    """Writes a trace of two ranks with about this many records."""
    steps = records // 2 // len(step_records(watched))
    directory.mkdir()
    return sum(write_rank(directory / trace_name(rank), rank, 2, steps, watched) for rank in range(2))


def commands(trace: Path, watched: bool) -> dict[str, list[str]]:
    """Every command that reads a trace; `clean` is the last step of `stretto trace --clean`."""
    stretto = str(Path(sys.executable).parent / "stretto")
    replay = [str(native_program("stretto-replay", "none")), str(trace), "--loggp=L=2us,G=1ns"]
    clean = (
        "import sys; from pathlib import Path; "
        "from stretto.data.trace_directory import open_trace as opened; "
        "from stretto.potential.clean import take_durations; "
        "trace = Path(sys.argv[1]); take_durations(opened(trace), opened(trace))"
    )
    result = {
        f"replay {level}": [*replay, f"--level={level}"] for level in (LEVELS if watched else LEVELS[:1])
    }
    result["whatif"] = [stretto, "whatif", str(trace), *NETWORK]
    result["potential"] = [stretto, "potential", str(trace)]
    result["report"] = [stretto, "report", str(trace), "-o", str(trace / "report.html")]
    result["export"] = [stretto, "report", str(trace), "-o", str(trace / "trace.json")]
    result["clean"] = [sys.executable, "-c", clean, str(trace)]
    return result


def run(context: Context) -> Iterator[Result]:
    """Yields one row per command, or per program that runs for minutes."""
    options = context.options
    if options.run_s:
        yield from run_long(context)
        return
    build(context.build, "stretto-replay")
    with TemporaryDirectory(dir=options.directory) as made:
        trace = Path(made) / "trace"
        records = make(trace, options.records, options.watched)
        chosen = tuple(options.only.split(",")) if options.only else ("",)
        used = [
            used_by(name, command)
            for name, command in commands(trace, options.watched).items()
            if name.startswith(chosen)
        ]
    yield used_table(f"{records} records of 2 ranks{', watched' if options.watched else ''}", used)
    checks = [
        Check(f"{one.name}: GiB at most", "-", None if one.status else exactly(one.peak_gib), MAX_GIB)
        for one in used
    ]
    done = sum(one.status == 0 for one in used)
    checks.append(Check("commands that succeeded", "-", exactly(done), len(used), at_least=True))
    yield Checks("Memory", checks)
