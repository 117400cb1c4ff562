# SPDX-License-Identifier: BSD-3-Clause
"""The eager limit: up to which size a send completes although nobody has posted its receive.

The probe `loggp` finds it by bisection. It then times a send of that size (`unexpected_eager`) and one of one
byte more (`unexpected_rendezvous`), each to a receiver that computes before it posts the receive.
"""

from collections.abc import Sequence

from stretto.data.figures import Figure
from stretto.model.cases import Case, Quantity

EAGER = "unexpected_eager"
RENDEZVOUS = "unexpected_rendezvous"
_WAITED = 0.5  # of the receiver's computation: a send that takes so long has waited for the receive
_SURE = 0.9  # share of the rounds that must agree


def eager_limit(cases: Sequence[Case]) -> Figure | None:
    """The largest eager size of one path in bytes; a lower bound where no size waited.

    None: not measured, or rounds contradict the size that the bisection found.
    """
    for case in cases:
        if case.has(EAGER) and _share_waited(case.quantities[EAGER]) <= 1 - _SURE:
            if not case.has(RENDEZVOUS):
                why = "no larger message was sent, and none waited"
                return Figure(float(case.size_bytes), n=case.rounds, bound="lower", reason=why)
            if _share_waited(case.quantities[RENDEZVOUS]) >= _SURE:
                return Figure(float(case.size_bytes), n=case.rounds)
    return None


def _share_waited(quantity: Quantity) -> float:
    """The share of the rounds in which the send took most of its receiver's computation."""
    waited = quantity.segments_s["sync"] >= _WAITED * quantity.segments_s["work"]
    return float(waited.mean())
