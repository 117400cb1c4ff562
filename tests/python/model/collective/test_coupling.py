# SPDX-License-Identifier: BSD-3-Clause
"""The coupling of phases is fitted, predicted and bounded; there is none without an effect."""

import numpy as np
import pytest
from synthetic_collectives import predict_two_phase

from stretto.data.collectives import Coupling, CouplingTerm, RuntimeFunction, Term
from stretto.data.figures import Figure
from stretto.model.collective.coupling import fit_couplings
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import Call
from stretto.model.collective.two_phase import Grid, grids_of

SIZES = (80, 1024, 8192, 65536, 262144)
G = 90e-9


def stages(p: int) -> int:
    return (p - 1).bit_length()


def phase_s(p: int, b: int) -> float:
    return stages(p) * (60e-6 + G * b)


def eager_coupling_s(grid: Grid, b: int) -> float:
    """Leaders send row and column messages at once, up to the change of protocol."""
    return stages(grid.rows) * stages(grid.columns) * G * b if b < 65536 else 0.0


def calls(members: int, noise: float = 0.0, coupled: bool = True, seed: int = 1) -> list[Call]:
    random = np.random.default_rng(seed)
    result = []
    for grid in grids_of(members):
        for b in SIZES:
            leader, concurrent = phase_s(grid.columns, b), phase_s(grid.rows, b)
            total = leader + concurrent + (eager_coupling_s(grid, b) if coupled else 0.0)
            for quantity, t in (("total", total), ("leader", leader), ("concurrent", concurrent)):
                t *= 1 + noise * random.standard_normal()
                result.append(Call("broadcast", "library", members, b, grid, quantity, 1, t, np.full(200, t)))
    return result


def test_what_eager_leaders_add_is_found_up_to_the_change_of_protocol() -> None:
    (result,) = fit_couplings([*calls(96, 0.002), *calls(64, 0.002), *calls(24, 0.002)])
    assert (result.size_min_bytes, result.size_max_bytes) == (80, 65535)
    assert (result.members_min, result.members_max) == (24, 96)
    functions = Functions((), couplings=(result,))
    for grid, b in ((Grid(8, 9), 20_000), (Grid(5, 8), 50_000)):
        added = predict_two_phase(functions, "broadcast", grid, b).coupling_s
        assert added == pytest.approx(eager_coupling_s(grid, b), rel=0.05)
    assert predict_two_phase(functions, "broadcast", Grid(8, 9), 65536).coupling_s == 0.0
    assert predict_two_phase(functions, "reduce", Grid(8, 9), 20_000).coupling_s == 0.0


def test_phases_that_add_up_have_no_coupling() -> None:
    assert fit_couplings([*calls(96, 0.004, coupled=False), *calls(64, 0.004, coupled=False)]) == ()


def predicted(seconds: float) -> float | None:
    """A broadcast on 4 x 4 whose phases take 2 ms each, with a coupling of so many seconds."""
    terms = (Term("ceil-log2-p", "1", Figure(1e-3)),)
    bounds = (2, 64, 1, 1 << 20)
    coupling = Coupling("broadcast", *bounds, (CouplingTerm("1", "1", "1", Figure(seconds)),))
    functions = Functions((RuntimeFunction("broadcast", *bounds, terms=terms),), couplings=(coupling,))
    return predict_two_phase(functions, "broadcast", Grid(4, 4), 1000).total.time_s


@pytest.mark.parametrize(("coupling_s", "total_s"), [(1e-3, 5e-3), (-1e-3, 3e-3), (-9e-3, 2e-3)])
def test_no_phase_hides_more_than_itself(coupling_s: float, total_s: float) -> None:
    assert predicted(coupling_s) == pytest.approx(total_s)
