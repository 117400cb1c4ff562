# SPDX-License-Identifier: BSD-3-Clause
"""The page on two runs: the verdict, a picture of all differences, what differs, and where both come from."""

from __future__ import annotations

from collections.abc import Sequence

from stretto.data.results import Results
from stretto.model.compare import VERDICTS, Compared, ComparedSeries, Comparison
from stretto.report.blocks import Block, Column, Figure, Folded, Headlines, Paragraph, Span, Table, Words
from stretto.report.comparison import (
    differing_series,
    judgement,
    lone_rows,
    place,
    shown_difference,
    shown_value,
    varying,
)
from stretto.report.figures import Spec, colour, label, layout
from stretto.report.html import Part, page
from stretto.report.origin import origin

_MAX_SERIES = 40  # in the picture: more lines are too close
_SERIES_PX = 22
_WORDS = {"FASTER": "faster", "SLOWER": "slower", "SAME": "same", "AMBIGUOUS": "uncertain"}
_COLOURS = {"FASTER": 2, "SLOWER": 1, "SAME": 0, "AMBIGUOUS": 3}
_MARKS = {"FASTER": "triangle-up", "SLOWER": "square", "SAME": "circle", "AMBIGUOUS": "circle-open"}


def render_comparison(
    comparison: Comparison, threshold: float, a: Results, b: Results, names: tuple[str, str]
) -> str:
    """The whole page as HTML text; all words of the runs are escaped in it.

    Args:
        comparison: Of A and B.
        threshold: The one that it was made with.
        a: The results that were compared with, for their origin.
        b: The results that were judged.
        names: What A and B were called on the command line.
    """
    parts = [
        Part("verdict", "The answer", _answer(comparison, threshold)),
        Part("differences", "All differences", _picture(comparison, threshold)),
        Part("differing", "What differs", _differing(comparison)),
        Part("figures", "Every figure", _everything(comparison)),
        Part("runs", "The two runs", _runs(a, b, names)),
    ]
    return page(
        title=f"stretto: {names[1]} against {names[0]}",
        heading=f"{names[1]} against {names[0]}",
        dateline=f"A is {names[0]}, B is {names[1]}",
        parts=[part for part in parts if part.blocks],
    )


def _answer(comparison: Comparison, threshold: float) -> Sequence[Block]:
    result = judgement(comparison, threshold, "A", "B")
    counts = ", ".join(f"{comparison.count(verdict)} {_WORDS[verdict]}" for verdict in VERDICTS)
    return [Headlines([[result.verdict]]), Paragraph(f"{result.basis} In all: {counts}.", "aside")]


def _picture(comparison: Comparison, threshold: float) -> Sequence[Block]:
    """One line a series: a mark for every figure, at its difference in percent."""
    series = sorted(comparison.series, key=lambda one: -abs(one.difference))[:_MAX_SERIES]
    if not series:
        return []
    names = varying([one.axes for one in series])
    lines = [f"{one.metric} {place(one.axes, names)}" for one in series]
    traces = [_marks(verdict, series, lines) for verdict in VERDICTS]
    limit = 100 * threshold
    spec: Spec = {
        "data": [trace for trace in traces if trace["x"]],
        "layout": layout(
            {"title": "difference of B from A, % (of fractions: points)"},
            {"title": "", "automargin": True, "autorange": "reversed"},
            shapes=[_band(-limit, limit)],
        ),
    }
    caption = (
        "One line per series, the largest difference above; one mark per size. The band is the threshold. "
        "A long transfer time and a low bandwidth or overlap are both worse: the colour tells."
    )
    if len(comparison.series) > len(series):
        caption += f" {len(comparison.series) - len(series)} series with smaller differences are not drawn."
    height = 120 + _SERIES_PX * len(series)
    return [Figure(spec, "differences of B from A by series", caption, height=height)]


def _marks(verdict: str, series: Sequence[ComparedSeries], lines: Sequence[str]) -> Spec:
    x, y, text = [], [], []
    for one, line in zip(series, lines, strict=True):
        for row in one.rows:
            if row.verdict != verdict or row.difference is None:
                continue
            x.append(100 * row.difference)
            y.append(label(line))
            values = f"{shown_value(row.a)} → {shown_value(row.b)}"
            at = place(row.a.axes, ("size_bytes", "ratio", "size_min_bytes"))
            text.append(label(f"{at}: {values} ({shown_difference(row.difference, one.unit)})"))
    return {
        "type": "scatter",
        "mode": "markers",
        "name": _WORDS[verdict],
        "x": x,
        "y": y,
        "text": text,
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {"color": colour(_COLOURS[verdict]), "symbol": _MARKS[verdict], "size": 8},
    }


def _band(low: float, high: float) -> Spec:
    return {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": low,
        "x1": high,
        "y0": 0,
        "y1": 1,
        "fillcolor": "var(--grid)",
        "opacity": 0.5,
        "line": {"width": 0},
        "layer": "below",
    }


def _differing(comparison: Comparison) -> Sequence[Block]:
    series, rows = differing_series(comparison), list(lone_rows(comparison))
    if not series and not rows:
        return [Paragraph("Nothing differs for certain.", "aside")]
    blocks: list[Block] = []
    if series:
        names = varying([one.axes for one in series])
        columns = [
            Column("Metric", words=True),
            Column("Series", words=True),
            Column("Sizes"),
            Column("Difference"),
            Column("B is", words=True),
        ]
        cells: list[Sequence[Words]] = [
            [
                one.metric,
                place(one.axes, names),
                str(len(one.rows)),
                Span(shown_difference(one.difference, one.unit), sort_by=one.difference),
                _WORDS[one.verdict],
            ]
            for one in series
        ]
        blocks.append(Table(columns, cells, "Series that differ as a whole: the middle over their sizes"))
    if rows:
        blocks.append(_rows(rows, "Single figures that differ"))
    return blocks


def _everything(comparison: Comparison) -> Sequence[Block]:
    rows = [row for row in comparison.rows if row.difference is not None]
    if not rows:
        return []
    return [Folded(f"{len(rows)} figures that both resolve", [_rows(rows, "All figures")])]


def _rows(rows: Sequence[Compared], caption: str) -> Table:
    names = varying([row.a.axes for row in rows])
    columns = [
        Column("Metric", words=True),
        Column("Of", words=True),
        Column("A"),
        Column("B"),
        Column("Difference"),
        Column("B is", words=True),
    ]
    return Table(
        columns,
        [
            [
                row.a.metric,
                place(row.a.axes, names),
                shown_value(row.a),
                shown_value(row.b),
                Span(shown_difference(row.difference, row.a.unit), sort_by=row.difference or 0.0),
                _WORDS[row.verdict],
            ]
            for row in rows
        ],
        caption,
    )


def _runs(a: Results, b: Results, names: tuple[str, str]) -> Sequence[Block]:
    """Both headers side by side; what differs between them is marked."""
    pair = [origin(run.provenance[0]) if run.provenance else None for run in (a, b)]
    lines: list[Sequence[Words]] = [["Name", names[0], names[1], ""]]
    for title, member in (
        ("Measured", "created_utc"),
        ("Command", "command"),
        ("Build", "revision"),
        ("MPI", "mpi"),
        ("Hosts", "hosts"),
        ("Processor", "cpu"),
        ("Ranks", "ranks"),
        ("Locality", "locality"),
        ("Network", "network"),
    ):
        both = ["unknown" if one is None else str(getattr(one, member)) for one in pair]
        lines.append([title, *both, "differs" if both[0] != both[1] else ""])
    heads = ("", "A", "B", "")
    return [Table([Column(head, words=True) for head in heads], lines, "Where the figures come from")]
