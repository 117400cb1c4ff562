# SPDX-License-Identifier: BSD-3-Clause
"""The terminal output of `stretto potential`, at most 80 cells wide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from stretto.data.groups import grouped
from stretto.data.program import Place
from stretto.data.sizes import said_duration, said_share, shown_duration
from stretto.potential.advice import Advice, Before, advice_at, regions_before
from stretto.potential.blocked import BlockedTime, TimeUse
from stretto.potential.changes import MIN_GAIN, Change
from stretto.potential.core_shortage import remarks
from stretto.potential.levels import LevelWork
from stretto.potential.movable import MovableWork
from stretto.potential.ordering import Ordering
from stretto.potential.sites import Cost, SitePotential
from stretto.potential.summary import Summary
from stretto.report.screen import Column, Part, comment, prose, table
from stretto.report.time_sentences import (
    INTERVAL,
    change_sentence,
    how_sure,
    meaning,
    percent,
    shares,
    time_sentences,
)

# Fixed widths, because prose separates the rows.
_SITE = (
    Column("", width=1),
    Column("count", width=9),
    Column("bytes", width=13),
    Column("cost(ms)", width=12),
    Column("window(ms)", width=12),
    Column("covered", width=8),
    Column("blocked(ms)", width=12),
)
_LEVELS = (
    "work between the uses of a message's data and its calls, on average over messages with known data "
    "times; whether it may move is said above, and the same work may overlap several messages:"
)
_LEVEL = (Column("level"), Column("work(us)"), Column("times the cost"))
_INDENT = 4
_MAX_WAITS = 3
_MAX_SITES = 12
"""Call sites that are shown in any case. Of the others, only those that matter."""
_UNKNOWN = {
    "point-to-point": "of a buffer's first message, or persistent",
    "collective": "of collective operations",
    "one-sided": "of one-sided operations",
}
_MIN_MOVED = 0.001
"""Share of the run's time below which work that could move has no line."""
Names = Mapping[tuple[str, int], str]


@dataclass(frozen=True)
class PotentialResult:
    """What `stretto potential` shows. `network` says whose costs these are.

    Attributes:
        names: Of the entries in `sites`, which may be functions or variables.
        places: The names of the calls in which the time went; None: `names` has them.
    """

    cost: Cost
    network: str
    summary: Summary
    changes: Sequence[Change]
    sites: Sequence[SitePotential]
    names: Names
    levels: Sequence[LevelWork]
    movable: Sequence[MovableWork]
    ordering: Ordering = field(default_factory=Ordering)
    places: Names | None = None

    @property
    def use(self) -> TimeUse:
        """How the recorded time was spent."""
        return self.summary.use

    @property
    def run_s(self) -> float:
        """The time of the run on the network of the costs."""
        return self.use.run_s if self.summary.other is None else self.summary.other.run_s

    def where(self, place: Place) -> str:
        """The name of a call in which the time went."""
        return (self.names if self.places is None else self.places)[place]

    @cached_property
    def _before(self) -> Before:
        return regions_before(self.movable)

    def advice(self, site: SitePotential) -> Advice:
        """For a call site."""
        name = self.names[site.module, site.address]
        return advice_at(site, name, self.ordering, self._before, self.cost.is_known)

    @property
    def followed(self) -> tuple[int, int]:
        """How many messages and operations have known data, and how many have not."""
        known = sum(site.data.messages for site in self.sites)
        return known, sum(site.count for site in self.sites) - known

    @property
    def unknown_by_side(self) -> dict[str, int]:
        """Of the messages and operations with unknown data, how many there are of each kind."""
        sums = Counter[str]()
        for site in self.sites:
            kind = "point-to-point" if site.side in ("send", "receive") else site.side
            sums[kind] += site.count - site.data.messages
        return {kind: count for kind, count in sums.items() if count}


def potential_document(result: PotentialResult) -> dict[str, Any]:
    """The document of `stretto potential`."""
    rows = [
        {
            **asdict(site),
            "where": result.names[site.module, site.address],
            "verdict": site.verdict,
            "advice": result.advice(site).text,
            "kind": result.advice(site).kind,
        }
        for site in result.sites
    ]
    waits = [
        {"call": result.use.calls[place], "where": result.where(place), **asdict(blocked)}
        for place, blocked in _max_blocked(result.use)
    ]
    return {
        "cost": asdict(result.cost),
        "network": result.network,
        **result.use.shortage.document(),
        **result.use.part.document(),
        "time": {
            "run_s": result.use.run_s,
            "communication_s": result.use.all.all_s,
            **asdict(result.use.all),
            "hidden_s": result.summary.hidden_s,
            "network": result.summary.recorded,
        },
        "on_network": result.summary.other and asdict(result.summary.other),
        "waits": waits,
        "changes": [asdict(one) for one in result.changes],
        "movable": [asdict(one) for one in result.movable],
        "sites": rows,
        "followed": {
            "known": result.followed[0],
            "unknown": result.followed[1],
            "unknown_of": result.unknown_by_side,
        },
        "levels": [asdict(one) for one in result.levels],
    }


def potential_view(result: PotentialResult) -> Iterator[Part]:
    """Where the time goes, the best changes, what can move, every place with what would help, the levels."""
    sites, names = result.sites, result.names
    for text in remarks(result.use.part, result.use.shortage):
        yield prose(text, 0)
    yield from _time_lines(result)
    for one in result.movable:
        if _is_shown(one, result):
            yield from _movable_lines(one)
    yield from _refused(one for one in result.movable if one.hidden_s >= MIN_GAIN * result.run_s)
    if text := meaning(result.use):
        yield from comment(text)
    if sites:
        yield from _heads(result.cost, result.network)
    shown = [site for index, site in enumerate(sites) if index < _MAX_SITES or _matters(site, result.run_s)]
    for index, site in enumerate(shown):
        place = site.module, site.address
        yield from _site_lines(site, names[place], result.advice(site), index == 0)
        if site.data.messages:
            yield prose(_data_text(site, result.ordering.before_send_s(place) / site.count), _INDENT)
    if len(shown) < len(sites):
        yield from comment(
            f"and {len(sites) - len(shown)} others that cost and blocked less than "
            f"{said_share(MIN_GAIN)} of the run each: --json"
        )
    total_s, covered_s = sum(site.cost_s for site in sites), sum(site.covered_s for site in sites)
    if total_s:
        blocked_s = sum(site.blocked_s for site in sites)
        yield (
            f"# all: cost {1e3 * total_s:.3f} ms, of it covered {covered_s / total_s:.2f}; "
            f"blocked {1e3 * blocked_s:.3f} ms"
        )
        all_s = result.use.all.all_s
        if all_s - blocked_s >= MIN_GAIN * all_s:
            yield f"# other calls, such as those that start messages: {1e3 * (all_s - blocked_s):.3f} ms"
    known, unknown = result.followed
    if known and unknown:
        yield from comment(
            f"{unknown} of {known + unknown} messages have no data times: "
            + ", ".join(f"{count} {_UNKNOWN[kind]}" for kind, count in result.unknown_by_side.items())
        )
    if result.levels:
        yield from comment(_LEVELS)
        rows = (
            (
                one.level,
                f"{1e6 * one.work_s / max(one.messages, 1):.3f}",
                "-" if one.times_cost is None else f"{one.times_cost:.2f}",
            )
            for one in result.levels
        )
        yield table(_LEVEL, rows)


def _time_lines(result: PotentialResult) -> Iterator[Part]:
    """The sentences that answer first, and the changes."""
    use, other = result.use, result.summary.other
    for index, sentence in enumerate(time_sentences(result.summary)):
        yield prose(sentence, _INDENT if index > 0 and not sentence.startswith("On ") else 0)
    run_s, of = (use.run_s, "the run") if other is None else (other.run_s, "the run there")
    for number, one in enumerate(result.changes, 1):
        yield prose(f"{number}. {change_sentence(one, run_s, use.ranks, of)}", 0)
        yield prose(how_sure(one), _INDENT)
    # Without a network, what a change gains is not known.
    if not result.changes and (other is not None or result.summary.recorded is not None):
        yield prose(f"No change is known that would gain {said_share(MIN_GAIN)} of {of}.", 0)

    for place, blocked in _max_blocked(use)[:_MAX_WAITS]:
        if blocked.all_s < MIN_GAIN * use.run_s:
            break
        where = f"{use.calls[place]}, {result.where(place)}"
        parts = shares(blocked, blocked.all_s, result.summary.recorded is not None)
        yield prose(f"{percent(blocked.all_s, use.run_s)} in {where}: {', '.join(parts)}", _INDENT)


def _max_blocked(use: TimeUse) -> list[tuple[Place, BlockedTime]]:
    """The call sites in descending order of the time in their calls."""
    return sorted(use.by_place.items(), key=lambda one: (-one[1].all_s, one[0]))


_AT_ARRIVALS = (
    *("after it", "read nothing that came", "done before it"),
    *("reads nothing that came", "move {part} before the wait"),
)
_AT_SENDS = (
    *("before it", "come after the last store to its data", "with the send before that"),
    *("stores nothing that is sent", "start the send before {part}"),
)


def _refused(movable: Iterable[MovableWork]) -> Iterator[Part]:
    """Where work that needs none of a message's data is not offered to be moved, by reason."""
    refused = (one for one in movable if one.refused)
    for reason, places in grouped(refused, lambda one: one.refused).items():
        where = ", ".join(f"{one.call} {one.where}" for one in places)
        yield prose(f"No work is offered to be moved at {where}: {reason}.", 0)


def _is_shown(work: MovableWork, result: PotentialResult) -> bool:
    """Whether the lines of work that could move are worth reading. Where the network is not known, what they
    hide is not, either: then the time in the call decides, and the amount of work.
    """
    if work.refused or not any(region.offered for region in work.regions):
        return False
    matters_s = work.hidden_s if result.cost.is_known else min(work.blocked_s, work.independent_s)
    return matters_s >= _MIN_MOVED * result.run_s


def _movable_lines(work: MovableWork) -> Iterator[Part]:
    lies, which, place, does, change = _AT_ARRIVALS if work.side == "arrival" else _AT_SENDS
    independent, all_work, hidden, uncovered = map(
        said_duration, (work.independent_s, work.work_s, work.hidden_s, work.uncovered_s)
    )
    hides = (
        f"{hidden} of the {uncovered} of its messages that no work hides" if work.uncovered_s else "messages"
    )
    amount = f"of {all_work} of work {lies}, on all ranks, {independent} {which}"
    yield prose(f"{work.call}, {work.where}: {amount}; {place}, this work would hide {hides}", 0)
    for region in work.regions:
        if not region.offered:
            continue
        splits, moved = (
            ("", "this") if region.kind == "re-arrangement" else ("split the loop and ", "this part")
        )
        part = f"{said_duration(region.independent_s)} of {said_duration(region.work_s)}"
        yield prose(f"{region.where}, {part}, {does}: {splits}{change.format(part=moved)}", _INDENT)


def _heads(cost: Cost, network: str) -> Iterator[Part]:
    yield f"# {INTERVAL}"
    bandwidth = f", {1e-6 / cost.gap_s_per_byte:.4g} MB/s" if cost.gap_s_per_byte else ""
    overhead = f", overheads {shown_duration(cost.overhead_s)}" if cost.overhead_s else ""
    shown = f"{shown_duration(cost.latency_s)}{bandwidth}{overhead}, {network}"
    if not cost.is_known:
        shown = "not known"
    yield from comment(f"costs of a message: {shown}")
    yield "# window: computation between start and wait; covered: the part of the cost that"
    yield "# fits into it. Below each place: the call, where it stands, what would help"


def _matters(site: SitePotential, run_s: float) -> bool:
    """Whether a call site's messages are worth reading about."""
    return max(site.cost_s - site.covered_s, site.blocked_s) >= MIN_GAIN * run_s


def _site_lines(site: SitePotential, where: str, said: Advice, with_head: bool) -> Iterator[Part]:
    covered = f"{site.covered_s / site.cost_s:.2f}" if site.cost_s else "-"
    cells = (
        "",
        str(site.count),
        str(site.size_bytes),
        f"{1e3 * site.cost_s:.3f}" if site.cost_s else "-",
        f"{1e3 * site.window_s:.3f}",
        covered,
        f"{1e3 * site.blocked_s:.3f}",
    )
    yield table(_SITE, [cells], with_head)
    yield prose(f"{site.call}, {where}: {said}", _INDENT)


def _data_text(site: SitePotential, before_send_s: float) -> str:
    """The averages per message, as in the slides' figures. `before_send_s`: work before a send without copies
    into what is sent.
    """
    data, count = site.data, site.data.messages
    independent = shown_duration(data.independent_s / count)
    if site.side == "send" and before_send_s < data.independent_s / count:
        independent += f" (without copies {shown_duration(before_send_s)})"
    what = "produced" if site.side == "send" else "consumed"
    text = (
        f"data of {count}: {what} {data.order}, a part every {shown_duration(data.period_s)}; "
        f"independent work {independent}, "
        f"dependent {shown_duration(data.dependent_s / count)}, "
        f"loop indexing {shown_duration(data.between_parts_s / count)}"
    )
    if site.side == "send":
        text += f", re-arrangement at most {shown_duration(data.rearrangement_s / count)}"
    return text
