# SPDX-License-Identifier: BSD-3-Clause
"""Is what `stretto advise` says of FT the best? Points (N, R, scale) drawn by seed, advised, then measured.

Usage: `advise.py [--points 10] [--seed 1] [--profile FILE] [--budget S] [PROBE-OPTION...]`; the options of
`stretto probe` say where (default: `--on emulated --transport stretto --progress thread`). Without a profile
one is measured first, in the same place. Exit status 3 where it was off by more than 5 % in more than one of
ten.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
STRETTO = ROOT / ".venv" / "bin" / "stretto"
PLACE = ("--on", "emulated", "--transport", "stretto", "--progress", "thread")
CLOSE = 0.05
ROW_LENGTHS = tuple(1 << power for power in range(12, 18))
SCALES = (0.5, 2.0, 8.0, 32.0, 128.0)  # compute rates far from balance and about it
SMALLEST_BYTES, LARGEST_BYTES = 16 << 20, 64 << 20  # of a rank: below, the noise of a busy machine counts


@dataclass(frozen=True)
class Point:
    """A problem of FT."""

    rows: int
    row_length: int
    scale: float

    @property
    def options(self) -> tuple[str, ...]:
        return "--rows", str(self.rows), "--row-length", str(self.row_length), "--scale", f"{self.scale:g}"


def points(count: int, seed: int) -> list[Point]:
    """Different problems of a size that can be measured in a minute."""
    drawn, rng = [], random.Random(seed)
    while len(drawn) < count:
        length = rng.choice(ROW_LENGTHS)
        size = rng.uniform(math.log(SMALLEST_BYTES), math.log(LARGEST_BYTES))
        rows = 1 << round((size - math.log(16 * length)) / math.log(2))
        point = Point(rows, length, rng.choice(SCALES))
        if rows >= 4 and point not in drawn:
            drawn.append(point)
    return drawn


def stretto(*arguments: str) -> str:
    """What the program prints."""
    done = subprocess.run([str(STRETTO), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"stretto {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def measured_profile(directory: Path, place: Sequence[str], budget_s: float) -> Path:
    """LogGP parameters and overlap by the probes, compute rates by runs of FT."""
    budget = ("--budget", f"{budget_s:g}")
    stretto("probe", "loggp", "overlap", *place, "--ratio", "1", *budget, "-o", str(directory / "network"))
    lengths = ",".join(map(str, ROW_LENGTHS[::2]))
    rates = ("--rows", "64", "--row-length", lengths, "--scale", "1", "--schedules", "exchange")
    stretto("probe", "ft", *place, *rates, *budget, "-o", str(directory / "rates"))
    profile = directory / "profile.json"
    stretto("fit", str(directory / "network"), str(directory / "rates"), "-o", str(profile))
    return profile


def schedule_name(candidate: Mapping[str, Any]) -> str:
    name = str(candidate["schedule"])
    return f"chunks={candidate['chunks']}" if name == "chunks" else name


def times(
    directory: Path, point: Point, place: Sequence[str], schedules: Sequence[str], budget_s: float
) -> dict[str, float]:
    """Seconds by schedule, over the one route of `place`."""
    wanted = ("--schedules", ",".join(schedules), "--budget", f"{budget_s:g}")
    stretto("probe", "ft", *place, *point.options, *wanted, "-o", str(directory))
    rows = json.loads((directory / "results.json").read_text(encoding="utf-8"))["rows"]
    return {
        schedule_name(r): r["value"] for r in rows if r["metric"] == "time" and "schedule" in r and r["value"]
    }


def option(place: Sequence[str], name: str, default: str) -> str:
    return place[place.index(name) + 1] if name in place else default


def main() -> int:
    """Prints a line a point; the status says whether advice was good enough."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--points", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", type=Path)
    parser.add_argument("--budget", type=float, default=40)
    chosen, rest = parser.parse_known_args()
    place = tuple(rest) or PLACE
    ranks = ("--ranks", option(place, "-n", "2"))
    route = (option(place, "--transport", "stretto"), option(place, "--progress", "thread"))
    print(f"# {' '.join(place)}, seed {chosen.seed}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("#    rows  length scale  advised       sure  measured(s)  best          best(s)   off")
    good = 0
    with TemporaryDirectory() as name:
        directory = Path(name)
        profile = chosen.profile or measured_profile(directory, place, 3 * chosen.budget)
        for index, point in enumerate(points(chosen.points, chosen.seed)):
            answer = json.loads(
                stretto("advise", "--profile", str(profile), *ranks, *point.options, "--json")
            )
            advice = next(one for one in answer["advice"] if one["subject"] == "ft")
            mine = [c for c in advice["candidates"] if (c["transport"], c["progress"]) == route]
            advised = schedule_name(advice["leading"])
            found = times(
                directory / str(index), point, place, [schedule_name(c) for c in mine], chosen.budget
            )
            best = min(found, key=lambda one: found[one])
            off = found[advised] / found[best] - 1
            good += off <= CLOSE
            line = f"{point.rows:>9} {point.row_length:>7} {point.scale:>5g}  {advised:<12}  "
            line += f"{advice['confidence']:>4.0%}  {found[advised]:>11.4f}  "
            print(f"{line}{best:<12} {found[best]:>8.4f} {off:>+5.1%}", flush=True)
    print(
        f"# within {CLOSE:.0%} of the best measured: {good} of {chosen.points}; load {os.getloadavg()[0]:.1f}"
    )
    return 0 if good >= chosen.points - chosen.points // 10 else 3


if __name__ == "__main__":
    sys.exit(main())
