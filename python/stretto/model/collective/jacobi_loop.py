# SPDX-License-Identifier: BSD-3-Clause
"""Jacobi iterations that follow each other, as programs of the ranks: what equations 1 and 2 do not say.

A rank that has its part of the new vector computes, and sends, while others still wait for theirs: messages
of one iteration share links with those of the next, or are there before the last rank has begun (decision
0097).
"""

from collections.abc import Sequence

from stretto.model.collective.flows import Machine, makespan_s
from stretto.model.collective.programs import Action, Part, Programs, append, programs_of

# Iterations in which nothing of the beginning is left: from the one number of them to the other.
_EARLIER, _LATER = 2, 4


def beyond_s(
    machine: Machine,
    operations: Sequence[Sequence[Part]],
    work_s: Sequence[Sequence[float]],
) -> float:
    """An iteration among iterations, less the sum of its longest work and its operations; often negative.

    Args:
        machine: What a message takes.
        operations: Those of an iteration, each of one or more parts, with sizes in bytes.
        work_s: What each rank computes before each of the operations: shape (operations, ranks).
    """
    steady_s = (
        _loop_s(machine, operations, work_s, _LATER) - _loop_s(machine, operations, work_s, _EARLIER)
    ) / (_LATER - _EARLIER)
    alone_s = sum(makespan_s(programs_of(parts), machine) for parts in operations)
    return steady_s - alone_s - max(work_s[0])


def _loop_s(
    machine: Machine,
    operations: Sequence[Sequence[Part]],
    work_s: Sequence[Sequence[float]],
    iterations: int,
) -> float:
    programs: Programs = [[] for _ in work_s[0]]
    for _ in range(iterations):
        for parts, seconds in zip(operations, work_s, strict=True):
            for program, own_s in zip(programs, seconds, strict=True):
                program.append(Action("work", (), own_s))
            for part in parts:
                append(programs, part)
    return makespan_s(programs, machine)
