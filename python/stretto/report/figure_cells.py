# SPDX-License-Identifier: BSD-3-Clause
"""One figure in one cell of a page's table: its value, its interval, and the reason if missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from stretto.data.results import ResultRow
from stretto.report.blocks import Inline, Notes, Span
from stretto.report.reasons import reasons_of

Format = Callable[[float], str]


def value(row: ResultRow | None, form: Format) -> Inline:
    """A figure; `unresolved` with its reason on hover; `≤` before an upper bound."""
    if row is None:
        return Span("–", "none")
    if row.value is None:
        return Span("unresolved", "unresolved", title=row.reason or "")
    sign = {"upper": "≤ ", "lower": "≥ "}.get(row.bound or "", "")
    shown = sign + negative(form(row.value))
    return Span(shown, title=row.reason) if row.reason else shown


def interval(row: ResultRow | None, form: Format) -> Inline:
    if row is None or row.ci95_low is None or row.ci95_high is None:
        return ""
    return Span(f"{negative(form(row.ci95_low))} to {negative(form(row.ci95_high))}", "interval")


def negative(number: str) -> str:
    """The text with a minus sign, which is as wide as a plus, instead of a hyphen."""
    return "−" + number[1:] if number.startswith("-") else number


def reasons(rows: Iterable[ResultRow], name: Callable[[ResultRow], str]) -> Notes | None:
    """The reasons for unresolved figures and bounds, each once with its rows."""
    notes = [reason.sentence() for reason in reasons_of(rows, name)]
    return Notes(notes) if notes else None
