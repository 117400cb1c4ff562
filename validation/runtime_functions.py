# SPDX-License-Identifier: BSD-3-Clause
"""Compares runtime functions with simulated collectives, and measures the cost of choices by them.

Functions are fitted to flat calls and grids of some p and sizes, and predict others. The tables have the
deviations of flat calls, leader groups, concurrent groups and totals, and compare the model's choice with the
best measured grid. The algorithms are `reference`, which are LAM's.

Complete samples in build/validation/runtime-functions/ are reused. Otherwise, each of the two platforms takes
half an hour of a core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from bench.harness.builds import ROOT
from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context
from stretto.model.collective.deviations import Cost, costs, predicted
from stretto.model.collective.forms import FORMS
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import Call, points_of
from stretto.model.collective.pieces import Piece, fit_pieces
from stretto.model.collective.points import Points, Terms
from validation.papers.collective_calls import FULL, OPERATIONS, fitted_to

OUTPUT = ROOT / "build" / "validation" / "runtime-functions"
CLOSE = 0.05
SMOOTH: Terms = (("1", "b"), ("log2-p", "b"), ("1", "1"), ("log2-p", "1"))
"""The form of broadcast and reduce in table 1. A smooth logarithm has no steps, so it is never chosen."""


def deviation(pairs: Iterable[tuple[float | None, float]]) -> str:
    """`mean (largest)` of |predicted - measured| / measured in percent, and the number without prediction."""
    result = list(pairs)
    off = [abs(p / m - 1) for p, m in result if p is not None]
    missing = f" -{len(result) - len(off)}" if len(off) < len(result) else ""
    return f"{100 * np.mean(off):.2f} ({100 * max(off):.0f}){missing}" if off else "-"


def smooth(train: Sequence[Call], test: Sequence[Call], operation: str) -> str:
    """The deviations of the paper's smooth logarithm above four processes."""
    forms: dict[str, Terms] = {"linear": FORMS["linear, start-up"], "smooth": SMOOTH}
    above = [c for c in train if c.operation == operation and c.grid is None and c.members > 4]
    pieces = fit_pieces(points_of(above), forms)
    selected = [c for c in test if c.operation == operation and c.grid is None and c.members > 4]
    return deviation((piecewise_s(pieces, c.members, c.size_bytes), c.time_s) for c in selected)


def piecewise_s(pieces: Sequence[Piece], members: int, size_bytes: int) -> float | None:
    """t(p, b) of the piece that applies there."""
    for piece in pieces:
        low, high = piece.bounds.root_bytes
        root = members * size_bytes
        inside = all(
            ends[0] <= value <= ends[1]
            for ends, value in ((piece.bounds.members, members), (piece.bounds.size_bytes, size_bytes))
        )
        if inside and (low is None or low <= root) and (high is None or root <= high):
            design = Points.flat([members], [size_bytes], [1.0]).design(piece.fit.terms)
            return float((design @ piece.fit.coefficients)[0])
    return None


def deviations(functions: Functions, train: Sequence[Call], test: Sequence[Call], platform: str) -> Table:
    """Yields one row per operation."""
    quantities: tuple[Callable[[Call], bool], ...] = (
        lambda c: c.grid is None,
        lambda c: c.quantity == "leader",
        lambda c: c.quantity == "concurrent",
        lambda c: c.grid is not None and c.quantity == "total",
    )
    rows = []
    for operation in OPERATIONS:
        selected = [c for c in test if c.operation == operation and c.phase_members > 1]
        predictions = predicted(functions, selected)
        cells = [
            deviation(
                (prediction.time_s, call.time_s)
                for call, prediction in zip(selected, predictions, strict=True)
                if belongs(call)
            )
            for belongs in quantities
        ]
        cells.insert(1, smooth(train, test, operation))
        rows.append((operation, *cells))
    title = (
        f"{platform}: mean deviation (largest) on p and sizes left out, %; -N: so many without a prediction"
    )
    return Table(title, ("operation", "flat", "smooth p>4", "leader", "concurrent", "total"), rows)


def choices(costs: Sequence[Cost], platform: str) -> Table:
    """The costs of the model's choices, and the gains of every operation that was measured."""
    rows = []
    measured = {one.choice.operation for one in costs}
    for operation in (*(one for one in OPERATIONS if one in measured), "all"):
        selected = [c for c in costs if operation in (c.choice.operation, "all")]
        within = np.mean([c.over_best <= CLOSE for c in selected])
        gains = [100 * c.best_gain for c in selected]
        most = (100 * max(c.over_best for c in selected), 100 * max(c.over_flat for c in selected))
        figures = (f"{100 * within:.1f}", *(f"{one:.1f}" for one in most))
        rows.append((operation, str(len(selected)), *figures, f"{min(gains):.1f} to {max(gains):.1f}"))
    title = f"{platform}: choices, %; share within {CLOSE:.0%} of the best measured, largest cost over both"
    columns = ("operation", "points", "within", "over best", "over flat", "gain of the best grid")
    return Table(title, columns, rows)


def run(context: Context) -> Iterator[Result]:
    """Yields the tables of each platform."""
    for platform in context.options.platforms:
        fitted = fitted_to(platform, FULL[platform], OUTPUT)
        train, test = fitted.train, fitted.test
        yield deviations(
            fitted.functions, train, test, f"{platform}, {len(train)} calls fitted, {len(test)} left out"
        )
        result = costs(fitted.functions, test)
        yield choices(result, platform)
        within = exactly(float(np.mean([c.over_best <= CLOSE for c in result])))
        what = f"{platform}: share of choices within {CLOSE:.0%} of the best grid"
        yield Checks(platform, [Check(what, "all grids, simulated", within, None)])
