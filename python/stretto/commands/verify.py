# SPDX-License-Identifier: BSD-3-Clause
"""`stretto verify`: what runs of FT and SPMV took beside what `stretto.model.verify` says that they take."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from stretto.commands.compare import load_results
from stretto.commands.model_options import JsonOption
from stretto.data.profile_file import read_profile
from stretto.data.sizes import format_duration
from stretto.errors import CheckError, UserError
from stretto.model.parameters import BARS, Source
from stretto.model.verify import Modelled, Row, Verification
from stretto.model.verify import verify as verify_results

_PROFILE = "profile.json"


def verify(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="A run of the probes ft or spmv.")],
    profile: Annotated[
        Path | None,
        typer.Option("--profile", metavar="FILE", help="The machine.  [default: the run's own profile.json]"),
    ] = None,
    within: Annotated[
        float | None,
        typer.Option("--within", metavar="F", help="Exit 3 if the mean deviation, a fraction, is larger."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Actual beside modelled, schedule by schedule: bars A, M and E of the probes' paper.

    M has its parameters from the profile. E has o, g and G from the run itself: those of its runs without
    computation. Deviations are fractions of the actual time.
    """
    if within is not None and not (math.isfinite(within) and within >= 0):
        raise UserError(f"--within: {within} is no fraction; write one such as 0.05")
    try:
        found = verify_results(load_results(run), _source(run, profile))
    except UserError as error:
        raise UserError(f"{run}: {error}") if str(error).startswith("no") else error from None
    if as_json:
        print(json.dumps(_document(found), indent=1, allow_nan=False))
    else:
        _show(found)
    mean = found.deviations[found.headline].mean_absolute
    if within is not None and mean > within:
        raise CheckError(
            f"{run}: mean absolute deviation {mean:.1%} of bar {found.headline} is above {within:.1%}"
        )


def _source(run: Path, profile: Path | None) -> Source | None:
    if profile is None:
        own = (run if run.is_dir() else run.parent) / _PROFILE
        if not own.exists():
            return None
        profile = own
    return Source(read_profile(profile), str(profile), draws=1)


def _document(found: Verification) -> dict[str, Any]:
    headline = found.deviations[found.headline]
    return {
        "bar": found.headline,
        "mean_absolute_deviation": headline.mean_absolute,
        "worst": headline.worst,
        "bars": {
            bar: {
                "mean_absolute_deviation": deviation.mean_absolute,
                "worst": deviation.worst,
                "rows": deviation.rows,
            }
            for bar, deviation in found.deviations.items()
        },
        "missing": list(found.missing),
        "rows": [_members(row) for row in found.rows],
    }


def _members(row: Row) -> dict[str, Any]:
    actual = row.measured
    return {
        **actual.axes,
        **actual.option.axes(actual.problem),
        "operation": actual.operation,
        "calibrates": row.calibrates,
        "A": {"time_s": actual.time_s, **{f"{name}_s": value for name, value in actual.segments_s.items()}},
        **{bar: _bar(modelled) for bar, modelled in row.bars.items()},
    }


def _bar(modelled: Modelled) -> dict[str, Any]:
    return {
        "time_s": modelled.time_s,
        **{f"{name}_s": value for name, value in modelled.segments_s.items()},
        "deviation": modelled.deviation,
        "segment_deviations": dict(modelled.segment_deviations),
    }


def _show(found: Verification) -> None:
    console = Console(width=None if sys.stdout.isatty() else 80, highlight=False)
    cases: dict[tuple[object, ...], list[Row]] = {}
    for row in found.rows:
        cases.setdefault(tuple(row.measured.axes.items()), []).append(row)
    for rows in cases.values():
        print(_title(rows[0]))
        console.print(_table(rows))
    for bar, deviation in found.deviations.items():
        print(
            f"{bar}: mean absolute deviation {deviation.mean_absolute:.1%}, worst {deviation.worst:+.1%}, "
            f"{deviation.rows} rows ({BARS[bar]})"
        )
    for reason in found.missing:
        print(f"no bar {reason}")


def _title(row: Row) -> str:
    measured = row.measured
    sizes = ", ".join(f"{k} {v:.6g}" for k, v in _shown_sizes(row).items())
    return f"{measured.subject} {measured.route}: {sizes}"


def _shown_sizes(row: Row) -> dict[str, float]:
    names = ("rows", "row_length", "scale", "nonzero_ratio", "ranks")
    return {name: float(row.measured.axes[name]) for name in names if name in row.measured.axes}


def _table(rows: list[Row]) -> Table:
    """A line a bar: time, its deviation, and where the time goes."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("schedule", no_wrap=True)
    for name in ("", "time", "off", "work", "init", "sync", "barrier"):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for row in rows:
        actual = row.measured
        name = str(actual.option.schedule)
        if actual.option.count is not None and name in ("chunks", "gather", "scatter"):
            name += f"={actual.option.count}"
        table.add_row(name, "A", format_duration(actual.time_s), "", *_segments(actual.segments_s))
        for bar, modelled in row.bars.items():
            off = f"{modelled.deviation:+.1%}" + ("*" if row.calibrates and bar == "E" else "")
            table.add_row("", bar, format_duration(modelled.time_s), off, *_segments(modelled.segments_s))
    return table


def _segments(segments_s: dict[str, float] | Any) -> list[str]:
    """Work, init, sync, barrier: of SPMV the sums of its two kinds of each."""
    sums = [sum(v for k, v in segments_s.items() if k.endswith(name)) for name in ("work", "init")]
    return [format_duration(value) for value in (*sums, segments_s["sync"], segments_s["barrier"])]
