# SPDX-License-Identifier: BSD-3-Clause
"""The answer of a run to one question: can MPI communicate while a program computes, here?

Selects and judges figures; computes no statistics and draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stretto.data.loads import Load
from stretto.data.results import ResultRow
from stretto.model.disturbed import TOO_BUSY
from stretto.model.load import busiest, missing_cores
from stretto.report.busy import FAIR, MAX_DISTURBED, half_width, known_rows
from stretto.report.document import Document
from stretto.report.select import OverlapPoint, Series, axis, headline, hidden, overlap, size_of, where
from stretto.report.units import size_label

YES, NO = 0.8, 0.2
"""From the one on, overlap is called `yes`; below the other, `no`."""
SURE = 0.05
"""The half width of an interval that is called sure."""
_UNCLEAR = 0.25
_HALO_SHARE = 0.3


@dataclass(frozen=True)
class Stretch:
    """Neighbouring sizes with the same verdict: `yes`, `partly`, `no`, `unclear` or `too busy`."""

    verdict: str
    points: tuple[OverlapPoint, ...]

    @property
    def least(self) -> float | None:
        """The smallest of their overlaps."""
        return min((v for p in self.points if (v := p.value("eta")) is not None), default=None)

    @property
    def most(self) -> float | None:
        """The largest of their overlaps."""
        return max((v for p in self.points if (v := p.value("eta")) is not None), default=None)

    @property
    def is_rough(self) -> bool:
        """Whether the interval of a figure is wider than a headline's may be."""
        return any(p.value("eta") is not None and half_width(p.row("eta")) > FAIR for p in self.points)


@dataclass(frozen=True)
class Answer:
    """What one run says.

    Attributes:
        plain: Of plain Isend, Irecv and Waitall, a point a size.
        series: Of the best alternative; None where there is none.
        others: Its points.
        header: Of the samples.
        load: What kept the machine busy; None where nothing did.
        during: What others took during the measurement; None where that is not known.
        disturbed: The share of samples that other programs disturbed.
        ended_by: What ended the sampling of its overlaps: `noise`, `budget`, `rounds`.
    """

    plain: tuple[OverlapPoint, ...]
    series: Series | None
    others: tuple[OverlapPoint, ...]
    header: Mapping[str, Any]
    load: Load | None
    during: Load | None
    disturbed: float
    latency: ResultRow | None
    bandwidth: ResultRow | None
    bound: ResultRow | None
    ended_by: frozenset[str] = frozenset()

    @property
    def is_busy(self) -> bool:
        """Whether other programs disturbed the run."""
        return self.load is not None or self.disturbed > MAX_DISTURBED

    @property
    def why_rough(self) -> str:
        """Why an interval is wider than a headline's may be, and what narrows it; empty where none is."""
        if not any(stretch.is_rough for stretch in self.stretches):
            return ""
        if "budget" in self.ended_by or not self.ended_by:
            return "the time was up; a longer --budget narrows it"
        return "the rounds were done; more --rounds narrow it"

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """The sizes of plain MPI by verdict, ascending."""
        return stretches_of(self.plain)

    def other_at(self, size_bytes: int) -> OverlapPoint | None:
        """The alternative at a size."""
        return next((p for p in self.others if p.size_bytes == size_bytes), None)

    def helped(self) -> list[tuple[OverlapPoint, OverlapPoint]]:
        """Plain MPI and the alternative at the sizes where the latter hides more, beyond both intervals."""
        pairs = [(p, o) for p in self.plain if (o := self.other_at(p.size_bytes)) is not None]
        return [(plain, other) for plain, other in pairs if is_better(other, plain)]

    def unhelped(self) -> tuple[list[OverlapPoint], list[OverlapPoint]]:
        """The sizes that plain MPI does not hide and the alternative hides no better: those where it hides
        little more at most, then those where that is not known.
        """
        helped = [plain for plain, _ in self.helped()]
        left = [p for p in self.plain if verdict_of(p.row("eta")) != "yes" and p not in helped]
        known = [p for p in left if _is_no_better(self.other_at(p.size_bytes), p)]
        return known, [p for p in left if p not in known]


def stretches_of(points: Sequence[OverlapPoint]) -> tuple[Stretch, ...]:
    """The sizes by verdict, ascending."""
    groups: list[tuple[str, list[OverlapPoint]]] = []
    for point in points:
        verdict = verdict_of(point.row("eta"))
        if groups and groups[-1][0] == verdict:
            groups[-1][1].append(point)
        else:
            groups.append((verdict, [point]))
    return tuple(Stretch(verdict, tuple(points)) for verdict, points in groups)


def answer_of(document: Document) -> Answer | None:
    """The answer; None where overlap of plain MPI was not measured."""
    rows = known_rows(document)
    everything = {series: tuple(headline(points)) for series, points in overlap(rows).items()}
    plain = plain_series(everything)
    if plain is None:
        return None
    alternatives = [
        series
        for series in everything
        if not series.is_plain
        and all(series.get(name) == plain.get(name) for name in ("side", "direction", "on", "ranks"))
    ]
    best = max(alternatives, key=lambda series: hidden(everything[series]), default=None)
    headers = document.results.provenance
    return Answer(
        everything[plain],
        best,
        everything[best] if best is not None else (),
        headers[0] if headers else {},
        busiest(document.loads),
        max((one for one in document.loads if one.when == "during"), key=missing_cores, default=None),
        document.disturbed,
        _smallest(where(rows, "latency", transport=plain.get("transport"))),
        _fastest(where(rows, "bandwidth", transport=plain.get("transport"))),
        next((r for r in where(rows, "bound") if axis(r, "direction") == plain.get("direction")), None),
        frozenset(case.ended_by for case in document.case_ends if case.probe == "overlap"),
    )


def plain_series(everything: Mapping[Series, Sequence[OverlapPoint]]) -> Series | None:
    """Plain MPI's, of which the answer is. Both sides compute; both ways at once, as in a halo exchange,
    where that was measured.
    """
    plain = [s for s in everything if s.is_plain or s.get("transport") == "virtual"]
    plain = [s for s in plain if s.get("progress") in (None, "none") and s.get("side") in (None, "both")]
    return min(plain, key=lambda s: s.get("direction") != "both-ways", default=None)


def _smallest(rows: Sequence[ResultRow]) -> ResultRow | None:
    return min((r for r in rows if r.value is not None), key=lambda r: size_of(r) or 0, default=None)


def _fastest(rows: Sequence[ResultRow]) -> ResultRow | None:
    one_way = [r for r in rows if r.value is not None and axis(r, "direction") != "both-ways"]
    return max(one_way, key=lambda r: r.value or 0.0, default=None)


def confidence(row: ResultRow | None) -> str:
    """A word for how well a figure is known."""
    if row is None:
        return ""
    if row.value is None:
        return "busy" if is_too_busy(row) else "unresolved"
    width = half_width(row)
    return "sure" if width <= SURE else "fair" if width <= FAIR else "rough"


def is_too_busy(row: ResultRow) -> bool:
    """Whether other programs are the reason that there is no figure."""
    return row.value is None and (row.reason or "").startswith(TOO_BUSY)


def verdict_of(row: ResultRow | None) -> str:
    """`yes`, `partly`, `no`, `unclear` or `too busy`."""
    if row is None or row.value is None:
        return "too busy" if row is not None and is_too_busy(row) else "unclear"
    if half_width(row) > _UNCLEAR:
        return "unclear"
    return "yes" if row.value >= YES else "no" if row.value < NO else "partly"


def _is_no_better(other: OverlapPoint | None, plain: OverlapPoint) -> bool:
    """Whether the alternative hides little more at most, by both intervals."""
    mine, base = other.row("eta") if other is not None else None, plain.row("eta")
    if mine is None or base is None or mine.ci95_high is None or base.ci95_low is None:
        return False
    return mine.ci95_high - base.ci95_low <= _UNCLEAR


def is_better(other: OverlapPoint, plain: OverlapPoint) -> bool:
    """Whether another way hides more than plain MPI, beyond both intervals, and more than nothing."""
    mine, base = other.row("eta"), plain.row("eta")
    if mine is None or base is None or mine.ci95_low is None or base.ci95_high is None:
        return False
    return mine.ci95_low > base.ci95_high and (mine.value or 0.0) >= NO


def saving(point: OverlapPoint, plain: OverlapPoint) -> float | None:
    """The share of its time that a program saves which spends 30 % of it in exchanges like this one.

    It computes 70 % of the time and exchanges 30 %. When it computes during the exchange, there remain of
    the exchange 30 % * T_c / T_c(plain) * (1 - eta). What communication costs the computation is in eta.
    """
    eta, own_s, plain_s = point.value("eta"), point.value("T_c"), plain.value("T_c")
    if eta is None or not own_s or not plain_s:
        return None
    return _HALO_SHARE * (1 - own_s / plain_s * (1 - eta))


def sizes_in_words(stretches: Sequence[Stretch], stretch: Stretch) -> str:
    """`at 64 KiB to 256 KiB`, `from 1 MiB on`, `at 64 KiB`; empty where it is all sizes."""
    first, last = stretch.points[0], stretch.points[-1]
    begins, ends = stretch == stretches[0], stretch == stretches[-1]
    if begins and ends:
        return ""
    if ends:
        return f"from {size_label(first.size_bytes)} on"
    if first == last:
        return f"at {size_label(first.size_bytes)}"
    return f"at {size_label(first.size_bytes)} to {size_label(last.size_bytes)}"


def in_order(answers: Sequence[Answer]) -> Iterator[Answer]:
    """The node first, then what is or stands for a network."""
    yield from sorted(answers, key=lambda one: one.header.get("locality") != "same-node")
