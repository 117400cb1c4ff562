# SPDX-License-Identifier: BSD-3-Clause
"""The known best change of each program, and the judgement of what `stretto potential` said.

`programs/expected.json` was written before the tool saw any of the programs. A correction needs a reason in
its commit that the source gives, not the tool.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

PROGRAMS = Path(__file__).parent / "programs"
MOVING = frozenset(
    {"start earlier", "wait later", "split the loop", "nonblocking collective", "double-buffer"}
)
"""Kinds that change the order of work and messages. The others keep it, and break nothing."""
_LEAST = 0.001
"""Part of the run's time below which `potential` shows no work that could move."""
_LINES = re.compile(r"\.(?:c|F90):(\d+)(?:-(\d+))?")

Verdict = Literal["best", "right", "harmless", "would break"]


@dataclass(frozen=True)
class Lines:
    """Lines of a source file, both included."""

    first: int
    last: int

    def within(self, other: Lines) -> bool:
        """Whether all of them are among the other's."""
        return other.first <= self.first and self.last <= other.last


@dataclass(frozen=True)
class Expected:
    """A change: its kind, the lines of the calls at one of which it stands, and the work that moves."""

    kind: str
    sites: tuple[int, ...] = ()
    region: Lines | None = None


@dataclass(frozen=True)
class Program:
    """A program with its best change, and others that keep its result.

    Attributes:
        trap: Why a tempting change is wrong; empty where there is none.
        size: Elements of a message, cells, and steps.
    """

    name: str
    language: Literal["C", "Fortran"]
    trap: str
    size: tuple[int, int, int]
    best: Expected
    right: tuple[Expected, ...]

    @property
    def source(self) -> Path:
        """The file with all forms."""
        return PROGRAMS / f"{self.name}{'.c' if self.language == 'C' else '.F90'}"


@dataclass(frozen=True)
class Said:
    """A piece of advice: what `potential` says of one call site. `gain`: a part of the time of the run, for
    some advice with a progress thread.
    """

    kind: str
    site: int
    region: Lines | None
    gain: float
    text: str
    with_thread: bool = False


def programs() -> list[Program]:
    """All programs, as the data has them."""
    rows = json.loads((PROGRAMS / "expected.json").read_text(encoding="utf-8"))["programs"]
    return [
        Program(
            **{**row, "size": tuple(row["size"])}
            | {"best": _expected(row["best"]), "right": tuple(map(_expected, row["right"]))}
        )
        for row in rows
    ]


def reasons_of_misses(entry: str) -> Mapping[str, str]:
    """Why advice for a program misses, by its name, in an entry of the validation. Found after the fact,
    unlike what is expected.
    """
    found: Mapping[str, str] = json.loads((PROGRAMS / "misses.json").read_text(encoding="utf-8"))[entry]
    return found


def said(document: Mapping[str, Any]) -> list[Said]:
    """What the document of `potential` says: its changes, and the regions that it offers to be moved."""
    run_s = (document["on_network"] or document["time"])["run_s"]
    return [*_changes(document["changes"], run_s), *_moves(document["movable"], run_s)]


def judged(program: Program, advice: Said) -> Verdict:
    """Whether this advice is the best, another right one, one that changes no order, or a wrong one."""
    if _fits(program.best, advice):
        return "best"
    if any(_fits(one, advice) for one in program.right):
        return "right"
    return "would break" if advice.kind in MOVING else "harmless"


def found(program: Program, advice: Sequence[Said]) -> bool:
    """Whether the best change is among the advice; that of "nothing" is where nothing would break."""
    verdicts = [judged(program, one) for one in advice]
    if program.best.kind == "nothing":
        return "would break" not in verdicts
    return "best" in verdicts


def _fits(expected: Expected, advice: Said) -> bool:
    if advice.kind != expected.kind or advice.site not in expected.sites:
        return False
    if expected.region is None or advice.region is None:
        return expected.region is advice.region
    return advice.region.within(expected.region)


def _changes(rows: Sequence[Mapping[str, Any]], run_s: float) -> Iterator[Said]:
    for row in rows:
        lines, gain = lines_in(row["change"]), row["gain_s"] / run_s
        yield Said(row["kind"], _site(row["where"]), lines, gain, row["change"], row["with_thread"])


def _moves(rows: Sequence[Mapping[str, Any]], run_s: float) -> Iterator[Said]:
    for row in rows:
        for region in row["regions"]:
            if row["refused"] or not region["offered"] or row["hidden_s"] < _LEAST * run_s:
                continue
            kind = "wait later" if row["side"] == "arrival" else "start earlier"
            if region["kind"] == "loop distribution":
                kind = "split the loop"
            where = region["where"]
            yield Said(kind, _site(row["where"]), lines_in(where), row["hidden_s"] / run_s, f"move {where}")


def lines_in(text: str) -> Lines | None:
    """The lines that a text names; None: none."""
    match = _LINES.search(text)
    return Lines(int(match[1]), int(match[2] or match[1])) if match else None


def _site(where: str) -> int:
    lines = lines_in(where)
    return lines.first if lines else 0


def _expected(row: Mapping[str, Any]) -> Expected:
    region = Lines(*row["region"]) if "region" in row else None
    return Expected(row["kind"], tuple(row.get("sites", ())), region)
