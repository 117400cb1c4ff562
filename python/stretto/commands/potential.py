# SPDX-License-Identifier: BSD-3-Clause
"""`stretto potential`: what each place of a traced program leaves to overlap, and what would help."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from stretto.commands.replay import sends_of
from stretto.commands.trace_source import trace_directory
from stretto.data.profile_file import read_profile
from stretto.data.sizes import format_duration, parse_bandwidth, parse_duration
from stretto.data.trace import open_trace
from stretto.errors import UserError
from stretto.launch.symbols import name_sites
from stretto.potential.data_work import PARTS
from stretto.potential.levels import LevelWork, levels_of
from stretto.potential.messages import Cost, SitePotential, advice, site_potentials


def potential(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="What `stretto trace` wrote, or an OTF2 archive.")
    ],
    profile: Annotated[
        Path | None, typer.Option("--profile", help="The network whose costs are compared with.")
    ] = None,
    latency: Annotated[str, typer.Option("--latency", help="Or its latency.")] = "4us",
    bandwidth: Annotated[str, typer.Option("--bandwidth", help="And its bandwidth.")] = "945MB/s",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """How much of its communication could this program hide, and where?

    Per call site: how often, how much, how long it blocked, how much computation lies between start and wait,
    and that against the cost of its messages on a network; that of the slides if none is given. Of a trace
    that was recorded with --memory also the work that its data leaves beside the calls.
    """
    cost = _cost(profile, latency, bandwidth)
    sites = site_potentials(open_trace(trace_directory(directory)), cost)
    names = name_sites((site.module, site.address) for site in sites)
    if as_json:
        rows = [
            {
                **asdict(site),
                "where": names[site.module, site.address],
                "verdict": site.verdict,
                "advice": advice(site),
            }
            for site in sites
        ]
        levels = [asdict(one) for one in levels_of(sites)]
        print(json.dumps({"cost": asdict(cost), "sites": rows, "levels": levels}, indent=1))
        return
    _show(sites, names, cost)
    _show_levels(levels_of(sites))


def _cost(profile: Path | None, latency: str, bandwidth: str) -> Cost:
    if profile is not None:
        sends = sends_of(read_profile(profile), profile)
        overhead_s = sends["overhead_send_s"] + sends["overhead_receive_s"]
        return Cost(sends["latency_s"], sends["gap_s_per_byte"], overhead_s)
    bytes_per_s = parse_bandwidth(bandwidth)
    if bytes_per_s <= 0:
        raise UserError(f"--bandwidth {bandwidth}: give a bandwidth above zero, such as 945MB/s")
    return Cost(parse_duration(latency), 1 / bytes_per_s)


def _show(sites: list[SitePotential], names: Mapping[tuple[str, int], str], cost: Cost) -> None:
    bandwidth = f", {1e-6 / cost.gap_s_per_byte:.4g} MB/s" if cost.gap_s_per_byte else ""
    overhead = f", overheads {format_duration(cost.overhead_s)}" if cost.overhead_s else ""
    print(f"# costs of a message: {format_duration(cost.latency_s)}{bandwidth}{overhead}")
    print("# window: computation between start and wait; covered: the part of the cost that fits into it")
    print("#   count      bytes    cost(ms)  window(ms)  covered  blocked(ms)  call, where: what would help")
    for site in sites:
        covered = site.covered_s / site.cost_s if site.cost_s else 0.0
        print(
            f"{site.count:>9d} {site.size_bytes:>10d} {1e3 * site.cost_s:>11.3f} "
            f"{1e3 * site.window_s:>11.3f} {covered:>8.2f} {1e3 * site.blocked_s:>12.3f}  "
            f"{site.call}, {names[site.module, site.address]}: {advice(site)}"
        )
        if site.data.messages:
            print(f"{'':>12s}{_data_line(site)}")
    total_s, covered_s = sum(site.cost_s for site in sites), sum(site.covered_s for site in sites)
    if total_s:
        blocked_s = sum(site.blocked_s for site in sites)
        print(
            f"# all: cost {1e3 * total_s:.3f} ms, of it covered {covered_s / total_s:.2f}; "
            f"blocked {1e3 * blocked_s:.3f} ms"
        )


def _data_line(site: SitePotential) -> str:
    """Of one message on average, as the slides' figures have it."""
    data, count = site.data, site.data.messages
    what = "produced" if site.side == "send" else "consumed"
    text = (
        f"data of {count}: {what} {data.order}, a part every {format_duration(data.period_s(PARTS))}; "
        f"independent work {format_duration(data.independent_s / count)}, "
        f"dependent {format_duration(data.dependent_s / count)}, "
        f"loop indexing {format_duration(data.between_parts_s / count)}"
    )
    if site.side == "send":
        text += f", re-arrangement at most {format_duration(data.beyond_s / count)}"
    return text


def _show_levels(levels: list[LevelWork]) -> None:
    if not levels:
        return
    print("# what the data allows, of the messages that it is known of:")
    print("# level              work(ms)  times the cost")
    for one in levels:
        print(f"#   {one.level:<18s} {1e3 * one.work_s:>8.3f}  {one.times_cost:>8.2f}")
