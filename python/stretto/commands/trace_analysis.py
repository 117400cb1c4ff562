# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto potential` and the report's page say of a trace: both ask this one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from stretto.binaries.build_ids import Modules, changed_modules
from stretto.binaries.loops import loop_lines
from stretto.binaries.symbols import name_sites
from stretto.commands.trace_network import asked_network, recorded_network
from stretto.data.program import Place
from stretto.data.trace import TraceFile
from stretto.options.traces import PotentialRequest
from stretto.potential.blocked import TimeUse, crowded_ranks, time_use_in
from stretto.potential.changes import Change, best_changes
from stretto.potential.core_shortage import CoreShortage, shortage_of
from stretto.potential.messages import Potential, analysed, potential_in, potential_of
from stretto.potential.movable import MovableWork, movable_work
from stretto.potential.ordering import Ordering, before_sends, steering
from stretto.potential.regions import WorkSite
from stretto.potential.replayed import longer_s
from stretto.potential.sites import Cost, Network
from stretto.potential.summary import Summary, run_s_on, summary_of

_UNKNOWN = Network(Cost(0.0, 0.0), "a network that is not known")


@dataclass(frozen=True)
class Analysis:
    """A trace's analysis; `network` is that of the costs of `found`, `movable` and `changes`."""

    network: Network
    use: TimeUse
    found: Potential
    names: Mapping[Place, str]
    movable: Sequence[MovableWork]
    changes: Sequence[Change]
    summary: Summary
    ordering: Ordering
    modules: Modules


def analyse(traces: list[TraceFile], request: PotentialRequest) -> Analysis:
    """The analysis of a trace on the network on which it was recorded and, where options name one, on that.

    Raises:
        UserError: a trace is damaged, or an option names no network.
    """
    shortage = shortage_of(traces)
    recorded = recorded_network(traces, shortage)
    asked = asked_network(request, recorded)
    here = recorded or _UNKNOWN
    found, use = _potential_and_use(traces, here.cost, shortage)
    ordering = Ordering(
        use.streams,
        steering(found.sites),
        use.run_s,
        lambda place, site: _max_s(use, place, site),
        before_sends(found.sends),
        frozenset((site.module, site.address) for site in found.sites if site.side == "receive"),
    )
    at_calls = [*found.arrivals.values(), *found.sends.values()]
    regions = {place for site in at_calls for place in site.regions}
    places = {(site.module, site.address) for site in found.sites}
    places = places.union(found.arrivals, found.sends, use.by_place)
    modules = changed_modules(found.program.modules, traces[0].header.created_utc)
    callers = found.program.call_sites
    names = name_sites(places | regions, callers, modules.rebuilt)
    communicating = places.union(*callers.values())
    accessed = {place for site in at_calls for place in site.accessed}
    lines = loop_lines(regions | accessed, modules.rebuilt, communicating)

    def moves(one: Potential, limits: Ordering) -> list[MovableWork]:
        at_arrivals = movable_work(one.arrivals, "arrival", lines, names, limits)
        return at_arrivals + movable_work(one.sends, "send", lines, names, limits)

    movable = moves(found, ordering)
    if asked is None:
        changes = best_changes(found.sites, names, movable, ordering, use.run_s, use, here.eager_bytes)
        summary = summary_of(use, recorded, found, movable, None, changes)
        return Analysis(here, use, found, names, movable, changes, summary, ordering, modules)
    there = potential_of(traces, asked.cost)
    limits = replace(ordering, max_s=lambda _, __: float("inf"))
    its_movable = moves(there, limits)
    longer = longer_s(traces, asked)
    run_s = run_s_on(use, there, longer)
    changes = best_changes(
        there.sites, names, its_movable, ordering, run_s, None, asked.eager_bytes, there.arrivals
    )
    summary = summary_of(use, recorded, found, movable, (asked, there, its_movable), changes, longer)
    return Analysis(asked, use, there, names, its_movable, changes, summary, ordering, modules)


def _potential_and_use(
    traces: Sequence[TraceFile], cost: Cost, shortage: CoreShortage
) -> tuple[Potential, TimeUse]:
    """Both at once: the native program reads the trace for them on several cores."""
    crowded = crowded_ranks(traces, shortage)
    answer = analysed(traces, "sites", "time", **asdict(cost), crowded=crowded)
    return potential_in(answer), time_use_in(answer, traces, shortage)


def _max_s(use: TimeUse, place: Place, site: WorkSite) -> float:
    """What moving work around a call can gain of the recorded time: what its messages blocked, without waits
    for partners and cores, and without MPI's own time.
    """
    blocked = use.by_place.get(place)
    waited_s = site.blocked_s if blocked is None else min(site.blocked_s, blocked.all_s)
    if blocked is None or use.calls[place] != site.call:
        return waited_s
    return min(waited_s, blocked.hideable_s)
