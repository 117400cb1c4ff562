# SPDX-License-Identifier: BSD-3-Clause
"""Shows a crossover as a few lines, a curve in characters, or the members of a JSON document."""

from __future__ import annotations

import math
from typing import Any

from stretto.data.sizes import said_share, shown_bandwidth
from stretto.model.crossover import LOSS, Crossover

_MARKS = 10  # columns of the curve on each side of a tie


def crossover_lines(result: Crossover) -> list[str]:
    """The answer in words, then one line a rate: `|` is a tie, `*` the ratio of times, `-` its interval."""
    one = result.one.schedule
    sizes = ", ".join(f"{name} {value}" for name, value in result.problem.items())
    lines = [f"{one} against {result.other.schedule} {result.route}", f"  for {sizes}"]
    what = "compute rate of a rank" if result.along == "flops_per_s" else "bandwidth of a rank"
    if result.at is None:
        loses = f"{one} loses" if result.ratio.min() > 1 + LOSS else f"{one} does not lose"
        ends = f"{_rate(result, result.rates[0])} to {_rate(result, result.rates[-1])}"
        lines.append(f"  {loses} by more than {said_share(LOSS)} at any {what} from")
        lines.append(f"    {ends}; here it is {_rate(result, result.here)}")
    else:
        at, low, high = (_rate(result, v) for v in (result.at.value, result.at.ci95_low, result.at.ci95_high))
        side = "above" if result.upwards else "below"
        lines.append(f"  {one} loses {side} a {what} of {at} ({low} to {high})")
        lines.append(f"  in {said_share(result.share)} of the draws; here it is {_rate(result, result.here)}")
    return lines + _curve(result)


def _rate(result: Crossover, rate: float) -> str:
    if result.along == "flops_per_s":
        return f"{rate / 1e9:.3g} Gflop/s"
    return shown_bandwidth(rate)


def _curve(result: Crossover) -> list[str]:
    """Every other rate; the scale is logarithmic, as wide as the farthest ratio."""
    widest = max(abs(math.log(value)) for value in (*result.low, *result.high)) or 1.0

    def column(ratio: float) -> int:
        return _MARKS + round(math.log(ratio) / widest * _MARKS)

    lines = []
    for rate, ratio, low, high in list(zip(result.rates, result.ratio, result.low, result.high))[::2]:
        cells = [" "] * (2 * _MARKS + 1)
        cells[column(low) : column(high) + 1] = "-" * (column(high) + 1 - column(low))
        cells[_MARKS] = "|"
        cells[column(ratio)] = "*"
        lines.append(f"  {_rate(result, rate):>14} {''.join(cells)} {ratio:.3f}".rstrip())
    return lines


def crossover_members(result: Crossover) -> dict[str, Any]:
    """Rates in flops or bytes a second, ratios of the time of `one` over that of `other`."""
    at = result.at
    return {
        "subject": result.subject,
        "problem": dict(result.problem),
        "one": result.one.schedule,
        "other": result.other.schedule,
        "transport": result.route.transport,
        "progress": result.route.progress,
        "along": result.along,
        "here": result.here,
        "one_loses": "above" if result.upwards else "below",
        "at": None if at is None else {"value": at.value, "ci95_low": at.ci95_low, "ci95_high": at.ci95_high},
        "share_of_draws": result.share,
        "curve": [
            {"rate": float(rate), "ratio": float(ratio), "ci95_low": float(low), "ci95_high": float(high)}
            for rate, ratio, low, high in zip(result.rates, result.ratio, result.low, result.high)
        ],
    }
