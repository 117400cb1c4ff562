# SPDX-License-Identifier: BSD-3-Clause
"""`stretto potential`: what each place of a traced program leaves to overlap, and what would help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stretto.commands.replay import sends_of
from stretto.commands.trace_source import trace_directory
from stretto.data.profile_file import read_profile
from stretto.data.sizes import parse_bandwidth, parse_duration
from stretto.data.trace import most_records, open_trace
from stretto.errors import UserError
from stretto.launch.progress import record_progress
from stretto.launch.symbols import name_sites
from stretto.potential.levels import levels_of
from stretto.potential.messages import site_potentials
from stretto.potential.sites import Cost
from stretto.report.screen import show, show_json
from stretto.report.views.potential import potential_document, potential_view


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
    traces = open_trace(trace_directory(directory))
    with record_progress("reading the trace", most_records(traces)) as done:
        sites = site_potentials(traces, cost, done)
    names = name_sites((site.module, site.address) for site in sites)
    if as_json:
        show_json(potential_document(sites, names, cost, levels_of(sites)))
    else:
        show(potential_view(sites, names, cost, levels_of(sites)))


def _cost(profile: Path | None, latency: str, bandwidth: str) -> Cost:
    if profile is not None:
        sends = sends_of(read_profile(profile), profile)
        overhead_s = sends["overhead_send_s"] + sends["overhead_receive_s"]
        return Cost(sends["latency_s"], sends["gap_s_per_byte"], overhead_s)
    bytes_per_s = parse_bandwidth(bandwidth)
    if bytes_per_s <= 0:
        raise UserError(f"--bandwidth {bandwidth}: give a bandwidth above zero, such as 945MB/s")
    return Cost(parse_duration(latency), 1 / bytes_per_s)
