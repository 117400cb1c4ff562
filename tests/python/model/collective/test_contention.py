# SPDX-License-Identifier: BSD-3-Clause
"""What messages take of links: of simulated machines exactly; and a fit finds it, for concurrent groups, too."""

import numpy as np
import pytest

from stretto.model.collective.contention import link_time, overheads
from stretto.model.collective.deviations import predicted
from stretto.model.collective.fit import fit_functions
from stretto.model.collective.functions import Functions
from stretto.model.collective.links import route
from stretto.model.collective.measured import Call
from stretto.model.collective.programs import ALONE, Placement
from stretto.model.collective.two_phase import Grid, grids_of, phase_placement

TORUS = (8, 8, 8)
SIZES = (80, 1024, 8192, 32768)
GAP_S_PER_BYTE, OVERHEAD_S = 3e-9, 7e-6


def test_a_route_goes_the_shorter_way_round_each_dimension_in_turn() -> None:
    assert route(TORUS, 0, 2) == [(0, 0, 1), (1, 0, 1)]
    assert route(TORUS, 0, 7) == [(0, 0, -1)]
    assert route(TORUS, 1, 8) == [(1, 0, -1), (0, 1, 1)]
    assert route(TORUS, 64 + 1, 0) == [(65, 0, -1), (64, 2, -1)]
    assert [len(route(TORUS, *pair)) for pair in ((0, 4), (4, 0), (5, 1), (0, 511))] == [4, 4, 4, 3]
    assert len(set(route(TORUS, 5, 5))) == 1  # a message to the same node needs a link of its own
    assert route((), 3, 5) == [(3, 0, 1), (5, 0, -1)]


@pytest.mark.parametrize(
    ("operation", "members", "placement", "eager", "in_turn"),
    [
        ("broadcast", 12, ALONE, 7, 8),
        ("broadcast", 64, ALONE, 14, 14),
        ("gather", 40, ALONE, 32, 39),
        ("scatter", 36, ALONE, 19, 35),
        ("reduce", 40, ALONE, 6, 6),
        ("scatter", 16, Placement(2, 2), 16, 27),
        ("broadcast", 4, Placement(4, 4), 8, 8),
        ("reduce", 2, Placement(24, 24), 3, 3),
    ],
)
def test_it_is_what_simgrids_torus_took(
    operation: str, members: int, placement: Placement, eager: float, in_turn: float
) -> None:
    """Differences of times over differences of sizes and the bandwidth, as the simulated probe gave them."""
    assert link_time(operation, members, placement, TORUS, False) == pytest.approx(eager)
    assert link_time(operation, members, placement, TORUS, True) == pytest.approx(in_turn)


def test_on_a_switch_groups_do_not_meet() -> None:
    for operation, members in (("broadcast", 16), ("reduce", 12), ("gather", 7), ("scatter", 3)):
        for in_turn in (False, True):
            alone = link_time(operation, members, ALONE, (), in_turn)
            assert link_time(operation, members, Placement(5, 5), (), in_turn) == pytest.approx(alone)
    assert link_time("broadcast", 96, ALONE, (), False) == pytest.approx(27)  # sends on the longest path
    assert link_time("broadcast", 96, ALONE, (), True) == pytest.approx(7)


def test_overheads_are_those_of_the_longest_path() -> None:
    assert [overheads("broadcast", p) for p in (2, 4, 5, 12, 20, 64)] == [2, 4, 4, 7, 8, 12]
    assert [overheads("reduce", p) for p in (2, 4, 5, 12, 20, 64)] == [2, 4, 5, 7, 9, 12]
    assert [overheads(operation, 20) for operation in ("gather", "scatter")] == [20, 20]


def calls(members: int, grid: Grid | None) -> list[Call]:
    """A machine that the model describes: eager scatters whose concurrent groups meet on the torus."""
    found = []
    for b in SIZES:
        for quantity in ("total",) if grid is None else ("leader", "concurrent"):
            call = Call("scatter", "reference", members, b, grid, quantity, 1, 1.0, np.ones(200))
            links = link_time("scatter", call.phase_members, call.placement, TORUS, False)
            t = links * GAP_S_PER_BYTE * call.phase_bytes + OVERHEAD_S * overheads(
                "scatter", call.phase_members
            )
            found.append(Call("scatter", "reference", members, b, grid, quantity, 1, t, np.full(200, t)))
    return found


def test_concurrent_groups_that_were_not_measured_are_predicted() -> None:
    flat = [call for p in (2, 3, 4, 8, 12, 16, 32, 64) for call in calls(p, None)]
    grids = [call for p in (16, 48) for grid in grids_of(p) for call in calls(p, grid)]
    unseen = [call for grid in grids_of(36) for call in calls(36, grid) if call.quantity == "concurrent"]

    def worst(torus: tuple[int, ...]) -> float:
        functions = Functions(fit_functions([*flat, *grids], 1, torus), "reference", torus=torus)
        inside = [c for c in unseen if c.phase_bytes <= max(SIZES)]
        times = [predicted(functions, call).time_s for call in inside]
        return max(abs((t or 0.0) / call.time_s - 1) for t, call in zip(times, inside, strict=True))

    assert worst(TORUS) < 0.01
    assert worst(()) > 0.2  # a fit that knows no torus


def test_rows_lead_all_at_once_only_where_no_root_does() -> None:
    assert phase_placement("broadcast", "leader", Grid(4, 6)) == ALONE
    assert phase_placement("allgather", "leader", Grid(4, 6)) == Placement(1, 4)
    assert phase_placement("scatter", "concurrent", Grid(4, 6)) == Placement(6, 6)
    assert [Placement(1, 4).rank(2, 3, 6), Placement(6, 6).rank(2, 3, 4)] == [15, 20]
