# SPDX-License-Identifier: BSD-3-Clause
"""How long an operation's messages take on a network's links, in times that one message takes.

The paper's functions hold for concurrent groups only if those don't interfere (section 3). On a torus they
do; but which links a message takes is known there and, of the reference algorithms (LAM's), who sends what
when. Messages share links fairly. Knows no seconds: those are in the
coefficients (docs/decisions/runtime-functions.md).
"""

import math
from functools import lru_cache

from stretto.model.collective.flows import Machine, makespan_s
from stretto.model.collective.links import Torus
from stretto.model.collective.programs import ALONE, Part, Placement, programs_of


@lru_cache(maxsize=4096)
def link_time(operation: str, members: int, placement: Placement, torus: Torus, in_turn: bool) -> float:
    """Until the last message is there, in times that one message alone takes on a link.

    Args:
        operation: One of ROOTED.
        members: p of each group.
        placement: Which ranks these are.
        torus: The network's widths; none: a switch.
        in_turn: Whether a rank's messages wait for each other, as those do that meet their receiver
            (rendezvous); eager ones are all handed over at once.
    """
    machine = Machine(0.0, 0.0, 1.0, 0.0 if in_turn else math.inf, torus)
    return makespan_s(programs_of([Part(operation, members, placement)]), machine)


@lru_cache(maxsize=4096)
def overheads(operation: str, members: int) -> int:
    """Sends and receives, one after the other, until the last rank is done: LogP with o alone."""
    machine = Machine(1.0, 0.0, 0.0, math.inf)
    return round(makespan_s(programs_of([Part(operation, members, ALONE)]), machine))
