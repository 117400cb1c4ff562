# SPDX-License-Identifier: BSD-3-Clause
"""The headline sentences: the main figures with their intervals, or that they are unresolved."""

from collections.abc import Iterable, Sequence

from stretto.data.results import ResultRow
from stretto.model.load import busiest
from stretto.report.buffers import DISTINCT, buffers_of
from stretto.report.busy import busy_sentence, is_busy, known_rows
from stretto.report.document import Document
from stretto.report.loggp import SYMBOLS, Range, eager_limit, ranges
from stretto.report.overlap_sentence import overlap_sentence
from stretto.report.prose import Sentence, Strong, between, capital, subject
from stretto.report.schedule_sentence import schedule_sentence
from stretto.report.select import axis, group, series_of, size_of, where
from stretto.report.units import grouped, megabytes_per_second, microseconds, ratio, size_label

# Probes of which a sentence says the main figures.
_SUMMARISED = frozenset({"overlap", "latency", "bandwidth", "contention", "loggp"})

_SAME = 0.02  # parameters that differ by less are those of one protocol


def headlines(document: Document) -> list[Sentence]:
    """Three sentences: overlap; latency and bandwidth; the cost of traffic, or the protocol break.

    That the machine was busy comes before them. Where ft or spmv ran, the gains of schedules precede, and
    missing measurements are omitted. Of a run of other probes only, one sentence names these.
    """
    rows = known_rows(document)
    gains = schedule_sentence(rows)
    measured = {str(axis(row, "probe")) for row in rows if row.metric != "bound"}
    text = [] if gains is None else [gains]
    everything = gains is None and (not measured or bool(measured & _SUMMARISED))
    if everything or "overlap" in measured:
        text.append(overlap_sentence(rows))
    if everything or measured & {"latency", "bandwidth"}:
        text.append(transfer_sentence(rows))
    if everything or measured & {"contention", "loggp"}:
        text.append(contention_sentence(rows) or break_sentence(rows))
    if not text:
        text.append(Sentence((f"Measured: {', '.join(sorted(measured))}. The tables have the figures.",)))
    if is_busy(document):
        text.insert(0, Sentence((busy_sentence(busiest(document.loads), document.disturbed),)))
    return text


def transfer_sentence(rows: Sequence[ResultRow]) -> Sentence:
    """The smallest message's time and the best bandwidth of the first transport, each with its interval."""
    latency = next((r for r in _first_series(where(rows, "latency")) if r.value is not None), None)
    one_way = [r for r in where(rows, "bandwidth") if axis(r, "direction") != "both-ways"]
    streaming = [r for r in one_way if buffers_of(r) == DISTINCT] or one_way
    peak = max(
        (r for r in _first_series(streaming) if r.value is not None),
        key=lambda r: r.value or 0.0,
        default=None,
    )
    text: list[str] = []
    if latency is not None and latency.value is not None:
        text += [
            f"A message of {size_label(size_of(latency) or 0)} takes ",
            Strong(f"{microseconds(latency.value)} µs"),
        ]
        text += [between(latency, microseconds, "µs"), f" over {subject(series_of(latency))}"]
    if peak is not None and peak.value is not None:
        text.append(
            " and streaming reaches " if text else f"Streaming over {subject(series_of(peak))} reaches "
        )
        text.append(Strong(f"{grouped(megabytes_per_second(peak.value))} MB/s"))
        text += [between(peak, megabytes_per_second, "MB/s"), f" at {size_label(size_of(peak) or 0)}"]
    if text:
        return Sentence((*text, "."))
    requested = where(rows, "latency") + streaming
    if not requested:
        return Sentence(("Latency and bandwidth were not measured.",))
    why = next((r.reason for r in requested if r.reason), "no figure")
    return Sentence(("Latency and bandwidth are ", Strong("unresolved"), f" here: {why}."))


def _first_series(rows: Iterable[ResultRow]) -> list[ResultRow]:
    """The rows of the first series that has a value at all; plain MPI when it was measured."""
    groups = group(rows, lambda s: s.without("direction"))
    return next((g for g in groups.values() if any(r.value is not None for r in g)), [])


def contention_sentence(rows: Sequence[ResultRow]) -> Sentence | None:
    """The slowdown of the most affected work; None without measurements of contention."""
    selected = [r for r in where(rows, "kappa") if axis(r, "probe") == "contention"]
    if not selected:
        return None
    resolved = [r for r in selected if r.value is not None]
    if not resolved:
        why = next((r.reason for r in selected if r.reason), "no figure")
        return Sentence(("What traffic costs work is ", Strong("unresolved"), f" here: {why}."))
    worst = max(resolved, key=lambda r: r.value or 0.0)
    kind = axis(worst, "work_kind") or "any"
    where_ = f"over {subject(series_of(worst))} at {size_label(size_of(worst) or 0)}"
    times = (Strong(ratio(worst.value or 0.0)), between(worst, ratio))
    if worst.ci95_low is not None and worst.ci95_low <= 1:
        return Sentence(
            ("Traffic slows no work beyond noise: ", *times, f" times at most, {kind} work {where_}.")
        )
    return Sentence((f"Under traffic {where_}, {kind} work takes ", *times, " times as long."))


def break_sentence(rows: Sequence[ResultRow]) -> Sentence:
    """The eager limit, or from which size on another protocol carries the messages; and L on both sides."""
    found = ranges(rows)
    if not found:
        return Sentence(("Neither contention nor the protocol's break was measured.",))
    mine = [r for r in found if r.series == found[0].series]
    name = capital(subject(found[0].series))
    limit = eager_limit(rows, found[0].series)
    if limit is not None and limit.value is not None and limit.bound is None:
        said = [f"{name} sends up to ", Strong(size_label(limit.value)), " without waiting for the receiver"]
        place = next((i for i, r in enumerate(mine) if r.size_min_bytes > (limit.value or 0)), 0)
        return Sentence((*said, *(_latencies(mine[place - 1], mine[place]) if place else ()), "."))
    place = next((i for i in range(1, len(mine)) if _differ(mine[i - 1], mine[i])), 0)
    if not place:
        return Sentence((f"{name} keeps to one protocol up to {size_label(mine[-1].size_max_bytes)}.",))
    said = [f"{name} changes its protocol at ", Strong(size_label(mine[place].size_min_bytes))]
    return Sentence((*said, *_latencies(mine[place - 1], mine[place]), "."))


def _differ(below: Range, above: Range) -> bool:
    """Whether a parameter that both ranges have is another one above."""
    pairs = ((_trains(below, symbol), _trains(above, symbol)) for symbol in SYMBOLS)
    known = [(one.value, other.value) for one, other in pairs if one is not None and other is not None]
    return any(
        one is not None and other is not None and abs(one - other) > _SAME * max(one, other)
        for one, other in known
    )


def _trains(place: Range, symbol: str) -> ResultRow | None:
    return next((p.trains for p in place.parameters if p.symbol == symbol), None)


def _latencies(below: Range, above: Range) -> list[str]:
    before, after = _trains(below, "L"), _trains(above, "L")
    if before is None or after is None or before.value is None or after.value is None:
        return []
    if abs(before.value - after.value) <= _SAME * max(before.value, after.value):
        return []
    said = [f": L goes from {microseconds(before.value)} µs", between(before, microseconds, "µs")]
    return [*said, f" to {microseconds(after.value)} µs", between(after, microseconds, "µs")]
