# SPDX-License-Identifier: BSD-3-Clause
"""The terminal output of `stretto potential`, at most 80 cells wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from stretto.data.sizes import format_duration
from stretto.potential.advice import advice
from stretto.potential.data_work import PARTS
from stretto.potential.levels import LevelWork
from stretto.potential.movable import MovableWork
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
Names = Mapping[tuple[str, int], str]


def potential_document(
    sites: Sequence[SitePotential],
    names: Names,
    cost: Cost,
    levels: Sequence[LevelWork],
    movable: Sequence[MovableWork],
) -> dict[str, Any]:
    """The document of `stretto potential`."""
    rows = [
        {
            **asdict(site),
            "where": names[site.module, site.address],
            "verdict": site.verdict,
            "advice": advice(site),
        }
        for site in sites
    ]
    return {
        "cost": asdict(cost),
        "movable": [asdict(one) for one in movable],
        "sites": rows,
        "levels": [asdict(one) for one in levels],
    }


def potential_view(
    sites: Sequence[SitePotential],
    names: Names,
    cost: Cost,
    levels: Sequence[LevelWork],
    movable: Sequence[MovableWork],
) -> Iterator[Part]:
    """What can be moved, the costs of the network, every place with what would help, and the levels."""
    for one in movable:
        yield from _movable_lines(one)
    yield from _heads(cost)
    for index, site in enumerate(sites):
        yield from _site_lines(site, names[site.module, site.address], with_head=index == 0)
    total_s, covered_s = sum(site.cost_s for site in sites), sum(site.covered_s for site in sites)
    if total_s:
        blocked_s = sum(site.blocked_s for site in sites)
        yield (
            f"# all: cost {1e3 * total_s:.3f} ms, of it covered {covered_s / total_s:.2f}; "
            f"blocked {1e3 * blocked_s:.3f} ms"
        )
    if levels:
        yield "# work that could overlap, over the messages whose data times are known:"
        rows = ((one.level, f"{1e3 * one.work_s:.3f}", f"{one.times_cost:.2f}") for one in levels)
        yield table(_LEVEL, rows)


def _movable_lines(work: MovableWork) -> Iterator[Part]:
    yield prose(
        f"{work.call}, {work.where}: {_ms(work.independent_s)} of the {_ms(work.work_s)} of work after it "
        f"read nothing that came; before it, they hide {_ms(work.hidden_s)} of {_ms(work.uncovered_s)}",
        0,
    )
    for region in work.regions:
        if region.kind == "dependent":
            continue
        change = "move this" if region.kind == "re-arrangement" else "split the loop and move this part"
        yield prose(
            f"{region.where}, {_ms(region.independent_s)} of {_ms(region.work_s)}, reads nothing that came: "
            f"{change} before the wait",
            _INDENT,
        )


def _ms(time_s: float) -> str:
    return f"{1e3 * time_s:.3g} ms"


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
