# SPDX-License-Identifier: BSD-3-Clause
"""The screen and the page of `stretto probe hosts`: slow hosts and links, and a heat map of all links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from stretto.data.hosts import HostsRun, Matrix
from stretto.data.sizes import format_size, said_share, shown_bandwidth, shown_duration
from stretto.model.hosts import SLOW, Slow, slow_hosts_and_links
from stretto.report import screen
from stretto.report.blocks import Block, Column, Figure, Headlines, Paragraph, Table
from stretto.report.figures import Spec, label, layout
from stretto.report.html import Part, page

_MAX_SHOWN = 12
_WORSE = {
    "computation": "computes {} slower",
    "latency": "latency {} higher",
    "bandwidth": "bandwidth {} lower",
}


def slow_sentence(run: HostsRun, one: Slow) -> str:
    """A sentence such as `node17: bandwidth 30 % lower than the others`."""
    share = 1 - 1 / one.factor if one.what == "bandwidth" else one.factor - 1
    name = " to ".join(run.names[rank] for rank in one.ranks)
    others = "the others" if len(one.ranks) == 1 else "other links of both"
    return f"{name}: {_WORSE[one.what].format(said_share(share))} than {others}"


def answer(run: HostsRun, slow: Sequence[Slow]) -> str:
    """The first sentence: how many hosts and links are slow, if any."""
    hosts = len(set(run.hosts))
    what = f"{hosts} host{'s' if hosts > 1 else ''}, {len(run.hosts)} ranks"
    if len(run.hosts) < 3:
        return f"{what}: too few to tell which one is slow."
    if not slow:
        return f"{what}: no host and no link is {said_share(SLOW - 1)} slower than the others."
    return f"{what}: {len(slow)} slower than the others by {said_share(SLOW - 1)} or more."


def hosts_view(run: HostsRun) -> Iterator[screen.Part]:
    """The parts of the screen: the answer, the slow hosts and links, and the medians of all."""
    slow = slow_hosts_and_links(run)
    yield answer(run, slow)
    for one in slow[:_MAX_SHOWN]:
        yield f"  {slow_sentence(run, one)}"
    if len(slow) > _MAX_SHOWN:
        yield f"  and {len(slow) - _MAX_SHOWN} more, in the report"
    yield usual(run)


def usual(run: HostsRun) -> str:
    """The medians of all links and ranks."""
    latency, bandwidth = _median(run.latency_s), _median(run.bandwidth_bytes_per_s)
    parts = [f"computation {shown_duration(median(run.compute_s))}"]
    if latency is not None:
        parts.append(f"latency {shown_duration(latency)}")
    if bandwidth is not None:
        parts.append(f"bandwidth {shown_bandwidth(bandwidth)} at {format_size(run.size_bytes)}")
    return "The usual: " + ", ".join(parts) + "."


def hosts_page(run: HostsRun) -> str:
    """The whole page as HTML text."""
    slow = slow_hosts_and_links(run)
    where = f"cluster {run.cluster}, " if run.cluster else ""
    parts = [
        Part("answer", "The answer", _answer(run, slow)),
        Part("bandwidth", "Bandwidth of all links", _map(run, run.bandwidth_bytes_per_s, "MB/s", 1e-6)),
        Part("latency", "Latency of all links", _map(run, run.latency_s, "µs", 1e6)),
    ]
    return page(
        title="stretto: hosts and links",
        heading="Hosts and links",
        dateline=f"{where}{run.mpi}, {run.created_utc}",
        parts=[part for part in parts if part.blocks],
    )


def _answer(run: HostsRun, slow: Sequence[Slow]) -> Sequence[Block]:
    blocks: list[Block] = [Headlines([[answer(run, slow)]]), Paragraph(usual(run), "aside")]
    if slow:
        rows = [[slow_sentence(run, one)] for one in slow]
        blocks.append(Table([Column("slow")], rows))
    return blocks


def _map(run: HostsRun, matrix: Matrix, unit: str, factor: float) -> Sequence[Block]:
    """A heat map with a square for each link, from its row to its column; nothing without links.

    `factor` converts the matrix to `unit`.
    """
    links = [
        (a, b, one * factor) for a, row in enumerate(matrix) for b, one in enumerate(row) if one is not None
    ]
    if not links:
        return []
    names = [label(name) for name in run.names]
    spec: Spec = {
        "data": [
            {
                "type": "scatter",
                "mode": "markers",
                "x": [names[b] for _, b, _ in links],
                "y": [names[a] for a, _, _ in links],
                "text": [f"{names[a]} to {names[b]}: {value:.4g} {unit}" for a, b, value in links],
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {
                    "symbol": "square",
                    "size": max(5, min(36, 420 // len(names))),
                    "color": [value for _, _, value in links],
                    "colorscale": "Viridis",
                    "showscale": True,
                    "colorbar": {"title": {"text": unit}},
                },
            }
        ],
        "layout": layout(
            {"title": "to", "type": "category", "dataname": "to"},
            {
                "title": "from",
                "type": "category",
                "automargin": True,
                "autorange": "reversed",
                "dataname": "from",
            },
            showlegend=False,
        ),
    }
    caption = f"One square per link, from the host of its row to that of its column, in {unit}."
    return [Figure(spec, f"links in {unit}", caption, height=200 + min(600, 40 * len(names)))]


def _median(matrix: Matrix) -> float | None:
    values = [one for row in matrix for one in row if one is not None]
    return median(values) if values else None
