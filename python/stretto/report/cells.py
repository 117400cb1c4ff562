# SPDX-License-Identifier: BSD-3-Clause
"""One figure in one cell of a terminal table: value, interval, number of samples, and reason if missing."""

from collections.abc import Callable, Iterable, Iterator

from stretto.data.results import ResultRow
from stretto.report.reasons import reasons_of
from stretto.report.screen import Part, prose
from stretto.report.select import is_uncertain, size_of
from stretto.report.units import compact_size, percent

Format = Callable[[float], str]
UNRESOLVED = "unresolved"


def value(row: ResultRow | None, form: Format) -> str:
    """The value; `-` without measurement, `unresolved` without a figure, `<=` before an upper bound."""
    if row is None:
        return "-"
    if row.value is None:
        return UNRESOLVED
    return {"upper": "<=", "lower": ">="}.get(row.bound or "", "") + form(row.value)


def narrow(row: ResultRow | None, form: Format) -> str:
    """Same as `value`, for a column too narrow for `unresolved`."""
    shown = value(row, form)
    return "?" if shown == UNRESOLVED else shown


def brief_overlap(row: ResultRow | None) -> str:
    """Percent in a column too narrow for an interval: `~` before an uncertain figure, `?` if unresolved."""
    shown = narrow(row, percent)
    return f"~{shown}" if row is not None and row.value is not None and is_uncertain(row) else shown


def interval(row: ResultRow | None, form: Format) -> str:
    if row is None or row.ci95_low is None or row.ci95_high is None:
        return "-"
    return f"{form(row.ci95_low)}..{form(row.ci95_high)}"


def count(row: ResultRow | None) -> str:
    if row is None or not row.n:
        return "-"
    return str(row.n) if row.n < 1000 else f"{row.n // 1000}k"


def reasons(rows: Iterable[ResultRow], of: Callable[[ResultRow], str] | None = None) -> Iterator[Part]:
    """The lines below a table with the reasons for missing figures; `of` names a row, by default its size."""
    for reason in reasons_of(rows, of or (lambda row: compact_size(size_of(row) or 0))):
        yield prose(reason.sentence(), style="yellow")
