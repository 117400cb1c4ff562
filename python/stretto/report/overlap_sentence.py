# SPDX-License-Identifier: BSD-3-Clause
"""The sentence about overlap: its amount, its sizes, and better transports; or that it is unresolved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stretto.data.results import ResultRow
from stretto.report.prose import Sentence, Strong, capital, percent_words, percents, subject
from stretto.report.select import (
    TOO_WIDE,
    OverlapPoint,
    Series,
    headline,
    is_uncertain,
    overlap,
    plain_transfer_s,
)
from stretto.report.units import ratio, size_label

# Sizes whose overlap differs by less than this are described together.
SAME_OVERLAP = 0.1
# From this overlap on, another schedule gains almost nothing.
NEARLY_ALL = 0.95


@dataclass(frozen=True)
class Plateau:
    """The largest sizes with similar overlap: their median and the hull of their intervals."""

    first_bytes: int
    last_bytes: int
    value: float
    low: float | None
    high: float | None


def overlap_sentence(rows: Sequence[ResultRow]) -> Sentence:
    """The overlap of plain MPI by size, and the transports that hide more."""
    everything = overlap(rows)
    if not everything:
        return Sentence(("Overlap was not measured.",))
    series = next((s for s in everything if s.is_plain), next(iter(everything)))
    points = headline(everything[series])
    result = plateau(points)
    if result is None:
        return _unresolved(series, points)
    sizes = sorted(p.size_bytes for p in points if p.value("eta") is not None)
    ratio_words = "" if points[0].ratio == 1 else f" (T_w/T_c {points[0].ratio:g})"
    parts = [
        _where(result, sizes),
        ratio_words,
        " ",
        subject(series),
        *_amount(result),
        *_elsewhere(points, result),
        ".",
    ]
    return Sentence((*parts, *_better(everything, series, points)))


def plateau(points: Sequence[OverlapPoint]) -> Plateau | None:
    """The longest run of sizes, down from the largest, whose eta stays within `SAME_OVERLAP` of the
    largest's.

    None when no size has a resolved eta.
    """
    result = [
        (p.size_bytes, row) for p in points if (row := p.row("eta")) is not None and row.value is not None
    ]
    if not result:
        return None
    last = result[-1][1].value or 0.0
    similar: list[tuple[int, ResultRow]] = []
    for size, row in reversed(result):
        if abs((row.value or 0.0) - last) > SAME_OVERLAP:
            break
        similar.append((size, row))
    values = sorted(row.value or 0.0 for _, row in similar)
    lows = [row.ci95_low for _, row in similar if row.ci95_low is not None]
    highs = [row.ci95_high for _, row in similar if row.ci95_high is not None]
    return Plateau(
        similar[-1][0],
        similar[0][0],
        values[len(values) // 2],
        min(lows, default=None),
        max(highs, default=None),
    )


def _where(span: Plateau, sizes: Sequence[int]) -> Strong:
    if span.first_bytes == span.last_bytes:
        return Strong(f"At {size_label(span.first_bytes)},")
    if span.first_bytes == sizes[0]:
        return Strong(f"From {size_label(span.first_bytes)} to {size_label(span.last_bytes)},")
    return Strong(f"From {size_label(span.first_bytes)} on,")


def _amount(span: Plateau) -> Sequence[str]:
    value, low, high = span.value, span.low, span.high
    shown = Strong(f"{percent_words(value)} %")
    interval = percents(low, high)
    if low is None or high is None:
        return " hides ", shown, interval, " of its communication here"
    if high - low > TOO_WIDE:
        return " hides an uncertain part of its communication here: ", shown, interval
    if high < 0:
        cost = Strong(f"{percent_words(-value)} %")
        return " hides nothing here, it loses: concurrent work adds ", cost, percents(-high, -low), " of T_c"
    if low <= 0:
        return " hides none of its communication here, within noise: ", shown, interval
    if value >= NEARLY_ALL:
        return " hides practically all of its communication here: ", shown, interval
    return " hides ", shown, interval, " of its communication here"


def _elsewhere(points: Sequence[OverlapPoint], span: Plateau) -> Sequence[str]:
    """The size below the plateau that differs most from it, and sizes that are unresolved."""
    text: list[str] = []
    below = [p for p in points if p.size_bytes < span.first_bytes]
    resolved = [p for p in below if p.value("eta") is not None]
    if resolved:
        most = max(resolved, key=lambda p: abs((p.value("eta") or 0.0) - span.value))
        row = most.row("eta")
        if row is not None and row.value is not None and not is_uncertain(row):
            interval = percents(row.ci95_low, row.ci95_high)
            text += [
                "; at ",
                size_label(most.size_bytes),
                " it is ",
                Strong(f"{percent_words(row.value)} %"),
                interval,
            ]
    first = min((p.size_bytes for p in resolved), default=span.first_bytes)
    if any(p.size_bytes < first for p in below):
        text.append(f"; under {size_label(first)} it is unresolved")
    return text


def _better(
    everything: Mapping[Series, Sequence[OverlapPoint]], base: Series, points: Sequence[OverlapPoint]
) -> Sequence[str]:
    """What hides more than `base` at its largest size, beyond both intervals, and how much longer it takes
    alone.
    """
    reference = next((p for p in reversed(points) if p.value("eta") is not None), None)
    limit = reference.row("eta") if reference else None
    if reference is None or limit is None:
        return ()
    rivals: list[tuple[float, Series, OverlapPoint, ResultRow]] = []
    for series, members in everything.items():
        if any(series.get(name) != base.get(name) for name in ("side", "direction", "work_kind")):
            continue  # not comparable
        for point in headline(members):
            row = point.row("eta")
            if series == base or point.size_bytes != reference.size_bytes or row is None or row.value is None:
                continue
            if row.ci95_low is not None and limit.ci95_high is not None and row.ci95_low > limit.ci95_high:
                rivals.append((row.value, series, point, row))
    if not rivals:
        return ()
    value, series, point, row = max(rivals, key=lambda rival: rival[0])
    text = [
        f" {capital(subject(series))} hides ",
        Strong(f"{percent_words(value)} %"),
        percents(row.ci95_low, row.ci95_high),
    ]
    text.append(f" at {size_label(point.size_bytes)}")
    plain_s, mine_s = plain_transfer_s(everything, series).get(point.size_bytes), point.value("T_c")
    if plain_s and mine_s:
        text.append(
            f", its communication alone taking {ratio(mine_s / plain_s)} times as long as plain MPI's"
        )
    return (*text, ".")


def _unresolved(series: Series, points: Sequence[OverlapPoint]) -> Sentence:
    why = next(
        (r.reason for p in reversed(points) if (r := p.row("eta")) is not None and r.reason), "no figure"
    )
    return Sentence(
        (f"How much of its communication {subject(series)} hides is ", Strong("unresolved"), f" here: {why}.")
    )
