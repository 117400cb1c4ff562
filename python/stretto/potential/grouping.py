# SPDX-License-Identifier: BSD-3-Clause
"""Call sites of one function, or uses of one variable, taken together, call by call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import fields

from stretto.data.program import Place
from stretto.potential.sites import SitePotential

_IDENTITY = ("module", "address", "call", "side", "data", "reordered")


def by_function(
    sites: Iterable[SitePotential], names: Mapping[Place, str]
) -> tuple[list[SitePotential], dict[Place, str]]:
    """One entry per function and call, in descending order of cost and blocked time; all places' functions.

    An entry has the place of the function's first call site.
    """
    return by_name(sites, {place: function_of(name) for place, name in names.items()})


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
    ordered = sorted(groups.items(), key=lambda one: (-one[1].cost_s, -one[1].blocked_s, one[0]))
    return [site for _, site in ordered], dict(names)


def places_of(
    entries: Iterable[SitePotential], sites: Iterable[SitePotential], names: Mapping[Place, str]
) -> dict[Place, set[Place]]:
    """Of each entry of `by_name` that sends, by its place, the places of the call sites in it."""
    sends: dict[tuple[str, str], set[Place]] = {}
    for site in sites:
        if site.side == "send":
            place = site.module, site.address
            sends.setdefault((names[place], site.call), set()).add(place)
    found: dict[Place, set[Place]] = {}
    for entry in entries:
        place = entry.module, entry.address
        found.setdefault(place, set()).update(sends.get((names[place], entry.call), ()))
    return found


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
