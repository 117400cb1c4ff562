# SPDX-License-Identifier: BSD-3-Clause
"""The measured stacked bars of FT and SPMV: the segments of each schedule's time."""

from collections.abc import Sequence

from stretto.data.groups import grouped
from stretto.report.blocks import Block, Column, Figure, Folded, Group, Paragraph, Table, Words, titled
from stretto.report.document import Document
from stretto.report.figure_cells import interval, value
from stretto.report.figures import Spec, bars_at, label, stacked_times, time_unit
from stretto.report.schedule_bars import NAMES, Bar, Comparison, comparisons
from stretto.report.sections import Section
from stretto.report.select import title
from stretto.report.units import microseconds, ratio, size_label

_WORDS = {
    "ft": "FT: each rank transforms its rows and sends them on. The exchange starts after all transforms, "
    "slabs and pencils during them.",
    "spmv": "SPMV: a matrix times a vector whose blocks are fetched (gather) or sent (scatter) under the "
    "multiplications, or all before (bulk).",
}


def body(document: Document) -> Sequence[Block]:
    """One plot per probe, transport and progress, with a bar per schedule in groups of one problem."""
    result = comparisons(document.results.rows)
    if not result:
        return []
    parts: list[Block] = []
    for probe, words in _WORDS.items():
        selected = [c for c in result if c.probe == probe]
        if selected:
            note = f"{words} Segments are means over ranks; a bar ends where the last of them does."
            parts.append(Paragraph(note, "aside"))
        by_series = grouped(selected, lambda comparison: comparison.series)
        parts += [_plot(probe, title(s, by_series), members) for s, members in by_series.items()]
    parts.append(Folded("As a table", [_table(result)]))
    return parts


def _plot(probe: str, name: str, members: Sequence[Comparison]) -> Group:
    """Bars side by side, the problem below each group."""
    unit, scale = time_unit(max(bar.time_s or 0.0 for c in members for bar in c.bars))
    bars = [bar for c in members for bar in c.bars]
    x = [[label(c.name) for c in members for _ in c.bars], [label(bar.name) for bar in bars]]
    data: list[Spec] = [
        bars_at(
            words, index, x, [(bar.segments_s[segment] * scale, _hover(bar, words, segment)) for bar in bars]
        )
        for index, (segment, words) in enumerate(NAMES[probe].items())
    ]
    spec = {"data": data, "layout": stacked_times(unit, gap=0.25)}
    plot = Figure(spec, f"{probe} over {name}, stacked bars", height=400)
    return titled("bars", f"{probe.upper()} over {name}", plot)


def _hover(bar: Bar, words: str, segment: str) -> str:
    text = f"{bar.name}, {words}: {microseconds(bar.segments_s[segment])} µs"
    return text if bar.time_s is None else f"{text} of {microseconds(bar.time_s)} µs"


def _table(comparisons: Sequence[Comparison]) -> Table:
    columns = [
        Column("Path", words=True),
        Column("Problem", words=True),
        Column("Schedule", words=True),
        Column("Message"),
        Column("Time", "µs"),
        Column("95 %"),
        Column("Gain"),
        Column("Bound"),
        Column("of it"),
        Column("kappa"),
    ]
    cells: list[list[Words]] = [
        [
            f"{c.probe} {title(c.series, [other.series for other in comparisons])}",
            c.name,
            bar.name,
            size_label(float(bar.axes.get("size_bytes") or 0)),
            value(bar.figures.get("time"), microseconds),
            interval(bar.figures.get("time"), microseconds),
            value(bar.figures.get("gain"), ratio),
            value(c.bound, ratio),
            value(bar.figures.get("gain_fraction"), ratio),
            value(bar.figures.get("kappa"), ratio),
        ]
        for c in comparisons
        for bar in c.bars
    ]
    return Table(columns, cells, "Schedules of FT and SPMV")


SECTION = Section(70, "schedules", "Schedules: FT and SPMV", body)
