# SPDX-License-Identifier: BSD-3-Clause
"""The changes to a program that would gain most, each with its gain for the whole program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stretto.potential.advice import advice
from stretto.potential.blocked import TimeUse
from stretto.potential.movable import MovableWork
from stretto.potential.regions import Place
from stretto.potential.sites import SitePotential

MOST_CHANGES = 3
_LEAST = 0.001
"""Fraction of the run's time below which a change is not reported."""


@dataclass(frozen=True)
class Change:
    """A change at a call site.

    Attributes:
        where: The place of the call in the source.
        call: The MPI function.
        change: What to do.
        gain_s: The largest possible gain in seconds, summed over all ranks.
    """

    where: str
    call: str
    change: str
    gain_s: float


def best_changes(
    sites: Sequence[SitePotential], names: Mapping[Place, str], movable: Sequence[MovableWork], use: TimeUse
) -> list[Change]:
    """At most `MOST_CHANGES`, in descending order of their gain.

    Work that moves before a wait, or behind a send, gains the communication that it hides. Any other change
    gains at most the uncovered cost of a call site's messages. The gain is no more than the time in the
    site's calls; for blocking calls, waiting for late partners and for busy cores is excluded.

    Args:
        sites: All call sites.
        names: The place in the source of each site, by module and address.
        movable: The work that could move to the other side of the calls at which data arrives, or is sent.
        use: How the run's time was spent.
    """
    found = list(_moves(movable))
    arrivals_have_moves = any(one.side == "arrival" for one in movable)
    moved = {(one.where, one.call) for one in found}
    for site in sites:
        where = names[site.module, site.address]
        if (where, site.call) in moved:
            continue
        # Where data was followed, the changes at waits are more exact than those at nonblocking receives.
        if site.side == "collective" or (arrivals_have_moves and site.side == "receive" and site.nonblocking):
            continue
        gain_s = site.cost_s - site.covered_s
        blocked = use.by_place.get((site.module, site.address))
        if blocked is not None and not site.nonblocking:
            gain_s = min(gain_s, blocked.transfer_s + blocked.progress_s)
        found.append(Change(where, site.call, advice(site), min(gain_s, site.blocked_s)))
    worth = [one for one in found if one.gain_s >= _LEAST * use.run_s and one.gain_s > 0]
    return sorted(worth, key=lambda one: (-one.gain_s, one.where))[:MOST_CHANGES]


def _moves(movable: Sequence[MovableWork]) -> Iterable[Change]:
    for one in movable:
        regions = [region for region in one.regions if region.kind != "dependent"]
        if one.hidden_s <= 0 or not regions:
            continue
        first = regions[0]
        verb = "move" if first.kind == "re-arrangement" else "split the loop and move the independent part of"
        to = "before" if one.side == "arrival" else "behind"
        yield Change(one.where, one.call, f"{verb} {first.where} {to} it", one.hidden_s)
