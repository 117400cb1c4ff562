# SPDX-License-Identifier: BSD-3-Clause
"""Overlap of every path: at one T_w/T_c, by T_w/T_c, the price in T_c, and the substrate's bound."""

from collections.abc import Mapping, Sequence

from stretto.data.results import ResultRow
from stretto.report.blocks import (
    Block,
    ColourScale,
    Column,
    Folded,
    Group,
    Inline,
    Paragraph,
    Span,
    Table,
    Words,
    present,
)
from stretto.report.communication import communication_alone
from stretto.report.document import Document
from stretto.report.figure_cells import interval, negative, tables, value
from stretto.report.origin import BELOW_A_SEGMENT
from stretto.report.overlap_tables import overlap_table
from stretto.report.prose import Strong
from stretto.report.sections import Section
from stretto.report.select import (
    OverlapPoint,
    Series,
    axis,
    headline,
    is_below_a_segment,
    is_uncertain,
    overlap,
    title,
    where,
)
from stretto.report.units import percent, size_label

# From this share of the scale on, its colours are dark enough for white figures.
_FAR = 0.75
Everything = Mapping[Series, Sequence[OverlapPoint]]


def body(document: Document) -> Sequence[Block]:
    """The bound of an emulated network, all series at one T_w/T_c, maps of those that were swept, T_c."""
    rows = document.results.rows
    everything = overlap(rows)
    bound = _bound(document)
    if not everything:
        return present([bound])
    swept = {series: points for series, points in everything.items() if len({p.ratio for p in points}) > 1}
    maps = [_map(series, points, swept) for series, points in swept.items()]
    described = [overlap_table(series, everything, rows) for series in everything]
    parts = (bound, _legend(), _matrix(everything), *maps, *communication_alone(everything))
    return [*present(parts), Folded("Overlap as tables", tables(described))]


def _legend() -> Paragraph:
    words = (
        "Percent of the shorter of communication and computation that the other hides. ",
        ColourScale(),
        "A ? is unresolved, ≈ has an interval wider than 50 and no colour; the tables by T_w/T_c have the "
        "computation over the communication in their heads.",
    )
    return Paragraph(words, "aside")


def _matrix(everything: Everything) -> Group:
    """Every series in one row, sizes across, at its T_w/T_c nearest to 1."""
    sizes = sorted({p.size_bytes for points in everything.values() for p in points})
    rows: list[list[Words]] = []
    for series, points in everything.items():
        at = {p.size_bytes: p for p in headline(points)}
        rows.append([title(series, everything), *(_heat(at.get(size), size) for size in sizes)])
    columns = [
        Column("As much computation as communication", words=True),
        *(Column(size_label(size)) for size in sizes),
    ]
    return Group("matrix", [Table(columns, rows, "Overlap of every path, %")])


def _heat(point: OverlapPoint | None, size: int) -> Inline:
    """A coloured cell; the style sheet mixes the colour from the share of full colour."""
    if point is None:
        return ""
    cell = _cell(point, size)
    figure_ = cell["value"]
    if not isinstance(figure_, float):
        return Span(str(cell["text"]), "heat none", title=str(cell["hover"]))
    kind, share = "gain" if figure_ > 0 else "loss", min(100.0, 100 * abs(figure_))
    # From zero to the half colour, and on from that to the full one.
    if share > 50:
        kind, share = f"{kind} over", share - 50
    if abs(figure_) >= _FAR:
        kind += " far"
    style = f"--share:{2 * share:.0f}%"
    return Span(str(cell["text"]), f"heat {kind}", title=str(cell["hover"]), style=style)


def _map(series: Series, points: Sequence[OverlapPoint], everything: Everything) -> Group:
    """One series, sizes down and T_w/T_c across."""
    ratios = sorted({p.ratio for p in points})
    at = {(p.size_bytes, p.ratio): p for p in points}
    rows: list[list[Words]] = [
        [size_label(size), *(_heat(at.get((size, one)), size) for one in ratios)]
        for size in sorted({p.size_bytes for p in points})
    ]
    columns = [Column("Size", words=True), *(Column(f"T_w/T_c {one:g}") for one in ratios)]
    return Group("matrix", [Table(columns, rows, f"Overlap by T_w/T_c, %: {title(series, everything)}")])


def _cell(point: OverlapPoint, size: int) -> dict[str, object]:
    row = point.row("eta")
    place = f"{size_label(size)}, T_w/T_c {point.ratio:g}: "
    if row is None:
        return {"value": None, "text": "", "hover": place + "not measured"}
    if row.value is None:
        return {
            "value": None,
            "text": "?",
            "hover": f"{place}unresolved, {row.reason or 'without a reason'}",
        }
    shown = negative(percent(row.value))
    uncertain = is_uncertain(row)
    between = ""
    if row.ci95_low is not None and row.ci95_high is not None:
        between = f" ({negative(percent(row.ci95_low))} to {negative(percent(row.ci95_high))} %)"
    value_shown = None if uncertain else row.value
    text = f"≈{shown}" if uncertain else shown
    return {"value": value_shown, "text": text, "hover": f"{place}{shown} %{between}, n {row.n}"}


def _bound(document: Document) -> Paragraph | None:
    """The largest overlap that an emulated network allows, because its packets take processor time."""
    result = where(document.results.rows, "bound")
    if not result:
        return None
    words: list[Inline] = [Strong("The emulated network's own bound: ")]
    for index, row in enumerate(result):
        way = str(axis(row, "direction") or "one-way").replace("-", " ")
        words += [
            ", " if index else "",
            f"{way} ",
            *_strong_percent(row),
            " (",
            interval(row, percent),
            " %)",
        ]
    words.append(
        ". So much of raw TCP hides under computation there: read the overlap against it, not against 100."
    )
    if is_below_a_segment(document.results.rows):
        words.append(f" {BELOW_A_SEGMENT}.")
    return Paragraph(words, "callout")


def _strong_percent(row: ResultRow) -> list[Inline]:
    shown = value(row, percent)
    return [Strong(f"{shown} %")] if isinstance(shown, str) else [shown, " %"]


SECTION = Section(40, "overlap", "Overlap", body)
