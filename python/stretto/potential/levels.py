# SPDX-License-Identifier: BSD-3-Clause
"""The work that could hide messages, at the three levels of Sancho et al. (slides 7 to 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stretto.potential.sites import SitePotential


@dataclass(frozen=True)
class LevelWork:
    """All messages with known data accesses. The same work counts for each message that it could hide.

    Attributes:
        work_s: Summed over `messages`.
        times_cost: The slides' "2.31 larger than the cost"; None where no network says what messages cost.
        messages: On the side with more known ones.
    """

    level: str
    work_s: float
    times_cost: float | None
    messages: int = 0


def levels_of(sites: Sequence[SitePotential]) -> list[LevelWork]:
    """The levels: independent work of both sides; plus the consumers' dependent work; plus the producers'.

    Each level includes the program's present work between start and wait. Independent work counts wherever it
    stands, where the recorder has followed the data. Empty without known data accesses. The cost counts each
    message once, on the side with more known messages.
    """
    known = [site for site in sites if site.data.messages]
    if not known:
        return []
    independent_s = sum(site.reordered.independent_s + site.data_window_s for site in known)
    consumer_s = sum(site.reordered.dependent_s for site in known if site.side == "receive")
    producer_s = sum(site.reordered.dependent_s for site in known if site.side == "send")
    costs = [
        (
            sum(site.data_cost_s for site in known if site.side == side),
            sum(site.data.messages for site in known if site.side == side),
        )
        for side in ("send", "receive")
    ]
    cost_s, messages = max(costs)
    work = (
        ("independent", independent_s),
        ("consumer", independent_s + consumer_s),
        ("producer-consumer", independent_s + consumer_s + producer_s),
    )
    return [LevelWork(level, work_s, work_s / cost_s if cost_s else None, messages) for level, work_s in work]
