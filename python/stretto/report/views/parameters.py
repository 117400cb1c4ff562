# SPDX-License-Identifier: BSD-3-Clause
"""Shows the LogGP parameters of a profile, one table per entry."""

from __future__ import annotations

from collections.abc import Iterator

from stretto.data.profile import LOGGP, Figure, LogGPRange, Profile
from stretto.data.sizes import format_size, said_share
from stretto.report.screen import Column, Part, table


def parameters_view(profile: Profile) -> Iterator[Part]:
    """One table an entry: its ranges of sizes, and the LogGP parameters of each."""
    if not profile.loggp:
        yield "no LogGP parameters: these samples are not of the loggp probe"
        return
    for entry in profile.loggp:
        yield f"{entry.path}, {entry.method} (µs; G in ns/B)"
        shown = [name for name in LOGGP if any(_figure(fitted, name) for fitted in entry.ranges)]
        yield table(
            [Column("sizes"), *map(Column, shown)],
            (
                [_sizes(fitted), *(_cell(_figure(fitted, name), name) for name in shown)]
                for fitted in entry.ranges
            ),
        )


def _sizes(fitted: LogGPRange) -> str:
    return f"{format_size(fitted.size_min_bytes)}..{format_size(fitted.size_max_bytes)}"


def _figure(fitted: LogGPRange, column: str) -> Figure | None:
    figure: Figure | None = getattr(fitted, LOGGP[column])
    return figure


def _cell(figure: Figure | None, column: str) -> str:
    """`≤12.3 ±4%`: the value, whether it is only a bound, and half of its interval relative to it."""
    if figure is None or figure.value is None:
        return "-" if figure is None else "unresolved"
    bound = {"upper": "≤", "lower": "≥"}.get(figure.bound or "", "")
    text = f"{bound}{figure.value * (1e9 if column == 'G' else 1e6):.3g}"
    if figure.ci95_low is None or figure.ci95_high is None or figure.value == 0:
        return text
    half = (figure.ci95_high - figure.ci95_low) / 2 / figure.value
    return f"{text} ±{said_share(half)}" if half <= 1 else f"{text} ±>100 %"
