# SPDX-License-Identifier: BSD-3-Clause
"""Does `stretto probe` ever answer wrongly? The same question on a quiet machine, under a burner on every
core, and under bursts of other programs.

What a quiet machine answers most often is the reference. A figure is false where it is further from the
reference than its interval and `TOLERANCE` allow. A busy machine may answer "too busy"; it may not answer
wrongly. The table has the false figures. Every figure of every run is in
build/validation/answers/figures.txt, next to every screen.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context
from bench.harness.show import as_text
from stretto.data.samples import read_samples
from stretto.data.sizes import format_size
from stretto.errors import RunError
from stretto.model.derive import derive_results
from validation.commands import STRETTO
from validation.disturbance import DISTURBANCES, disturbed

TOLERANCE = 0.05
_COLUMNS = ("condition", "run", "place", "progress", "size", "hidden", "interval", "of reference", "verdict")
_SHOWN = "answer.txt"
_FALSE = "FALSE"


@dataclass(frozen=True)
class Figure:
    """One figure of one run. `value` is None where the run says why there is none."""

    condition: str
    run: int
    place: str
    progress: str
    size_bytes: int
    value: float | None
    low: float
    high: float
    reason: str

    @property
    def point(self) -> tuple[str, str, int]:
        return self.place, self.progress, self.size_bytes

    def is_false(self, reference: float) -> bool:
        """Whether it says something else than the reference."""
        if self.value is None:
            return False
        return not self.low - TOLERANCE <= reference <= self.high + TOLERANCE

    def cells(self, reference: float | None) -> tuple[str, ...]:
        """As a row below _COLUMNS."""
        where = self.condition, str(self.run), self.place, self.progress, format_size(self.size_bytes)
        known = "-" if reference is None else f"{reference:.2f}"
        if self.value is None:
            return *where, "-", self.reason.partition(":")[0], known, "-"
        verdict = "-" if reference is None else _FALSE if self.is_false(reference) else "holds"
        return *where, f"{self.value:.2f}", f"{self.low:.2f}..{self.high:.2f}", known, verdict


def run(context: Context) -> Iterator[Result]:
    """Yields the false figures, if any, then the checks; the output directory gets all figures."""
    options = context.options
    found: list[Figure] = []
    for condition in options.conditions:
        for number in range(context.repetitions(10)):
            directory = context.output / f"{condition}-{number}"
            if not (options.keep and (directory / _SHOWN).exists()):
                with disturbed(condition):
                    _probe(directory, tuple(options.probe_options))
            found += figures(directory, condition, number)
    reference = references(found)
    rows = [one.cells(reference.get(one.point)) for one in found]
    (context.output / "figures.txt").write_text(
        as_text("Every figure", _COLUMNS, rows) + "\n", encoding="utf-8"
    )
    if false := [row for row in rows if row[-1] == _FALSE]:
        yield Table("False figures", _COLUMNS, false)
    yield Checks("Answers", list(checks(found, reference)))


def _probe(directory: Path, options: Sequence[str]) -> None:
    """One run; its screen is kept. RunError where it failed."""
    shutil.rmtree(directory, ignore_errors=True)
    command = [str(STRETTO), "probe", *options, "-o", str(directory)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RunError(f"{' '.join(command)}: {done.stderr.strip()}")
    (directory / _SHOWN).write_text(done.stdout + done.stderr, encoding="utf-8")


def figures(directory: Path, condition: str, number: int) -> Iterator[Figure]:
    """The overlap of every size, on the node and on the emulated network."""
    for place, run in (("node", directory), ("network", directory / "emulated")):
        if not run.exists():
            continue
        for row in derive_results(read_samples(run / "samples.jsonl.gz")).rows:
            if row.metric == "eta":
                where = condition, number, place, str(row.axes["progress"]), int(row.axes["size_bytes"])
                yield Figure(*where, row.value, row.ci95_low or 0.0, row.ci95_high or 0.0, row.reason or "")


def references(found: Sequence[Figure]) -> Mapping[tuple[str, str, int], float]:
    """The median of the quiet runs' values, by point."""
    values: dict[tuple[str, str, int], list[float]] = {}
    for one in found:
        if one.condition == "quiet" and one.value is not None:
            values.setdefault(one.point, []).append(one.value)
    return {point: median(each) for point, each in values.items()}


def checks(found: Sequence[Figure], reference: Mapping[tuple[str, str, int], float]) -> Iterator[Check]:
    """No false figure in any condition; quiet headlines come back; quiet headlines are resolved."""
    for condition in DISTURBANCES:
        mine = [one for one in found if one.condition == condition and one.point in reference]
        if not mine:
            continue
        false = sum(one.is_false(reference[one.point]) for one in mine)
        given = sum(one.value is not None for one in mine)
        yield Check(f"{condition}: false of {given} figures", "quiet median", exactly(false), 0)
        yield Check(f"{condition}: share without a figure", "-", exactly(1 - given / len(mine)), None)
    quiet = [one for one in found if one.condition == "quiet" and one.value is not None]
    if quiet:
        off = max(abs((one.value or 0.0) - reference[one.point]) for one in quiet)
        yield Check("quiet: farthest from the median", "ten runs", exactly(off), TOLERANCE)
        widest = max((one.high - one.low) / 2 for one in quiet)
        yield Check("quiet: widest half interval", "-", exactly(widest), 0.10)
