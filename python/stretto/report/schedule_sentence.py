# SPDX-License-Identifier: BSD-3-Clause
"""The sentence about schedules: which gains most over the bulk-synchronous one, and what it could gain."""

from collections.abc import Sequence

from stretto.data.results import ResultRow
from stretto.report.prose import Sentence, Strong, between, percent_words, subject
from stretto.report.schedule_bars import Bar, Comparison, comparisons
from stretto.report.units import ratio

_BULK = {"ft": "exchange", "spmv": "bulk"}


def schedule_sentence(rows: Sequence[ResultRow]) -> Sentence | None:
    """The largest gain that is statistically different from none, else the largest of all.

    None where no schedule was measured.
    """
    result = comparisons(rows)
    if not result:
        return None
    bars = [(c, bar) for c in result for bar in c.bars if bar.axes["schedule"] != _BULK[c.probe]]
    resolved = [(c, bar) for c, bar in bars if _gain(bar) is not None]
    if not resolved:
        return Sentence(("What overlapping schedules gain is ", Strong("unresolved"), " here."))
    faster = [each for each in resolved if _is_faster(each[1])]
    comparison, best = max(faster or resolved, key=lambda each: _gain(each[1]) or 0.0)
    gain = best.figures["gain"]
    text: list[str] = [
        f"Schedule {best.name} is " if faster else f"No schedule is faster beyond noise; {best.name} is ",
        Strong(f"{ratio(gain.value or 0.0)} times"),
        between(gain, ratio),
    ]
    text.append(
        f" as fast as {_BULK[comparison.probe]} over {subject(comparison.series)} ({comparison.name})"
    )
    return Sentence((*text, *(_share(comparison, best) if faster else ()), "."))


def _is_faster(bar: Bar) -> bool:
    low = bar.figures["gain"].ci95_low
    return low is None or low > 1


def _gain(bar: Bar) -> float | None:
    return bar.figures["gain"].value if "gain" in bar.figures else None


def _share(comparison: Comparison, best: Bar) -> list[str]:
    fraction = best.figures.get("gain_fraction")
    if comparison.bound is None or comparison.bound.value is None:
        return []
    could = ratio(comparison.bound.value)
    if fraction is None or fraction.value is None:
        return [f"; overlap could give {could} at best"]
    if fraction.value > 1:
        return [f", which is more than the {could} that overlap alone could give"]
    return [f"; overlap could give {could} at best, of which this is {percent_words(fraction.value)} %"]
