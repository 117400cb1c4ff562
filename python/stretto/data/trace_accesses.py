# SPDX-License-Identifier: BSD-3-Clause
"""Where a traced program accesses the data of its messages: what region records of counts 2 to 4 say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from stretto.data.program import Place
from stretto.data.trace import TraceFile
from stretto.data.trace_records import REGION, call_numbers

FIRST_ACCESSES, LAST_STORES, IN_FLIGHT = 2, 3, 4

ByPlace = dict[Place, dict[Place, int]]
"""How often, by call site and by place of the access; ("", 0): not known, or there was no access."""


@dataclass
class MessageAccesses:
    """Summed over all ranks.

    Attributes:
        first: To what arrived in calls at a site: where it was accessed first.
        last: To what calls at a site sent: where it was stored to last.
        in_flight: Accesses that MPI forbids, by the call site that started the message.
    """

    first: ByPlace = field(default_factory=dict)
    last: ByPlace = field(default_factory=dict)
    in_flight: ByPlace = field(default_factory=dict)


def message_accesses(traces: Sequence[TraceFile]) -> MessageAccesses:
    """What all ranks recorded. Empty for a trace without --memory byte.

    Raises:
        UserError: a trace is damaged.
    """
    found = MessageAccesses()
    kinds = {FIRST_ACCESSES: found.first, LAST_STORES: found.last, IN_FLIGHT: found.in_flight}
    for file in traces:
        for block in file.blocks():
            records = block.records
            chosen = records[(call_numbers(records) == REGION) & np.isin(records["count"], list(kinds))]
            for event in file.events(chosen):
                by_place = kinds[event.count].setdefault(_place(file, event.site), {})
                place = _place(file, event.request)
                by_place[place] = by_place.get(place, 0) + event.extra
    return found


def _place(file: TraceFile, number: int) -> Place:
    site = file.definitions.sites.get(number)
    return ("", 0) if site is None else (site.module, site.address)
