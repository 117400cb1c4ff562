# SPDX-License-Identifier: BSD-3-Clause
"""Empirical LogGP parameters from the probes' own runs: the paper's bar E (section 7.5: o and g; 8.2: G).

For each message size, o is the time of a start between the longest computations, where no start waits for
the queue. g is the time of a start in a row of starts, where that is longer. G comes from the time without
computation, when all ranks communicate at once. L and the overlap come from a profile, because these runs
do not contain them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from stretto.model.measured import Measured
from stretto.model.network import LogGp
from stretto.model.schedule import Shape

_WAITING = 0.5  # fraction of a run's time; below it, the bytes do not determine the time


@dataclass(frozen=True)
class Run:
    """A measured schedule and the description of its messages."""

    measured: Measured
    shape: Shape

    @property
    def idle(self) -> bool:
        """Whether the run has no computation."""
        return self.measured.work_s == 0

    @property
    def kind(self) -> tuple[str, int]:
        """The operation and the size of a message, on which o and g depend."""
        return self.measured.operation, self.shape.largest_bytes

    @property
    def bulk(self) -> bool:
        """Whether it is the bulk-synchronous schedule."""
        return self.measured.option.schedule == self.measured.problem.bulk_name

    @property
    def wire_bytes(self) -> int:
        """Bytes of all messages of a rank that cost G: s - 1 of each."""
        return self.shape.messages * (self.shape.largest_bytes - 1)

    @property
    def each_init_s(self) -> float:
        """The time to start one transfer."""
        return self.measured.init_s / self.shape.messages


def empirical(run: Run, others: Sequence[Run], base: LogGp) -> LogGp | None:
    """The parameters of bar E for the messages of `run`.

    Args:
        run: The run to model.
        others: All runs of its route, including `run`.
        base: L, o_r, overlap and steal, one draw each.

    Returns:
        None where no run of this route is without computation, because G is then unknown.
    """
    same = [one for one in others if one.kind == run.kind]
    in_a_row = [one for one in same if one.idle or one.bulk]  # starts without work between them
    spaced = [one for one in same if not (one.idle or one.bulk)]
    slowest = sorted(spaced, key=lambda one: one.measured.work_s)[-1:]
    overhead_s = min(one.each_init_s for one in slowest or in_a_row)
    queue_s = max((_queue_s(one, overhead_s) for one in in_a_row), default=0.0)
    loggp = replace(
        base,
        overhead_send_s=np.array([overhead_s]),
        gap_s=np.zeros(1),
        gap_queue_s=np.array([queue_s if queue_s > overhead_s else 0.0]),
    )
    gap = _byte_gap(run, others, loggp)
    return None if gap is None else loggp.with_byte_gap(np.array([gap]))


def barrier_s(others: Sequence[Run]) -> float:
    """The shortest barrier of all runs: its own cost, without waiting for slow ranks."""
    return min(one.measured.segments_s["barrier"] for one in others)


def _queue_s(run: Run, overhead_s: float) -> float:
    """The time between two starts in a row; all but the first wait for the queue."""
    later = run.shape.messages - 1
    return max(run.measured.init_s - overhead_s, 0.0) / later if later else 0.0


def _byte_gap(run: Run, others: Sequence[Run], loggp: LogGp) -> float | None:
    """G from the run whose messages are nearest in size, preferably one of the same operation.

    None where no run is without computation.
    """
    result = []
    for one in others:
        if one.idle and one.measured.segments_s["sync"] >= _WAITING * one.measured.time_s:
            result.append((one, one.measured.time_s))
        elif one.measured.communication_s is not None and one.bulk:
            result.append((one, one.measured.communication_s))
    if not result:
        return None

    def distance(place: tuple[Run, float]) -> tuple[bool, float, float]:
        (operation, size), (own_operation, own_size) = place[0].kind, run.kind
        volume = abs(place[0].wire_bytes - run.wire_bytes)
        return operation != own_operation, abs(float(np.log(size / own_size))), volume

    nearest, time_s = min(result, key=distance)
    ways = 1 if nearest.measured.operation == "send" else 2
    first_s = max(loggp.overhead_send_s[0], loggp.gap_queue_s[0]) + ways * loggp.latency_s[0]
    return max(time_s - barrier_s(others) - float(first_s), 0.0) / max(nearest.wire_bytes, 1)
