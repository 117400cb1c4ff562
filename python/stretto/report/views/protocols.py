# SPDX-License-Identifier: BSD-3-Clause
"""The protocols of the one-sided runtime, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from stretto.data.sizes import format_size
from stretto.report.screen import Column, Part, heading, prose, table

_COLUMNS = (
    Column("operation", words=True),
    Column("data", words=True),
    Column("protocol", words=True),
    Column("because", words=True),
)


def protocols_view(document: Mapping[str, Any] | None) -> Iterator[Part]:
    """One table for each setting of the runtime; nothing without a document."""
    if document is None:
        return
    large = format_size(2 * document["segment_bytes"])
    yield ""
    yield heading("Protocols of the one-sided runtime")
    yield prose(f"Data is large from two segments on, here {large}; rows are large where each of them is.")
    for (where, progress), rows in groupby(
        document["protocols"], key=lambda row: (row["where"], row["progress"])
    ):
        yield ""
        yield f"{where}, progress {progress}:"
        cells = [[str(row[name]) for name in ("operation", "data", "protocol", "reason")] for row in rows]
        yield table(_COLUMNS, cells)
