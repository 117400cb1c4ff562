# SPDX-License-Identifier: BSD-3-Clause
"""Shows the comparison of two runs: the verdict and the differences, or one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from stretto.data.results import ResultRow
from stretto.model.compare import FALSE_DISCOVERIES, VERDICTS, Compared, ComparedSeries, Comparison
from stretto.report.comparison import (
    differing_series,
    judgement,
    lone_rows,
    place,
    shown_difference,
    shown_value,
    varying,
)
from stretto.report.screen import Column, Part, heading, prose, table

_ROWS = (
    Column("metric"),
    Column("of", words=True),
    Column("A"),
    Column("B"),
    Column("diff"),
    Column("verdict", words=True),
)
_SERIES = (
    Column("metric"),
    Column("series", words=True),
    Column("sizes"),
    Column("diff"),
    Column("verdict", words=True),
)
_STYLES = {"FASTER": "green", "SLOWER": "red", "AMBIGUOUS": "yellow", "SAME": ""}
_MAX_ROWS = 12  # without --all; so that the whole answer is one screen


def comparison_document(comparison: Comparison, threshold: float) -> dict[str, Any]:
    """The document of `stretto compare`."""
    return {
        "threshold": threshold,
        "false_discovery_rate": FALSE_DISCOVERIES,
        "verdict": judgement(comparison, threshold, "B", "A").verdict,
        "counts": {verdict: comparison.count(verdict) for verdict in VERDICTS},
        "unresolved": comparison.unresolved,
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
        "series": [
            {
                **one.axes,
                "metric": one.metric,
                "unit": one.unit,
                "rows": len(one.rows),
                "difference": one.difference,
                "verdict": one.verdict,
            }
            for one in comparison.series
        ],
        "rows": [
            {
                **row.a.axes,
                "metric": row.a.metric,
                "unit": row.a.unit,
                "a": _figure(row.a),
                "b": _figure(row.b),
                "difference": row.difference,
                "p": row.p,
                "verdict": row.verdict,
            }
            for row in comparison.rows
        ],
    }


def _figure(row: ResultRow) -> dict[str, Any]:
    return {"value": row.value, "ci95_low": row.ci95_low, "ci95_high": row.ci95_high, "n": row.n}


def comparison_view(
    comparison: Comparison, threshold: float, everything: bool = False, more: str = ""
) -> Iterator[Part]:
    """The verdict, then what differs or, with `everything`, all rows; last `more`, the next command."""
    result = judgement(comparison, threshold, "A", "B")
    yield prose(result.verdict, indent=0, style="bold")
    yield prose(result.basis, indent=0, style="dim")
    series = list(comparison.series) if everything else differing_series(comparison)
    if series:
        yield ""
        yield heading("By series: the middle of the differences over its sizes")
        yield _series_table(series)
    rows = list(comparison.rows) if everything else list(lone_rows(comparison))
    if rows:
        shown = rows if everything else rows[:_MAX_ROWS]
        yield ""
        yield heading("Figure by figure")
        yield _row_table(shown)
        if len(shown) < len(rows):
            yield f"and {len(rows) - len(shown)} more"
    yield ""
    counts = ", ".join(f"{comparison.count(verdict)} {verdict}" for verdict in VERDICTS)
    yield f"B against A: {counts} (threshold {threshold:.3g})"
    if more:
        yield f"next: {more}"


def _series_table(series: Sequence[ComparedSeries]) -> Part:
    names = varying([one.axes for one in series])
    return table(
        _SERIES,
        (
            [
                one.metric,
                place(one.axes, names),
                str(len(one.rows)),
                shown_difference(one.difference, one.unit),
                Text(one.verdict, style=_STYLES[one.verdict]),
            ]
            for one in series
        ),
    )


def _row_table(rows: Sequence[Compared]) -> Part:
    names = varying([row.a.axes for row in rows])
    return table(_ROWS, (_cells(row, names) for row in rows))


def _cells(row: Compared, names: Sequence[str]) -> list[str | Text]:
    return [
        row.a.metric,
        place(row.a.axes, names),
        shown_value(row.a),
        shown_value(row.b),
        shown_difference(row.difference, row.a.unit),
        Text(row.verdict, style=_STYLES[row.verdict]),
    ]
