# SPDX-License-Identifier: BSD-3-Clause
"""Choices of collectives among 1,024 simulated ranks, by functions of grids of at most 256.

The probe runs unchanged on the simulator. Functions are fitted to flat calls of up to 1,024 ranks, and to
grids of up to 256: to measure all grids of all ranks would take a large machine for long. At 1,024 ranks the
chosen form is compared with flat and with every grid, at other sizes. Where the functions' intervals overlap,
the choice is flat: it may miss a gain, and must not cost time. The algorithms are `reference`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bench.harness.builds import ROOT
from bench.harness.checks import Check, Checks, Result, exactly
from bench.harness.runner import Context
from stretto.model.collective.deviations import costs
from stretto.model.collective.measured import Call
from validation.papers.collective_calls import fitted_functions, simulated_calls
from validation.runtime_functions import CLOSE, choices

OUTPUT = ROOT / "build" / "validation" / "many-ranks"
PLATFORM, RANKS = "thunder", 1024
FLAT = (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512, 1024)
GRIDS = (16, 64, 256)
SIZES, OTHER_SIZES = ("128:65536", "384:24576"), "300:19200"  # each grows by factors of eight
COLLECTIVES = ("broadcast", "reduce", "allreduce")
MAX_SLOWER = 1.03


def run(_context: Context) -> Iterator[Result]:
    """Yields the table of choices, and how good they are."""
    runs = [(p, "flat") for p in FLAT] + [(p, "all") for p in GRIDS]
    train = [call for run in runs for sizes in SIZES for call in _calls(*run, sizes)]
    functions = fitted_functions(PLATFORM, train)
    test = [call for grids in ("flat", "all") for call in _calls(RANKS, grids, OTHER_SIZES)]
    points = costs(functions, test)
    yield choices(points, f"{PLATFORM}, {RANKS} ranks")
    within = exactly(float(np.mean([one.over_best <= CLOSE for one in points])))
    slowest = exactly(max(1 + one.over_flat for one in points))
    yield Checks(
        f"{RANKS} simulated ranks",
        [
            Check(f"share within {CLOSE:.0%}", "the best form, simulated", within, None),
            Check("slowest choice", "flat", slowest, MAX_SLOWER),
        ],
    )


def _calls(members: int, grids: str, sizes: str) -> list[Call]:
    """The calls of one simulated run; complete samples are reused."""
    file = OUTPUT / f"{members}-{grids}-{sizes.replace(':', '-')}.jsonl"
    return simulated_calls(PLATFORM, members, grids, sizes, file, COLLECTIVES)
