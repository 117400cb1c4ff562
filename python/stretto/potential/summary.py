# SPDX-License-Identifier: BSD-3-Clause
"""The share of a run's time that is communication, as recorded and on another network, and what could hide.

All figures of one network are of that network: what could hide is never more than there is to hide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stretto.potential.blocked import TimeUse
from stretto.potential.messages import Potential, fetches
from stretto.potential.movable import MovableWork
from stretto.potential.sites import Network


@dataclass(frozen=True)
class OtherNetwork:
    """What the run would be on another network. Seconds, over all ranks.

    Attributes:
        run_s: The computation, the waits for late partners as they were recorded, and the time of messages
            that nothing covers.
        communication_s: Of that all but the computation.
        hidden_s: Of `communication_s` what could be hidden, as for `Summary`.
    """

    name: str
    run_s: float
    communication_s: float
    hidden_s: float


@dataclass(frozen=True)
class Summary:
    """What the first sentences say.

    Attributes:
        use: How the recorded time was spent.
        recorded: The network on which it was recorded; None where that is not known.
        followed: Whether the work that could move is known; else `hidden_s` is what any other could hide.
        hidden_s: What could be hidden of the recorded communication, at most `use.all` without waits for
            partners and cores.
        other: The network that was asked for; None where none was.
    """

    use: TimeUse
    recorded: str | None
    followed: bool
    hidden_s: float
    other: OtherNetwork | None


def summary_of(
    use: TimeUse,
    recorded: Network | None,
    found: Potential,
    movable: Sequence[MovableWork],
    other: tuple[Network, Potential, Sequence[MovableWork]] | None,
) -> Summary:
    """The summary of a trace.

    Args:
        use: How its time was spent, on the network on which it was recorded.
        recorded: That network.
        found: Its call sites, with the costs of that network.
        movable: The work that could move there.
        other: The network that was asked for, and both of it.
    """
    blocked = use.all
    most_s = blocked.hideable_s
    followed = any(one.regions for at in (found.arrivals, found.sends) for one in at.values())
    elsewhere = None
    if other is not None:
        network, its_found, its_movable = other
        uncovered_s = uncovered_of(its_found)
        communication_s = blocked.late_s + uncovered_s
        run_s = max(use.run_s - blocked.all_s, 0.0) + communication_s
        hidden_s = _hidden_s(its_movable, uncovered_s, followed)
        elsewhere = OtherNetwork(network.name, run_s, communication_s, hidden_s)
    hidden_s = min(_hidden_s(movable, uncovered_of(found), followed), most_s)
    return Summary(use, recorded.name if recorded else None, followed, hidden_s, elsewhere)


def uncovered_of(found: Potential) -> float:
    """Seconds of messages that no computation covers. A message counts once, at its sender or receiver."""
    puts_s = sum(
        site.cost_s - site.covered_s for site in found.sites if site.side == "one-sided" and not fetches(site)
    )
    arrivals_s = sum(site.uncovered_s for site in found.arrivals.values())
    sends_s = sum(site.uncovered_s for site in found.sends.values())
    return max(arrivals_s, sends_s) + puts_s


def _hidden_s(movable: Sequence[MovableWork], uncovered_s: float, followed: bool) -> float:
    return (
        min(sum(one.hidden_s for one in movable if not one.refused), uncovered_s) if followed else uncovered_s
    )
