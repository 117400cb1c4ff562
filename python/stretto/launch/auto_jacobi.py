# SPDX-License-Identifier: BSD-3-Clause
"""`stretto run jacobi --variant auto`: runs the layout and grid with the shortest predicted time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stretto.errors import UserError
from stretto.model.collective.jacobi import LAYOUTS, Iteration, Iterations, all_iterations, grid_name
from stretto.model.collective.of_profile import functions_of
from stretto.model.collective.two_phase import Grid, parse_grid
from stretto.options.choices import AUTO, CHOSEN

_TRIAL_ITERATIONS = 3  # iterations that measure the time of one operation


RunOnce = Callable[..., dict[str, Any]]
"""Runs the kernel with the arguments of `KernelRun.with_variant`; returns its document."""


@dataclass(frozen=True)
class Chosen:
    """The chosen layout and settings (`--set`).

    Attributes:
        shown: Member `choice` of the document.
    """

    variant: str
    settings: Mapping[str, str]
    shown: dict[str, Any]


@dataclass(frozen=True)
class JacobiChoice:
    """A request to choose layout and grid from a profile.

    Attributes:
        layouts: The candidate layouts.
        grids: The candidate grids; an element None means flat collectives. None: flat and every grid.
    """

    profile: Path
    layouts: Sequence[str]
    grids: Sequence[Grid | None] | None

    @staticmethod
    def of(
        variant: str | None, profile: Path | None, settings: Mapping[str, str], ranks: int
    ) -> JacobiChoice | None:
        """The request; None where the user named layout and grid.

        Raises:
            UserError: The request cannot be fulfilled.
        """
        grid = settings.get("grid")
        is_open = variant in CHOSEN
        if not is_open and grid not in CHOSEN:
            if profile is not None:
                raise UserError(
                    f"--profile {profile}: is for --variant {AUTO} or --set grid={AUTO}; leave it out, or "
                    "choose one of them"
                )
            return None
        named = _profile_named(profile, f"--variant {AUTO}" if is_open else f"--set grid={AUTO}")
        grids: Sequence[Grid | None] | None = None
        if grid is not None and grid not in CHOSEN:
            grids = [None if grid == "flat" else parse_grid(grid, ranks, "--set grid")]
        return JacobiChoice(named, LAYOUTS if is_open else (variant or LAYOUTS[0],), grids)

    def decide(self, run_once: RunOnce) -> Chosen:
        """Measures the time of an operation in a few flat iterations per layout, then applies eq. 1 and 2.

        Raises:
            UserError: The profile predicts none of the iterations.
        """
        trials = [
            run_once(layout, settings={"iterations": str(_TRIAL_ITERATIONS), "grid": "flat"})
            for layout in self.layouts
        ]
        times_s: dict[str, float] = {trial["layout"]: trial["t_op_s"] for trial in trials}
        functions = functions_of(self.profile, trials[0]["algorithm"])
        result = all_iterations(functions, trials[0]["size"], trials[0]["ranks"], times_s, self.grids)
        best = result.best
        if best is None:
            reason = next(
                (one.time.reason for one in result.rows if one.time.reason), "every gain is undecided"
            )
            raise UserError(f"{self.profile}: {reason}; probe it with --sizes and -n that reach there")
        grid = grid_name(best.grid)
        return Chosen(best.layout, {"grid": grid}, self._shown(best, result, times_s))

    def _shown(self, best: Iteration, iterations: Iterations, times_s: dict[str, float]) -> dict[str, Any]:
        """Member `choice` of the document; times are seconds per iteration."""
        flat = iterations.shortest_flat
        return {
            "profile": str(self.profile),
            "predicted_s": best.time.time_s,
            "deviation": best.time.deviation,
            "operation_s": times_s,
            "flat": None if flat is None else {"layout": flat.layout, "predicted_s": flat.time.time_s},
            "candidates": [
                {"layout": one.layout, "grid": grid_name(one.grid), "predicted_s": one.time.time_s}
                for one in iterations.rows
            ],
        }


def _profile_named(profile: Path | None, option: str) -> Path:
    """The profile to choose from: `profile`, or else that of STRETTO_PROFILE.

    Raises:
        UserError: There is neither; the message names `option`.
    """
    named = profile or Path(os.environ.get("STRETTO_PROFILE", ""))
    if named == Path():
        raise UserError(f"{option}: needs --profile FILE; `stretto probe` and `stretto fit` make it")
    return named
