# SPDX-License-Identifier: BSD-3-Clause
"""Plotly figures as plain data: axes, palette and marks that all plots share.
Independent of results.
"""

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

from stretto.report.units import size_label, without_controls

Spec = dict[str, Any]
# x, y, low and high of y, and the hover text
Point = tuple[float, float, float | None, float | None, str]

# Names of colours in the page's style sheet, each with a light and a dark variant (Okabe and Ito's set, which
# suits the colour-blind). The marks differ as well, for print in grey.
COLOURS = tuple(f"var(--series-{index})" for index in range(1, 7))
# `meta` of a trace that is computed between the measured points: drawn, but not in the table behind the plot.
MODEL = "model"
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def label(text: object) -> str:
    """Text for a plot, escaped, because Plotly interprets some HTML."""
    return html.escape(without_controls(text), quote=False)


def colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def symbol(index: int) -> str:
    return SYMBOLS[index % len(SYMBOLS)]


def layout(x: Spec, y: Spec, **more: Any) -> Spec:
    """A plot's layout: no frame, a quiet grid, the legend above.

    `dataname` of an axis heads its column in the table behind the plot.
    """
    names = {name: axis.pop("dataname") for name, axis in (("x", x), ("y", y)) if "dataname" in axis}
    return {
        "meta": names,
        "xaxis": _axis(x),
        "yaxis": _axis(y),
        "margin": {"l": 62, "r": 14, "t": 8, "b": 48},
        "font": {"family": "var(--sans)", "size": 12.5, "color": "var(--ink-soft)"},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": "var(--card)",
            "bordercolor": "var(--rule)",
            "font": {"family": "var(--sans)", "color": "var(--ink)"},
            "align": "left",
        },
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
        "dragmode": False,
    } | more


def _axis(axis: Spec) -> Spec:
    title = axis.pop("title", "")
    return {
        "title": {"text": title, "standoff": 10, "font": {"size": 12.5}},
        "gridcolor": "var(--grid)",
        "linecolor": "var(--rule)",
        "zerolinecolor": "var(--rule)",
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": "var(--rule)",
        "fixedrange": True,
    } | axis


def size_axis(sizes: Iterable[int]) -> Spec:
    """A logarithmic axis of message sizes with a tick at every third power of two, or at each if few."""
    known = sorted({size for size in sizes if size > 0}) or [1]
    low, high = math.floor(math.log2(known[0])), math.ceil(math.log2(known[-1]))
    step = 1 if high - low <= 5 else 3
    ticks = [2**power for power in range(-(-low // step) * step, high + 1, step)] or [known[0]]
    margin = 0.04 * (high - low) + 0.3
    return {
        "title": "message size",
        "dataname": "message size, B",
        "type": "log",
        "tickvals": ticks,
        "ticktext": [size_label(tick) for tick in ticks],
        "range": [
            (math.log2(known[0]) - margin) * math.log10(2),
            (math.log2(known[-1]) + margin) * math.log10(2),
        ],
    }


def log_axis(values: Iterable[float], title: str) -> Spec:
    """A logarithmic axis with plain numbers as ticks, also 2 and 5 of each decade where decades are few."""
    known = [value for value in values if value > 0] or [1.0]
    low, high = math.log10(min(known)), math.log10(max(known))
    steps = (1, 2, 5) if high - low < 2.2 else (1,)
    ticks = [s * 10**power for power in range(math.floor(low) - 1, math.ceil(high) + 1) for s in steps]
    pad = 0.06 * (high - low) + 0.04
    shown = [tick for tick in ticks if low - pad <= math.log10(tick) <= high + pad]
    text = [f"{tick:,.10g}".replace(",", "\u202f") if tick >= 1 else f"{tick:.10g}" for tick in shown]
    return {
        "title": title,
        "type": "log",
        "tickvals": shown,
        "ticktext": text,
        "range": [low - pad, high + pad],
    }


def marks(name: str, index: int, points: Sequence[Point], **more: Any) -> Spec:
    """Points with their intervals."""
    colours = {"color": colour(index)}
    error = {
        "type": "data",
        "symmetric": False,
        "array": [0 if high is None else max(0.0, high - y) for _, y, _, high, _ in points],
        "arrayminus": [0 if low is None else max(0.0, y - low) for _, y, low, _, _ in points],
        "thickness": 1.2,
        "width": 3,
        "color": colour(index),
    }
    return {
        "type": "scatter",
        "mode": "markers",
        "name": label(name),
        "x": [x for x, *_ in points],
        "y": [y for _, y, *_ in points],
        "error_y": error,
        "marker": {"size": 7.5, "symbol": symbol(index)} | colours | more.pop("marker", {}),
        "line": colours | more.pop("line", {}),
        "hovertext": [label(text) for *_, text in points],
        "hoverinfo": "text",
    } | more


def curve(name: str, index: int, x: Sequence[float], y: Sequence[float], **more: Any) -> Spec:
    """A line without marks in the colour of series `index`."""
    line = {"color": colour(index), "width": 1.6} | more.pop("line", {})
    return {
        "type": "scatter",
        "mode": "lines",
        "name": label(name),
        "x": list(x),
        "y": list(y),
        "line": line,
        "hoverinfo": "skip",
    } | more


def bars(name: str, index: int, heights: Sequence[tuple[str, float, str]], **more: Any) -> Spec:
    """Bars over categories: the category, the height, and the hover text."""
    categories = [label(category) for category, _, _ in heights]
    return bars_at(name, index, categories, [(height, text) for _, height, text in heights]) | more


def bars_at(name: str, index: int, x: Sequence[Any], heights: Sequence[tuple[float, str]]) -> Spec:
    """Bars at `x` as the axis takes it: the height and the hover text of each."""
    return {
        "type": "bar",
        "name": label(name),
        "x": x,
        "y": [height for height, _ in heights],
        "marker": {"color": colour(index)},
        "hovertext": [label(text) for _, text in heights],
        "hoverinfo": "text",
    }


def stacked_times(unit: str, gap: float) -> Spec:
    """The layout of stacked bars in groups."""
    x = {"type": "multicategory", "tickangle": 0}
    y = {"title": f"time, {unit}", "rangemode": "tozero"}
    return layout(x, y, barmode="stack", bargap=gap, showlegend=True)


def time_unit(longest_s: float) -> tuple[str, float]:
    """The unit in which the longest time has a readable number, and its factor."""
    return next((u for u in (("s", 1.0), ("ms", 1e3)) if longest_s * u[1] >= 1), ("µs", 1e6))


def horizontal_line(y: float, **line: Any) -> Spec:
    """A horizontal line across the plot."""
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": y,
        "y1": y,
        "layer": "below",
        "line": {"color": "var(--ink-soft)", "width": 1.2} | line,
    }


def vertical_line(x: float, text: str, position: int = 0) -> tuple[Spec, Spec]:
    """A vertical dotted line at `x` of a logarithmic axis; `position` lowers its text from the top."""
    shape = {
        "type": "line",
        "x0": x,
        "x1": x,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "layer": "below",
        "line": {"color": "var(--ink-faint)", "width": 1, "dash": "dot"},
    }
    words = {
        "x": math.log10(x),
        "xanchor": "right",
        "yref": "paper",
        "y": 0.99 - 0.07 * position,
        "yanchor": "top",
        "text": label(text),
        "showarrow": False,
        "font": {"size": 11, "color": "var(--ink-soft)"},
    }
    return shape, words
