# SPDX-License-Identifier: BSD-3-Clause
"""The variables that messages are sent from and received into, as places next to call sites."""

from __future__ import annotations

from stretto.data.trace_records import BY_ALLOCATION, BY_SYMBOL, ON_A_STACK, Variable

_PREFIXES = {BY_SYMBOL: "variable:", BY_ALLOCATION: "allocation:", ON_A_STACK: "stack:"}


def variable_at(place: tuple[str, int]) -> Variable | None:
    """The variable of a place; None for unknown data."""
    for known, prefix in _PREFIXES.items():
        if place[0].startswith(prefix):
            return Variable(known, place[0][len(prefix) :], place[1])
    return None
