# SPDX-License-Identifier: BSD-3-Clause
"""The messages of a Paraver trace, by the thread and the time of their sends, receives and ends.

A communication stands in the file where it is sent, which may be behind the call that posted its receive. So
all are read before the calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SENDER, _SENT, _RECEIVER, _POSTED, _RECEIVED, _SIZE, _TAG = (3, 4), 5, (9, 10), 11, 12, 13, 14
_APPLICATIONS = (2, 8)


@dataclass(frozen=True)
class Message:
    """A message between tasks, which count from 0; `number` is its place among all."""

    number: int
    sender: int
    receiver: int
    tag: int
    size_bytes: int


class Queue:
    """Messages of one thread by one of their times, to be taken in order."""

    def __init__(self, times: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        self._times, self._numbers = times, numbers
        self._next = 0
        self.passed = 0
        """Messages that no call took."""

    def take(self, from_time: int, to_time: int, most: int | None = None) -> list[int]:
        """Messages from one time to another, both included, at most `most`. Earlier ones are passed over."""
        taken: list[int] = []
        while self._next < len(self._times) and self._times[self._next] <= to_time and len(taken) != most:
            if self._times[self._next] >= from_time:
                taken.append(int(self._numbers[self._next]))
            else:
                self.passed += 1
            self._next += 1
        return taken

    def rest(self) -> int:
        """How many messages no call has taken."""
        return self.passed + len(self._times) - self._next


_NOTHING = np.zeros(0, dtype=np.int64)


class Messages:
    """The messages of one application."""

    def __init__(self, tables: Sequence[NDArray[np.int64]], application: int, tasks: int) -> None:
        empty = np.zeros((0, _TAG + 1), dtype=np.int64)
        table = np.concatenate([empty, *tables])
        own = [table[:, column] == application for column in _APPLICATIONS]
        self.between_applications = int(np.count_nonzero(own[0] != own[1]))
        self._table = table[own[0] & own[1]]
        ends = self._table[:, [_SENDER[0], _RECEIVER[0]]]
        if np.any((ends < 1) | (ends > tasks)):
            raise ValueError(f"a message of a task beyond {tasks}")
        self._sent = self._queues(_SENDER, _SENT)
        self._posted = self._queues(_RECEIVER, _POSTED)
        self._received = self._queues(_RECEIVER, _RECEIVED)

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, number: int) -> Message:
        row = self._table[number]
        return Message(
            number, int(row[_SENDER[0]]) - 1, int(row[_RECEIVER[0]]) - 1, int(row[_TAG]), int(row[_SIZE])
        )

    def queues(self, thread: tuple[int, int]) -> tuple[Queue, Queue, Queue]:
        """Those that a thread (its task and its number, from 1) sends, posts a receive for, and receives."""
        sent, posted, received = (
            queues.get(thread) or Queue(_NOTHING, _NOTHING)
            for queues in (self._sent, self._posted, self._received)
        )
        return sent, posted, received

    def untaken(self) -> int:
        """How many sends and receives are of no call."""
        return sum(one.rest() for queues in (self._sent, self._posted) for one in queues.values())

    def overtaking(self) -> int:
        """How many messages of the same ranks and tag were received in another order than they were sent."""
        keys = [self._table[:, one] for one in (_TAG, _RECEIVER[0], _SENDER[0])]
        order = np.lexsort([self._table[:, _SENT], *keys])
        posted, columns = self._table[order, _POSTED], [one[order] for one in keys]
        same = np.logical_and.reduce([one[1:] == one[:-1] for one in columns])
        return int(np.count_nonzero(same & (posted[1:] < posted[:-1])))

    def _queues(self, thread: tuple[int, int], time: int) -> dict[tuple[int, int], Queue]:
        tasks, threads, times = (self._table[:, one] for one in (*thread, time))
        order = np.lexsort([times, threads, tasks])
        changes = np.flatnonzero((np.diff(tasks[order]) != 0) | (np.diff(threads[order]) != 0)) + 1
        parts = np.split(order, changes) if len(order) else []
        return {
            (int(tasks[part[0]]), int(threads[part[0]])): Queue(times[part], part.astype(np.int64))
            for part in parts
        }
