# SPDX-License-Identifier: BSD-3-Clause
"""The headline sentences: what a reader should take away, said with its interval, or that it could not be
told.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stretto.data.results import ResultRow
from stretto.report.document import Document
from stretto.report.loggp import ranges
from stretto.report.select import (
    OverlapPoint,
    Series,
    axis,
    group,
    headline,
    overlap,
    plain_transfer_s,
    series_of,
    size_of,
    transport_name,
    where,
)
from stretto.report.units import grouped, megabytes_per_second, microseconds, percent, ratio, size_label

# Sizes whose overlap differs by less than this tell one story and share a sentence.
SAME_OVERLAP = 0.1
# From here on the rest is not worth a schedule's trouble.
NEARLY_ALL = 0.95
# An interval wider than this says that the run was too short or too disturbed.
TOO_WIDE = 0.5


class Strong(str):
    """A part of a sentence that is shown with weight."""


@dataclass(frozen=True)
class Sentence:
    """Text in parts; the parts joined are the sentence."""

    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(self.parts)


@dataclass(frozen=True)
class Plateau:
    """The largest sizes that overlap alike: their median figure, and the hull of their intervals."""

    first_bytes: int
    last_bytes: int
    value: float
    low: float | None
    high: float | None


def headlines(document: Document) -> list[Sentence]:
    """Three: overlap; latency and bandwidth; what traffic costs, or where the protocol breaks."""
    rows = document.results.rows
    return [
        overlap_sentence(rows),
        transfer_sentence(rows),
        contention_sentence(rows) or break_sentence(rows),
    ]


# ---- overlap


def overlap_sentence(rows: Sequence[ResultRow]) -> Sentence:
    """How much of its communication plain MPI hides, by size, and what here hides more."""
    everything = overlap(rows)
    if not everything:
        return Sentence(("Overlap was not measured.",))
    series = next((s for s in everything if s.is_plain), next(iter(everything)))
    points = headline(everything[series])
    found = plateau(points)
    if found is None:
        return _unresolved(series, points)
    sizes = sorted(p.size_bytes for p in points if p.value("eta") is not None)
    parts = [_where(found, sizes), " ", subject(series), *_amount(found), *_elsewhere(points, found), "."]
    return Sentence((*parts, *_better(everything, series, points)))


def subject(series: Series) -> str:
    """`plain MPI`, `MPI RMA put with progress poll`."""
    name = transport_name(series.get("transport") or "MPI")
    operation, progress = series.get("operation"), series.get("progress")
    if operation not in (None, "send"):
        name += f" {operation}"
    return name if progress in (None, "none") else f"{name} with progress {progress}"


def plateau(points: Sequence[OverlapPoint]) -> Plateau | None:
    """The longest run of sizes, down from the largest, whose eta stays within `SAME_OVERLAP` of the
    largest's.

    None when no size has a resolved eta.
    """
    found = [
        (p.size_bytes, row) for p in points if (row := p.row("eta")) is not None and row.value is not None
    ]
    if not found:
        return None
    last = found[-1][1].value or 0.0
    alike: list[tuple[int, ResultRow]] = []
    for size, row in reversed(found):
        if abs((row.value or 0.0) - last) > SAME_OVERLAP:
            break
        alike.append((size, row))
    values = sorted(row.value or 0.0 for _, row in alike)
    lows = [row.ci95_low for _, row in alike if row.ci95_low is not None]
    highs = [row.ci95_high for _, row in alike if row.ci95_high is not None]
    return Plateau(
        alike[-1][0], alike[0][0], values[len(values) // 2], min(lows, default=None), max(highs, default=None)
    )


def _where(found: Plateau, sizes: Sequence[int]) -> Strong:
    if found.first_bytes == found.last_bytes:
        return Strong(f"At {size_label(found.first_bytes)},")
    if found.first_bytes == sizes[0]:
        return Strong(f"From {size_label(found.first_bytes)} to {size_label(found.last_bytes)},")
    return Strong(f"From {size_label(found.first_bytes)} on,")


def _amount(found: Plateau) -> Sequence[str]:
    value, low, high = found.value, found.low, found.high
    shown = Strong(f"{_percent(value)} %")
    interval = _percents(low, high)
    if low is None or high is None:
        return " hides ", shown, interval, " of its communication here"
    if high - low > TOO_WIDE:
        return " hides an uncertain part of its communication here: ", shown, interval
    if high < 0:
        cost = Strong(f"{_percent(-value)} %")
        return " hides nothing here, it loses: work meanwhile adds ", cost, _percents(-high, -low), " of T_c"
    if low <= 0:
        return " hides none of its communication here that can be told from zero: ", shown, interval
    if value >= NEARLY_ALL:
        return " hides practically all of its communication here: ", shown, interval
    return " hides ", shown, interval, " of its communication here"


def _elsewhere(points: Sequence[OverlapPoint], found: Plateau) -> Sequence[str]:
    """The size below the plateau that differs most from it, and sizes too short to tell."""
    said: list[str] = []
    below = [p for p in points if p.size_bytes < found.first_bytes]
    told = [p for p in below if p.value("eta") is not None]
    if told:
        most = max(told, key=lambda p: abs((p.value("eta") or 0.0) - found.value))
        row = most.row("eta")
        if row is not None and row.value is not None:
            interval = _percents(row.ci95_low, row.ci95_high)
            said += [
                "; at ",
                size_label(most.size_bytes),
                " it is ",
                Strong(f"{_percent(row.value)} %"),
                interval,
            ]
    first = min((p.size_bytes for p in told), default=found.first_bytes)
    if any(p.size_bytes < first for p in below):
        said.append(f"; under {size_label(first)} it is unresolved")
    return said


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
        for point in headline(members):
            row = point.row("eta")
            if series == base or point.size_bytes != reference.size_bytes or row is None or row.value is None:
                continue
            if row.ci95_low is not None and limit.ci95_high is not None and row.ci95_low > limit.ci95_high:
                rivals.append((row.value, series, point, row))
    if not rivals:
        return ()
    value, series, point, row = max(rivals, key=lambda rival: rival[0])
    said = [
        f" {_capital(subject(series))} hides ",
        Strong(f"{_percent(value)} %"),
        _percents(row.ci95_low, row.ci95_high),
    ]
    said.append(f" at {size_label(point.size_bytes)}")
    plain_s, mine_s = plain_transfer_s(everything, series).get(point.size_bytes), point.value("T_c")
    if plain_s and mine_s:
        said.append(
            f", its communication alone taking {ratio(mine_s / plain_s)} times as long as plain MPI's"
        )
    return (*said, ".")


def _unresolved(series: Series, points: Sequence[OverlapPoint]) -> Sentence:
    why = next(
        (r.reason for p in reversed(points) if (r := p.row("eta")) is not None and r.reason), "no figure"
    )
    return Sentence(
        (f"How much of its communication {subject(series)} hides is ", Strong("unresolved"), f" here: {why}.")
    )


# ---- latency and bandwidth


def transfer_sentence(rows: Sequence[ResultRow]) -> Sentence:
    """The smallest message's time and the best bandwidth of the first transport, each with its interval."""
    latency = next((r for r in _first_series(where(rows, "latency")) if r.value is not None), None)
    flood = [r for r in where(rows, "bandwidth") if axis(r, "direction") != "both-ways"]
    peak = max(
        (r for r in _first_series(flood) if r.value is not None), key=lambda r: r.value or 0.0, default=None
    )
    said: list[str] = []
    if latency is not None and latency.value is not None:
        said += [
            f"A message of {size_label(size_of(latency) or 0)} takes ",
            Strong(f"{microseconds(latency.value)} µs"),
        ]
        said += [_between(latency, microseconds, "µs"), f" over {subject(series_of(latency))}"]
    if peak is not None and peak.value is not None:
        said.append(" and a flood reaches " if said else f"A flood over {subject(series_of(peak))} reaches ")
        said.append(Strong(f"{grouped(megabytes_per_second(peak.value))} MB/s"))
        said += [_between(peak, megabytes_per_second, "MB/s"), f" at {size_label(size_of(peak) or 0)}"]
    if said:
        return Sentence((*said, "."))
    asked = where(rows, "latency") + flood
    if not asked:
        return Sentence(("Latency and bandwidth were not measured.",))
    why = next((r.reason for r in asked if r.reason), "no figure")
    return Sentence(("Latency and bandwidth are ", Strong("unresolved"), f" here: {why}."))


def _first_series(rows: Iterable[ResultRow]) -> list[ResultRow]:
    """The rows of the first series that has a value at all; plain MPI when it was measured."""
    groups = group(rows)
    return next((g for g in groups.values() if any(r.value is not None for r in g)), [])


# ---- contention, protocol break


def contention_sentence(rows: Sequence[ResultRow]) -> Sentence | None:
    """What traffic costs the work that it slows most; None when contention was not measured."""
    mine = [r for r in where(rows, "kappa") if axis(r, "probe") == "contention"]
    if not mine:
        return None
    told = [r for r in mine if r.value is not None]
    if not told:
        why = next((r.reason for r in mine if r.reason), "no figure")
        return Sentence(("What traffic costs work is ", Strong("unresolved"), f" here: {why}."))
    worst = max(told, key=lambda r: r.value or 0.0)
    value, kind = worst.value or 0.0, axis(worst, "work_kind") or "any"
    place = f" ({subject(series_of(worst))}, {size_label(size_of(worst) or 0)})"
    shown = Strong(ratio(value))
    if worst.ci95_low is not None and worst.ci95_low <= 1:
        return Sentence(
            (
                "Traffic slows no work measurably: at most ",
                shown,
                " times",
                _between(worst, ratio),
                f" for {kind}{place}.",
            )
        )
    return Sentence(
        (f"Under traffic, {kind} work takes ", shown, " times as long", _between(worst, ratio), f"{place}.")
    )


def break_sentence(rows: Sequence[ResultRow]) -> Sentence:
    """From which size on another protocol carries the messages, and the latency on both sides of it."""
    found = ranges(rows)
    if not found:
        return Sentence(("Neither contention nor the protocol's break was measured.",))
    mine = [r for r in found if r.series == found[0].series]
    name = _capital(subject(found[0].series))
    latencies = [next((p.trains for p in r.parameters if p.symbol == "L"), None) for r in mine]
    if len(mine) == 1:
        return Sentence((f"{name} keeps to one protocol up to {size_label(mine[0].size_max_bytes)}.",))
    said = [f"{name} changes its protocol at ", Strong(size_label(mine[1].size_min_bytes))]
    before, after = latencies[0], latencies[1]
    if before is not None and after is not None and before.value is not None and after.value is not None:
        said += [f": L goes from {microseconds(before.value)} µs", _between(before, microseconds, "µs")]
        said += [f" to {microseconds(after.value)} µs", _between(after, microseconds, "µs")]
    return Sentence((*said, "."))


# ---- figures in words


def _between(row: ResultRow, form: object, unit: str = "") -> str:
    if row.ci95_low is None or row.ci95_high is None or not callable(form):
        return ""
    return f" ({grouped(form(row.ci95_low))} to {grouped(form(row.ci95_high))}{' ' if unit else ''}{unit})"


def _percents(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({_percent(low)} to {_percent(high)} %)"


def _percent(fraction: float) -> str:
    return percent(fraction).replace("-", "−")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
