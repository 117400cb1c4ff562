# SPDX-License-Identifier: BSD-3-Clause
"""Call sites of one function, or uses of one variable, taken together, call by call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import fields

from stretto.potential.regions import Place
from stretto.potential.sites import SitePotential

_IDENTITY = ("module", "address", "call", "side", "data", "reordered")


def by_function(
    sites: Iterable[SitePotential], names: Mapping[Place, str]
) -> tuple[list[SitePotential], dict[Place, str]]:
    """One entry per function and call, in descending order of cost, and the names of these.

    An entry has the place of the function's first call site.
    """
    found, functions = by_name(sites, {place: function_of(name) for place, name in names.items()})
    shown = {(site.module, site.address): functions[site.module, site.address] for site in found}
    return found, dict(names) | shown


def by_name(
    sites: Iterable[SitePotential], names: Mapping[Place, str]
) -> tuple[list[SitePotential], dict[Place, str]]:
    """The same for places with the same name. On several ranks, a variable may have several places."""
    groups: dict[tuple[str, str], SitePotential] = {}
    for site in sites:
        key = (names[site.module, site.address], site.call)
        if key in groups:
            _add(groups[key], site)
        else:
            groups[key] = deepcopy(site)
    ordered = sorted(groups.items(), key=lambda one: (-one[1].cost_s, one[0]))
    return [site for _, site in ordered], dict(names)


def function_of(name: str) -> str:
    """The function in a call site's name: `step` of `step halo.c:60` and of `step <- run (libapp.so)`."""
    nearest, chain, _ = name.partition(" <- ")
    return nearest if chain else nearest.rpartition(" ")[0] or nearest


def _add(total: SitePotential, site: SitePotential) -> None:
    for one in fields(SitePotential):
        if one.name not in _IDENTITY:
            setattr(total, one.name, getattr(total, one.name) + getattr(site, one.name))
    total.data.include(site.data)
    total.reordered.include(site.reordered)
