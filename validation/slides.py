# SPDX-License-Identifier: BSD-3-Clause
"""The slides' table of HYCOM and their figures of Sweep3D, found in a program with work of those times.

`programs/slide_rows.c` has the variables and the durations of the slides (Sancho et al., slides 16 and 17).
What `stretto potential` finds in its trace is set against them, row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.harness.builds import ROOT, build, launcher
from bench.harness.checks import Check, Checks, Result, Table, both_sides, exactly
from bench.harness.runner import Context
from validation.commands import document, stretto
from validation.papers.overlap_potential import (
    INFINIBAND_BYTES_PER_S,
    INFINIBAND_LATENCY_S,
    POTENTIAL_OVER_COST,
)
from validation.rewritten import compile_with_memory

_PROGRAM = ROOT / "validation" / "programs" / "slide_rows.c"
_STEPS = {"hycom": 400, "sweep3d": 4000}
_REPETITIONS = 5
_INFINIBAND = (
    *("--latency", f"{INFINIBAND_LATENCY_S * 1e6:g}us"),
    *("--bandwidth", f"{INFINIBAND_BYTES_PER_S / 1e6:g}MB/s"),
)
_TOLERANCE = 0.15
_NOTHING_US = {"HYCOM": 12.8, "Sweep3D": 1.2}
"""What counts as 0: of HYCOM 2 % of a step; of Sweep3D what the recorder takes between four calls."""
_SWEEP_US = 9.46
_SWEEP_TIMES = POTENTIAL_OVER_COST["Sweep3D"]
_LOOP = "tendencies"

_HYCOM: Mapping[tuple[str, str], Mapping[str, float]] = {
    ("independent", "producer"): {"ubavg": 0, "pbavg": 576, "vbavg": 282},
    ("independent", "consumer"): {"ubavg": 0, "pbavg": 0, "vbavg": 0},
    ("loop indexing", "producer"): {"ubavg": 0, "pbavg": 27.7, "vbavg": 12.2},
    ("loop indexing", "consumer"): {"ubavg": 37.3, "pbavg": 37.3, "vbavg": 37.3},
}
_DISTRIBUTED_US = 192.0
"""Of ubavg and pbavg by loop distribution. `potential` finds it for the wait that all variables share."""
_CALLS = {"producer": "MPI_Isend", "consumer": "MPI_Irecv"}
_MEMBERS = {"independent": "independent_s", "loop indexing": "between_parts_s"}

Rows = dict[tuple[str, str, str], float]
"""Microseconds by row, side and variable."""


def run(context: Context) -> Iterator[Result]:
    """Records the program several times; the figures are medians."""
    build(context.build, "stretto_trace_preload", "stretto_memory_runtime")
    with TemporaryDirectory() as made:
        program = Path(made) / "slide_rows"
        compile_with_memory(context, _PROGRAM, program)
        turns = context.repetitions(_REPETITIONS)
        found = {
            name: [_recorded(context, program, name, Path(made) / f"{name}-{turn}") for turn in range(turns)]
            for name in _STEPS
        }
    yield from _hycom([_hycom_rows(one, _STEPS["hycom"]) for one in found["hycom"]])
    yield from _sweep3d(found["sweep3d"])


def _recorded(context: Context, program: Path, name: str, directory: Path) -> dict[str, Any]:
    command = (*launcher(context.build, 2), str(program), name, str(_STEPS[name]))
    clean = directory.with_name(f"{directory.name}-clean")
    stretto("trace", "-o", str(clean), "--", *command)
    stretto("trace", "--memory", "byte", "--clean", str(clean), "-o", str(directory), "--", *command)
    return document("potential", str(directory), "--by", "data", *_INFINIBAND)


def _hycom_rows(found: Mapping[str, Any], steps: int) -> Rows:
    """The rows of the slides, in microseconds a message; loop distribution in microseconds a step."""
    rows: Rows = {}
    for (row, side), variables in _HYCOM.items():
        for variable in variables:
            site = _site(found, _CALLS[side], variable)
            rows[row, side, variable] = 1e6 * site["data"][_MEMBERS[row]] / site["data"]["messages"]
    regions = [one for wait in found["movable"] for one in wait["regions"] if _LOOP in one["where"]]
    rows["loop distribution", "both", "all"] = (
        1e6 * sum(one["independent_s"] for one in regions) / (2 * steps)
    )
    return rows


def _site(found: Mapping[str, Any], call: str, variable: str) -> Any:
    return next(one for one in found["sites"] if one["call"] == call and one["where"] == variable)


def _hycom(runs: list[Rows]) -> Iterator[Result]:
    stated = {(row, side, name): us for (row, side), each in _HYCOM.items() for name, us in each.items()}
    stated["loop distribution", "both", "all"] = _DISTRIBUTED_US
    cells, checks = [], []
    for place, slides_us in stated.items():
        here_us = median(one[place] for one in runs)
        cells.append((*place, f"{slides_us:g}", f"{here_us:.1f}"))
        checks += _compared("HYCOM", f"{place[2]}, {place[0]}, {place[1]}", slides_us, here_us)
    yield Table("HYCOM: work per message, us", ("row", "side", "variable", "slides", "here"), cells)
    yield Checks("HYCOM", checks)


def _sweep3d(runs: list[dict[str, Any]]) -> Iterator[Result]:
    def us(call: str, variable: str, member: str) -> float:
        sites = [_site(one, call, variable)["data"] for one in runs]
        return median([1e6 * float(site[member]) / float(site["messages"]) for site in sites])

    available_us = sum(us(call, "phiib", "dependent_s") for call in _CALLS.values())
    independent_us = sum(us(call, "phijb", "independent_s") for call in _CALLS.values())
    sent = _site(runs[0], _CALLS["producer"], "phiib")
    cost_us = 1e6 * sent["cost_s"] / sent["count"]
    cells = [
        ("phiib, production and consumption, us", f"{_SWEEP_US:g}", f"{available_us:.2f}"),
        ("the same over the message's cost", f"{_SWEEP_TIMES:g}", f"{available_us / cost_us:.2f}"),
        ("phijb, independent work, us", "0", f"{independent_us:.2f}"),
    ]
    yield Table("Sweep3D", ("figure", "slides", "here"), cells)
    checks = _compared("Sweep3D", "phiib, time available", _SWEEP_US, available_us)
    checks += _compared("Sweep3D", "phiib, over the cost", _SWEEP_TIMES, available_us / cost_us)
    yield Checks("Sweep3D", [*checks, *_compared("Sweep3D", "phijb, independent", 0, independent_us)])


def _compared(application: str, what: str, slides: float, here: float) -> list[Check]:
    what = f"{application}, {what}"
    if slides == 0:
        return [Check(f"{what}, us", "0 in the slides", exactly(here), _NOTHING_US[application])]
    return both_sides(what, "the slides", exactly(here / slides), _TOLERANCE)
