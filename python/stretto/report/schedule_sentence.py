# SPDX-License-Identifier: BSD-3-Clause
"""The sentence about schedules: which gains most over the bulk-synchronous one, and what it could gain."""

from collections.abc import Sequence

from stretto.data.results import ResultRow
from stretto.report.prose import Sentence, Strong, between, subject
from stretto.report.schedule_bars import Bar, Comparison, comparisons
from stretto.report.units import ratio

_BULK = {"ft": "exchange", "spmv": "bulk"}


def schedule_sentence(rows: Sequence[ResultRow]) -> Sentence | None:
    """Of the bar with the largest gain; None where neither ft nor spmv was measured."""
    found = comparisons(rows)
    if not found:
        return None
    bars = [(c, bar) for c in found for bar in c.bars if bar.axes["schedule"] != _BULK[c.probe]]
    told = [(c, bar) for c, bar in bars if _gain(bar) is not None]
    if not told:
        return Sentence(("What overlapping schedules gain is ", Strong("unresolved"), " here."))
    comparison, best = max(told, key=lambda each: _gain(each[1]) or 0.0)
    gain = best.figures["gain"]
    verb = "is" if gain.ci95_low is None or gain.ci95_low > 1 else "is not told to be faster:"
    said: list[str] = [
        f"Schedule {best.name} {verb} ",
        Strong(f"{ratio(gain.value or 0.0)} times"),
        between(gain, ratio),
    ]
    said.append(
        f" as fast as {_BULK[comparison.probe]} over {subject(comparison.series)} ({comparison.name})"
    )
    return Sentence((*said, *_share(comparison, best), "."))


def _gain(bar: Bar) -> float | None:
    return bar.figures["gain"].value if "gain" in bar.figures else None


def _share(comparison: Comparison, best: Bar) -> list[str]:
    fraction = best.figures.get("gain_fraction")
    if comparison.bound is None or comparison.bound.value is None:
        return []
    said = f"; overlap could give {ratio(comparison.bound.value)} at best"
    if fraction is not None and fraction.value is not None:
        said += f", of which this is {fraction.value:.0%}"
    return [said]
