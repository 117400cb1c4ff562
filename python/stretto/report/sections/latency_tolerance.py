# SPDX-License-Identifier: BSD-3-Clause
"""Figures 5, 6 and 7 of the ARMCI paper, by path of the runtime: overhead, overlap, aggregation."""

from collections.abc import Callable, Mapping, Sequence

from stretto.data.results import ResultRow
from stretto.report.aggregation import METHODS, Gathered, gathered
from stretto.report.blocks import Block, Column, Figure, Group, Paragraph, Table, present, titled
from stretto.report.document import Document
from stretto.report.figure_cells import negative
from stretto.report.figures import Spec, bars, layout, log_axis, marks, size_axis
from stretto.report.overhead import Overhead, overheads
from stretto.report.sections import Section
from stretto.report.select import Series, group, size_of, title, where
from stretto.report.transfer_plots import path
from stretto.report.units import MICRO, microseconds, percent, size_label

Groups = Mapping[Series, Sequence[ResultRow]]
_NOTE = (
    "After Nieplocha et al., figures 5 to 7. Overhead: a nonblocking get and its wait, until data is here, "
    "and the same by MPI. Overlap: the largest work between the two that does not lengthen the run, over "
    "the time of the get alone. Aggregation: doubles that lie apart, by each method."
)


def body(document: Document) -> Sequence[Block]:
    """Those of the three figures for which the runtime was measured."""
    rows = document.results.rows
    parts = present([_overhead(rows), _overlap(rows), _aggregation(rows)])
    if not parts:
        return []
    return present([Paragraph(_NOTE, "aside"), Group("pair", parts), _excess(overheads(rows))])


def _overhead(rows: Sequence[ResultRow]) -> Group | None:
    paths = _with_runtime(group(where(rows, "latency", operation="get"), path))
    shown = [row for members in paths.values() for row in members if row.value is not None]
    if not shown:
        return None
    traces = _traces(paths, lambda v: v * MICRO, lambda v: f"{microseconds(v)} µs")
    axes = layout(
        size_axis(size_of(row) or 0 for row in shown),
        log_axis([(row.value or 0.0) * MICRO for row in shown], "get and wait, µs"),
    )
    return _part("Overhead (figure 5)", {"data": traces, "layout": axes}, "time of a get and its wait")


def _overlap(rows: Sequence[ResultRow]) -> Group | None:
    paths = _with_runtime(group(where(rows, "knee_overlap", operation="get", side="origin")))
    if not paths:
        paths = _with_runtime(group(where(rows, "knee_overlap", operation="get")))
    shown = [row for members in paths.values() for row in members if row.value is not None]
    if not shown:
        return None
    traces = _traces(paths, lambda v: 100 * v, lambda v: f"{negative(percent(v))} %")
    top = max(100.0, *(100 * (row.ci95_high or row.value or 0.0) for row in shown))
    axes = layout(
        size_axis(size_of(row) or 0 for row in shown),
        {"title": "overlap at the knee, %", "range": [-4, 1.05 * top]},
    )
    return _part(
        "Overlap (figure 6)", {"data": traces, "layout": axes}, "overlap at the knee by message size"
    )


def _aggregation(rows: Sequence[ResultRow]) -> Group | None:
    lines = [line for line in gathered(rows) if line.time.value is not None]
    if not any(_is_runtime(line.series) for line in lines):
        return None
    largest = max(line.size_bytes for line in lines)
    shown = [line for line in lines if line.size_bytes == largest]
    names = list(dict.fromkeys(_bar_name(line, shown) for line in shown))
    traces = []
    for index, method in enumerate(METHODS):
        of_method = {_bar_name(line, shown): line.time for line in shown if line.method == method}
        points = [(name, of_method[name]) for name in names if name in of_method]
        heights = [(name, (row.value or 0.0) * MICRO, _hover(method, name, row)) for name, row in points]
        traces.append(bars(method, index, heights))
    values = [(line.time.value or 0.0) * MICRO for line in shown]
    axes = layout(
        {"type": "category", "categoryorder": "array", "categoryarray": names},
        log_axis(values, f"{size_label(largest)} in pieces, µs"),
        barmode="group",
    )
    return _part("Aggregation (figure 7)", {"data": traces, "layout": axes}, "time by method and path")


def _excess(result: Sequence[Overhead]) -> Table | None:
    columns = [
        Column("Path", words=True),
        Column("Reference", words=True),
        Column("Size"),
        Column("Get and wait", "µs"),
        Column("Reference", "µs"),
        Column("More", "µs"),
    ]
    cells = [
        [
            title(one.series),
            title(one.peer),
            size_label(one.size_bytes),
            microseconds(one.time_s),
            microseconds(one.peer_s),
            negative(microseconds(one.time_s - one.peer_s)),
        ]
        for one in result
    ]
    return Table(columns, cells, "Overhead of the smallest get") if cells else None


def _part(head: str, spec: Spec, label: str) -> Group:
    return titled("", head, Figure(spec, label, height=360))


def _traces(paths: Groups, scale: Callable[[float], float], form: Callable[[float], str]) -> list[Spec]:
    traces = []
    for index, (series, members) in enumerate(paths.items()):
        name = title(series, paths)
        points = [
            (
                size_of(row) or 0,
                scale(row.value),
                None if row.ci95_low is None else scale(row.ci95_low),
                None if row.ci95_high is None else scale(row.ci95_high),
                f"{name}, {size_label(size_of(row) or 0)}: {form(row.value)}",
            )
            for row in members
            if row.value is not None
        ]
        if points:
            traces.append(marks(name, index, points, mode="lines+markers"))
    return traces


def _is_runtime(series: Series) -> bool:
    return series.get("transport") == "stretto"


def _with_runtime(paths: Groups) -> Groups:
    """The paths, if one of them is the runtime's. Another section shows plain MPI without the runtime."""
    return paths if any(_is_runtime(series) for series in paths) else {}


def _bar_name(line: Gathered, among: Sequence[Gathered]) -> str:
    return title(line.series.without_default_progress(), [one.series for one in among])


def _hover(method: str, name: str, row: ResultRow) -> str:
    return f"{name}, {method}: {microseconds(row.value or 0.0)} µs"


SECTION = Section(53, "latency-tolerance", "Latency tolerance: overhead, overlap, aggregation", body)
