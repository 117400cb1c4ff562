# SPDX-License-Identifier: BSD-3-Clause
"""A schedule as GOAL text for all its ranks, which `stretto replay` runs on any network (docs/replay.md).

GOAL knows sends and receives only: puts and gets are written as sends that carry their data. The injection
queue, overlap in calls and stolen cycles are not of GOAL; without them the replay and `stretto.model.graph`
say the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from stretto.model.schedule import Await, Compute, Finish, Schedule, Start

_BARRIER_TAG = 1 << 30


def goal_text(schedule: Schedule, work_s: float) -> str:
    """The GOAL text of `schedule`, ended by a barrier by dissemination.

    Args:
        schedule: What every rank does; it receives where it waits for its own message of that number.
        work_s: A rank's whole computation; each part of it is rounded to a nanosecond.
    """
    parts = [f"num_ranks {schedule.ranks}\n"]
    for rank in range(schedule.ranks):
        lines = list(_operations(schedule, rank, work_s / schedule.parts))
        chain = (f"l{index} requires l{index - 1}" for index in range(1, len(lines)))
        labelled = (f"l{index}: {line}" for index, line in enumerate(lines))
        parts.append("\n".join((f"rank {rank} {{", *labelled, *chain, "}\n")))
    return "\n".join(parts)


def _operations(schedule: Schedule, rank: int, part_s: float) -> Iterator[str]:
    starts: dict[int, Start] = {}
    for step in schedule.steps:
        if isinstance(step, Compute):
            yield f"calc {round(step.parts * part_s * 1e9)}"
        elif isinstance(step, Start):
            starts[step.message] = step
            yield f"send {step.size_bytes}b to {(rank + step.hop) % schedule.ranks} tag {step.message}"
        elif isinstance(step, Finish | Await):
            start = starts[step.message]
            yield f"recv {start.size_bytes}b from {(rank - start.hop) % schedule.ranks} tag {step.message}"
    distance = 1
    while distance < schedule.ranks:
        tag = _BARRIER_TAG + distance
        yield f"send 0b to {(rank + distance) % schedule.ranks} tag {tag}"
        yield f"recv 0b from {(rank - distance) % schedule.ranks} tag {tag}"
        distance *= 2
