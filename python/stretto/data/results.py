# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes `results.json`: the derived figures for tables, plots and scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from stretto.data.fields import LARGEST_INTEGER, Members, Place, shown
from stretto.data.files import minor_version, read_json_object, write_atomically
from stretto.data.typed import Absent, OneOf, ReadWith, Within, read_as

SCHEMA_MAJOR = 1
SCHEMA = f"stretto.results/{SCHEMA_MAJOR}.0"

AxisValue = str | int | float
_Figure = Annotated[float, Within(-1e300, 1e300), Absent(None)] | None
# The members of a row that are not axes.
_OWN = ("metric", "unit", "value", "ci95_low", "ci95_high", "n", "bound", "reason")


def _axes(row: Members) -> dict[str, AxisValue]:
    axes: dict[str, AxisValue] = {}
    for name, value in row.members.items():
        if name in _OWN or value is None:
            continue
        place = row.place.member(name)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise place.error(f"is {shown(value)}, not a text or a number; correct it")
        if not isinstance(value, str) and not abs(value) <= LARGEST_INTEGER:
            raise place.error(f"is {shown(value)}, beyond any axis; correct it")
        axes[name] = value
    return axes


@dataclass(frozen=True)
class ResultRow:
    """One figure. Where it is unresolved, `value` is None and `reason` explains it.

    Attributes:
        metric: Such as `latency`, `eta` or `G`.
        unit: The SI unit of the value and its interval.
        ci95_low, ci95_high: The 95 % interval.
        n: The number of rounds.
        axes: The other members by name, such as `probe`, `transport` or `size_bytes`; axes that do not apply
            are absent.
        bound: `upper` or `lower` where the value is a bound, with its `reason`.
    """

    metric: str
    unit: str
    value: _Figure
    ci95_low: _Figure = None
    ci95_high: _Figure = None
    n: int = 0
    axes: Annotated[Mapping[str, AxisValue], ReadWith(_axes)] = field(default_factory=dict)
    bound: Annotated[str, OneOf(("upper", "lower"))] | None = None
    reason: str | None = None

    def unresolved(self, reason: str) -> ResultRow:
        """The same row without its figure."""
        return replace(self, value=None, ci95_low=None, ci95_high=None, bound=None, reason=reason)


@dataclass(frozen=True)
class Results:
    """All figures of a run. `provenance` has the unchanged header of each samples file."""

    rows: tuple[ResultRow, ...]
    provenance: tuple[Mapping[str, Any], ...] = ()


def read_results(path: Path | str) -> Results:
    """Reads and checks a results file.

    Raises:
        UserError: The file violates docs/formats.md; the message names the file and the member.
    """
    path = Path(path)
    top = Members(read_json_object(path), Place(path))
    minor_version(top.members.get("schema"), "results", SCHEMA_MAJOR, top.place)
    if not isinstance(top.members.get("rows"), list):
        raise top.place.member("rows").error("is missing or no list; make the file again with stretto fit")
    rows = tuple(read_as(ResultRow, row) for row in top.objects("rows"))
    return Results(rows, tuple(header.members for header in top.objects("provenance")))


def write_results(results: Results, path: Path | str) -> None:
    """Writes a results file atomically.

    Raises:
        UserError: The file cannot be written.
    """
    write_atomically(Path(path), results_text(results))


def results_text(results: Results) -> str:
    """The JSON text of a results file with one row per line, so that diff can compare two files."""
    head = json.dumps({"schema": SCHEMA, "provenance": list(results.provenance)}, allow_nan=False)
    rows = ",\n  ".join(json.dumps(row_members(row), allow_nan=False) for row in results.rows)
    return f'{head[:-1]}, "rows": [\n  {rows}\n]}}\n' if rows else f'{head[:-1]}, "rows": []}}\n'


def row_members(row: ResultRow) -> dict[str, Any]:
    """The members of a row in the file; axes come first."""
    own = {name: getattr(row, name) for name in _OWN}
    return {
        **row.axes,
        **{name: value for name, value in own.items() if name == "value" or value is not None},
    }
