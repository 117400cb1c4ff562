# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the FT schedule of `stretto advise` is the best, at random points (N, R, scale).

`--place` has options of `stretto probe`, by default two emulated hosts and transport `stretto` with a
progress thread. Without `--profile`, a profile is measured there first. At most one advice of ten may be
more than 5 % slower than the best.
"""

from __future__ import annotations

import json
import math
import random
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context
from validation.commands import document, measured_profile, stretto

PLACE = "--on emulated --transport stretto --progress thread"
CLOSE = 0.05
ROW_LENGTHS = tuple(1 << power for power in range(12, 18))
PROFILED_LENGTHS = ROW_LENGTHS[::2]
SCALES = (0.5, 2.0, 8.0, 32.0, 128.0)  # computation from far below to far above balance
SMALLEST_BYTES, LARGEST_BYTES = 16 << 20, 64 << 20  # per rank; smaller problems are too noisy
_COLUMNS = ("rows", "length", "scale", "advised", "confidence", "measured (s)", "best", "best (s)", "off")


@dataclass(frozen=True)
class Point:
    """A problem of FT."""

    rows: int
    row_length: int
    scale: float

    @property
    def options(self) -> tuple[str, ...]:
        return "--rows", str(self.rows), "--row-length", str(self.row_length), "--scale", f"{self.scale:g}"


def run(context: Context) -> Iterator[Result]:
    """Yields one row per point."""
    options = context.options
    place = tuple(shlex.split(options.place))
    route = (_option(place, "--transport", "stretto"), _option(place, "--progress", "thread"))
    ranks = ("--ranks", _option(place, "-n", "2"))
    rows, good = [], 0
    with TemporaryDirectory() as name:
        directory = Path(name)
        profile = options.profile or measured_profile(directory, place, 3 * options.budget, PROFILED_LENGTHS)
        for index, point in enumerate(points(options.points, options.seed)):
            answer = document("advise", "--profile", str(profile), *ranks, *point.options)
            advice = next(one for one in answer["advice"] if one["subject"] == "ft")
            selected = [c for c in advice["candidates"] if (c["transport"], c["progress"]) == route]
            advised = schedule_name(advice["leading"])
            names = [schedule_name(c) for c in selected]
            result = times(directory / str(index), point, place, names, options.budget)
            best = min(result, key=lambda one: result[one])
            off = result[advised] / result[best] - 1
            good += off <= CLOSE
            problem = (str(point.rows), str(point.row_length), f"{point.scale:g}")
            measured = (f"{result[advised]:.4f}", best, f"{result[best]:.4f}", f"{off:+.1%}")
            rows.append((*problem, advised, f"{advice['confidence']:.0%}", *measured))
    yield Table(f"{options.place}, seed {options.seed}", _COLUMNS, rows)
    target = options.points - options.points // 10
    what = f"advice within {CLOSE:.0%} of the best measured, of {options.points}"
    yield Checks("Advice", [Check(what, "all schedules, measured", exactly(good), target, at_least=True)])


def points(count: int, seed: int) -> list[Point]:
    """Random problems, each measurable within a minute."""
    drawn: list[Point] = []
    rng = random.Random(seed)
    while len(drawn) < count:
        length = rng.choice(ROW_LENGTHS)
        size = rng.uniform(math.log(SMALLEST_BYTES), math.log(LARGEST_BYTES))
        rows = 1 << round((size - math.log(16 * length)) / math.log(2))
        point = Point(rows, length, rng.choice(SCALES))
        if rows >= 4 and point not in drawn:
            drawn.append(point)
    return drawn


def schedule_name(candidate: Mapping[str, Any]) -> str:
    """The schedule's name for `--schedules`."""
    name = str(candidate["schedule"])
    return f"chunks={candidate['chunks']}" if name == "chunks" else name


def times(
    directory: Path, point: Point, place: Sequence[str], schedules: Sequence[str], budget_s: float
) -> dict[str, float]:
    """Seconds by schedule on the route of the place."""
    options = ("--schedules", ",".join(schedules), "--budget", f"{budget_s:g}")
    stretto("probe", "ft", *place, *point.options, *options, "-o", str(directory))
    rows = json.loads((directory / "results.json").read_text(encoding="utf-8"))["rows"]
    return {
        schedule_name(r): r["value"] for r in rows if r["metric"] == "time" and "schedule" in r and r["value"]
    }


def _option(place: Sequence[str], name: str, default: str) -> str:
    return place[place.index(name) + 1] if name in place else default
