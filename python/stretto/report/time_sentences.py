# SPDX-License-Identifier: BSD-3-Clause
"""What the screen and the page say first of a trace: where its time went, and why.

One sentence speaks of one network.
"""

from __future__ import annotations

from collections.abc import Iterator

from stretto.data.sizes import said_duration, said_share
from stretto.potential.blocked import BlockedTime, TimeUse
from stretto.potential.changes import Change
from stretto.potential.core_shortage import CoreShortage
from stretto.potential.summary import OtherNetwork, Summary

INTERVAL = "Run time: from the end of each rank's MPI_Init to its MPI_Finalize."
_SURE = {"seen": "seen in this run", "likely": "likely", "possible": "possible"}
_NAMED = 0.0005
"""Share of the time from which a part of it is named."""
_EXPLAINED = 0.01
"""Share of the run's time from which a cause of missing progress is explained."""


def time_sentences(summary: Summary) -> Iterator[str]:
    """The recorded time; its network, or how to name one; why progress was missing; the network asked for."""
    use = summary.use
    if not use.run_s:
        return
    if use.ranks == 1 or not use.all.all_s:
        alone = ": calls of one rank, which has no partner but itself" if use.ranks == 1 else ""
        yield f"{percent(use.all.all_s, use.run_s)} of the run time is communication{alone}."
    else:
        yield _recorded(summary)
        yield from progress_causes(use)
    if summary.other is not None:
        yield _elsewhere(summary, summary.other)


def _recorded(summary: Summary) -> str:
    use = summary.use
    parts = shares(use.all, use.run_s, summary.recorded is not None)
    text = f"{percent(use.all.all_s, use.run_s)} of the run time is communication"
    text += f": {', '.join(parts)}" if parts else ""
    if summary.recorded is None:
        waited = (
            "the ranks waited for cores" if use.shortage.hides_network else "too few receives waited for them"
        )
        return (
            f"{text}. How long its messages travel is not known: {waited}. "
            "Name one to `stretto potential` with --profile, or with --latency and --bandwidth."
        )
    could = _could(summary, summary.hidden_s, summary.hideable_s, use.run_s, summary.other is None)
    return f"{text}; {could}. Network: {summary.recorded}."


def _elsewhere(summary: Summary, other: OtherNetwork) -> str:
    could = _could(summary, other.hidden_s, other.hideable_s, other.run_s, here=True)
    late = f"{percent(other.late_s, other.run_s)} late partners"
    as_recorded = "" if other.replayed else "recorded: "
    kept = (
        f" (of it {late}, as {as_recorded}`stretto whatif` replays them)"
        if other.late_s >= _NAMED * other.run_s > 0
        else ""
    )
    return (
        f"On {other.name}: {percent(other.communication_s, other.run_s)} of the run time there would be "
        f"communication{kept}; {could}."
    )


def _could(summary: Summary, hidden_s: float, hideable_s: float, run_s: float, here: bool) -> str:
    """`here`: the changes are of this network. Each has its largest gain, so that several may exceed what
    there is to hide.
    """
    gains_s = sum(one.gain_s for one in summary.changes) if here else 0.0
    if not summary.followed:
        text = f"other work could hide at most {percent(hidden_s, run_s)}"
        return f"{text}, all changes below together" if gains_s > hidden_s else text
    # What a progress thread gains may be covered as the network goes, and counts not as communication.
    bounded = gains_s > hideable_s and all(one.kind != "progress thread" for one in summary.changes)
    together = f", at most {percent(hideable_s, run_s)} together" if bounded else ""
    if hidden_s < 0.0005 * run_s:
        others = f"; the changes below hide some without that{together}" if gains_s > 0 else ""
        return f"no work is known that could move to the other side of a call and hide some of it{others}"
    others = f"; the changes below hide{together.removeprefix(',')}" if together else ""
    return f"moving independent work would hide {percent(hidden_s, run_s)}{others}"


def change_sentence(change: Change, run_s: float, ranks: int, of: str = "the run") -> str:
    """A change, and its largest gain as a part of the run's time, which is that of all ranks together."""
    together = f" of {ranks} ranks together" if ranks > 1 else ""
    gain = f"{percent(change.gain_s, run_s)} of {of} ({said_duration(change.gain_s)}{together}) at most"
    return f"{gain}: {change.call}, {change.where}: {change.change}"


def how_sure(change: Change) -> str:
    """The kind of a change, how sure it is, and what was assumed."""
    return f"{change.kind}, {_SURE[change.sure]}" + (f"; assumed: {change.assumed}" if change.assumed else "")


def progress_causes(use: TimeUse) -> Iterator[str]:
    """Why messages that could have been there were not, from the largest cause on, and what to do."""
    blocked = use.all
    rest_s = blocked.progress_s - blocked.poll_s - blocked.calls_s
    causes = (
        (
            blocked.poll_s,
            "messages waited until their partner, which computed, called MPI again. A progress thread moves "
            "them during its computation (`stretto gain -- COMMAND` measures that), as do calls of MPI_Test.",
        ),
        (
            blocked.calls_s,
            "calls that had nothing to wait for took this time themselves, such as MPI_Isend, or a receive "
            "whose message was there: they copy data and handle messages. Fewer, larger messages take less "
            "of it.",
        ),
        (rest_s, f"waits took longer than messages travel{_why(use.shortage)}"),
        (
            blocked.cores_s,
            "with more ranks than cores, a trace cannot tell waits for a core from waits for MPI. Record "
            "with a core for each rank.",
        ),
    )
    for time_s, text in sorted(causes, key=lambda one: -one[0]):
        if time_s >= _EXPLAINED * use.run_s:
            is_cores = time_s == blocked.cores_s
            name, all_s = ("Waiting for a core", time_s) if is_cores else ("Progress", blocked.progress_s)
            of = f"{100 * time_s / use.run_s:.1f} of its " if time_s < 0.995 * all_s else ""
            yield f"{name}, {of}{percent(all_s, use.run_s)}: {text}"


def _why(shortage: CoreShortage) -> str:
    if shortage.busy is not None:
        return (
            f", and others used the cores: rank {shortage.busy.rank} waited for one in "
            f"{said_share(shortage.busy.share)} of its time. Record on a quiet machine."
        )
    return (
        ", and no missing call of the partner explains it: MPI's own work, or traffic of others. "
        "`stretto probe` shows what this MPI needs for a message."
    )


def meaning(use: TimeUse) -> str:
    """What the names of the parts mean that the first sentence has; empty where it has none."""
    blocked, min_s = use.all, _NAMED * use.run_s
    meant = (
        (blocked.transfer_s, "transfer: a message was on its way"),
        (blocked.late_s, "late partners: the other rank had not come to its call yet"),
        (blocked.progress_s, "progress: MPI had not moved the message, or its calls took the time"),
    )
    return "; ".join(text for time_s, text in meant if time_s >= min_s > 0)


def shares(blocked: BlockedTime, all_s: float, network_known: bool = True) -> list[str]:
    """The parts of blocked time that are not zero, as percent. Without a network, transfer is not split."""
    named = (
        ("transfer", blocked.transfer_s),
        ("late partners", blocked.late_s),
        ("progress" if network_known else "transfer and progress", blocked.progress_s),
        ("waiting for a core" if network_known else "transfer and waiting for a core", blocked.cores_s),
    )
    return [f"{name} {percent(time_s, all_s)}" for name, time_s in named if time_s >= _NAMED * all_s > 0]


def percent(time_s: float, of_s: float) -> str:
    """Such as `43.5 %`."""
    return said_share(time_s / of_s, 1) if of_s else "0 %"
