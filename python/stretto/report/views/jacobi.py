# SPDX-License-Identifier: BSD-3-Clause
"""Shows Jacobi iterations by layout and grid as a table of the fastest or as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stretto.data.sizes import format_duration
from stretto.model.collective.jacobi import Iterations, grid_name
from stretto.report.screen import Part, prose, table
from stretto.report.views.collectives import columns, gain_members, percent, prediction_members, time_cell

_SHOWN = 12


def jacobi_view(
    profile: str, size: int, ranks: int, operation_s: Mapping[str, float], iterations: Iterations
) -> Iterator[Part]:
    """The fastest iterations, and which to use."""
    each = " or ".join(format_duration(one_s) for one_s in dict.fromkeys(operation_s.values()))
    yield f"jacobi on {profile}: {size} unknowns, {ranks} ranks, {each} an operation"
    rows = []
    for one in iterations.rows[:_SHOWN]:
        rows.append(
            [
                one.layout,
                grid_name(one.grid),
                time_cell(one.time),
                format_duration(one.compute_s),
                time_cell(one.communication),
                percent(one.gain.value) if one.gain else "-",
            ]
        )
    yield table(columns(2, "layout", "grid", "iteration", "computing", "communicating", "gain"), rows)
    if len(iterations.rows) > _SHOWN:
        yield f"  and {len(iterations.rows) - _SHOWN} slower ones (--json has all)"
    if iterations.best is not None:
        yield f"  use: {iterations.best.layout}, {grid_name(iterations.best.grid)}"
    for reason in dict.fromkeys(one.time.reason for one in iterations.rows if one.time.reason):
        yield prose(reason)


def jacobi_document(
    profile: str, size: int, ranks: int, operation_s: Mapping[str, float], iterations: Iterations
) -> dict[str, Any]:
    """The document of `stretto predict jacobi`."""
    best = iterations.best
    return {
        "subject": "jacobi",
        "profile": profile,
        "size": size,
        "ranks": ranks,
        "operation_s": dict(operation_s),
        "use": None if best is None else {"layout": best.layout, "grid": grid_name(best.grid)},
        "rows": [
            {
                "layout": one.layout,
                "grid": grid_name(one.grid),
                "time_s": prediction_members(one.time),
                "compute_s": one.compute_s,
                "communication_s": prediction_members(one.communication),
                "gain": gain_members(one.gain),
            }
            for one in iterations.rows
        ],
    }
