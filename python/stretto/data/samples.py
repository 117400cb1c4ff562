# SPDX-License-Identifier: BSD-3-Clause
"""Reads `samples.jsonl` as typed data. Checks every line, and accepts files of incomplete runs.

`stretto.model` derives figures from it. `sample_columns` has the columns of sample rows, `sample_rows` the
other rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stretto.data.fields import Members, Place
from stretto.data.files import decode_line, minor_version, read_text
from stretto.data.loads import Load
from stretto.data.sample_frame import sample_frame
from stretto.data.sample_rows import (
    CaseEnd,
    Checked,
    Header,
    NoiseFloor,
    Skipped,
    SubstrateBound,
    Traffic,
    WorkRate,
)
from stretto.data.typed import read_as

if TYPE_CHECKING:
    import polars as pl

SCHEMA_MAJOR = 1
SCHEMA_MINOR = 1
SCHEMA = f"stretto.samples/{SCHEMA_MAJOR}.{SCHEMA_MINOR}"
MPI_FAMILIES = ("mpich", "openmpi", "simgrid", "none")
_KINDS: Mapping[str, type[Any]] = {
    "noise_floor": NoiseFloor,
    "work_rate": WorkRate,
    "bound": SubstrateBound,
    "case_end": CaseEnd,
    "checked": Checked,
    "traffic": Traffic,
    "skipped": Skipped,
    "load": Load,
}
"""The rows other than samples, by their member `row`."""


@dataclass(frozen=True)
class Samples:
    """One samples file.

    `rows` has one row per sample with `COLUMNS`; absent members are null. `disturbed` likewise has the
    samples in which ranks lost their processor to other programs, which were repeated.
    """

    path: Path
    header: Header
    rows: pl.DataFrame
    disturbed: pl.DataFrame
    noise_floor: NoiseFloor | None
    work_rates: tuple[WorkRate, ...]
    bounds: tuple[SubstrateBound, ...]
    case_ends: tuple[CaseEnd, ...]
    checked: tuple[Checked, ...]
    traffic: tuple[Traffic, ...]
    skipped: tuple[Skipped, ...]
    loads: tuple[Load, ...]
    complete: bool
    warnings: tuple[str, ...]


def read_samples(path: Path | str) -> Samples:
    """Reads and checks a samples file, compressed or not.

    A last line without newline is dropped, and without an `end` row the file is incomplete; both give
    warnings. Of a newer minor version, only known members are read.

    Raises:
        UserError: The file violates docs/formats.md otherwise; the message names file and line.
    """
    path = Path(path)
    *lines, rest = read_text(path).split("\n")
    if not lines:
        what = "was cut within its first line" if rest else "is empty"
        raise Place(path).error(f"{what}, it holds no header; run the probe again")
    header, minor = _read_header(lines[0], Place(path, line=1))
    reader = _Reader(path, newer=minor > SCHEMA_MINOR)
    for number, line in enumerate(lines[1:], 2):
        reader.take(line, number)
    return reader.result(header, minor, cut=bool(rest))


def _read_header(line: str, place: Place) -> tuple[Header, int]:
    row = Members.of(decode_line(line, place), place)
    if row.members.get("row") != "header":
        raise place.error("is no header row; name a samples file that a probe wrote")
    minor = minor_version(row.members.get("schema"), "samples", SCHEMA_MAJOR, place)
    # A newer minor version may have additional values of enumerations, which are accepted.
    newer = minor > SCHEMA_MINOR
    row.object("mpi").text("family", allowed=() if newer else MPI_FAMILIES)
    return read_as(Header, row, newer), minor


class _Reader:
    """Collects the rows after the header; with `newer` minor versions, ignores unknown rows."""

    def __init__(self, path: Path, newer: bool) -> None:
        self.path = path
        self.newer = newer
        self.samples: list[dict[str, Any]] = []
        self.sample_lines: list[int] = []
        self.disturbed: list[dict[str, Any]] = []
        self.disturbed_lines: list[int] = []
        self.rows: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
        self.unknown = 0
        self.ended = False

    def take(self, line: str, number: int) -> None:
        place = Place(self.path, line=number)
        if self.ended:
            raise place.error("stands after the end row; remove what follows it")
        row = decode_line(line, place) if line else None
        if not isinstance(row, dict):
            raise place.error("is no row (a JSON object); remove the line")
        kind = row.get("row")
        if kind == "sample":
            self.samples.append(row)
            self.sample_lines.append(number)
        elif kind == "disturbed":
            self.disturbed.append(row)
            self.disturbed_lines.append(number)
        elif kind == "end":
            self._take_end(Members(row, place), number)
        elif isinstance(kind, str) and kind in _KINDS:
            if kind == "noise_floor" and self.rows[kind]:
                raise place.error("is a second noise floor; remove the line")
            self.rows[kind].append(read_as(_KINDS[kind], Members(row, place), self.newer))
        elif self.newer and isinstance(kind, str) and kind != "header":
            self.unknown += 1
        else:
            what = "is a second header" if kind == "header" else "is of no known kind (member 'row')"
            raise place.error(f"{what}; remove the line")

    def _take_end(self, row: Members, number: int) -> None:
        if row.integer("rows", 0) != number - 1:
            text = row.members["rows"]
            raise row.place.error(f"says that {text} lines came before, {number - 1} did; restore the file")
        self.ended = True

    def result(self, header: Header, minor: int, cut: bool) -> Samples:
        warnings = []
        if self.newer:
            ignored = f", {self.unknown} rows of unknown kinds are ignored" if self.unknown else ""
            warnings.append(f"{self.path}: version {SCHEMA_MAJOR}.{minor} is newer than {SCHEMA}{ignored}")
        if cut:
            warnings.append(f"{self.path}: the last line is cut and was dropped")
        if not self.ended:
            warnings.append(f"{self.path}: no end row, the run did not finish")
        if self.ended and cut:
            raise Place(self.path).error("goes on after its end row; remove what follows it")
        return Samples(
            path=self.path,
            header=header,
            rows=sample_frame(self.samples, self.sample_lines, self.path, self.newer),
            disturbed=sample_frame(
                self.disturbed, self.disturbed_lines, self.path, self.newer, may_repeat=True
            ),
            noise_floor=next(iter(self.rows["noise_floor"]), None),
            work_rates=tuple(self.rows["work_rate"]),
            bounds=tuple(self.rows["bound"]),
            case_ends=tuple(self.rows["case_end"]),
            checked=tuple(self.rows["checked"]),
            traffic=tuple(self.rows["traffic"]),
            skipped=tuple(self.rows["skipped"]),
            loads=tuple(self.rows["load"]),
            complete=self.ended,
            warnings=tuple(warnings),
        )
