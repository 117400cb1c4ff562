# SPDX-License-Identifier: BSD-3-Clause
"""The rows of the table of `stretto potential`: call sites, or functions or variables, each with several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from stretto.binaries.variables import name_variables
from stretto.commands.trace_analysis import Analysis
from stretto.data.program import Place
from stretto.data.trace import TraceFile
from stretto.potential.grouping import by_function, by_name, places_of
from stretto.potential.messages import potential_of
from stretto.potential.ordering import Ordering, before_sends_together
from stretto.potential.sites import SitePotential


@dataclass(frozen=True)
class Entries:
    """The rows of the table, their names by place, and what limits moving work at them."""

    sites: Sequence[SitePotential]
    names: Mapping[Place, str]
    ordering: Ordering


def entries_by(by: str, traces: Sequence[TraceFile], analysis: Analysis) -> Entries:
    """The entries by `site`, `function` or `data`.

    Raises:
        UserError: a trace is damaged.
    """
    ordering, sites = analysis.ordering, analysis.found.sites
    if by == "site":
        return Entries(sites, analysis.names, ordering)
    places: Mapping[Place, Iterable[Place]]
    if by == "function":
        entries, names = by_function(sites, analysis.names)
        places = places_of(entries, sites, names)
    else:
        entries = potential_of(traces, analysis.network.cost, by_data=True).sites
        variables = ((one.module, one.address) for one in entries)
        entries, names = by_name(entries, name_variables(variables, analysis.modules.rebuilt))
        # A variable may be sent from anywhere.
        places = {(one.module, one.address): ordering.before_sends_s or () for one in entries}
    before_s = before_sends_together(ordering.before_sends_s, places)
    return Entries(entries, names, replace(ordering, before_sends_s=before_s))
