# SPDX-License-Identifier: BSD-3-Clause
"""`stretto potential`: shows the overlap that each call site of a traced program leaves unused."""

from __future__ import annotations

import sys

from stretto.commands.trace_network import message_cost
from stretto.data.trace import most_records, open_trace
from stretto.data.trace_walk import callers_of
from stretto.launch.build_ids import changed_modules
from stretto.launch.loops import loop_lines
from stretto.launch.progress import record_progress
from stretto.launch.symbols import name_sites
from stretto.launch.trace_source import trace_directory
from stretto.launch.variables import name_variables
from stretto.options.traces import PotentialRequest
from stretto.potential.blocked import time_use
from stretto.potential.changes import best_changes
from stretto.potential.grouping import by_function, by_name
from stretto.potential.levels import levels_of
from stretto.potential.messages import potential_of
from stretto.potential.movable import movable_work
from stretto.report.screen import show, show_json
from stretto.report.views.potential import PotentialResult, potential_document, potential_view


def potential(request: PotentialRequest) -> None:
    """How much of its communication could this program hide, and where?

    First where the run's time goes, and the three changes that gain most. Then per call site: how often, how
    much, how long it blocked, how much computation lies between start and wait, and that against the cost of
    its messages on a network: this machine's, if it has a profile. Of a trace that was recorded with --memory
    also the work that its data leaves outside of the calls.
    """
    traces = open_trace(trace_directory(request.directory))
    cost, network = message_cost(request, traces)
    with record_progress("reading the trace", 3 * most_records(traces)) as done:
        found = potential_of(traces, cost, done)
        use = time_use(traces, cost, done)
    sites = found.sites
    at_calls = [*found.arrivals.values(), *found.sends.values()]
    regions = {place for site in at_calls for place in site.regions}
    places = {(site.module, site.address) for site in sites}.union(found.arrivals, found.sends, use.by_place)
    modules = changed_modules(traces)
    for text in modules.sentences():
        print(f"stretto: warning: {text}", file=sys.stderr)
    names = name_sites(places | regions, callers_of(traces), modules.rebuilt)
    lines = loop_lines(regions, modules.rebuilt)
    movable = movable_work(found.arrivals, "arrival", lines, names)
    movable += movable_work(found.sends, "send", lines, names)
    changes = best_changes(sites, names, movable, use)
    levels = levels_of(sites)
    if request.by == "function":
        sites, names = by_function(sites, names)
    elif request.by == "data":
        sites = potential_of(traces, cost, by_data=True).sites
        of_data = name_variables(((site.module, site.address) for site in sites), modules.rebuilt)
        sites, of_data = by_name(sites, of_data)
        names = {**names, **of_data}
    result = PotentialResult(cost, network, use, changes, sites, names, levels, movable)
    if request.as_json:
        show_json(potential_document(result))
    else:
        show(potential_view(result))
