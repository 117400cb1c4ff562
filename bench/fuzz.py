# SPDX-License-Identifier: BSD-3-Clause
"""Damaged traces and OTF2 archives, a million of each: every one is read, or refused in one line.

In process, by workers that are forked: what number an input has decides what it is, so that one that kills a
worker is known, and the worker goes on behind it. An archive's library may die of one (its conversion is a
process of its own for that); that is counted, and is no failure. A trace that was made of a damaged archive
must be one that is read. The readers in C++: STRETTO_FUZZ_INPUTS=1000000 (TESTING.md).

Usage: `fuzz.py [--inputs N] [--only trace|otf2] [--jobs N] [--first NUMBER]`
"""

from __future__ import annotations

import argparse
import importlib
import mmap
import os
import random
import resource
import signal
import struct
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from stretto.data.otf2_conversion import convert
from stretto.data.trace import COMPLETION, CONSUMED, PRODUCED, RECEIVE_HALF, STARTED, TraceFile, open_trace
from stretto.data.trace_walk import walk
from stretto.data.trace_writer import TraceRecord, TraceWriter
from stretto.errors import UserError
from stretto.potential.messages import Cost, site_potentials

MOST_S = 20  # for one input
MOST_BYTES = 4 << 30
A_CHILD = 1000  # inputs; a library that is left by an exception keeps what it has taken
COST = Cost(4e-6, 1e-9)
READ, REFUSED, DIED = "read", "refused", "its library died"
_STATE = struct.Struct("<q3q")  # the input at hand; how many were read, refused, died of


@dataclass(frozen=True)
class Subject:
    """What is damaged: the files of a seed, and what reads them; `dies`: native code, which may."""

    name: str
    make: Callable[[Path], None]
    read: Callable[[Path], None]
    dies: bool


def make_trace(directory: Path) -> None:
    """A rank that does some of everything."""
    about = {"host": "node", "command": ["./app"], "mpi": {"family": "mpich", "library": "MPICH"}}
    with TraceWriter(directory / "rank-000000.trace", 0, 1, about) as writer:
        writer.communicator(0, 0, 1, [0])
        site = writer.site(0, "/bin/app", 0x1234)
        calls = (
            ("MPI_Init", "plain", {}),
            ("MPI_Irecv", "irecv", {"peer": -1, "tag": -1, "size_bytes": 8, "request": 1}),
            ("MPI_Isend", "isend", {"peer": 0, "tag": 3, "size_bytes": 8, "request": 2}),
            ("MPI_Mprobe", "mprobe", {"peer": 0, "tag": 3, "size_bytes": 8, "request": 3, "count": 1}),
            ("MPI_Mrecv", "mrecv", {"peer": 0, "tag": 3, "size_bytes": 8, "request": 3}),
            ("MPI_Waitall", "waitall", {"count": 2}),
            ("MPI_Sendrecv", "sendrecv", {"peer": 0, "tag": 4, "size_bytes": 16, "request": 4}),
            ("MPI_Allreduce", "collective", {"size_bytes": 8}),
            ("MPI_Startall", "startall", {"count": 1}),
            ("MPI_Finalize", "plain", {}),
        )
        behind: dict[str, list[TraceRecord]] = {
            "MPI_Isend": [
                TraceRecord(PRODUCED, 100 + part, request=2, count=part, tag=8, extra=90) for part in range(8)
            ],
            "MPI_Waitall": [
                TraceRecord(COMPLETION, 9000, context=0, peer=0, tag=3, request=1, count=1, size_bytes=8),
                TraceRecord(COMPLETION, 9000, context=0, request=2),
                *(TraceRecord(CONSUMED, 9100 + part, request=1, count=part, tag=8) for part in range(8)),
            ],
            "MPI_Sendrecv": [TraceRecord(RECEIVE_HALF, 11_000, context=0, peer=0, tag=4, request=5)],
            "MPI_Startall": [TraceRecord(STARTED, 13_000, context=0, tag=5, request=6, extra=1 << 16)],
        }
        for step, (name, kind, members) in enumerate(calls):
            number = writer.call(name, kind)
            record = TraceRecord(number, 2000 * step, duration_ns=500, site=site, context=0, **members)
            for one in (record, *behind.get(name, ())):
                writer.add(step % 2, one)


def read_trace(directory: Path) -> None:
    """As `report` and `potential` do."""
    file = TraceFile(directory / "rank-000000.trace")
    for _ in walk(file):
        pass
    site_potentials([file], COST)


def make_archive(directory: Path) -> None:
    """Two ranks: a message, one that is waited for, a collective."""
    otf2: Any = importlib.import_module("otf2")
    with otf2.writer.open(str(directory / "archive"), timer_resolution=1_000_000_000) as written:
        definitions = written.definitions
        node = definitions.system_tree_node("node")
        groups = [definitions.location_group(f"rank {rank}", system_tree_parent=node) for rank in range(2)]
        places = [definitions.location("main", group=group) for group in groups]
        mpi = otf2.Paradigm.MPI
        definitions.group("", group_type=otf2.GroupType.COMM_LOCATIONS, paradigm=mpi, members=places)
        all_of_them = definitions.group(
            "world", group_type=otf2.GroupType.COMM_GROUP, paradigm=mpi, members=places
        )
        world = definitions.comm("world", group=all_of_them)
        message = {"communicator": world, "msg_tag": 3, "msg_length": 1000}
        summing = {"collective_op": otf2.CollectiveOp.ALLREDUCE, "communicator": world, "root": 0xFFFFFFFF}
        summing |= {"size_sent": 8, "size_received": 8}
        over = {"sender": 0, "request_id": 5, **message}
        collective = [("mpi_collective_begin", {}), ("mpi_collective_end", summing)]
        calls: tuple[list[tuple[str, list[tuple[str, dict[str, Any]]]]], ...] = (
            [("MPI_Init", []), ("MPI_Send", [("mpi_send", {"receiver": 1, **message})])],
            [
                ("MPI_Init", []),
                ("MPI_Irecv", [("mpi_irecv_request", {"request_id": 5})]),
                ("MPI_Wait", [("mpi_irecv", over)]),
            ],
        )
        regions: dict[str, Any] = {}
        for place, own in zip(places, calls):
            writer = written.event_writer_from_location(place)
            for step, (name, events) in enumerate([*own, ("MPI_Allreduce", collective)]):
                region = regions.setdefault(name, None) or definitions.region(name, source_file="solver.f90")
                regions[name] = region
                writer.enter(1000 * step, region)
                for method, arguments in events:
                    getattr(writer, method)(1000 * step, **arguments)
                writer.leave(1000 * step + 500, region)


def read_archive(directory: Path) -> None:
    """Converts it, and reads what came of it."""
    made = directory / "made"
    made.mkdir(exist_ok=True)
    for old in made.iterdir():
        old.unlink()
    try:
        convert(directory / "archive" / "traces.otf2", made)
    except Exception as error:  # of a native library; `main` of its process says it in one line
        raise UserError(" ".join(str(error).split()) or type(error).__name__) from None
    try:
        for file in open_trace(made):
            for _ in walk(file):
                pass
    except UserError as error:
        raise AssertionError(f"the trace that was made of it is refused: {error}") from None


SUBJECTS = {
    "trace": Subject("trace", make_trace, read_trace, dies=False),
    "otf2": Subject("otf2", make_archive, read_archive, dies=True),
}


def damaged(data: bytes, chance: random.Random) -> bytes:
    """After one to three accidents."""
    for _ in range(chance.randint(1, 3)):
        at = int(chance.random() * len(data))
        kind = chance.random()
        if kind < 0.1:
            data = data[:at]
        elif kind < 0.2:
            data = data[:at] + data[at + 1 + int(chance.random() * 12) :]
        elif kind < 0.3:
            data = data[:at] + data[-1 - at : 40 - at] + data[at:]
        elif kind < 0.65:
            data = data[:at] + bytes((int(chance.random() * 256),)) + data[at + 1 :]
        else:
            odd = chance.choice((b"\0" * 8, b"\xff" * 4, b"\x7f" * 2, b"\1\0\0\0", b"\x80"))
            data = data[:at] + odd + data[at + len(odd) :]
    return data


class Worker:
    """Goes through its share of the inputs in a child, and in another one where that dies."""

    def __init__(self, subject: Subject, numbers: range, directory: Path) -> None:
        self.subject, self.numbers, self.directory = subject, numbers, directory
        directory.mkdir()
        subject.make(directory)
        files = sorted(path for path in directory.rglob("*") if path.is_file())
        self.seeds = [(path, path.read_bytes()) for path in files]
        self.state = mmap.mmap(-1, _STATE.size)
        self.next = numbers.start
        self.wrong: list[str] = []
        self.child = self._fork()

    def go_on(self) -> bool:
        """After the child has ended: whether there is another one."""
        _, status = os.waitpid(self.child, 0)
        at, read, refused, died = _STATE.unpack(self.state[:])
        if status != 0:
            died += 1
            self._note(at, status)
        self.state[:] = _STATE.pack(at, read, refused, died)
        self.next = at + self.numbers.step
        if self.next >= self.numbers.stop:
            return False
        for path, data in self.seeds:
            path.write_bytes(data)
        self.child = self._fork()
        return True

    def _note(self, at: int, status: int) -> None:
        """What a child ended with."""
        ended = os.waitstatus_to_exitcode(status)
        how = signal.Signals(-ended).name if ended < 0 else f"status {ended}"
        if not self.subject.dies or ended >= 0 or -ended == signal.SIGALRM:
            self.wrong.append(f"input {at}: {how}")

    def counts(self) -> Counter[str]:
        """So far."""
        _, read, refused, died = _STATE.unpack(self.state[:])
        return Counter({READ: read, REFUSED: refused, DIED: died})

    def _fork(self) -> int:
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            status = 1
            try:
                self._run()
                status = 0
            except BaseException as error:
                print(f"# {type(error).__name__}: {error}", flush=True)
            finally:
                os._exit(status)
        return child

    def _run(self) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)  # what libraries say of damaged files
        _, read, refused, died = _STATE.unpack(self.state[:])
        with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):
            for number in self._share():
                self.state[:] = _STATE.pack(number, read, refused, died)
                signal.alarm(MOST_S)
                if self._one(number):
                    read += 1
                else:
                    refused += 1
        self.state[:] = _STATE.pack(self._share()[-1], read, refused, died)

    def _share(self) -> range:
        """The inputs of one child."""
        return range(self.next, self.numbers.stop, self.numbers.step)[:A_CHILD]

    def _one(self, number: int) -> bool:
        """Whether it was read."""
        chance = random.Random(number)
        path, data = self.seeds[int(chance.random() * len(self.seeds))]
        path.write_bytes(damaged(data, chance))
        try:
            self.subject.read(self.directory)
        except UserError as error:
            if not str(error) or "\n" in str(error):
                raise AssertionError(f"input {number}: refused in other than one line: {error!r}") from None
            return False
        finally:
            path.write_bytes(data)
        return True


def fuzz(subject: Subject, numbers: range, jobs: int, directory: Path) -> bool:
    """All of them; whether each was read or refused."""
    begin = time.monotonic()
    workers = [
        Worker(subject, range(numbers.start + job, numbers.stop, jobs), directory / f"{subject.name}-{job}")
        for job in range(jobs)
    ]
    going = workers
    while going:
        going = [worker for worker in going if worker.go_on()]
    counts = sum((worker.counts() for worker in workers), Counter[str]())
    wrong = [line for worker in workers for line in worker.wrong]
    told = ", ".join(f"{count} {what}" for what, count in counts.items())
    print(
        f"# {subject.name}: {sum(counts.values())} inputs in {time.monotonic() - begin:.0f} s: {told}; "
        f"{len(wrong)} neither"
    )
    for line in wrong[:20]:
        print(f"#   {line}")
    return not wrong


def main() -> int:
    """3 where an input was neither read nor refused."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--only", choices=sorted(SUBJECTS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    options = parser.parse_args()
    names = [options.only] if options.only else list(SUBJECTS)
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as made:
        numbers = range(options.first, options.first + options.inputs)
        good = [fuzz(SUBJECTS[name], numbers, options.jobs, Path(made)) for name in names]
    return 0 if all(good) else 3


if __name__ == "__main__":
    sys.exit(main())
