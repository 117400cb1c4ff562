# SPDX-License-Identifier: BSD-3-Clause
"""The sentence about overlap: the verdict of the answer, the overlap of the largest size, and better
transports.
"""

from collections.abc import Mapping, Sequence

from stretto.data.results import ResultRow
from stretto.report.answer import is_better, plain_series, stretches_of
from stretto.report.answer_words import verdict_text
from stretto.report.prose import Sentence, Strong, capital, percent_words, percents, subject
from stretto.report.select import OverlapPoint, Series, headline, overlap, plain_transfer_s
from stretto.report.units import ratio, size_label


def overlap_sentence(rows: Sequence[ResultRow]) -> Sentence:
    """The verdict on plain MPI by size, as the screen has it, its overlap at the largest size, and the
    transports that hide more there.
    """
    everything = overlap(rows)
    if not everything:
        return Sentence(("Overlap was not measured.",))
    series = plain_series(everything) or next(iter(everything))
    points = headline(everything[series])
    both_ways = ", both ways at once" if series.get("direction") == "both-ways" else ""
    ratio_words = "" if not points or points[0].ratio == 1 else f" (T_w/T_c {points[0].ratio:g})"
    return Sentence(
        (
            f"Does {subject(series)} communicate while a program computes{both_ways}{ratio_words}? ",
            Strong(capital(verdict_text(stretches_of(points)))),
            ".",
            *_at_the_largest(points),
            *_better(everything, series, points),
        )
    )


def _at_the_largest(points: Sequence[OverlapPoint]) -> Sequence[str]:
    """The overlap of the largest size that has one, with its interval."""
    point = next((p for p in reversed(points) if p.value("eta") is not None), None)
    row = point.row("eta") if point is not None else None
    if point is None or row is None or row.value is None:
        return ()
    shown = Strong(f"{percent_words(row.value)} %")
    interval = percents(row.ci95_low, row.ci95_high)
    return f" At {size_label(point.size_bytes)} it hides ", shown, interval, " of its communication."


def _better(
    everything: Mapping[Series, Sequence[OverlapPoint]], base: Series, points: Sequence[OverlapPoint]
) -> Sequence[str]:
    """What hides more than `base` at its largest size, beyond both intervals, and how much longer it takes
    alone.
    """
    reference = next((p for p in reversed(points) if p.value("eta") is not None), None)
    if reference is None:
        return ()
    rivals: list[tuple[float, Series, OverlapPoint, ResultRow]] = []
    for series, members in everything.items():
        if any(series.get(name) != base.get(name) for name in ("side", "direction", "work_kind")):
            continue  # not comparable
        for point in headline(members):
            row = point.row("eta")
            if series == base or point.size_bytes != reference.size_bytes or row is None or row.value is None:
                continue
            if is_better(point, reference):
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
