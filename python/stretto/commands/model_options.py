# SPDX-License-Identifier: BSD-3-Clause
"""What the commands that model schedules have in common: the profile, the paths and bars in it, rates."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from stretto.data.files import write_atomically
from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.errors import UserError
from stretto.model.forecast import Option, Route, best_bar, routes
from stretto.model.goal import goal_text
from stretto.model.parameters import BARS, Bar, Source
from stretto.model.problem import Problem
from stretto.model.schedule import Schedule
from stretto.options.choices import check_choice

ProfileOption = Annotated[
    Path,
    typer.Option("--profile", metavar="FILE|NAME", help="The machine: a profile.json, or `clic`, `t3e`."),
]
RanksOption = Annotated[
    int | None, typer.Option("--ranks", metavar="P", help="How many ranks.  [default: as the profile's]")
]
TransportOption = Annotated[
    str | None, typer.Option("--transport", metavar="T", help="Over which transport of the profile.")
]
ProgressOption = Annotated[
    str | None, typer.Option("--progress", metavar="M", help="With which progress mode of the profile.")
]
BarOption = Annotated[
    str | None, typer.Option("--bar", help="M: G of a flood between two; E: G of all ranks at once.")
]
RateOption = Annotated[
    str | None, typer.Option("--flops-rate", metavar="F", help="Compute rate of a rank: 2e9, 1.5G flops/s.")
]
GoalOption = Annotated[
    Path | None,
    typer.Option("--goal", metavar="FILE", help="Also write the one schedule for stretto replay."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

_RATE = re.compile(r"([0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,2})?)\s*([kMGT]?)", re.ASCII)
_FACTORS = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_MOST_RANKS = 1 << 20
_MOST_GOAL_STEPS = 10_000_000


def source_of(file: Path) -> Source:
    """The profile in a file. UserError as `read_profile`."""
    return Source(read_profile(profile_path(file)), str(file))


def ranks_of(source: Source, ranks: int | None) -> int:
    """The number of ranks that was given, or that the profile was measured with."""
    found = ranks if ranks is not None else source.profile.machine.ranks
    if found is None:
        raise UserError(f"{source.file}: does not say how many ranks; give --ranks P")
    if not 2 <= found <= _MOST_RANKS:
        raise UserError(f"--ranks: {found} is not within 2 to {_MOST_RANKS}")
    return found


def route_of(source: Source, problem: Problem, transport: str | None, progress: str | None) -> Route:
    """The first route of the profile that is what was asked. UserError, naming what there is, if none is."""
    known = routes(source, problem)
    for route in known:
        if transport in (None, route.transport) and progress in (None, route.progress):
            return route
    asked = "".join(f" --{k} {v}" for k, v in (("transport", transport), ("progress", progress)) if v)
    there = "; ".join(map(str, known)) or "none, `stretto probe loggp` measures its LogGP parameters"
    raise UserError(f"{source.file}: has no route{asked} for {problem.bulk_name}; it has {there}")


def bars_of(
    source: Source, problem: Problem, options: Sequence[Option], route: Route, bar: str | None
) -> list[Bar]:
    """The bar that was asked for, or all that the profile can give for all options."""
    if bar is not None:
        check_choice("--bar", bar, BARS)
        return [known for known in BARS if known == bar]
    loaded = all(best_bar(source, problem, option, route) == "E" for option in options)
    return ["M", "E"] if loaded else ["M"]


def write_goal(file: Path, schedules: Sequence[Schedule], computing_s: float) -> None:
    """Writes the one schedule as GOAL. UserError where there are several, or it is too long."""
    if len(schedules) != 1:
        raise UserError(f"--goal: takes one schedule, not {len(schedules)}; choose it with --schedules")
    steps = len(schedules[0].steps) * schedules[0].ranks
    if steps > _MOST_GOAL_STEPS:
        raise UserError(f"--goal: {steps} operations are above {_MOST_GOAL_STEPS}; take fewer rows or ranks")
    write_atomically(file, goal_text(schedules[0], computing_s))


def flops_rate_of(text: str | None) -> float | None:
    """Flops a second. UserError where `text` is none."""
    if text is None:
        return None
    found = _RATE.fullmatch(text.strip())
    rate = float(found[1]) * _FACTORS[found[2]] if found else 0.0
    if not (0 < rate < math.inf):
        raise UserError(f"--flops-rate: '{text}' is no rate; write flops a second, such as 2e9 or 1.5G")
    return rate


def check_positive(option: str, value: int) -> int:
    """`value`, when it is 1 to 2^40; else UserError."""
    if not 1 <= value <= 1 << 40:
        raise UserError(f"{option}: {value} is not within 1 to 2^40")
    return value


def check_fraction(option: str, value: float, most: float) -> float:
    """`value`, when it is finite and 0 to `most`; else UserError."""
    if not 0 <= value <= most:
        raise UserError(f"{option}: {value:g} is not within 0 to {most:g}")
    return value
