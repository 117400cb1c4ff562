# SPDX-License-Identifier: BSD-3-Clause
"""Advice for one call site of a program."""

from __future__ import annotations

from stretto.potential.sites import AT_ONCE, SitePotential


def advice(site: SitePotential) -> str:
    """One sentence of advice for a call site."""
    if site.data.messages and site.verdict != "covered":
        return _advice_from_data(site)
    each_us = 1e6 * site.cost_s / site.count
    if site.verdict == "blocking":
        other = {"send": "isend", "receive": "irecv"}.get(site.side, "nonblocking variant")
        return f"blocks; start it with the {other} about {each_us:.3g} us of work before it is needed"
    if site.verdict == "false overlap":
        return f"false overlap: waited for at once; move {each_us:.3g} us of work before the wait"
    if site.verdict == "too short":
        missing_us = 1e6 * (site.cost_s - site.covered_s) / site.count
        return f"start it {missing_us:.3g} us earlier, or wait for it as much later"
    return "covered by the work between start and wait"


def _advice_from_data(site: SitePotential) -> str:
    data, each_us = site.data, 1e6 * site.cost_s / site.count
    independent_us = 1e6 * data.independent_s / data.messages
    dependent_us = 1e6 * data.dependent_s / data.messages
    false = "false overlap: waited for at once; " if site.verdict == "false overlap" else ""
    if site.side == "send":
        start, split = "start it", "send each part"
        if site.verdict == "blocking":
            start = "start it with the isend"
        ready, parts = f"its data is ready {independent_us:.3g} us before", "when it is produced"
    else:
        start = "wait for an irecv" if site.verdict == "blocking" else "wait for it"
        ready, split = f"its data is first used {independent_us:.3g} us after", "wait for each part"
        parts = "when it is needed"
    if independent_us >= AT_ONCE * each_us:
        when = "earlier" if site.side == "send" else "later"
        return f"{false}{ready}: {start} {min(independent_us, each_us):.3g} us {when}"
    moved_us = 1e6 * site.reordered.independent_s / data.messages
    if moved_us >= AT_ONCE * each_us:
        first = (
            "compute what it sends first" if site.side == "send" else "do work that does not need it first"
        )
        return f"{false}{first}: {moved_us:.3g} us of other work could hide {min(moved_us, each_us):.3g} us"
    if dependent_us >= AT_ONCE * each_us:
        return (
            f"{false}no work is independent of it; {split} {parts}, {data.order}, over {dependent_us:.3g} us"
        )
    return f"{false}its data is touched at the call: only other work, moved here, could hide it"
