# SPDX-License-Identifier: BSD-3-Clause
"""FT and SPMV and their models: the paper's bars A (actual), M and E, and the deviation of each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stretto.data.groups import grouped
from stretto.data.sizes import said_change, said_share
from stretto.errors import UserError
from stretto.model.parameters import BARS, Source
from stretto.model.verify import Row, Verification, verify
from stretto.report.blocks import Block, Column, Figure, Folded, Group, Notes, Paragraph, Table, Words, titled
from stretto.report.document import Document
from stretto.report.figure_cells import negative
from stretto.report.figures import Spec, bars_at, label, stacked_times, time_unit
from stretto.report.schedule_bars import NAMES
from stretto.report.sections import Section
from stretto.report.units import microseconds, significant

_NAMES = {segment: name for names in NAMES.values() for segment, name in names.items()}
_NOTE = (
    "Bar A is what was measured. M is modelled with the parameters of the profile, E with o, g and G from "
    "those of these runs that compute nothing. Computation is taken as it was measured, so that what is "
    "compared is the communication: starting transfers, and waiting for them."
)


def body(document: Document) -> Sequence[Block]:
    """One plot per probe, transport and progress mode, with a group of bars per schedule."""
    source = None if document.profile is None else Source(document.profile, "the profile", draws=1)
    try:
        result = verify(document.results, source)
    except UserError:  # no runs of these probes, or nothing to model them with
        return []
    sweeps = grouped((row for row in result.rows if row.bars), _sweep)
    plots = [_plot(name, rows) for name, rows in sweeps.items()]
    return [Paragraph(_NOTE, "aside"), _deviations(result), *plots, Folded("As a table", [_table(result)])]


def _deviations(verification: Verification) -> Notes:
    text = [
        f"{bar} ({BARS[bar]}): {said_share(off.mean_absolute, 1)} off on average, "
        f"{negative(f'{said_change(off.worst, 1)}')} at worst, over {off.rows} runs."
        for bar, off in verification.deviations.items()
    ]
    text += [f"No bar {reason}." for reason in verification.missing]
    return Notes(text)


def _plot(name: str, rows: Sequence[Row]) -> Group:
    """Bars A, M and E side by side in groups of one run, stacked from the parts of its time."""
    bars = [(row, bar, segments) for row in rows for bar, segments in _bars(row).items()]
    longest_s = max(sum(segments.values()) for _, _, segments in bars)
    unit, factor = time_unit(longest_s)

    def height(bar: str, segments: Mapping[str, float], segment: str) -> tuple[float, str]:
        time = segments[segment] * factor
        return time, f"{bar}, {_NAMES[segment]}: {significant(time)} {unit}"

    x = [["<br>".join(map(label, _run(row))) for row, _, _ in bars], [bar for _, bar, _ in bars]]
    data: list[Spec] = [
        bars_at(_NAMES[segment], index, x, [height(bar, segments, segment) for _, bar, segments in bars])
        for index, segment in enumerate(rows[0].measured.segments_s)
    ]
    axes = stacked_times(unit, gap=0.15)
    axes["margin"] |= {"b": 76}
    return titled("", name, Figure({"data": data, "layout": axes}, f"{name}, bars A, M, E", height=420))


def _bars(row: Row) -> dict[str, Mapping[str, float]]:
    return {"A": row.measured.segments_s, **{bar: modelled.segments_s for bar, modelled in row.bars.items()}}


def _sweep(row: Row) -> str:
    """`FT over mpi-rma, progress none, N 1024, R 512`: what the runs of a plot share."""
    axes, subject = row.measured.axes, row.measured.subject.upper()
    sizes = f"N {axes['rows']}, R {axes['row_length']}" if "row_length" in axes else f"n {axes['rows']}"
    return f"{subject} {row.measured.route}, {sizes}"


def _run(row: Row) -> list[str]:
    """The schedule, and what varies over a sweep."""
    axes, option = row.measured.axes, row.measured.option
    counted = option.count is not None and option.schedule in ("chunks", "gather", "scatter")
    words = [f"{option.schedule} {option.count}" if counted else option.schedule]
    for name, text in (("scale", "scale"), ("nonzero_ratio", "nonzeros")):
        words += [f"{text} {axes[name]:.3g}"] if name in axes else []
    return words


def _table(verification: Verification) -> Table:
    bars = list(verification.deviations)
    columns = [Column("Sweep", words=True), Column("Run", words=True), Column("A", "µs")]
    columns += [column for bar in bars for column in (Column(bar, "µs"), Column("off", "%"))]
    return Table(
        columns, [_cells(row, bars) for row in verification.rows], "Runs of FT and SPMV, actual and modelled"
    )


def _cells(row: Row, bars: Sequence[str]) -> list[Words]:
    cells: list[Words] = [_sweep(row), ", ".join(_run(row))]
    cells.append(microseconds(row.measured.time_s))
    modelled = {str(bar): one for bar, one in row.bars.items()}
    for bar in bars:
        one = modelled.get(bar)
        cells += (
            ["–", ""] if one is None else [microseconds(one.time_s), negative(f"{100 * one.deviation:+.1f}")]
        )
    return cells


SECTION = Section(72, "models", "Schedules and their models", body)
