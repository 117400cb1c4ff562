# SPDX-License-Identifier: BSD-3-Clause
"""What operations that follow each other take beyond the sum of what each takes alone.

A rank that is done with the one goes on with the next while others still are in the first: messages of both
share links (longer), or one begins where the other ends (shorter). Of the reference algorithms it is known
who sends what, so it is computed: t(all) - sum of t(each), by o, L, G and the eager limit
(docs/decisions/runtime-functions.md).
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from statistics import median_high

from stretto.data.collectives import RuntimeFunction
from stretto.model.collective.flows import Machine, makespan_s
from stretto.model.collective.links import Torus
from stretto.model.collective.programs import Part, programs_of

_LINKS = ("links-eager", "links-in-turn")
_LINEAR = 4  # up to so many a broadcast does not tell eager messages from others


def machine_of(entries: Sequence[RuntimeFunction], torus: Torus) -> Machine | None:
    """What the runtime functions of reference algorithms say of one message; None where none knows messages.

    o and G are the medians of the functions' coefficients, L is what is left of a call of two at b = 0, and
    the eager limit is where the functions of broadcast change.
    """
    known = [e for e in entries if e.algorithm == "reference" and e.phase is None and _value(e, *_LINKS)]
    if not known:
        return None
    overhead_s = median_high([_value(e, "overheads", of_b="1") for e in known])
    one_way_s = median_high([_startup_s(e) for e in known])
    gap_s_per_byte = median_high([_value(e, *_LINKS) for e in known])
    latency_s = max(0.0, one_way_s - 2 * overhead_s)
    return Machine(overhead_s, latency_s, gap_s_per_byte, _eager_limit_bytes(known), torus)


def _startup_s(entry: RuntimeFunction) -> float:
    """Of a call of two, whose longest path is a send and a receive."""
    return _value(entry, "1", "ceil-log2-p", of_b="1") + 2 * _value(entry, "overheads", of_b="1")


def _eager_limit_bytes(known: Sequence[RuntimeFunction]) -> float:
    """The largest size up to which trees of broadcasts send eagerly; without limit where they all do."""
    trees = [e for e in known if e.operation == "broadcast" and e.members_max > _LINEAR]
    eager = [e.size_max_bytes for e in trees if _value(e, _LINKS[0])]
    return max(eager, default=0) if len(eager) < len(trees) else math.inf


def _value(entry: RuntimeFunction, *of_p: str, of_b: str = "b") -> float:
    """The sum of the coefficients of these factors."""
    terms = entry.terms or ()
    return sum(t.coefficient.value or 0.0 for t in terms if t.of_p in of_p and t.of_b == of_b)


def beyond_s(machine: Machine, operations: Sequence[Sequence[Part]], size_bytes: int) -> float:
    """What the operations take in a row beyond the sum of each alone, in seconds; often negative.

    Args:
        machine: What a message takes.
        operations: Each of one or more parts, whose sizes are in units of `size_bytes`.
        size_bytes: b.
    """
    if len(operations) < 2:
        return 0.0
    sized = [tuple(replace(part, size=part.size * size_bytes) for part in parts) for parts in operations]
    whole = tuple(part for parts in sized for part in parts)
    return _makespan_s(whole, machine) - sum(_makespan_s(parts, machine) for parts in sized)


@lru_cache(maxsize=16384)
def _makespan_s(parts: tuple[Part, ...], machine: Machine) -> float:
    return makespan_s(programs_of(parts), machine)
