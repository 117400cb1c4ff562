# SPDX-License-Identifier: BSD-3-Clause
"""Latency and bandwidth by message size as plots, the fitted LogGP model drawn over what was measured."""

from collections.abc import Callable, Mapping, Sequence

from stretto.data.results import ResultRow
from stretto.report.blocks import Figure
from stretto.report.buffers import USUAL
from stretto.report.curves import Curve, bandwidth_curves, entry_for, latency_curves
from stretto.report.document import Document
from stretto.report.figures import (
    MODEL,
    Point,
    Spec,
    curve,
    layout,
    log_axis,
    marks,
    size_axis,
    symbol,
    vertical_line,
)
from stretto.report.select import Series, group, size_of, title
from stretto.report.units import MEGA, MICRO, megabytes_per_second, microseconds, size_label

Groups = Mapping[Series, Sequence[ResultRow]]
_PATH = ("on", "ranks", "locality", "transport", "operation", "progress", "path")


def path(series: Series) -> Series:
    """Only what says over which path data goes."""
    return Series(tuple(pair for pair in series.axes if pair[0] in _PATH)).without_default_progress()


def latency_plot(document: Document) -> Figure | None:
    """Time of one transfer over message size; None where it was not measured."""
    caption = (
        "Time of one transfer. A send counts half a round trip, a put or get lasts until it is complete. "
        "Lines are the fitted LogGP model; a dotted upright marks where the first path's protocol changes."
    )
    return _plot(document, "latency", MICRO, "time of one transfer, µs", microseconds, "µs", caption)


def bandwidth_plot(document: Document) -> Figure | None:
    """Bandwidth over message size; None where it was not measured."""
    caption = "Bandwidth of a stream of messages; open marks count both directions at once."
    return _plot(document, "bandwidth", 1 / MEGA, "bandwidth, MB/s", megabytes_per_second, "MB/s", caption)


def _plot(
    document: Document,
    metric: str,
    scale: float,
    name: str,
    form: Callable[[float], str],
    unit: str,
    caption: str,
) -> Figure | None:
    paths: Groups = group([r for r in document.results.rows if r.metric in ("latency", "bandwidth")], path)
    traces: list[Spec] = []
    shapes: list[tuple[Spec, Spec]] = []
    shown: list[ResultRow] = []
    for index, (series, rows) in enumerate(paths.items()):
        ways = group([r for r in rows if r.metric == metric and r.value is not None])
        for way, members in ways.items():
            both = way.get("direction") == "both-ways"
            words = title(series, paths) + (", both ways" if both else "")
            if way.get("buffers") not in (None, USUAL[metric]):
                words += f", {way.get('buffers')} buffers"
            points = [measured_point(row, words, form, f" {unit}", scale) for row in members]
            # Rings share the legend's entry with the points of their path, which keeps the legend short.
            more: Spec = {"marker": {"symbol": f"{symbol(index)}-open"}, "showlegend": False} if both else {}
            traces.append(marks(words, index, points, legendgroup=str(index), **more))
            shown += members
        entry = entry_for(
            document.profile,
            series.get("transport"),
            series.get("operation"),
            series.get("locality"),
            series.get("progress"),
        )
        largest = max((size_of(r) or 0 for r in shown), default=0)
        if entry is None or not ways:
            continue
        lines = (latency_curves if metric == "latency" else bandwidth_curves)(entry, largest)
        traces += [_line(line, index, scale) for line in lines]
        if index == 0:
            breaks = [r.size_min_bytes for r in entry.ranges[1:]]
            shapes = [vertical_line(size, size_label(size) + " ", place) for place, size in enumerate(breaks)]
    if not shown:
        return None
    y = log_axis([(r.value or 0.0) * scale for r in shown], name)
    spec = {
        "data": traces,
        "layout": layout(size_axis(size_of(r) or 0 for r in shown), y)
        | {"shapes": [s for s, _ in shapes], "annotations": [words for _, words in shapes]},
    }
    return Figure(spec, f"{metric.capitalize()} by message size", caption)


def measured_point(
    row: ResultRow, words: str, form: Callable[[float], str], unit: str = "", scale: float = 1.0
) -> Point:
    """A figure over its message size, which is said on hover with its interval."""
    size, v, low, high = size_of(row) or 0, row.value or 0.0, row.ci95_low, row.ci95_high
    text = f"{words}, {size_label(size)}: {form(v)}{unit}"
    if low is None or high is None:
        return size, v * scale, None, None, text
    return size, v * scale, low * scale, high * scale, f"{text} ({form(low)} to {form(high)}), n {row.n}"


def _line(line: Curve, index: int, scale: float) -> Spec:
    y = [v * scale for v in line.values]
    return curve("model", index, line.sizes_bytes, y, showlegend=False, legendgroup=str(index), meta=MODEL)
