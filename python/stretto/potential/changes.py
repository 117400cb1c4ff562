# SPDX-License-Identifier: BSD-3-Clause
"""The changes to a program that would gain most, each with its gain for the whole program."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from stretto.data.program import Place
from stretto.potential.advice import (
    NO_BRANCH,
    NO_ORDER,
    OWN_BUFFER,
    SEEN,
    Kind,
    Sure,
    advice_at,
    regions_before,
    start_before,
)
from stretto.potential.blocked import TimeUse
from stretto.potential.movable import MovableRegion, MovableWork
from stretto.potential.ordering import STREAM, Ordering
from stretto.potential.regions import WorkSite
from stretto.potential.sites import DEFAULT_EAGER_BYTES, SitePotential

MAX_CHANGES = 3
MIN_GAIN = 0.01
"""Fraction of the run's time below which a change is not reported: a wait of less has no line, either."""
ONLY_IN_CALLS = "this MPI moves messages of their size in its calls only"
AFTER_POSTED = "MPI begins to move such messages when their receive is posted"
MOVES_DURING_WORK = "MPI moves such messages during the work, which most MPIs do in their calls only"
_OF_WHOLE_MESSAGES = ("start earlier", "wait later", "split the loop")


@dataclass(frozen=True)
class Change:
    """A change at a call site.

    Attributes:
        where: The place of the call in the source.
        call: The MPI function.
        change: What to do.
        gain_s: The largest possible gain in seconds, summed over all ranks.
        kind: Of the changes in docs/restructuring.md.
        sure: Whether the work that moves was seen, or may exist.
        assumed: What must hold besides.
        with_thread: Whether it may gain nothing, or cost time, without a progress thread: MPI may move the
            messages in its calls only.
    """

    where: str
    call: str
    change: str
    gain_s: float
    kind: Kind = "start earlier"
    sure: Sure = "possible"
    assumed: str = ""
    with_thread: bool = False


def best_changes(
    sites: Sequence[SitePotential],
    names: Mapping[Place, str],
    movable: Sequence[MovableWork],
    ordering: Ordering,
    run_s: float,
    use: TimeUse | None = None,
    eager_bytes: int = DEFAULT_EAGER_BYTES,
    arrivals: Mapping[Place, WorkSite] | None = None,
) -> list[Change]:
    """At most `MAX_CHANGES`, in descending order of their gain.

    Work that moves before a wait, or behind a send, gains the communication that it hides. Any other change
    gains at most the uncovered cost of a call site's messages, and as recorded no more than the time in the
    site's calls. Of that waiting for late partners and for busy cores is excluded, as is MPI's own time.

    Args:
        sites: All call sites.
        names: The place in the source of each site, by module and address.
        movable: The work that could move to the other side of the calls at which data arrives, or is sent.
        ordering: Where work may not move.
        run_s: The time of the run on the network of the costs.
        use: How the run's time was spent; None where the costs are of a network on which it was not recorded.
        eager_bytes: Up to which size messages move without calls of MPI.
        arrivals: The calls at which data arrives, of such a network.
    """
    collectives = {
        (names[site.module, site.address], site.call) for site in sites
        if site.side == "collective" and site.verdict == "blocking"
    }  # fmt: skip
    moves = _moves(movable, collectives, eager_bytes)
    found = [one for one in moves if one.gain_s >= MIN_GAIN * run_s]
    before = regions_before(movable)
    is_followed = any(one.side == "arrival" for one in movable)
    arrivals_have_moves = any(one.side == "arrival" and not one.refused for one in movable)
    taken = {(one.where, one.call) for one in found}
    for site in sites:
        place = site.module, site.address
        if (names[place], site.call) in taken:
            continue
        # Where data was followed, the changes at waits are more exact than those at nonblocking receives.
        if site.side == "collective" or (arrivals_have_moves and site.side == "receive" and site.nonblocking):
            continue
        gain_s = site.cost_s - site.covered_s
        if use is not None:
            gain_s = min(gain_s, site.blocked_s, use.all.hideable_s)
            blocked = use.by_place.get(place)
            if blocked is not None and not site.nonblocking:
                gain_s = min(gain_s, blocked.hideable_s)
        said = advice_at(site, names[place], ordering, before)
        # Lines say better what can be done before a wait; without any, the time was not the program's work.
        if is_followed and said.kind == "wait later" and site.nonblocking:
            continue
        gain_s = min(gain_s, said.max_s)
        if said.kind != "nothing":
            change = Change(names[place], site.call, said.text, gain_s, said.kind, said.sure, said.assumed)
            is_long = said.kind in _OF_WHOLE_MESSAGES and site.size_bytes > eager_bytes * site.count
            found.append(_with_thread(change) if is_long else change)
    if use is not None:
        found += _polls(use, names)
    found += _covered_in_calls(arrivals or {}, names, eager_bytes)
    best: dict[tuple[str, str], Change] = {}
    for one in sorted(found, key=lambda one: (-one.gain_s, one.where)):
        if one.gain_s >= MIN_GAIN * run_s and one.gain_s > 0:
            best.setdefault((one.where, one.call), one)
    return list(best.values())[:MAX_CHANGES]


def _with_thread(change: Change) -> Change:
    assumed = "; ".join(filter(None, (change.assumed, MOVES_DURING_WORK)))
    text = f"{change.change}; let a progress thread move the message"
    return replace(change, change=text, assumed=assumed, with_thread=True)


def _moves(
    movable: Sequence[MovableWork], collectives: Container[tuple[str, str]], eager_bytes: int
) -> Iterable[Change]:
    """The work that may move; `collectives`: places and names of blocking ones."""
    for one in movable:
        is_collective = (one.where, one.call) in collectives
        alone = one.message_bytes <= eager_bytes and not is_collective
        # A shorter message arrives whether its receive is posted or not.
        if one.refused == STREAM and one.uncovered_s > 0 and one.message_bytes > eager_bytes:
            text = "post the receive of the next message before the work on this one, into a second buffer"
            assumed = f"{OWN_BUFFER}; {AFTER_POSTED}"
            yield _with_thread(
                Change(one.where, one.call, text, one.hidden_s, "double-buffer", "likely", assumed)
            )
        if one.hidden_s > 0 and one.offered:
            change = _move(one, one.offered, is_collective)
            yield change if alone else _with_thread(change)


def _move(one: MovableWork, region: MovableRegion, is_collective: bool) -> Change:
    if one.side == "send":  # the work stays before the receives that follow it
        told = start_before(region)
        return Change(one.where, one.call, told.text, one.hidden_s, told.kind, told.sure, told.assumed)
    splits = region.kind == "loop distribution"
    verb = "split the loop and move the independent part of" if splits else "move"
    kind: Kind = "split the loop" if splits else "wait later"
    text = f"{verb} {region.where} before it"
    if is_collective:
        kind = "nonblocking collective"
        text = f"MPI_I{one.call.removeprefix('MPI_').lower()}, and {verb} {region.where} before its wait"
    # Before the first use of the data, no branch on it has been taken.
    seen = not splits and region.before_use is True
    assumed = SEEN if seen else NO_ORDER if splits else NO_BRANCH
    return Change(one.where, one.call, text, one.hidden_s, kind, "seen" if seen else "likely", assumed)


def _covered_in_calls(
    arrivals: Mapping[Place, WorkSite], names: Mapping[Place, str], eager_bytes: int
) -> Iterable[Change]:
    """Long messages that work covers, where the MPI is not known: it may move them in calls only."""
    for place, one in arrivals.items():
        if one.size_bytes > eager_bytes * one.messages:
            text = "covered if it moves during the work: a progress thread moves it, as do calls of MPI_Test"
            covered_s = one.cost_s - one.uncovered_s
            yield Change(
                names[place], one.call, text, covered_s, "progress thread", "possible", ONLY_IN_CALLS
            )


def _polls(use: TimeUse, names: Mapping[Place, str]) -> Iterable[Change]:
    """Waits for partners that computed: a progress thread of theirs moves the message during that."""
    for place, blocked in use.by_place.items():
        text = "waits for its partner's next MPI call: a progress thread moves the message before"
        yield Change(names[place], use.calls[place], text, blocked.poll_s, "progress thread", "likely")
