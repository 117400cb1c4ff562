# SPDX-License-Identifier: BSD-3-Clause
"""Paraver traces for tests, put together call by call, and random ones."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

NAMES = """DEFAULT_OPTIONS

LEVEL               THREAD

EVENT_TYPE
9   50000001    MPI Point-to-point
VALUES
1   MPI_Send
2   MPI_Recv
3   MPI_Isend
4   MPI_Irecv
5   MPI_Wait
6   MPI_Waitall
41   MPI_Sendrecv
61   MPI_Probe
0   Outside MPI

EVENT_TYPE
9   50000002    MPI Collective Comm
VALUES
7   MPI_Bcast
10   MPI_Allreduce
11   MPI_Alltoall
155   MPI_Iallreduce
0   Outside MPI

EVENT_TYPE
9   50000003    MPI Other
VALUES
31   MPI_Init
32   MPI_Finalize
123   MPI_Start
124   MPI_Startall
0   Outside MPI

EVENT_TYPE
0    70000001    Caller at level 1
0    70000002    Caller at level 2
VALUES
0   End
4   solve
5   Dom..n::step [Domain::step]

EVENT_TYPE
0    80000001    Caller line at level 1
VALUES
0   End
7   12 (solver.cc, app)
"""
MESSAGES, COLLECTIVES, OTHERS = 50000001, 50000002, 50000003
SEND, RECV, ISEND, IRECV, WAIT, WAITALL, SENDRECV, PROBE = 1, 2, 3, 4, 5, 6, 41, 61
BCAST, ALLREDUCE, ALLTOALL, IALLREDUCE = 7, 10, 11, 155
INIT, FINALIZE, START, STARTALL = 31, 32, 123, 124


@dataclass
class Paraver:
    """The records of a trace, put together call by call. Times are in nanoseconds, tasks count from 1."""

    tasks: int = 2
    records: list[tuple[int, str]] = field(default_factory=list)
    unit: str = "_ns"
    communicators: str = ""
    application: int = 1  # before it stand others, of three tasks

    def call(
        self, task: int, kind: int, value: int, begin: int, end: int, about: str = "", thread: int = 1
    ) -> None:
        place = f"{task}:{self.application}:{task}:{thread}"
        self.records.append((begin, f"2:{place}:{begin}:{kind}:{value}{about}"))
        self.records.append((begin, f"1:{place}:{begin}:{end}:9"))
        self.records.append((end, f"2:{place}:{end}:{kind}:0:42000050:77"))

    def message(
        self,
        sender: int,
        sent: tuple[int, int],
        receiver: int,
        received: tuple[int, int],
        size: int,
        tag: int = 3,
    ) -> None:
        first, second = (f"{task}:{self.application}:{task}:1" for task in (sender, receiver))
        self.records.append(
            (sent[0], f"3:{first}:{sent[0]}:{sent[1]}:{second}:{received[0]}:{received[1]}:{size}:{tag}")
        )

    def begun(self) -> Paraver:
        for task in range(1, self.tasks + 1):
            self.call(task, OTHERS, INIT, 0, 1000)
        return self

    def text(self) -> str:
        end = max((time for time, _ in self.records), default=0)
        threads = ",".join(["1:1"] * self.tasks)
        world = ":".join(map(str, range(1, self.tasks + 1)))
        others = "3(1:1,1:1,1:1),2:" * (self.application - 1)
        head = f"#Paraver (28/11/2026 at 16:37):{end}{self.unit}:1({self.tasks}):{self.application}:{others}"
        head += (
            f"{self.tasks}({threads}),1\nc:{self.application}:1:{self.tasks}:{world}\n{self.communicators}"
        )
        return head + "".join(f"{line}\n" for _, line in sorted(self.records, key=lambda one: one[0]))

    def write(self, directory: Path) -> Path:
        (directory / "run.pcf").write_text(NAMES, encoding="utf-8")
        (directory / "run.prv").write_text(self.text(), encoding="utf-8")
        return directory / "run.prv"


def program(seed: int, tasks: int) -> Paraver:
    """Random messages and collectives: each message is sent, posted and waited for in a round of its own."""
    chance, trace = random.Random(seed), Paraver(tasks).begun()
    at = 2000
    for _ in range(60):
        kind = chance.choice((SEND, ISEND, ALLREDUCE, ALLTOALL))
        size = chance.randrange(1, 1 << 20)
        if kind in (ALLREDUCE, ALLTOALL):
            for task in range(1, tasks + 1):
                about = f":50100001:{size}:50100002:{size}:50100004:1"
                trace.call(task, COLLECTIVES, kind, at + task, at + 500, about)
        else:
            sender, receiver = chance.sample(range(1, tasks + 1), 2)
            trace.call(sender, MESSAGES, kind, at + 100, at + 200)
            trace.call(receiver, MESSAGES, IRECV, at + 10, at + 20)
            trace.call(receiver, MESSAGES, WAITALL, at + 30, at + 600)
            trace.message(
                sender, (at + 100, at + 200), receiver, (at + 20, at + 600), size, chance.randrange(5)
            )
            if kind == ISEND:
                trace.call(sender, MESSAGES, WAITALL, at + 300, at + 400)
        at += 1000
    return trace
