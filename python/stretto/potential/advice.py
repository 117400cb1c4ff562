# SPDX-License-Identifier: BSD-3-Clause
"""Advice for one call site of a program."""

from __future__ import annotations

from stretto.data.sizes import said_duration
from stretto.potential.sites import AT_ONCE, SitePotential


def advice(site: SitePotential) -> str:
    """One sentence of advice for a call site."""
    if site.data.messages and site.verdict != "covered":
        return _advice_from_data(site)
    each_s = site.cost_s / site.count
    if site.verdict == "blocking":
        other = {"send": "isend", "receive": "irecv"}.get(site.side, "nonblocking variant")
        return f"blocks; start it with the {other} about {said_duration(each_s)} of work before it is needed"
    if site.verdict == "false overlap":
        return f"false overlap: waited for at once; move {said_duration(each_s)} of work before the wait"
    if site.verdict == "too short":
        missing_s = (site.cost_s - site.covered_s) / site.count
        return f"start it {said_duration(missing_s)} earlier, or wait for it as much later"
    return "covered by the work between start and wait"


def _advice_from_data(site: SitePotential) -> str:
    data, each_s = site.data, site.cost_s / site.count
    independent_s = data.independent_s / data.messages
    dependent_s = data.dependent_s / data.messages
    false = "false overlap: waited for at once; " if site.verdict == "false overlap" else ""
    if site.side == "send":
        start, split = "start it", "send each part"
        if site.verdict == "blocking":
            start = "start it with the isend"
        ready, parts = f"its data is ready {said_duration(independent_s)} before", "when it is produced"
    else:
        start = "wait for an irecv" if site.verdict == "blocking" else "wait for it"
        ready, split = f"its data is first used {said_duration(independent_s)} after", "wait for each part"
        parts = "when it is needed"
    if independent_s >= AT_ONCE * each_s:
        when = "earlier" if site.side == "send" else "later"
        return f"{false}{ready}: {start} {said_duration(min(independent_s, each_s))} {when}"
    moved_s = site.reordered.independent_s / data.messages
    if moved_s >= AT_ONCE * each_s:
        first = (
            "compute what it sends first" if site.side == "send" else "do work that does not need it first"
        )
        moved, hidden = said_duration(moved_s), said_duration(min(moved_s, each_s))
        return f"{false}{first}: {moved} of other work could hide {hidden}"
    if dependent_s >= AT_ONCE * each_s:
        over = said_duration(dependent_s)
        return f"{false}no work is independent of it; {split} {parts}, {data.order}, over {over}"
    return f"{false}its data is touched at the call: only other work, moved here, could hide it"
