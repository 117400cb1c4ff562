# SPDX-License-Identifier: BSD-3-Clause
"""The columns of sample rows and their bounds; the rows as one Polars frame. A new axis is one line here."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

import polars as pl

from stretto.data.collectives import ALGORITHMS, OPERATIONS
from stretto.data.fields import LARGEST_INTEGER, LONGEST_TIME_S, Place, shown

WORK_KINDS = ("register", "cache", "stream")
FT_SCHEDULES = ("exchange", "slabs", "pencils", "chunks")
SPMV_SCHEDULES = ("bulk", "gather", "scatter")


@dataclass(frozen=True)
class Column:
    """A member of sample rows; `allowed` is empty where any text will do."""

    name: str
    kind: Literal["text", "integer", "number"]
    required: bool = False
    low: float = 0
    high: float = LARGEST_INTEGER
    allowed: tuple[str, ...] = ()


AXES = (
    Column("transport", "text"),
    Column("operation", "text", allowed=("send", "put", "get", *OPERATIONS)),
    Column("progress", "text", allowed=("none", "poll", "thread")),
    Column("side", "text", allowed=("origin", "target", "both")),
    Column("direction", "text", allowed=("one-way", "both-ways")),
    Column("size_bytes", "integer"),
    Column("ratio", "number", high=1e9),
    Column("work_kind", "text", allowed=WORK_KINDS),
    Column("work_count", "integer"),
    Column("window", "integer", low=1),
    Column("path", "text", allowed=("direct", "rma", "message")),
    Column("method", "text", allowed=("individual", "aggregate", "vector")),
    Column("pattern", "text", allowed=("pairs", "gather-all")),
    Column("algorithm", "text", allowed=ALGORITHMS),
    Column("grid", "text"),
    Column("members", "integer", low=1),
    Column("root", "integer"),
    Column("segments", "integer", low=1),
    Column("rows", "integer", low=1),
    Column("row_length", "integer", low=1),
    Column("planes", "integer", low=1),
    Column("scale", "number", high=1e9),
    Column("nonzero_ratio", "number", high=1),
    Column("flops", "number", high=1e30),
)
# Those that tell the quantities of a case of ft or spmv apart, with `operation` and `size_bytes`.
SCHEDULE_AXES = (
    Column("schedule", "text", allowed=FT_SCHEDULES + SPMV_SCHEDULES),
    Column("chunks", "integer", low=1),
    Column("prefetch", "integer"),
)
SEGMENTS = ("init", "work", "sync", "barrier")
SPMV_SEGMENTS = ("prefetch_init", "pipeline_init", "local_work", "remote_work", "sync", "barrier")
_ALL_SEGMENTS = tuple(dict.fromkeys((*SEGMENTS, *SPMV_SEGMENTS)))
COLUMNS = (
    Column("probe", "text", required=True),
    Column("case", "integer", required=True),
    Column("quantity", "text", required=True),
    Column("round", "integer", required=True),
    Column("time_s", "number", required=True, high=LONGEST_TIME_S),
    Column("messages", "integer", required=True),
    Column("ranks", "integer", required=True, low=1),
    *AXES,
    *SCHEDULE_AXES,
    *(
        Column(f"{name}{which}_s", "number", high=LONGEST_TIME_S)
        for name in _ALL_SEGMENTS
        for which in ("", "_min", "_max")
    ),
)
_TYPES: dict[str, tuple[type, ...]] = {"text": (str,), "integer": (int,), "number": (int, float)}
_DTYPES: dict[str, Any] = {"text": pl.String, "integer": pl.Int64, "number": pl.Float64}
_IDENTITY = ("probe", "case", "quantity", "round")


def sample_frame(
    rows: Sequence[dict[str, Any]], lines: Sequence[int], path: Path, newer: bool
) -> pl.DataFrame:
    """The sample rows as a frame, one column a member of COLUMNS, absent members null.

    Args:
        rows: The rows as decoded.
        lines: The line number of each.
        path: Their file.
        newer: Of a newer minor version: enumerations may have grown.

    Raises:
        UserError: A member is missing, of a wrong type, or out of its bounds; or a sample stands there twice.
    """
    columns = []
    shapes = set(map(tuple, rows))  # few: rows of one probe have the same members
    for column in COLUMNS:
        values = _values(column.name, rows, shapes)
        _check(column, values, lines, path, newer)
        columns.append(pl.Series(column.name, values, dtype=_DTYPES[column.kind], strict=False))
    frame = pl.DataFrame(columns)
    again = frame.select(pl.struct(_IDENTITY).is_first_distinct().not_().arg_true()).to_series()
    if len(again):
        row = rows[again[0]]
        what = f"quantity {row['quantity']} of case {row['case']} in round {row['round']}"
        raise Place(path, line=lines[again[0]]).error(f"repeats {what}; remove one of the two lines")
    return frame


def _values(name: str, rows: Sequence[dict[str, Any]], shapes: set[tuple[str, ...]]) -> list[Any]:
    """One member of all rows, None where it is absent; quick where all or none have it."""
    having = sum(name in shape for shape in shapes)
    if having == 0:
        return [None] * len(rows)
    return list(map(itemgetter(name), rows)) if having == len(shapes) else [row.get(name) for row in rows]


def _check(column: Column, values: list[Any], lines: Sequence[int], path: Path, newer: bool) -> None:
    """Whole columns at once, because that is fast; when something is wrong, value by value for the line."""
    types = set(map(type, values))
    if types <= {type(None)} and not column.required:
        return
    wanted = {*_TYPES[column.kind], *(() if column.required else (type(None),))}
    if types <= wanted and _within(column, values, newer):
        return
    for value, line in zip(values, lines, strict=True):
        if (value is None and not column.required) or (
            type(value) in _TYPES[column.kind] and _within(column, [value], newer)
        ):
            continue
        raise Place(path, line=line, path=column.name).error(f"{_wrong(column, value, newer)}; correct it")


def _within(column: Column, values: list[Any], newer: bool) -> bool:
    found = (
        {v for v in values if v is not None}
        if column.kind == "text"
        else [v for v in values if v is not None]
    )
    if not found:
        return True
    if column.kind == "text":
        if column.allowed and not newer:
            return set(found) <= set(column.allowed)
        return all(text.isprintable() and 0 < len(text) <= 200 for text in found)
    return bool(min(found) >= column.low and max(found) <= column.high)


def _wrong(column: Column, value: Any, newer: bool) -> str:
    if value is None:
        return "is missing"
    if type(value) not in _TYPES[column.kind]:
        return f"is {shown(value)}, not a {'whole number' if column.kind == 'integer' else column.kind}"
    if column.kind == "text":
        known = column.allowed and not newer
        return (
            f"is {shown(value)}, not {'one of ' + ', '.join(column.allowed) if known else 'a printable name'}"
        )
    return f"is {shown(value)}, not within {column.low:g} to {column.high:g}"
