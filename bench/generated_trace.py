# SPDX-License-Identifier: BSD-3-Clause
"""Writes traces of any size in the recorder's format: a program that does not exist, on any number of ranks.

    python -m bench.generated_trace DIRECTORY --records 10000000 --ranks 8 --seed 1

In each step every rank exchanges messages with the neighbours of a torus between two pieces of work, and an
allreduce ends the step. Work and sizes are drawn from the seed. The two ends of a message fit, and no wait
ends before its messages can have arrived. It needs memory for the steps, not for the records.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness.trace_writer import TraceRecord, TraceWriter, trace_name
from stretto.data.trace_records import COMPLETION, FIRST_CALL, NO_CONTEXT, NO_PEER, RECORD

CALLS = (
    ("MPI_Init", "plain"),
    ("MPI_Irecv", "irecv"),
    ("MPI_Isend", "isend"),
    ("MPI_Waitall", "waitall"),
    ("MPI_Allreduce", "collective"),
    ("MPI_Finalize", "plain"),
)
INIT, IRECV, ISEND, WAITALL, ALLREDUCE, FINALIZE = range(FIRST_CALL, FIRST_CALL + len(CALLS))
PHASES = 3
"""Steps with call sites of their own, one after another."""
SIZES_BYTES = np.array([512, 8192, 65_536, 262_144])
RECORDS_A_CHUNK = 20_000  # what the recorder's largest blocks hold
_LATENCY_NS, _BYTES_A_NS = 2_000, 4
_INIT_NS, _START_NS, _CALL_NS, _SUM_NS = 10_000, 300, 200, 3_000
_BEFORE, _AT_WAIT, _AFTER, _SIZE = range(4)  # what is drawn

Times = NDArray[np.int64]


def drawn(seed: int, what: int, rank: int, steps: NDArray[np.uint64]) -> NDArray[np.float64]:
    """A number from 0 to 1 for each step: the same for all who ask for this rank's."""
    with np.errstate(over="ignore"):
        mixed = steps * np.uint64(0x9E3779B97F4A7C15)
        mixed += np.uint64(((seed << 40) ^ (what << 32) ^ rank) * 0xD1342543DE82EF95 % (1 << 64))
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    result: NDArray[np.float64] = (mixed ^ (mixed >> np.uint64(31))) * 2.0**-64
    return result


@dataclass(frozen=True)
class Program:
    """What is traced: its ranks on a torus, its steps, and the seed of its work."""

    ranks: int
    steps: int
    seed: int

    @property
    def offsets(self) -> tuple[int, ...]:
        """Distances to the ranks to which each rank sends, in a ring of all ranks."""
        width = math.isqrt(self.ranks)
        return (1, -1, width, -width) if self.ranks > 4 else (1, -1)

    @property
    def records_a_step(self) -> int:
        """The records of a rank: starts, completions, the wait and the sum."""
        return 4 * len(self.offsets) + 2

    @property
    def records(self) -> int:
        """All records of all ranks, with MPI_Init and MPI_Finalize."""
        return self.ranks * (self.steps * self.records_a_step + 2)

    def sizes(self, rank: int, steps: NDArray[np.uint64]) -> Times:
        """The bytes of the messages that a rank sends in these steps."""
        chosen = (drawn(self.seed, _SIZE, rank, steps) * len(SIZES_BYTES)).astype(int)
        result: Times = SIZES_BYTES[chosen]
        return result

    def sends(self, rank: int, steps: NDArray[np.uint64]) -> Times:
        """When a rank starts its first send, from the begin of the step."""
        work = 10_000 + 10_000 * drawn(self.seed, _BEFORE, rank, steps)
        return work.astype(np.int64) + _START_NS * len(self.offsets)

    def wait(self, rank: int, steps: NDArray[np.uint64]) -> tuple[Times, Times]:
        """When a rank begins to wait, and when it has all messages."""
        work = 5_000 + 10_000 * drawn(self.seed, _AT_WAIT, rank, steps)
        begin = self.sends(rank, steps) + _START_NS * len(self.offsets) + work.astype(np.int64)
        end = begin + _CALL_NS
        for number, offset in enumerate(self.offsets):
            source = (rank - offset) % self.ranks
            sent = self.sends(source, steps) + _START_NS * number
            end = np.maximum(end, sent + _LATENCY_NS + self.sizes(source, steps) // _BYTES_A_NS)
        return begin, end

    def sums(self, rank: int, steps: NDArray[np.uint64]) -> Times:
        """When a rank begins the allreduce."""
        work = 5_000 + 5_000 * drawn(self.seed, _AFTER, rank, steps)
        return self.wait(rank, steps)[1] + work.astype(np.int64)

    def begins(self) -> Times:
        """When each step begins, the same on all ranks; the last of them ends the last step."""
        steps = np.arange(self.steps, dtype=np.uint64)
        lengths = np.zeros(self.steps, np.int64)
        for rank in range(self.ranks):
            np.maximum(lengths, self.sums(rank, steps), out=lengths)
        begins = np.full(self.steps + 1, _INIT_NS, np.int64)
        begins[1:] += np.cumsum(lengths + _SUM_NS)
        return begins


def generate(directory: Path, records: int, ranks: int, seed: int) -> int:
    """Writes the traces of all ranks with at least this many records; returns how many there are."""
    one = Program(ranks, 1, seed)
    program = Program(ranks, max(1, math.ceil(records / ranks / one.records_a_step)), seed)
    begins = program.begins()
    directory.mkdir(parents=True, exist_ok=True)
    for rank in range(ranks):
        _write(directory / trace_name(rank), program, rank, begins)
    return program.records


def _write(path: Path, program: Program, rank: int, begins: Times) -> None:
    """Writes the file of a rank."""
    about = {"command": ["generated"], "host": f"node{rank // 64}", "cores": 64}
    with TraceWriter(path, rank, program.ranks, about) as writer:
        for name, kind in CALLS:
            writer.call(name, kind)
        writer.communicator(0, 0, 1, range(program.ranks))
        for site in range(PHASES * len(CALLS)):
            writer.site(0, "/generated/program", 0x1000 + 16 * site)
        writer.add(0, TraceRecord(INIT, 0, _INIT_NS - _CALL_NS))
        chunk = max(1, RECORDS_A_CHUNK // program.records_a_step)
        for first in range(0, program.steps, chunk):
            steps = np.arange(first, min(first + chunk, program.steps), dtype=np.uint64)
            bounds = begins[first : first + len(steps) + 1]
            data = _records(program, rank, steps, bounds).tobytes()
            writer.add_block(0, data, int(bounds[0]), int(bounds[-1]))
        writer.add(0, TraceRecord(FINALIZE, int(begins[-1]) + _CALL_NS))


def _records(program: Program, rank: int, steps: NDArray[np.uint64], begins: Times) -> NDArray[Any]:
    """The records of a rank in some steps, which begin at `begins` and end at the last of them."""
    count = len(program.offsets)
    of = np.zeros((len(steps), program.records_a_step), RECORD)
    of["peer"] = NO_PEER
    first_request = (steps * np.uint64(2 * count)).astype(np.uint32)
    wait_begin, wait_end = program.wait(rank, steps)
    sends = program.sends(rank, steps)
    phase = (steps % np.uint64(PHASES)).astype(np.int64)

    def put(column: int, call: int, begin: Times | int, duration: Times | int, **members: Any) -> None:
        one = of[:, column]
        site = 1 + phase * len(CALLS) + (WAITALL if call == COMPLETION else call) - FIRST_CALL
        one["begin_and_call"] = begins[:-1] + begin | call << 48
        one["duration_and_site"] = np.asarray(duration) | site << 48
        one["bytes_and_context"] = np.asarray(members.pop("size", 0)).astype(np.uint64) | np.uint64(
            members.pop("context", 0) << 48
        )
        for name, value in members.items():
            one[name] = value

    for number, offset in enumerate(program.offsets):
        source, target = (rank - offset) % program.ranks, (rank + offset) % program.ranks
        received, sent = first_request + np.uint32(number + 1), first_request + np.uint32(count + number + 1)
        arrives = program.sizes(source, steps)
        put(number, IRECV, _START_NS * number, _CALL_NS, size=arrives, peer=source, tag=number,
            request=received)  # fmt: skip
        put(count + number, ISEND, sends + _START_NS * number, _CALL_NS, size=program.sizes(rank, steps),
            peer=target, tag=number, request=sent)  # fmt: skip
        for column, request in ((number, received), (count + number, sent)):
            put(2 * count + 1 + column, COMPLETION, wait_begin, wait_end - wait_begin, request=request,
                context=NO_CONTEXT)  # fmt: skip
    put(2 * count, WAITALL, wait_begin, wait_end - wait_begin, count=2 * count, context=NO_CONTEXT)
    sums = program.sums(rank, steps)
    put(-1, ALLREDUCE, sums, begins[1:] - begins[:-1] - sums, size=8, extra=8)
    return of.reshape(-1)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.generated_trace",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument(
        "--records", type=int, default=10_000_000, help="of all ranks; whole steps are written"
    )
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(generate(options.directory, options.records, options.ranks, options.seed), "records")


if __name__ == "__main__":
    main()
