# SPDX-License-Identifier: BSD-3-Clause
"""A fit finds the contention of messages on a torus, also for concurrent groups."""

import numpy as np

from stretto.model.collective.deviations import predicted
from stretto.model.collective.fit import fit_functions
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import Call, points_of
from stretto.model.collective.two_phase import Grid, grids_of

TORUS = (8, 8, 8)
SIZES = (80, 1024, 8192, 32768)
GAP_S_PER_BYTE, OVERHEAD_S = 3e-9, 7e-6


def calls(members: int, *grids: Grid | None) -> list[Call]:
    """A machine that the model describes: eager scatters whose concurrent groups meet on the torus."""
    bare = [
        Call("scatter", "reference", members, b, grid, quantity, 1, 1.0, np.ones(200))
        for grid in grids
        for b in SIZES
        for quantity in (("total",) if grid is None else ("leader", "concurrent"))
    ]
    points = points_of(bare, TORUS)
    times_s = (
        points.factors["links-eager"] * GAP_S_PER_BYTE * points.size_bytes
        + OVERHEAD_S * points.factors["overheads"]
    )
    return [
        Call("scatter", "reference", members, c.size_bytes, c.grid, c.quantity, 1, float(t), np.full(200, t))
        for c, t in zip(bare, times_s, strict=True)
    ]


def test_concurrent_groups_that_were_not_measured_are_predicted() -> None:
    flat = [call for p in (2, 3, 4, 8, 12, 16, 32, 64) for call in calls(p, None)]
    grids = [call for p in (16, 48) for call in calls(p, *grids_of(p))]
    unseen = [call for call in calls(36, *grids_of(36)) if call.quantity == "concurrent"]

    def worst(torus: tuple[int, ...]) -> float:
        functions = Functions(fit_functions([*flat, *grids], torus), "reference", torus=torus)
        inside = [c for c in unseen if c.size_bytes <= max(SIZES)]
        times = [prediction.time_s for prediction in predicted(functions, inside)]
        return max(abs((t or 0.0) / call.time_s - 1) for t, call in zip(times, inside, strict=True))

    assert worst(TORUS) < 0.01
    assert worst(()) > 0.2  # a fit that knows no torus
