# SPDX-License-Identifier: BSD-3-Clause
"""The crossover from pencils to slabs on this machine, as computation or the network gets faster."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from stretto.data.sizes import said_share
from stretto.errors import UserError
from stretto.model.crossover import LOSS, Along, Crossover, crossover
from stretto.model.forecast import Option, Route, balanced_s, routes
from stretto.model.parameters import Source
from stretto.model.problem import FtProblem
from stretto.report.blocks import Block, Figure, Group, Paragraph, titled
from stretto.report.document import Document
from stretto.report.figures import (
    MODEL,
    Spec,
    colour,
    curve,
    horizontal_line,
    layout,
    log_axis,
    vertical_line,
)
from stretto.report.sections import Section
from stretto.report.units import significant

# Section 6.5 of the probes' paper, many small messages, of a size whose graphs are evaluated in a second.
_ROWS, _ROW_LENGTH = 1024, 512
_DRAWS = 100
_ALONG: dict[Along, tuple[str, str, float]] = {
    "flops_per_s": ("compute rate of a rank", "Gflop/s", 1e-9),
    "bandwidth_bytes_per_s": ("bandwidth of a rank", "MB/s", 1e-6),
}
_NOTE = (
    "Modelled with the profile. Many small messages hide more of the communication than few large ones, as "
    "long as a row's computation takes longer than starting its transfer. The curve is the time of pencils "
    "over that of slabs, its band what the intervals of the parameters allow; the other rate stays as it is "
    "here, computation at balance with communication."
)


def body(document: Document) -> Sequence[Block]:
    """Two plots, over compute rate and bandwidth, for the profile's first transport and progress mode."""
    if document.profile is None or not any(r.axes.get("probe") == "ft" for r in document.results.rows):
        return []
    source = Source(document.profile, "the profile", draws=_DRAWS)
    ranks = document.profile.machine.ranks or 2
    problem = FtProblem(-(-_ROWS // ranks) * ranks, _ROW_LENGTH, ranks)
    known = routes(source, problem)
    if ranks < 2 or not known:
        return []
    try:
        result = list(_crossovers(source, problem, known[0]))
    except UserError:  # a parameter is unresolved: the LogGP section says why
        return []
    plots = [_plot(one) for one in result]
    return [Paragraph(_NOTE, "aside"), Group("maps", plots)]


def _crossovers(source: Source, problem: FtProblem, route: Route) -> Iterator[Crossover]:
    work_s = balanced_s(source, problem, route)
    pencils, slabs = Option("pencils", problem.rows), Option("slabs", problem.ranks)
    for along in _ALONG:
        found = crossover("ft", source, problem, pencils, slabs, route, along, work_s)
        if found is not None:
            yield found


def _plot(result: Crossover) -> Group:
    name, unit, factor = _ALONG[result.along]
    rates = [float(rate) * factor for rate in result.rates]
    band: Spec = {
        "type": "scatter",
        "mode": "lines",
        "x": [*rates, *reversed(rates)],
        "y": [*map(float, result.high), *map(float, reversed(result.low))],
        "fill": "toself",
        "opacity": 0.25,
        "line": {"width": 0, "color": colour(0)},
        "fillcolor": colour(0),
        "hoverinfo": "skip",
        "showlegend": False,
        "meta": MODEL,
    }
    ratio = curve("time of pencils over slabs", 0, rates, [float(value) for value in result.ratio])
    x, y = log_axis(rates, f"{name}, {unit}"), {"title": "time of pencils / slabs"}
    here, here_words = vertical_line(result.here * factor, "here")
    shapes, words = [horizontal_line(1), here], [here_words]
    if result.at is not None:
        shape, text = vertical_line(
            result.at.value * factor, "pencils lose" if result.upwards else "slabs win", 1
        )
        shapes.append(shape)
        words.append(text)
    axes = layout(x, y) | {"shapes": shapes, "annotations": words, "showlegend": False}
    spec = {"data": [band, ratio | {"hoverinfo": "x+y"}], "layout": axes}
    heading = f"{name.capitalize()}, {result.route}"
    return titled("map", heading, Figure(spec, f"crossover over {name}", _sentence(result), height=300))


def _sentence(result: Crossover) -> str:
    name, unit, factor = _ALONG[result.along]
    sizes = f"N {result.problem['rows']}, R {result.problem['row_length']}, {result.problem['ranks']} ranks"
    if result.at is None:
        low, high = (significant(float(rate) * factor) for rate in (result.rates[0], result.rates[-1]))
        lose = "lose" if float(result.ratio.min()) > 1 + LOSS else "do not lose"
        span = f"from {low} to {high} {unit}"
        return f"{sizes}: pencils {lose} by more than {said_share(LOSS)} at any {name} {span}."
    ends = (result.at.value, result.at.ci95_low, result.at.ci95_high)
    at, low, high = (significant(end * factor) for end in ends)
    side = "above" if result.upwards else "below"
    share = "" if math.isclose(result.share, 1.0) else f", in {said_share(result.share)} of the draws"
    interval = f"({low} to {high}{share})"
    return f"{sizes}: pencils lose by more than {said_share(LOSS)} {side} a {name} of {at} {unit} {interval}."


SECTION = Section(74, "crossover", "When pencils begin to lose to slabs", body)
