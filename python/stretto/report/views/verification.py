# SPDX-License-Identifier: BSD-3-Clause
"""Shows modelled and measured times as a table per case or as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stretto.data.groups import grouped
from stretto.data.sizes import said_change, said_share, shown_duration
from stretto.model.parameters import BARS
from stretto.model.verify import Modelled, Row, Verification
from stretto.report.screen import Column, Part, table

_COLUMNS = (
    Column("schedule"),
    Column("", words=True),
    *(Column(name) for name in ("time", "off", "work", "init", "sync", "barrier")),
)


def verification_document(verification: Verification) -> dict[str, Any]:
    """The document of `stretto predict ft|spmv --against RUN`."""
    headline = verification.deviations[verification.headline]
    return {
        "bar": verification.headline,
        "mean_absolute_deviation": headline.mean_absolute,
        "worst": headline.worst,
        "bars": {
            bar: {
                "mean_absolute_deviation": deviation.mean_absolute,
                "worst": deviation.worst,
                "rows": deviation.rows,
            }
            for bar, deviation in verification.deviations.items()
        },
        "missing": list(verification.missing),
        "rows": [_members(row) for row in verification.rows],
    }


def _members(row: Row) -> dict[str, Any]:
    actual = row.measured
    return {
        **actual.axes,
        **actual.option.axes(actual.problem),
        "operation": actual.operation,
        "calibrates": row.calibrates,
        "A": {"time_s": actual.time_s, **{f"{name}_s": value for name, value in actual.segments_s.items()}},
        **{bar: _bar(modelled) for bar, modelled in row.bars.items()},
    }


def _bar(modelled: Modelled) -> dict[str, Any]:
    return {
        "time_s": modelled.time_s,
        **{f"{name}_s": value for name, value in modelled.segments_s.items()},
        "deviation": modelled.deviation,
        "segment_deviations": dict(modelled.segment_deviations),
    }


def verification_view(verification: Verification) -> Iterator[Part]:
    """One table per case, then the deviation of each bar."""
    for rows in grouped(verification.rows, lambda row: tuple(row.measured.axes.items())).values():
        yield _title(rows[0])
        yield table(_COLUMNS, _lines(rows))
    for bar, deviation in verification.deviations.items():
        yield (
            f"{bar}: mean absolute deviation {said_share(deviation.mean_absolute, 1)}, worst "
            f"{said_change(deviation.worst, 1)}, {deviation.rows} rows ({BARS[bar]})"
        )
    for reason in verification.missing:
        yield f"no bar {reason}"


def _title(row: Row) -> str:
    measured = row.measured
    sizes = ", ".join(f"{k} {v:.6g}" for k, v in _shown_sizes(row).items())
    return f"{measured.subject} {measured.route}: {sizes}"


def _shown_sizes(row: Row) -> dict[str, float]:
    names = ("rows", "row_length", "scale", "nonzero_ratio", "ranks")
    return {name: float(row.measured.axes[name]) for name in names if name in row.measured.axes}


def _lines(rows: list[Row]) -> Iterator[list[str]]:
    """A line a bar: time, its deviation, and where the time goes."""
    for row in rows:
        actual = row.measured
        name = str(actual.option.schedule)
        if actual.option.count is not None and name in ("chunks", "gather", "scatter"):
            name += f"={actual.option.count}"
        yield [name, "A", shown_duration(actual.time_s), "", *_segments(actual.segments_s)]
        for bar, modelled in row.bars.items():
            off = said_change(modelled.deviation, 1) + ("*" if row.calibrates and bar == "E" else "")
            yield ["", bar, shown_duration(modelled.time_s), off, *_segments(modelled.segments_s)]


def _segments(segments_s: Mapping[str, float]) -> list[str]:
    """Work, init, sync, barrier: of SPMV the sums of its two kinds of each."""
    sums = [sum(v for k, v in segments_s.items() if k.endswith(name)) for name in ("work", "init")]
    return [shown_duration(value) for value in (*sums, segments_s["sync"], segments_s["barrier"])]
