# SPDX-License-Identifier: BSD-3-Clause
"""Documents from the synthetic machine's files, and small ones from single figures."""

from collections.abc import Sequence
from typing import Any

from synthetic_machine import Json, figure, header

from stretto.data.results import ResultRow, Results
from stretto.report.document import Document

OWN = ("metric", "unit", "value", "ci95_low", "ci95_high", "n", "bound", "reason")


def row_of(members: Json) -> ResultRow:
    """A row as `read_results` gives it."""
    own = {name: members[name] for name in OWN if members.get(name) is not None}
    return ResultRow(
        **{"value": None} | own,
        axes={name: value for name, value in members.items() if name not in OWN and value is not None},
    )


def document_of(rows: Sequence[Json], **header_changes: Any) -> Document:
    return Document(Results(tuple(map(row_of, rows)), (header(**header_changes),)))


def eta(
    value: float | None, size_bytes: int, low: float | None = None, high: float | None = None, **axes: Any
) -> Json:
    """One overlap figure of plain MPI at T_w/T_c 1, with this interval."""
    common = {
        "probe": "overlap",
        "transport": "mpi-two-sided",
        "operation": "send",
        "progress": "none",
        "side": "both",
    }
    common |= {"direction": "one-way", "size_bytes": size_bytes, "ratio": 1.0}
    row = figure("eta", "1", value, **common | axes)
    return row if value is None or low is None else row | {"ci95_low": low, "ci95_high": high}
