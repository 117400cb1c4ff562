# SPDX-License-Identifier: BSD-3-Clause
"""Small SVG pictures of bars and lines, for documents. They have no script and no font of their own.

A figure has about 4 KB in the documents; matplotlib wrote 28 KB for one with three rows of ten bars.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from rich.cells import cell_len

from validation.papers.figures import Plot, Series

_WIDTH, _HEIGHT = 640, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 8, 30, 46
_COLOURS = ("#3b6ea5", "#d98032", "#6a9f58", "#b05a7a", "#8a7cb8", "#888888")
_MAX_LABELS = 26
_CELL = 6.0  # width of a cell: a letter has one, a wide character two


@dataclass(frozen=True)
class Axis:
    """A numerical axis from `low` to `high`, over the pixels from `first` to `last`."""

    low: float
    high: float
    first: float
    last: float
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """The pixel of a value, which is limited to the axis."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        if not low < high:
            return (self.first + self.last) / 2
        share = (self._scaled(min(max(value, self.low), self.high)) - low) / (high - low)
        return self.first + share * (self.last - self.first)

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value

    def ticks(self) -> list[float]:
        """About five round values, or the powers of ten; the only value of an axis without length."""
        if not self.low < self.high:
            return [self.low]
        if self.logarithmic:
            powers = range(
                math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1
            )
            return [10.0**power for power in powers]
        rough = (self.high - self.low) / 5
        if rough < sys.float_info.min:  # its logarithm is not exact, or none at all
            return [self.low]
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(unit * one for one in (1, 2, 2.5, 5, 10) if unit * one >= rough * 0.999)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [one * step for one in range(first, last + 1)]


def picture(plot: Plot, title: str) -> str:
    """The plot as the text of an SVG file."""
    body = list(_bars(plot) if plot.groups else _lines(plot))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="10">'
    )
    frame = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", frame, *_legend(plot), *body, "</svg>", ""])


def _label(value: float) -> str:
    """A value of an axis: powers of two as 64K or 1M, others with at most four digits."""
    if value >= 1024 and value == int(value) and int(value).bit_count() == 1:
        return f"{value / (1 << 20):g}M" if value >= 1 << 20 else f"{value / 1024:g}K"
    return f"{value:.4g}"


def _legend(plot: Plot) -> Iterator[str]:
    left = float(_LEFT)
    for place, one in enumerate(plot.series):
        yield f'<rect x="{left:.0f}" y="8" width="9" height="9" fill="{_colour(place)}"/>'
        yield f'<text x="{left + 13:.0f}" y="16">{escape(one.name)}</text>'
        left += 24 + _CELL * cell_len(one.name)


def _colour(place: int) -> str:
    return _COLOURS[place % len(_COLOURS)]


def _finite(values: Sequence[float]) -> list[float]:
    return [one for one in values if math.isfinite(one)]


def _value_axis(values: Sequence[float], plot: Plot) -> Axis:
    numbers = _finite(values) or [0.0, 1.0]
    first, last = _HEIGHT - _BOTTOM, _TOP
    if plot.log_y and min(numbers) > 0:
        low, high = min(numbers), max(numbers)
        return Axis(low / 1.2, high * 1.2, first, last, True)
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    return Axis(low, high if high > low else low + 1, first, last)


def _scale(axis: Axis, plot: Plot) -> Iterator[str]:
    for tick in axis.ticks():
        y = axis.at(tick)
        yield f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#dddddd"/>'
        yield f'<text x="{_LEFT - 4}" y="{y + 3:.1f}" text-anchor="end">{_label(tick)}</text>'
    end = max(_LEFT - 4.0, _CELL * cell_len(plot.y))  # a long name reaches over the axis
    yield f'<text x="{end:g}" y="{_TOP - 3}" text-anchor="end">{escape(plot.y)}</text>'
    middle = (_LEFT + _WIDTH - _RIGHT) // 2
    yield f'<text x="{middle}" y="{_HEIGHT - 5}" text-anchor="middle">{escape(plot.x)}</text>'


def _bars(plot: Plot) -> Iterator[str]:
    count = len(plot.groups)
    sums = [sum(_finite([one.values[group] for one in plot.series])) for group in range(count)]
    heights = sums if plot.stacked else [value for one in plot.series for value in one.values]
    axis = _value_axis(heights, plot)
    yield from _scale(axis, plot)
    width = (_WIDTH - _RIGHT - _LEFT) / count
    floor = axis.low if axis.logarithmic else 0.0
    for group in range(count):
        begin = floor
        for place, one in enumerate(plot.series):
            value = one.values[group]
            if not math.isfinite(value) or value == 0:
                continue
            thickness = 0.76 * width / (1 if plot.stacked else len(plot.series))
            left = _LEFT + width * (group + 0.12) + (0 if plot.stacked else place * thickness)
            yield _bar(axis, begin, begin + value if plot.stacked else value, left, thickness, _colour(place))
            begin = begin + value if plot.stacked else floor
    yield from _group_labels(plot.groups, width)


def _bar(axis: Axis, begin: float, end: float, left: float, width: float, colour: str) -> str:
    top, bottom = sorted((axis.at(begin), axis.at(end)))
    size = f'width="{width:.1f}" height="{bottom - top:.1f}"'
    return f'<rect x="{left:.1f}" y="{top:.1f}" {size} fill="{colour}"/>'


def _group_labels(groups: Sequence[str], width: float) -> Iterator[str]:
    step = max(1, math.ceil(len(groups) / _MAX_LABELS))
    slanted = max(map(cell_len, groups)) * _CELL > width * step
    y = _HEIGHT - _BOTTOM + 11
    for place in range(0, len(groups), step):
        x = _LEFT + width * (place + 0.5)
        if slanted:
            turn = f'text-anchor="end" font-size="7" transform="rotate(-35 {x:.1f} {y})"'
        else:
            turn = 'text-anchor="middle"'
        yield f'<text x="{x:.1f}" y="{y}" {turn}>{escape(groups[place])}</text>'


def _lines(plot: Plot) -> Iterator[str]:
    places = [one for series in plot.series for one in series.places]
    across = Axis(min(places), max(places), _LEFT + 6, _WIDTH - _RIGHT - 6, plot.log_x)
    axis = _value_axis([value for one in plot.series for value in one.values], plot)
    yield from _scale(axis, plot)
    marked = sorted(set(places)) if len(set(places)) <= 12 else across.ticks()
    for tick in marked:
        x = across.at(tick)
        yield f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 12}" text-anchor="middle">{_label(tick)}</text>'
    for place, one in enumerate(plot.series):
        yield from _line(one, across, axis, _colour(place))


def _line(series: Series, across: Axis, axis: Axis, colour: str) -> Iterator[str]:
    points = [
        (across.at(x), axis.at(y))
        for x, y in zip(series.places, series.values, strict=True)
        if math.isfinite(y)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{colour}"/>'
