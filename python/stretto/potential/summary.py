# SPDX-License-Identifier: BSD-3-Clause
"""The share of a run's time that is communication, as recorded and on another network, and what could hide.

All figures of one network are of that network: what could hide is never more than there is to hide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stretto.potential.blocked import TimeUse
from stretto.potential.changes import Change
from stretto.potential.messages import Potential, fetches
from stretto.potential.movable import MovableWork
from stretto.potential.sites import Network

_MOVES = frozenset({"start earlier", "wait later", "split the loop", "nonblocking collective"})
"""Kinds of changes that move work to the other side of a call, and nothing else."""


@dataclass(frozen=True)
class OtherNetwork:
    """What the run would be on another network. Seconds, over all ranks.

    Attributes:
        run_s: The computation, the waits for late partners, and the time of messages that nothing covers.
        communication_s: Of that all but the computation.
        late_s: Of that the waits for late partners.
        replayed: Whether these waits are those of a replay on that network; else they are as recorded.
        hidden_s: Of `communication_s` what could be hidden, as for `Summary`.
        hideable_s: Of `communication_s` what changes could hide.
    """

    name: str
    run_s: float
    communication_s: float
    late_s: float
    replayed: bool
    hidden_s: float
    hideable_s: float = float("inf")


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
        changes: The changes that follow, on the network that was asked for, if any.
        hideable_s: What changes could hide of the recorded communication.
    """

    use: TimeUse
    recorded: str | None
    followed: bool
    hidden_s: float
    other: OtherNetwork | None
    changes: Sequence[Change] = ()
    hideable_s: float = float("inf")


def summary_of(
    use: TimeUse,
    recorded: Network | None,
    found: Potential,
    movable: Sequence[MovableWork],
    other: tuple[Network, Potential, Sequence[MovableWork]] | None,
    changes: Sequence[Change] = (),
    longer_s: float | None = None,
) -> Summary:
    """The summary of a trace.

    Args:
        use: How its time was spent, on the network on which it was recorded.
        recorded: That network.
        found: Its call sites, with the costs of that network.
        movable: The work that could move there.
        other: The network that was asked for, and both of it.
        changes: The best changes, on the network that was asked for, if any. What those that move work gain
            together could be hidden, too.
        longer_s: How much longer a replay on the network that was asked for takes; None: there is none.
    """
    blocked = use.all
    max_s = blocked.hideable_s
    followed = any(one.regions for at in (found.arrivals, found.sends) for one in at.values())
    elsewhere = None
    if other is not None:
        network, its_found, its_movable = other
        run_s = run_s_on(use, its_found, longer_s)
        communication_s = run_s - _computed_s(use)
        # A message that comes before its receiver has called costs that nothing.
        uncovered_s = min(uncovered_of(its_found), communication_s)
        elsewhere = OtherNetwork(
            network.name,
            run_s,
            communication_s,
            communication_s - uncovered_s,
            longer_s is not None,
            _hidden_s(its_movable, changes, uncovered_s, followed),
            uncovered_s,
        )
    here = changes if other is None else ()
    hidden_s = min(_hidden_s(movable, here, uncovered_of(found), followed), max_s)
    name = recorded.name if recorded else None
    return Summary(use, name, followed, hidden_s, elsewhere, changes, max_s)


def run_s_on(use: TimeUse, found: Potential, longer_s: float | None = None) -> float:
    """The time that a run would take on another network. `found`: its call sites, with the costs there.
    Without a replay, the waits for late partners are as recorded.
    """
    if longer_s is None:
        return _computed_s(use) + use.all.late_s + uncovered_of(found)
    return max(use.run_s + longer_s, _computed_s(use))


def _computed_s(use: TimeUse) -> float:
    return max(use.run_s - use.all.all_s, 0.0)


def uncovered_of(found: Potential) -> float:
    """Seconds of messages that no computation covers. A message counts once, at its sender or receiver."""
    puts_s = sum(
        site.cost_s - site.covered_s for site in found.sites if site.side == "one-sided" and not fetches(site)
    )
    arrivals_s = sum(site.uncovered_s for site in found.arrivals.values())
    sends_s = sum(site.uncovered_s for site in found.sends.values())
    return max(arrivals_s, sends_s) + puts_s


def _hidden_s(
    movable: Sequence[MovableWork], changes: Sequence[Change], uncovered_s: float, followed: bool
) -> float:
    if not followed:
        return uncovered_s
    offered_s = sum(one.hidden_s for one in movable if not one.refused)
    return min(max(offered_s, sum(one.gain_s for one in changes if one.kind in _MOVES)), uncovered_s)
