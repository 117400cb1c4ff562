# SPDX-License-Identifier: BSD-3-Clause
"""Long traces, made and not recorded, and what each command that reads them takes: time, and memory at most.

Two ranks exchange a message each way a step, nonblocking, in a ring with work between; with `--watched` it is
known when the eight parts of each were produced and consumed, so that all levels of overlap have something to
move. Asked: 10^8 records in less than 4 GiB.

Usage: `long_trace.py [--records N] [--watched] [--only replay,whatif,...] [BUILD]`
"""

from __future__ import annotations

import argparse
import json
import os
import struct
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from builds import default_build
from recorder import measured

from stretto.data.trace import COMPLETION, CONSUMED, DEFINITION, FIRST_CALL, PRODUCED, RECORD
from stretto.launch.native import native_program

MOST_GIB = 4.0
CALLS = (
    ("MPI_Init", "plain"),
    ("MPI_Irecv", "irecv"),
    ("MPI_Isend", "isend"),
    ("MPI_Waitall", "waitall"),
    ("MPI_Allreduce", "collective"),
    ("MPI_Finalize", "plain"),
)
NUMBER = {name: FIRST_CALL + index for index, (name, _) in enumerate(CALLS)}
STEP_NS, PARTS, SIZE_BYTES = 20_000, 8, 8192
STEPS_A_BLOCK = 512  # of which each begins with a sum over the ranks
NETWORK = ("--latency", "2us", "--bandwidth", "1GB/s")
LEVELS = ("traced", "independent", "consumer", "producer-consumer")


def step_records(watched: bool) -> np.ndarray:
    """One step, its times from 0, its requests 1 (receive) and 2 (send)."""
    rows = [
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
        record["begin_and_call"] = begin_ns | (call if special else NUMBER[call]) << 48
        record["duration_and_site"] = duration_ns | 1 << 48
        record["bytes_and_context"] = 0 if special else SIZE_BYTES
        record["tag"] = PARTS if call in (PRODUCED, CONSUMED) else 7
        for name, value in members.items():
            record[name] = value
    return records


def definitions(rank: int, ranks: int) -> bytes:
    """The world and the one call site, then MPI_Init."""
    records = np.zeros(6, RECORD)
    records["begin_and_call"] = DEFINITION << 48
    records["bytes_and_context"] = [12, 0, 8, 0, 0, 0]
    records["request"] = [3, 0, 1, 0, 2, 0]
    records["tag"] = [rank, 0, 0, 0, 0, 0]
    records["count"] = [1, 0, 0, 0, 0, 0]
    records["peer"] = [0, 0, 0, 0, 1, -2]
    records["extra"] = [1, 0, 0, 0, 0x1234, 0]
    data = bytearray(records.tobytes())
    struct.pack_into("<iiI", data, RECORD.itemsize, 0, 1, ranks)
    data[3 * RECORD.itemsize : 3 * RECORD.itemsize + 8] = b"/bin/app"
    struct.pack_into("<QQ", data, 5 * RECORD.itemsize, NUMBER["MPI_Init"] << 48, 1000)
    return bytes(data)


def write_rank(path: Path, rank: int, ranks: int, steps: int, watched: bool) -> int:
    """A rank's trace, block by block; its records."""
    step = step_records(watched)
    step["peer"] = (rank + 1) % ranks
    sums = np.zeros(1, RECORD)
    sums["bytes_and_context"] = 8
    sums["peer"] = -2
    written = 0
    index = b""
    text = json.dumps({"schema": "stretto.trace/1.2", "command": ["made"], "calls": CALLS}).encode()
    with path.open("wb") as file:
        head = struct.pack("<8sHHIIIQqQII", b"strtrace", 1, 2, 4096, rank, ranks, 0, 0, 0, len(text), 48)
        file.write((head + text).ljust(4096, b"\0"))
        for begin in range(0, steps, STEPS_A_BLOCK):
            count = min(STEPS_A_BLOCK, steps - begin)
            number = np.repeat(np.arange(begin, begin + count, dtype=np.uint64), len(step))
            records = np.tile(step, count)
            records["begin_and_call"] += 2_000 + number * np.uint64(STEP_NS)
            records["request"] += np.where(records["request"] > 0, 2 * number, 0).astype(np.uint32)
            sums["begin_and_call"] = 1_500 + begin * STEP_NS | NUMBER["MPI_Allreduce"] << 48
            parts = [definitions(rank, ranks)] if begin == 0 else []
            parts += [sums.tobytes(), records.tobytes()]
            if begin + count == steps:
                sums["begin_and_call"] = 2_000 + steps * STEP_NS | NUMBER["MPI_Finalize"] << 48
                parts.append(sums.tobytes())
            data = b"".join(parts)
            size = -(-(48 + len(data)) // 4096) * 4096
            index += struct.pack("<QQII", file.tell(), 0, len(data) // 48, 0)
            block = struct.pack("<4sIQQQ16x", b"sblk", 0, size, len(data), 0) + data
            file.write(block.ljust(size, b"\0"))
            written += len(data) // 48
        at = file.tell()
        file.write(index)
        file.write(struct.pack("<QQQQQ8s", written, len(index) // 24, at, steps * STEP_NS, 0, b"strailer"))
    return written


def make(directory: Path, records: int, watched: bool) -> int:
    """A trace of about so many records, of two ranks."""
    steps = records // 2 // len(step_records(watched))
    directory.mkdir()
    return sum(write_rank(directory / f"rank-{rank:06}.trace", rank, 2, steps, watched) for rank in range(2))


def commands(trace: Path, watched: bool) -> dict[str, list[str]]:
    """Every command that reads a trace; `clean`: what `stretto trace --clean` does after the run."""
    stretto = str(Path(sys.executable).parent / "stretto")
    replay = [str(native_program("stretto-replay", "none")), str(trace), "--loggp=L=2us,G=1ns"]
    clean = (
        "import sys; from pathlib import Path; from stretto.data.trace import open_trace as opened; "
        "from stretto.potential.clean import take_durations; "
        "trace = Path(sys.argv[1]); take_durations(opened(trace), opened(trace))"
    )
    found = {
        f"replay {level}": [*replay, f"--level={level}"] for level in (LEVELS if watched else LEVELS[:1])
    }
    found["whatif"] = [stretto, "whatif", str(trace), *NETWORK]
    found["potential"] = [stretto, "potential", str(trace)]
    found["report"] = [stretto, "report", str(trace), "-o", str(trace / "report.html")]
    found["export"] = [stretto, "report", str(trace), "-o", str(trace / "trace.json")]
    found["clean"] = [sys.executable, "-c", clean, str(trace)]
    return found


def main() -> int:
    """Prints what each command took; 3 where one failed or took more than is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", nargs="?", type=Path, default=default_build())
    parser.add_argument("--records", type=int, default=10_000_000)
    parser.add_argument("--watched", action="store_true")
    parser.add_argument("--only", metavar="COMMAND,..", help="those whose names begin so; default: all")
    parser.add_argument("--directory", type=Path, help="where the trace is made; default: of temporary files")
    options = parser.parse_args()
    os.environ["STRETTO_BUILD"] = str(options.build)
    print(f"# load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the beginning")
    with TemporaryDirectory(dir=options.directory) as made:
        trace = Path(made) / "trace"
        records = make(trace, options.records, options.watched)
        print(f"# {records} records of 2 ranks{', watched' if options.watched else ''}")
        asked = tuple(options.only.split(",")) if options.only else ("",)
        found = [
            measured(name, command)
            for name, command in commands(trace, options.watched).items()
            if name.startswith(asked)
        ]
    return 0 if all(gib is not None and gib < MOST_GIB for gib in found) else 3


if __name__ == "__main__":
    sys.exit(main())
