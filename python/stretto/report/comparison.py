# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on two runs in sentences, and the cells of its tables: for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import AxisValue, ResultRow
from stretto.data.sizes import format_size, said_change, said_share, shown_bandwidth, shown_duration
from stretto.model.compare import FALSE_DISCOVERIES, Compared, ComparedSeries, Comparison
from stretto.report.select import transport_name

# What a reader looks for first; the other axes follow in the order of the rows.
_FIRST = ("probe", "transport", "operation", "progress")
_MAX_NAMED = 3


@dataclass(frozen=True)
class Judgement:
    """The answer of a comparison: its verdict in one sentence, and what the verdict rests on."""

    verdict: str
    basis: str


def judgement(comparison: Comparison, threshold: float, a: str, b: str) -> Judgement:
    """The answer, with A and B called by these names."""
    return Judgement(_verdict(comparison, threshold, a, b), _basis(comparison, threshold))


def _verdict(comparison: Comparison, threshold: float, a: str, b: str) -> str:
    rows = comparison.rows
    slower = [row for row in rows if row.verdict == "SLOWER"]
    faster = [row for row in rows if row.verdict == "FASTER"]
    if not rows:
        return f"Nothing can be said: no figure is resolved in {a} or {b}."
    if slower and faster:
        return (
            f"{b} is slower than {a} in {len(slower)} and faster in {len(faster)} of {len(rows)} figures: "
            f"{_where(comparison)}."
        )
    if slower or faster:
        word, result = ("slower", slower) if slower else ("faster", faster)
        share = f"{len(result)} of {len(rows)} figures{_by(result)}"
        return f"{b} is {word} than {a} in {share}: {_where(comparison)}."
    ambiguous = comparison.count("AMBIGUOUS")
    if 2 * ambiguous > len(rows):
        return (
            f"It is uncertain whether {b} differs from {a}: {ambiguous} of {len(rows)} figures are AMBIGUOUS."
        )
    none = f"none of {len(rows)} figures differs by more than {threshold:.3g} for certain"
    return f"{b} is as fast as {a}: {none}."


def _by(rows: Sequence[Compared]) -> str:
    """` by 18 % in the middle`, of the relative differences."""
    shares = [abs(row.difference) for row in rows if row.difference is not None and row.a.unit != "1"]
    return f", by {said_share(float(np.median(shares)))} in the middle" if shares else ""


def _where(comparison: Comparison) -> str:
    """Which series differ, the longest first."""
    differing = sorted(
        (one for one in comparison.series if one.count("SLOWER") + one.count("FASTER")),
        key=lambda one: -(one.count("SLOWER") + one.count("FASTER")),
    )
    names = [f"{one.metric} of {_short_name(one.axes)}" for one in differing]
    shown = ", ".join(dict.fromkeys(names[:_MAX_NAMED]))
    more = len(names) - _MAX_NAMED
    return f"{shown} and {more} other series" if more > 0 else shown


def _short_name(axes: Mapping[str, AxisValue]) -> str:
    transport, operation = axes.get("transport"), axes.get("operation")
    words = [transport_name(transport)] if transport else [str(axes.get("probe", "the probes"))]
    return " ".join([*words, *([str(operation)] if operation else [])])


def _basis(comparison: Comparison, threshold: float) -> str:
    text = (
        f"A difference counts beyond {threshold:.3g}, at a false discovery rate of "
        f"{said_share(FALSE_DISCOVERIES)} over all tests, with the spread between runs estimated from the "
        "rows."
    )
    if comparison.unresolved:
        count = comparison.unresolved
        text += f" {count} {'figure is' if count == 1 else 'figures are'} unresolved in both."
    if comparison.only_a or comparison.only_b:
        text += f" {comparison.only_a} are only in A, {comparison.only_b} only in B."
    return text


def varying(members: Sequence[Mapping[str, AxisValue]]) -> tuple[str, ...]:
    """The axes in which the members differ, and the first ones that a reader needs to know what it is."""
    names = dict.fromkeys((*_FIRST, *(name for axes in members for name in axes)))
    kept = [name for name in names if len({axes.get(name) for axes in members}) > 1]
    return tuple(kept) or tuple(name for name in _FIRST[:2] if any(name in axes for axes in members))


def place(axes: Mapping[str, AxisValue], names: Sequence[str]) -> str:
    """The axes of these names in words."""
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


def differing_series(comparison: Comparison) -> list[ComparedSeries]:
    """The series that differ as a whole, the largest difference first."""
    result = [one for one in comparison.series if len(one.rows) > 1 and one.verdict in ("SLOWER", "FASTER")]
    return sorted(result, key=lambda one: -abs(one.difference))


def lone_rows(comparison: Comparison) -> Iterator[Compared]:
    """The rows that differ in series that do not."""
    known = {id(row) for one in differing_series(comparison) for row in one.rows}
    return (row for row in comparison.rows if row.verdict in ("SLOWER", "FASTER") and id(row) not in known)


def shown_value(row: ResultRow) -> str:
    if row.value is None:
        return "unresolved"
    if row.unit == "s":
        return shown_duration(row.value)
    if row.unit == "B/s":
        return shown_bandwidth(row.value)
    if row.unit == "1/s":
        return f"{row.value:.4g}/s"
    return f"{row.value * 1e9:.3g}ns/B" if row.unit == "s/B" else f"{row.value:.3f}"


def shown_difference(difference: float | None, unit: str) -> str:
    if difference is None:
        return "-"
    return f"{difference:+.3f}" if unit == "1" else said_change(difference, 1)
