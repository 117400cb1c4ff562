# SPDX-License-Identifier: BSD-3-Clause
"""Makes a Polars frame of sample rows, and checks every member against its column."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stretto.data.fields import Place, shown
from stretto.data.sample_columns import COLUMNS, Column

if TYPE_CHECKING:
    import polars as pl

_TYPES: dict[str, tuple[type, ...]] = {"text": (str,), "integer": (int,), "number": (int, float)}
_DTYPES = {"text": "String", "integer": "Int64", "number": "Float64"}
_IDENTITY = ("probe", "case", "quantity", "round")


def sample_frame(
    rows: Sequence[dict[str, Any]], lines: Sequence[int], path: Path, newer: bool, may_repeat: bool = False
) -> pl.DataFrame:
    """The sample rows as a frame with the columns COLUMNS; absent members are null.

    Args:
        rows: The decoded rows.
        lines: The line number of each row.
        path: The file of the rows.
        newer: Whether the minor version is newer, so that enumerations may have unknown values.
        may_repeat: Whether a quantity may appear in a round twice.

    Raises:
        UserError: A member is missing, has a wrong type or is out of bounds, or a sample appears twice.
    """
    import polars as pl  # imported on use: it is slow

    columns = []
    shapes = set(map(tuple, rows))  # few, because rows of one probe have the same members
    for column in COLUMNS:
        values = _values(column.name, rows, shapes)
        _check(column, values, lines, path, newer)
        columns.append(pl.Series(column.name, values, dtype=getattr(pl, _DTYPES[column.kind]), strict=False))
    frame = pl.DataFrame(columns)
    if may_repeat:
        return frame
    again = frame.select(pl.struct(_IDENTITY).is_first_distinct().not_().arg_true()).to_series()
    if len(again):
        row = rows[again[0]]
        what = f"quantity {row['quantity']} of case {row['case']} in round {row['round']}"
        raise Place(path, line=lines[again[0]]).error(f"repeats {what}; remove one of the two lines")
    return frame


def _values(name: str, rows: Sequence[dict[str, Any]], shapes: set[tuple[str, ...]]) -> list[Any]:
    """One member of all rows; None where it is absent. Fast where all rows or none have it."""
    having = sum(name in shape for shape in shapes)
    if having == 0:
        return [None] * len(rows)
    return list(map(itemgetter(name), rows)) if having == len(shapes) else [row.get(name) for row in rows]


def _check(column: Column, values: list[Any], lines: Sequence[int], path: Path, newer: bool) -> None:
    """Checks a whole column, which is fast; after a failure, checks each value to find the line."""
    types = set(map(type, values))
    if types <= {type(None)} and not column.required:
        return
    requested = {*_TYPES[column.kind], *(() if column.required else (type(None),))}
    if types <= requested and _within(column, values, newer):
        return
    for value, line in zip(values, lines, strict=True):
        if (value is None and not column.required) or (
            type(value) in _TYPES[column.kind] and _within(column, [value], newer)
        ):
            continue
        raise Place(path, line=line, path=column.name).error(f"{_wrong(column, value, newer)}; correct it")


def _within(column: Column, values: list[Any], newer: bool) -> bool:
    result = (
        {v for v in values if v is not None}
        if column.kind == "text"
        else [v for v in values if v is not None]
    )
    if not result:
        return True
    if column.kind == "text":
        if column.allowed and not newer:
            return set(result) <= set(column.allowed)
        return all(text.isprintable() and 0 < len(text) <= 200 for text in result)
    return bool(min(result) >= column.low and max(result) <= column.high)


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
