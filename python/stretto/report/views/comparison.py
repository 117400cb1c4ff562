# SPDX-License-Identifier: BSD-3-Clause
"""How the comparison of two runs is shown: the rows that differ, or one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from stretto.data.results import ResultRow
from stretto.data.sizes import format_bandwidth, format_duration, format_size
from stretto.model.compare import VERDICTS, Compared, Comparison
from stretto.report.screen import Column, Part, table

_COLUMNS = (
    Column("metric"),
    Column("of", words=True),
    Column("A"),
    Column("B"),
    Column("diff"),
    Column("verdict", words=True),
)

_STYLES = {"FASTER": "green", "SLOWER": "red", "AMBIGUOUS": "yellow", "SAME": ""}


def comparison_document(comparison: Comparison, threshold: float) -> dict[str, Any]:
    """The document of `stretto compare`."""
    return {
        "threshold": threshold,
        "counts": {verdict: comparison.count(verdict) for verdict in VERDICTS},
        "unresolved": comparison.unresolved,
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
        "rows": [
            {
                **row.a.axes,
                "metric": row.a.metric,
                "unit": row.a.unit,
                "a": _figure(row.a),
                "b": _figure(row.b),
                "difference": row.difference,
                "verdict": row.verdict,
            }
            for row in comparison.rows
        ],
    }


def _figure(row: ResultRow) -> dict[str, Any]:
    return {"value": row.value, "ci95_low": row.ci95_low, "ci95_high": row.ci95_high, "n": row.n}


def comparison_view(comparison: Comparison, threshold: float) -> Iterator[Part]:
    """The rows that differ, then how many have which verdict."""
    differing = [row for row in comparison.rows if row.verdict != "SAME"]
    if differing:
        varying = _varying(differing)
        yield table(_COLUMNS, (_cells(row, varying) for row in differing))
    counts = ", ".join(f"{comparison.count(verdict)} {verdict}" for verdict in VERDICTS)
    yield f"B against A: {counts} (threshold {threshold:.3g})"
    if comparison.unresolved:
        yield f"unresolved in both: {comparison.unresolved}"
    if comparison.only_a or comparison.only_b:
        yield f"only in A: {comparison.only_a}, only in B: {comparison.only_b}"


def _cells(row: Compared, varying: Sequence[str]) -> list[str | Text]:
    return [
        row.a.metric,
        _place(row.a.axes, varying),
        _value(row.a),
        _value(row.b),
        _difference(row),
        Text(row.verdict, style=_STYLES[row.verdict]),
    ]


def _varying(rows: Sequence[Compared]) -> tuple[str, ...]:
    """The axes in which the rows differ: what they share need not be said on each."""
    names = dict.fromkeys(name for row in rows for name in row.a.axes)
    return tuple(name for name in names if len({row.a.axes.get(name) for row in rows}) > 1)


def _place(axes: Mapping[str, Any], names: Sequence[str]) -> str:
    words = []
    for name in names:
        value = axes.get(name)
        if value is None:
            continue
        if name.endswith("_bytes") and isinstance(value, int):
            words.append(format_size(value))
        else:
            words.append(str(value) if isinstance(value, str) else f"{name} {value:g}")
    return " ".join(words)


def _value(row: ResultRow) -> str:
    if row.value is None:
        return "unresolved"
    if row.unit == "s":
        return format_duration(row.value)
    if row.unit == "B/s":
        return format_bandwidth(row.value)
    return f"{row.value * 1e9:.3g}ns/B" if row.unit == "s/B" else f"{row.value:.3f}"


def _difference(row: Compared) -> str:
    if row.difference is None:
        return "-"
    return f"{row.difference:+.3f}" if row.a.unit == "1" else f"{row.difference:+.1%}"
