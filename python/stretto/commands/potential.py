# SPDX-License-Identifier: BSD-3-Clause
"""`stretto potential`: shows the overlap that each call site of a traced program leaves unused."""

from __future__ import annotations

from stretto.data.profile_file import read_profile
from stretto.data.trace import most_records, open_trace
from stretto.launch.loops import loop_lines
from stretto.launch.progress import record_progress
from stretto.launch.symbols import name_sites
from stretto.launch.trace_source import trace_directory
from stretto.model.replay_network import replay_network
from stretto.options.traces import PotentialRequest
from stretto.potential.levels import levels_of
from stretto.potential.messages import potential_of
from stretto.potential.movable import movable_work
from stretto.potential.sites import Cost
from stretto.report.screen import show, show_json, tell
from stretto.report.views.potential import potential_document, potential_view


def potential(request: PotentialRequest) -> None:
    """How much of its communication could this program hide, and where?

    Per call site: how often, how much, how long it blocked, how much computation lies between start and wait,
    and that against the cost of its messages on a network; that of the slides if none is given. Of a trace
    that was recorded with --memory also the work that its data leaves outside of the calls.
    """
    cost = _cost(request)
    traces = open_trace(trace_directory(request.directory))
    with record_progress("reading the trace", most_records(traces)) as done:
        found = potential_of(traces, cost, done)
    sites = found.sites
    regions = {place for site in found.arrivals.values() for place in site.regions}
    names = name_sites({(site.module, site.address) for site in sites} | set(found.arrivals) | regions)
    movable = movable_work(found.arrivals, loop_lines(regions), names)
    if request.as_json:
        show_json(potential_document(sites, names, cost, levels_of(sites), movable))
    else:
        show(potential_view(sites, names, cost, levels_of(sites), movable))


def _cost(request: PotentialRequest) -> Cost:
    if request.profile is None:
        return Cost(request.latency, 1 / request.bandwidth)
    sends = replay_network(read_profile(request.profile), request.profile)
    tell(sends.note)
    overhead_s = sends.overhead_send_s + sends.overhead_receive_s
    return Cost(sends.latency_s, sends.gap_s_per_byte, overhead_s, sends.times)
