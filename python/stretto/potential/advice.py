# SPDX-License-Identifier: BSD-3-Clause
"""Advice for one call site of a program, of one of a few kinds; docs/restructuring.md shows each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from stretto.data.sizes import said_duration
from stretto.potential.movable import MovableRegion, MovableWork
from stretto.potential.ordering import Ordering, may_steer
from stretto.potential.sites import AT_ONCE, RESOLVED_S, SitePotential

Kind = Literal[
    "start earlier",
    "wait later",
    "split the loop",
    "pipeline in blocks",
    "nonblocking collective",
    "double-buffer",
    "progress thread",
    "nothing",
]
Sure = Literal["seen", "likely", "possible"]
"""Seen: in every message whose data the recorder followed. Possible: only the calls' times are known."""

SEEN = "accesses in libraries are not seen"
NO_DATA = "such work exists: record with --memory byte to see"
NO_BRANCH = "no branch on the data decides whether the work runs, and no alias leads to it"
NO_ORDER = (
    "no part of the loop reads what another stores, no branch on the data decides whether a part runs, and "
    "sums keep their order"
)
NO_BARRIER = "moves no data, it waits for the last rank: remove it where nothing but messages needs the order"
STAYS = "its messages stay on their rank: no network carries them"
OWN_BUFFER = "the next message has a buffer of its own"


@dataclass(frozen=True)
class Advice:
    """What to do about a call site.

    Attributes:
        text: The change, after the name of the place.
        assumed: What must hold besides; empty: nothing.
        max_s: Seconds that the change can gain over all messages, where the work that moves is known.
    """

    kind: Kind
    text: str
    sure: Sure = "possible"
    assumed: str = ""
    max_s: float = float("inf")

    def __str__(self) -> str:
        return self.text


Before = Mapping[tuple[str, str], MovableRegion]
"""The work that the sends of call sites may pass, by the name and the call of the site."""


def regions_before(movable: Iterable[MovableWork]) -> Before:
    """Of several regions that the sends of a site may pass, the one with most work."""
    return {(one.where, one.call): one.offered for one in movable if one.side == "send" and one.offered}


def advice_at(
    site: SitePotential, name: str, ordering: Ordering, before: Before, has_network: bool = False
) -> Advice:
    """The advice for a call site, with what limits its sends. `name`: its place in the source."""
    earlier_s = ordering.earlier_s((site.module, site.address))
    return advice(site, earlier_s, has_network, before.get((name, site.call)))


def start_before(region: MovableRegion) -> Advice:
    """To start a send before a region, or before the part of it that does not make what is sent."""
    if region.kind == "loop distribution":
        text = f"split the loop and start it before the independent part of {region.where}"
        return Advice("split the loop", text, "likely", NO_ORDER)
    return Advice("start earlier", f"start it before {region.where}", "seen", SEEN)


def advice(
    site: SitePotential,
    earlier_s: float = float("inf"),
    has_network: bool = False,
    before: MovableRegion | None = None,
) -> Advice:
    """The advice for a call site.

    Args:
        site: Its sums, over all messages.
        earlier_s: How much earlier its sends may start, all together: the work before them that does not make
            what they send, and that they may pass. Copies into what is sent are no such work.
        has_network: Whether the costs are those of a network; then messages without costs do not leave.
        before: Where that work stands, of `regions_before`. Its loop may also make what is sent.
    """
    if has_network and not site.cost_s and site.side in ("send", "receive") and site.size_bytes > site.count:
        return Advice("nothing", STAYS)
    if site.verdict == "covered":
        return Advice("nothing", "covered by the work between start and wait")
    if site.data.messages:
        return _advice_from_data(site, earlier_s, before)
    each_s = site.cost_s / site.count
    if site.call == "MPI_Barrier":
        return Advice("nothing", NO_BARRIER)
    if site.side == "collective" and site.verdict == "blocking":
        steers = "its few bytes may decide what runs next; where they do not, " if may_steer(site) else ""
        other = f"MPI_I{site.call.removeprefix('MPI_').lower()}"
        text = (
            f"blocks; {steers}{other} where its input is ready, and a wait where its result is used, hide it "
            f"behind {_work(each_s)} between them"
        )
        return Advice("nonblocking collective", text, assumed=NO_DATA)
    if site.verdict == "blocking":
        other = "MPI_Irecv" if site.side == "receive" else "the nonblocking variant"
        about = f"about {_work(each_s)}" if each_s else "some work"
        text = f"blocks; start it with {other} {about} before it is needed"
        if site.side == "send":  # its data is not there earlier
            text = f"blocks; send it with MPI_Isend, and wait for that {about} later"
        return Advice("start earlier", text, assumed=NO_DATA)
    if site.verdict == "false overlap":
        text = f"false overlap: waited for at once; move {_work(each_s)} before the wait"
        return Advice("wait later", text, assumed=NO_DATA)
    if site.verdict == "not known":
        work = said_duration(site.window_s / site.count)
        text = f"{work} of work between start and wait; whether that covers the message, a network says"
        return Advice("nothing", text)
    missing_s = (site.cost_s - site.covered_s) / site.count
    text = f"start it {said_duration(missing_s)} earlier, or wait for it as much later"
    return Advice("start earlier", text, assumed=NO_DATA)


def _work(time_s: float) -> str:
    """So much work; without a time where the network is not known."""
    return f"{said_duration(time_s)} of work" if time_s else "work"


def _advice_from_data(site: SitePotential, earlier_s: float, before: MovableRegion | None) -> Advice:
    data, each_s = site.data, site.cost_s / site.count
    independent_s = data.independent_s / data.messages
    if site.side == "send":
        independent_s = min(independent_s, earlier_s / site.count)
    dependent_s = data.dependent_s / data.messages
    false = "false overlap: waited for at once; " if site.verdict == "false overlap" else ""
    sends = site.side == "send"
    kind: Kind = "start earlier" if sends else "wait later"
    if sends:
        start, split = "start it", "send each part"
        if site.verdict == "blocking":
            start = "start it with MPI_Isend"
        ready, parts = f"its data is ready {said_duration(independent_s)} before", "when it is produced"
    else:
        start = (
            "receive it with MPI_Irecv, and wait for that" if site.verdict == "blocking" else "wait for it"
        )
        ready, split = f"its data is first used {said_duration(independent_s)} after", "wait for each part"
        parts = "when it is needed"
    min_s = max(AT_ONCE * each_s, RESOLVED_S)
    if independent_s >= min_s and sends and before is not None:
        told = start_before(before)
        return replace(told, text=f"{false}{ready}: {told.text}", max_s=independent_s * site.count)
    if independent_s >= min_s:
        when = "earlier" if sends else "later"
        text = f"{false}{ready}: {start} {said_duration(min(independent_s, each_s or independent_s))} {when}"
        return Advice(kind, text, "seen", SEEN, independent_s * site.count)
    if dependent_s >= min_s:
        over = said_duration(dependent_s)
        text = f"{false}{split} {parts}, {data.order}, over {over}"
        return Advice("pipeline in blocks", text, "seen", SEEN, dependent_s * site.count)
    return Advice(
        "nothing", f"{false}its data is touched at the call: only other work, moved here, could hide it"
    )
