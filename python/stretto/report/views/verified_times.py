# SPDX-License-Identifier: BSD-3-Clause
"""Shows measured and predicted times of collectives and Jacobi iterations as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stretto.data.groups import grouped
from stretto.data.sizes import format_size, said_change, said_share, shown_duration
from stretto.model.collective.verified import VerifiedTime, VerifiedTimes
from stretto.report.screen import Column, Part, prose, table

_HEADS = ("grid", "part", "p", "size", "measured", "predicted", "off")
_WORDS = 2


def verified_document(verified: VerifiedTimes) -> dict[str, Any]:
    """The document of `stretto predict collective --against RUN`: nulls where there is no prediction."""
    return {
        "mean_absolute_deviation": verified.mean_absolute,
        "worst": verified.worst,
        "missing": list(verified.missing),
        "rows": [
            {
                **row.axes,
                "time_s": row.measured_s,
                "predicted_s": row.predicted.time_s,
                "deviation": row.deviation,
            }
            for row in verified.rows
        ],
    }


def verified_view(verified: VerifiedTimes) -> Iterator[Part]:
    """A table for each operation and algorithm, then the deviation of all rows."""
    groups = grouped(verified.rows, lambda row: f"{row.axes['operation']}, {row.axes['algorithm']}")
    columns = [Column(head, words=index < _WORDS) for index, head in enumerate(_HEADS)]
    for title, rows in groups.items():
        yield title
        yield table(columns, map(_cells, rows))
    known = sum(row.deviation is not None for row in verified.rows)
    yield (
        f"mean absolute deviation {said_share(verified.mean_absolute, 1)}, worst "
        f"{said_change(verified.worst, 1)}, {known} rows (runtime functions)"
    )
    for reason in verified.missing:
        yield prose(f"no prediction: {reason}")


def _cells(row: VerifiedTime) -> list[str]:
    return [
        str(row.axes["grid"]),
        str(row.axes["quantity"]),
        str(row.axes["members"]),
        format_size(int(row.axes["size_bytes"])),
        shown_duration(row.measured_s),
        "-" if row.predicted.time_s is None else shown_duration(row.predicted.time_s),
        "-" if row.deviation is None else said_change(row.deviation, 1),
    ]
