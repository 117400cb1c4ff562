# SPDX-License-Identifier: BSD-3-Clause
"""Two plots by message size: how much is hidden, and how much of plain MPI's time stays visible."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from stretto.report.blocks import Figure
from stretto.report.figures import Spec, horizontal_line, layout, marks, size_axis
from stretto.report.prose import percent_words, percents, subject
from stretto.report.select import OverlapPoint, Series, headline, hidden, plain_transfer_s
from stretto.report.units import size_label

Everything = Mapping[Series, Sequence[OverlapPoint]]
Figures = tuple[float, float | None, float | None]

MAX_PATHS = 5
"""Paths in one plot: plain MPI and those that hide most. The tables have all."""
_QUESTION = ("side", "direction", "work_kind", "ranks", "on", "locality")
_LOWEST, _HIGHEST = -1.0, 2.0  # a figure far outside of this would leave nothing of the others to see


def compared(everything: Everything) -> list[Series]:
    """Plain MPI, or what there is first, and the paths that answer the same question and hide most."""
    base = next((s for s in everything if s.is_plain), next(iter(everything), None))
    if base is None:
        return []
    rivals = [s for s in everything if s != base and all(s.get(name) == base.get(name) for name in _QUESTION)]
    rivals.sort(key=lambda s: hidden(everything[s]), reverse=True)
    return [base, *rivals[: MAX_PATHS - 1]]


def hidden_plot(everything: Everything) -> Figure | None:
    """Overlap over message size, in percent; None where no overlap is resolved."""

    def eta(_: Series, point: OverlapPoint) -> Figures | None:
        row = point.row("eta")
        return None if row is None or row.value is None else (row.value, row.ci95_low, row.ci95_high)

    caption = (
        "Share of the communication that computation of the same length hides (T_w/T_c = 1). "
        "100 % is all, 0 % is none; below that, both together take longer than one after the other."
    )
    return _plot(everything, eta, "Overlap by message size", "hidden communication, %", caption)


def visible_plot(everything: Everything) -> Figure | None:
    """The visible communication over plain MPI's own, by message size; None where it is not known."""
    plain = {series: plain_transfer_s(everything, series) for series in everything}

    def exposed(series: Series, point: OverlapPoint) -> Figures | None:
        row, base = point.row("exposed"), plain[series].get(point.size_bytes)
        if row is None or row.value is None or not base:
            return None
        low, high = row.ci95_low, row.ci95_high
        return (
            row.value / base,
            None if low is None else low / base,
            None if high is None else high / base,
        )

    caption = (
        "What a program still waits for, in percent of plain MPI's communication alone: 100 is no gain over "
        "communicating first and computing after, 0 is communication for nothing. It contains what a path "
        "costs: a longer transfer, and computation that becomes slower."
    )
    name = "visible communication, %"
    return _plot(everything, exposed, "Visible communication by message size", name, caption)


def _plot(
    everything: Everything,
    figures: Callable[[Series, OverlapPoint], Figures | None],
    label: str,
    name: str,
    caption: str,
) -> Figure | None:
    traces: list[Spec] = []
    sizes: set[int] = set()
    ends = [0.0, 1.0]
    shown = compared(everything)
    for index, series in enumerate(shown):
        points, name_of = [], subject(series)
        for point in headline(everything[series]):
            found = figures(series, point)
            if found is None:
                continue
            value, low, high = found
            shown_value = f"{percent_words(value)} %{percents(low, high)}"
            words = f"{name_of}, {size_label(point.size_bytes)}: {shown_value}"
            points.append((point.size_bytes, 100 * value, _hundred(low), _hundred(high), words))
            sizes.add(point.size_bytes)
            ends += [min(max(end, _LOWEST), _HIGHEST) for end in (value, low, high) if end is not None]
        if points:
            traces.append(marks(name_of, index, points, mode="lines+markers"))
    if not traces:
        return None
    y = {"title": name, "range": [100 * min(ends) - 6, 100 * max(ends) + 6]}
    edges = [horizontal_line(100.0, dash="dot"), horizontal_line(0.0, dash="dot")]
    spec = {"data": traces, "layout": layout(size_axis(sizes), y) | {"shapes": edges, "showlegend": True}}
    return Figure(spec, label, caption)


def _hundred(fraction: float | None) -> float | None:
    return None if fraction is None else 100 * fraction
