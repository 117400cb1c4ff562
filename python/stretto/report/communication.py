# SPDX-License-Identifier: BSD-3-Clause
"""T_c of every transport relative to plain MPI's, which is the cost of its overlap."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from stretto.report.blocks import Block, Figure, Heading
from stretto.report.figures import DASHES, Spec, horizontal_line, layout, marks, size_axis, symbol
from stretto.report.select import OverlapPoint, Series, headline, plain_transfer_s, title
from stretto.report.units import microseconds, size_label

Everything = Mapping[Series, Sequence[OverlapPoint]]


def communication_alone(everything: Everything) -> list[Block]:
    """T_c of each series over the plain MPI's at the same size: 1 costs nothing, 2 doubles the
    communication.
    """
    traces: list[Spec] = []
    sizes: set[int] = set()
    largest = 1.0
    others = list(_one_a_path(series for series in everything if not series.is_plain))
    paths = list(dict.fromkeys(_path(series) for series in everything))
    progresses = list(dict.fromkeys(series.get("progress") for series in everything))
    for series in others:
        index = paths.index(_path(series))
        dash = DASHES[progresses.index(series.get("progress")) % len(DASHES)]
        plain_s = plain_transfer_s(everything, series)
        name, points = title(series.without("side"), others), []
        for point in headline(everything[series]):
            time_s, base = point.value("T_c"), plain_s.get(point.size_bytes)
            if time_s is not None and base:
                words = f"{size_label(point.size_bytes)}, {name}: {microseconds(time_s)} µs"
                words += f", plain MPI {microseconds(base)} µs"
                points.append((float(point.size_bytes), time_s / base, None, None, words))
                sizes.add(point.size_bytes)
                largest = max(largest, time_s / base)
        if points:
            both = series.get("direction") == "both-ways"
            more: Spec = {"marker": {"symbol": f"{symbol(index)}-open"}} if both else {}
            traces.append(marks(name, index, points, mode="lines+markers", line={"dash": dash}, **more))
    if not traces:
        return []
    y = {"title": "T<sub>c</sub> / plain MPI's T<sub>c</sub>", "range": [0, largest * 1.08]}
    spec = {"data": traces, "layout": layout(size_axis(sizes), y) | {"shapes": [horizontal_line(1)]}}
    words = (
        "The time of the transfer alone relative to plain MPI (the line at 1). A longer T_c is easier to "
        "hide: read each map together with this."
    )
    return [
        Heading("Communication alone"),
        Figure(spec, "communication time relative to plain MPI", words, 340),
    ]


def _path(series: Series) -> Series:
    return Series(tuple(pair for pair in series.axes if pair[0] in ("transport", "operation")))


def _one_a_path(series: Iterable[Series]) -> Iterator[Series]:
    """The first side of each path: T_c does not depend on which side computes."""
    result: dict[Series, Series] = {}
    for one in series:
        result.setdefault(one.without("side"), one)
    return iter(result.values())
