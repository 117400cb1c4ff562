# SPDX-License-Identifier: BSD-3-Clause
"""The terminal output of `stretto potential`, at most 80 cells wide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from stretto.data.sizes import format_duration, said_duration
from stretto.potential.advice import advice
from stretto.potential.blocked import BlockedTime, TimeUse
from stretto.potential.changes import Change
from stretto.potential.data_work import PARTS
from stretto.potential.levels import LevelWork
from stretto.potential.movable import MovableWork
from stretto.potential.regions import Place
from stretto.potential.sites import Cost, SitePotential
from stretto.report.screen import Column, Part, prose, table

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
_LEVEL = (Column("level"), Column("work(ms)"), Column("times the cost"))
_INDENT = 4
_MOST_WAITS = 3
_UNKNOWN = {
    "point-to-point": "of a buffer's first message, or persistent",
    "collective": "of collective operations",
    "one-sided": "of one-sided operations",
}
_LEAST = 0.01
"""Share of the work after a call below which a region is not worth a line."""
Names = Mapping[tuple[str, int], str]


@dataclass(frozen=True)
class PotentialResult:
    """What `stretto potential` shows. `network` says whose costs these are."""

    cost: Cost
    network: str
    use: TimeUse
    changes: Sequence[Change]
    sites: Sequence[SitePotential]
    names: Names
    levels: Sequence[LevelWork]
    movable: Sequence[MovableWork]

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

    @property
    def hidden_s(self) -> float:
        """What moving independent work would hide; without followed data, what no computation covers.

        A message can be hidden at its sender or at its receiver, and counts once.
        """
        if self.movable:
            of_side = [[one for one in self.movable if one.side == side] for side in ("arrival", "send")]
            at_most_s = max(sum(one.uncovered_s for one in of) for of in of_side)
            return min(sum(one.hidden_s for one in self.movable), at_most_s)
        blocked = self.use.all
        uncovered_s = sum(site.cost_s - site.covered_s for site in self.sites)
        return min(uncovered_s, blocked.transfer_s + blocked.progress_s)


def potential_document(result: PotentialResult) -> dict[str, Any]:
    """The document of `stretto potential`."""
    rows = [
        {
            **asdict(site),
            "where": result.names[site.module, site.address],
            "verdict": site.verdict,
            "advice": advice(site),
        }
        for site in result.sites
    ]
    waits = [
        {"call": result.use.calls[place], "where": result.names[place], **asdict(blocked)}
        for place, blocked in _most_blocked(result.use)
    ]
    return {
        "cost": asdict(result.cost),
        "network": result.network,
        **result.use.shortage.document(),
        "time": {
            "run_s": result.use.run_s,
            "communication_s": result.use.all.all_s,
            **asdict(result.use.all),
            "hidden_s": result.hidden_s,
        },
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
    if text := str(result.use.shortage):
        yield prose(text, 0)
    yield from _time_lines(result)
    for one in result.movable:
        yield from _movable_lines(one)
    yield from _heads(result.cost)
    for index, site in enumerate(sites):
        yield from _site_lines(site, names[site.module, site.address], with_head=index == 0)
    total_s, covered_s = sum(site.cost_s for site in sites), sum(site.covered_s for site in sites)
    if total_s:
        blocked_s = sum(site.blocked_s for site in sites)
        yield (
            f"# all: cost {1e3 * total_s:.3f} ms, of it covered {covered_s / total_s:.2f}; "
            f"blocked {1e3 * blocked_s:.3f} ms"
        )
    known, unknown = result.followed
    if known and unknown:
        yield prose(
            f"# {unknown} of {known + unknown} messages have no data times: "
            + ", ".join(f"{count} {_UNKNOWN[kind]}" for kind, count in result.unknown_by_side.items()),
            0,
        )
    if result.levels:
        yield "# work that could overlap, over the messages whose data times are known:"
        rows = ((one.level, f"{1e3 * one.work_s:.3f}", f"{one.times_cost:.2f}") for one in result.levels)
        yield table(_LEVEL, rows)


def _time_lines(result: PotentialResult) -> Iterator[Part]:
    """The sentence that answers first, and the changes."""
    use = result.use
    if not use.run_s:
        return
    parts = shares(use.all, use.run_s)
    could = "moving independent work would hide" if result.movable else "other work could hide at most"
    yield prose(
        f"{_percent(use.all.all_s, use.run_s)} of the run time is communication"
        + (f": {', '.join(parts)}" if parts else "")
        + f"; {could} {_percent(result.hidden_s, use.run_s)}, on {result.network}.",
        0,
    )
    for number, one in enumerate(result.changes, 1):
        yield prose(
            f"{number}. {_percent(one.gain_s, use.run_s)} of the run ({said_duration(one.gain_s)}) at most: "
            f"{one.call}, {one.where}: {one.change}",
            0,
        )

    for place, blocked in _most_blocked(use)[:_MOST_WAITS]:
        if blocked.all_s < _LEAST * use.run_s:
            break
        where = f"{use.calls[place]}, {result.names[place]}"
        yield prose(
            f"{_percent(blocked.all_s, use.run_s)} in {where}: {', '.join(shares(blocked, blocked.all_s))}",
            _INDENT,
        )


def _most_blocked(use: TimeUse) -> list[tuple[Place, BlockedTime]]:
    """The call sites in descending order of the time in their calls."""
    return sorted(use.by_place.items(), key=lambda one: (-one[1].all_s, one[0]))


def shares(blocked: BlockedTime, all_s: float) -> list[str]:
    """The parts of blocked time that are not zero, as percent."""
    named = (
        ("transfer", blocked.transfer_s),
        ("late partners", blocked.late_s),
        ("progress", blocked.progress_s),
        ("waiting for a core", blocked.cores_s),
    )
    return [f"{name} {_percent(time_s, all_s)}" for name, time_s in named if time_s >= 0.0005 * all_s > 0]


def _percent(time_s: float, of_s: float) -> str:
    return f"{100 * time_s / of_s:.1f} %" if of_s else "0 %"


_AT_ARRIVALS = (
    *("after it read nothing that came", "before it"),
    *("reads nothing that came", "before the wait"),
)
_AT_SENDS = (
    *("before it, after the last store to its data, store none of it", "behind it"),
    *("stores nothing that is sent", "behind the send"),
)


def _movable_lines(work: MovableWork) -> Iterator[Part]:
    lies, place, does, target = _AT_ARRIVALS if work.side == "arrival" else _AT_SENDS
    independent, all_work, hidden, uncovered = map(
        said_duration, (work.independent_s, work.work_s, work.hidden_s, work.uncovered_s)
    )
    yield prose(
        f"{work.call}, {work.where}: {independent} of the {all_work} of work {lies}; "
        f"{place}, they hide {hidden} of {uncovered}",
        0,
    )
    for region in work.regions:
        if region.kind == "dependent" or region.independent_s < _LEAST * work.work_s:
            continue
        change = "move this" if region.kind == "re-arrangement" else "split the loop and move this part"
        part = f"{said_duration(region.independent_s)} of {said_duration(region.work_s)}"
        yield prose(f"{region.where}, {part}, {does}: {change} {target}", _INDENT)


def _heads(cost: Cost) -> Iterator[Part]:
    bandwidth = f", {1e-6 / cost.gap_s_per_byte:.4g} MB/s" if cost.gap_s_per_byte else ""
    overhead = f", overheads {format_duration(cost.overhead_s)}" if cost.overhead_s else ""
    yield f"# costs of a message: {format_duration(cost.latency_s)}{bandwidth}{overhead}"
    yield "# window: computation between start and wait; covered: the part of the cost that"
    yield "# fits into it. Below each place: the call, where it stands, what would help"


def _site_lines(site: SitePotential, where: str, with_head: bool) -> Iterator[Part]:
    covered = site.covered_s / site.cost_s if site.cost_s else 0.0
    cells = (
        "",
        str(site.count),
        str(site.size_bytes),
        f"{1e3 * site.cost_s:.3f}",
        f"{1e3 * site.window_s:.3f}",
        f"{covered:.2f}",
        f"{1e3 * site.blocked_s:.3f}",
    )
    yield table(_SITE, [cells], with_head)
    yield prose(f"{site.call}, {where}: {advice(site)}", _INDENT)
    if site.data.messages:
        yield prose(_data_text(site), _INDENT)


def _data_text(site: SitePotential) -> str:
    """The averages per message, as in the slides' figures."""
    data, count = site.data, site.data.messages
    what = "produced" if site.side == "send" else "consumed"
    text = (
        f"data of {count}: {what} {data.order}, a part every {format_duration(data.period_s(PARTS))}; "
        f"independent work {format_duration(data.independent_s / count)}, "
        f"dependent {format_duration(data.dependent_s / count)}, "
        f"loop indexing {format_duration(data.between_parts_s / count)}"
    )
    if site.side == "send":
        text += f", re-arrangement at most {format_duration(data.rearrangement_s / count)}"
    return text
