# SPDX-License-Identifier: BSD-3-Clause
"""Damages the files of a seed and reads them in forked workers.

The number of an input determines its content. So an input that ends a worker is known, and the next worker
continues after it.
"""

from __future__ import annotations

import mmap
import os
import random
import resource
import signal
import struct
from collections import Counter
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import UserError
from tests.fuzz.seeds import Subject

MAX_S = 20  # time limit for one input
MAX_BYTES = 4 << 30
A_CHILD = 1000  # inputs per child, because libraries leak memory after exceptions
READ, REFUSED = "read", "refused"
_STATE = struct.Struct("<q2q")  # the current input; numbers of inputs read and refused


@dataclass(frozen=True)
class Fuzzed:
    """The results of all inputs; `wrong` lists those that were neither read nor refused."""

    counts: Counter[str]
    wrong: list[str]


def fuzz(subject: Subject, numbers: range, jobs: int, directory: Path) -> Fuzzed:
    """All inputs with these numbers."""
    workers = [
        Worker(subject, range(numbers.start + job, numbers.stop, jobs), directory / f"{subject.name}-{job}")
        for job in range(jobs)
    ]
    going = workers
    while going:
        going = [worker for worker in going if worker.go_on()]
    counts = sum((worker.counts() for worker in workers), Counter[str]())
    return Fuzzed(counts, [line for worker in workers for line in worker.wrong])


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes with one to three mutations."""
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
    """Processes its share of the inputs in a child; starts another child where that one dies."""

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
        """Handles the end of the child; returns whether another one is needed."""
        _, status = os.waitpid(self.child, 0)
        at, read, refused = _STATE.unpack(self.state[:])
        if status != 0:
            self._note(at, status)
        self.state[:] = _STATE.pack(at, read, refused)
        self.next = at + self.numbers.step
        if self.next >= self.numbers.stop:
            return False
        for path, data in self.seeds:
            path.write_bytes(data)
        self.child = self._fork()
        return True

    def _note(self, at: int, status: int) -> None:
        """The exit status of a child."""
        ended = os.waitstatus_to_exitcode(status)
        how = signal.Signals(-ended).name if ended < 0 else f"status {ended}"
        self.wrong.append(f"input {at}: {how}")

    def counts(self) -> Counter[str]:
        """The results until now."""
        _, read, refused = _STATE.unpack(self.state[:])
        return Counter({READ: read, REFUSED: refused})

    def _fork(self) -> int:
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
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
        _, read, refused = _STATE.unpack(self.state[:])
        with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):
            for number in self._share():
                self.state[:] = _STATE.pack(number, read, refused)
                signal.alarm(MAX_S)
                if self._one(number):
                    read += 1
                else:
                    refused += 1
        self.state[:] = _STATE.pack(self._share()[-1], read, refused)

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
