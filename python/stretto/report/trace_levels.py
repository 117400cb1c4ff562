# SPDX-License-Identifier: BSD-3-Clause
"""A trace on other networks and at the levels of overlap; when messages are produced and consumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stretto.data.groups import grouped
from stretto.data.sizes import shown_bandwidth, shown_duration
from stretto.data.sweep import TRACED
from stretto.data.timeline import Message, Timeline
from stretto.potential.levels import LevelWork
from stretto.potential.whatif import NO_DATA_TIMES, WhatIf, bandwidth_needs, latency_tolerances
from stretto.report.blocks import Block, Column, Figure, Paragraph, Table, Words
from stretto.report.figures import Spec, bars, curve, layout, log_axis, marks
from stretto.report.units import size_label

_MEGA = 1e-6
_MICRO = 1e6
_NANO_S = 1e-9
_LEVELS_AT_S = 4e-6
"""Of the latencies, the one whose levels are drawn: the slides' InfiniBand."""
_MAX_MESSAGES = 6


def what_if_blocks(result: WhatIf, levels: Sequence[LevelWork]) -> list[Block]:
    """The curves as traced, and where data times are known the levels and the bandwidth that they need."""
    blocks: list[Block] = [_by_latency(result)]
    if len(result.levels) > 1:
        blocks += [_by_level(result), _level_table(result, levels), needed_figure([("", result)])]
    return blocks


def needed_figure(applications: Sequence[tuple[str, WhatIf]]) -> Figure:
    """Bandwidth needed over latency: of one application by level, of several at the last level."""
    several = len(applications) > 1
    heights: dict[str, list[tuple[str, float, str]]] = {}
    for name, result in applications:
        for one in bandwidth_needs(result):
            if one.bandwidth_bytes_per_s is None or (several and one.level != result.levels[-1]):
                continue
            latency = shown_duration(one.latency_s)
            text = f"{shown_bandwidth(one.bandwidth_bytes_per_s)} at {latency}"
            series = heights.setdefault(name if several else one.level, [])
            series.append((latency, _MEGA * one.bandwidth_bytes_per_s, text))
    data = [bars(name, index, shown) for index, (name, shown) in enumerate(heights.items())]
    axes = layout({"title": "latency", "type": "category"}, {"title": "bandwidth needed, MB/s"})
    best = shown_bandwidth(max(applications[0][1].bandwidths))
    return Figure(
        {"data": data, "layout": axes | {"barmode": "group", "showlegend": True}},
        "bandwidth needed over latency",
        f"The bandwidth at which the restructured code takes what the code as traced takes at {best} and the "
        "same latency (Sancho et al.). A missing bar: no bandwidth of the sweep is enough.",
    )


def data_blocks(timeline: Timeline) -> list[Block]:
    """When the parts of messages are produced and consumed; none where no message has both."""
    shown = _messages_with_data(timeline)
    if not shown:
        return []
    data: list[Spec] = []
    for index, one in enumerate(shown):
        name = f"{timeline.lanes[one.from_lane].rank} to {timeline.lanes[one.to_lane].rank}, "
        name += size_label(one.size_bytes)
        visible = {} if index == 0 else {"visible": "legendonly"}
        for what, times, origin in (
            ("produced", one.produced, one.sent),
            ("consumed", one.consumed, one.received),
        ):
            points = [
                (
                    _MICRO * _NANO_S * (time - origin),
                    part + 1.0,
                    None,
                    None,
                    f"part {part + 1} {what} {shown_duration(_NANO_S * abs(time - origin))} "
                    + ("before the send" if what == "produced" else "after the message's end"),
                )
                for part, time in enumerate(times)
            ]
            data.append(marks(f"{what}, {name}", len(data), points, mode="lines+markers", **visible))
    axes = layout({"title": "time, us"}, {"title": "part of the message", "dtick": 1})
    return [
        Figure(
            {"data": data, "layout": axes | {"showlegend": True}},
            "production and consumption of a message's parts over time",
            "Left of zero: when each eighth of the message was stored for the last time, from its send on. "
            "Right of zero: when it was first loaded, from the end of the call in which it arrived. A click "
            "in the legend chooses a message.",
        )
    ]


def _messages_with_data(timeline: Timeline) -> list[Message]:
    """The largest messages, one of each pair of ranks and tag, from the middle of the timeline."""
    known = (one for one in timeline.messages if one.produced and one.consumed)
    chosen = grouped(known, lambda one: (one.from_lane, one.to_lane, one.tag))
    middle = [messages[len(messages) // 2] for messages in chosen.values()]
    return sorted(middle, key=lambda one: -one.size_bytes)[:_MAX_MESSAGES]


def _by_latency(result: WhatIf) -> Figure:
    data = [
        _curve(result, shown_duration(latency_s), index, latency_s, TRACED)
        for index, latency_s in enumerate(result.latencies_s)
    ]
    return Figure(
        _spec(result, data),
        "normalised time over bandwidth, a line a latency",
        "Time of the same trace on other networks, by that at zero latency and 5 GB/s (Sancho et al.); "
        "overheads zero, everything offloaded. `stretto whatif` has the figures, and other assumptions.",
    )


def _by_level(result: WhatIf) -> Figure:
    latency_s = min(result.latencies_s, key=lambda one: abs(one - _LEVELS_AT_S))
    data = [_curve(result, level, index, latency_s, level) for index, level in enumerate(result.levels)]
    return Figure(
        _spec(result, data),
        "normalised time over bandwidth, a line a level",
        f"At a latency of {shown_duration(latency_s)}. Each level moves messages further: over independent "
        "work, then in eight parts to where they are consumed, then from where they are produced.",
    )


def _curve(result: WhatIf, name: str, index: int, latency_s: float, level: str) -> Spec:
    rows = [row for row in result.rows if (row.latency_s, row.level) == (latency_s, level)]
    return curve(
        name,
        index,
        [_MEGA * row.bandwidth_bytes_per_s for row in rows],
        [row.normalised_time for row in rows],
        hoverinfo="x+y+name",
    )


def _spec(result: WhatIf, data: list[Spec]) -> Spec:
    bandwidths = [_MEGA * one for one in result.bandwidths]
    y = log_axis([*(row.normalised_time for row in result.rows), 1.0], "normalised time")
    return {"data": data, "layout": layout(log_axis(bandwidths, "bandwidth, MB/s"), y)}


def _level_table(result: WhatIf, levels: Sequence[LevelWork]) -> Block:
    work = {one.level: one for one in levels}
    needs = bandwidth_needs(result)
    columns = [
        Column("Level", words=True),
        Column("Work that could overlap", "ms"),
        Column("Times the cost"),
        Column("Latency tolerated"),
        *(Column(f"Needed at {shown_duration(one)}") for one in result.latencies_s),
    ]
    rows = list(
        _level_rows(result, work, {(one.level, one.latency_s): one.bandwidth_bytes_per_s for one in needs})
    )
    return Table(columns, rows, "levels of overlap")


def _level_rows(
    result: WhatIf,
    work: dict[str, LevelWork],
    needed: dict[tuple[str, float], float | None],
) -> Iterator[list[Words]]:
    for tolerance in latency_tolerances(result):
        level = tolerance.level
        known = work.get(level)
        cells = [needed.get((level, latency_s)) for latency_s in result.latencies_s]
        yield [
            level,
            f"{1e3 * known.work_s:.3f}" if known else "",
            "" if known is None or known.times_cost is None else f"{known.times_cost:.2f}",
            "none" if tolerance.latency_s is None else shown_duration(tolerance.latency_s),
            *("" if one is None else shown_bandwidth(one) for one in cells),
        ]


def missing_levels(result: WhatIf) -> Paragraph | None:
    """Why there are no levels; None where there are."""
    if len(result.levels) > 1:
        return None
    return Paragraph(f"No levels of overlap: the trace {NO_DATA_TIMES}.", "aside")
