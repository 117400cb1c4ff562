# SPDX-License-Identifier: BSD-3-Clause
"""Overlap as maps of size against T_w/T_c, with the transports' own T_c beside them, and the substrate's
bound.
"""

from collections.abc import Mapping, Sequence

from stretto.report.document import Document
from stretto.report.figures import DASHES, Spec, heatmap, layout, marks, size_axis
from stretto.report.markup import (
    Column,
    Html,
    element,
    escaped,
    figure,
    folded,
    interval,
    joined,
    negative,
    reasons,
    table,
    value,
)
from stretto.report.sections import Section
from stretto.report.select import (
    OverlapPoint,
    Series,
    axis,
    headline,
    overlap,
    plain_transfer_s,
    size_of,
    title,
    where,
)
from stretto.report.units import microseconds, percent, ratio, size_label

Everything = Mapping[Series, Sequence[OverlapPoint]]


def body(document: Document) -> Html | None:
    """Maps, T_c beside the plain MPI's, and the familiar tables; with an emulated network's own bound
    before all.
    """
    everything = overlap(document.results.rows)
    bound = _bound(document)
    if not everything:
        return bound
    legend = element(
        "p",
        "Percent of the shorter of communication and work that disappears behind the other. ",
        element("span", "−100", element("span", class_="scale", aria_hidden="true"), "+100. ", class_="end"),
        "A ? is unresolved; the frame marks as much work as communication.",
        class_="aside",
    )
    maps = element(
        "div", *(_map(series, points, everything) for series, points in everything.items()), class_="maps"
    )
    tables = [_table(series, points, everything) for series, points in everything.items()]
    return joined(
        part
        for part in (bound, legend, maps, _transfer_times(everything), folded("Overlap as tables", *tables))
        if part is not None
    )


def _map(series: Series, points: Sequence[OverlapPoint], everything: Everything) -> Html:
    ratios = sorted({p.ratio for p in points})
    sizes = sorted({p.size_bytes for p in points})
    at = {(p.size_bytes, p.ratio): p for p in points}
    cells = [[_cell(at.get((size, r)), size, r) for r in ratios] for size in sizes]
    spec = heatmap([f"{r:g}" for r in ratios], [size_label(size) for size in sizes], cells)
    name = title(series, everything)
    return element(
        "div",
        element("h3", name),
        figure(spec, f"overlap, {name}", height=76 + 30 * max(len(sizes), 2)),
        class_="map",
    )


def _cell(point: OverlapPoint | None, size: int, at: float) -> dict[str, object]:
    row = point.row("eta") if point else None
    place = f"{size_label(size)}, T_w/T_c {at:g}: "
    if row is None:
        return {"value": None, "text": "", "hover": place + "not measured"}
    if row.value is None:
        return {"value": None, "text": "?", "hover": f"{place}unresolved, {row.reason or 'no reason told'}"}
    shown = negative(percent(row.value))
    between = ""
    if row.ci95_low is not None and row.ci95_high is not None:
        between = f" ({negative(percent(row.ci95_low))} to {negative(percent(row.ci95_high))} %)"
    return {"value": row.value, "text": shown, "hover": f"{place}{shown} %{between}, n {row.n}"}


def _transfer_times(everything: Everything) -> Html | None:
    """T_c of each series over the plain MPI's at the same size: 1 costs nothing, 2 doubles the
    communication.
    """
    traces: list[Spec] = []
    sizes: set[int] = set()
    largest = 1.0
    others = [series for series in everything if not series.is_plain]
    paths = list(dict.fromkeys(_path(series) for series in everything))
    progresses = list(dict.fromkeys(series.get("progress") for series in everything))
    for series in others:
        index, dash = (
            paths.index(_path(series)),
            DASHES[progresses.index(series.get("progress")) % len(DASHES)],
        )
        plain_s = plain_transfer_s(everything, series)
        name, points = title(series, others), []
        for point in headline(everything[series]):
            mine, base = point.value("T_c"), plain_s.get(point.size_bytes)
            if mine is not None and base:
                words = f"{size_label(point.size_bytes)}, {name}: {microseconds(mine)} µs"
                words += f", plain MPI {microseconds(base)} µs"
                points.append((float(point.size_bytes), mine / base, None, None, words))
                sizes.add(point.size_bytes)
                largest = max(largest, mine / base)
        if points:
            traces.append(marks(name, index, points, mode="lines+markers", line={"dash": dash}))
    if not traces:
        return None
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1, "layer": "below"}
    line |= {"line": {"color": "var(--ink-soft)", "width": 1.4}}
    y = {"title": "T<sub>c</sub> / plain MPI's T<sub>c</sub>", "range": [0, largest * 1.08]}
    spec = {"data": traces, "layout": layout(size_axis(sizes), y) | {"shapes": [line]}}
    words = (
        "What the transfer alone costs beside plain MPI (the line at 1). A runtime that makes T_c longer "
        "gets a fine overlap for nothing: read each map together with this."
    )
    return joined(
        [
            element("h3", "Communication alone"),
            figure(spec, "communication time beside plain MPI", words, 340),
        ]
    )


def _path(series: Series) -> Series:
    return Series(tuple(pair for pair in series.axes if pair[0] in ("transport", "operation")))


_HEADS = (
    Column("Size"),
    Column("Overall", "µs"),
    Column("Compute", "µs"),
    Column("Pure comm.", "µs"),
    Column("plain MPI's", "µs"),
    Column("Overlap", "%"),
    Column("95 %"),
    Column("n"),
    Column("Knee", "%"),
    Column("Exposed", "µs"),
    Column("init", "µs"),
    Column("work", "µs"),
    Column("sync", "µs"),
    Column("barrier", "µs"),
    Column("kappa"),
    Column("95 %"),
)


def _table(series: Series, points: Sequence[OverlapPoint], everything: Everything) -> Html:
    plain_s = plain_transfer_s(everything, series)
    rows = [_cells(point, plain_s.get(point.size_bytes)) for point in headline(points)]
    ratios = ", ".join(f"{r:g}" for r in sorted({p.ratio for p in headline(points)}))
    told = table(_HEADS, rows, f"{title(series, everything)}, T_w/T_c {ratios}")
    unresolved = [r for p in headline(points) if (r := p.row("eta")) is not None]
    return joined(
        [
            told,
            reasons(
                unresolved, lambda row: f"{size_label(size_of(row) or 0)} at {axis(row, 'ratio') or 1:g}"
            ),
        ]
    )


def _cells(point: OverlapPoint, plain_s: float | None) -> list[object]:
    eta, kappa = point.row("eta"), point.row("kappa")
    return [
        size_label(point.size_bytes),
        *(value(point.row(name), microseconds) for name in ("T_t", "T_w", "T_c")),
        "–" if plain_s is None else microseconds(plain_s),
        value(eta, percent),
        interval(eta, percent),
        eta.n if eta and eta.n else "",
        value(point.row("knee_overlap"), percent),
        *(value(point.row(name), microseconds) for name in ("exposed", "init", "work", "sync", "barrier")),
        value(kappa, ratio),
        interval(kappa, ratio),
    ]


def _bound(document: Document) -> Html | None:
    """The most that an emulated network lets anybody hide, since its own packets take processor time."""
    found = where(document.results.rows, "bound")
    if not found:
        return None
    parts: list[object] = []
    for row in found:
        way = str(axis(row, "direction") or "one-way").replace("-", " ")
        parts += [", " if parts else "", f"{way} ", element("strong", value(row, percent), " %"), " ("]
        parts += [interval(row, percent), " %)"]
    return element(
        "p",
        element("strong", "The emulated network's own bound: "),
        *parts,
        escaped(
            ". So much raw TCP hides beside counted work there: read the overlap against it, not against 100."
        ),
        class_="callout",
    )


SECTION = Section(40, "overlap", "Overlap", body)
