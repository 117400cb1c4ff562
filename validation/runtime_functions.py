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
from pathlib import Path

import numpy as np

from bench.harness.builds import ROOT
from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context
from stretto.data.profile import Profile
from stretto.data.samples import read_samples
from stretto.errors import RunError
from stretto.launch.job import Job
from stretto.launch.probing import probe_arguments
from stretto.launch.simulated import find_platform, run_simulated
from stretto.model.cases import cases_of
from stretto.model.collective.coupling import fit_couplings
from stretto.model.collective.deviations import Cost, costs, predicted
from stretto.model.collective.fit import fit_functions
from stretto.model.collective.forms import FORMS, SMOOTH
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import Call, calls_of, points_of
from stretto.model.collective.pieces import Piece, fit_pieces
from stretto.model.collective.points import Points, Terms
from stretto.model.statistics import DEFAULT_SEED
from stretto.native.programs import native_program

OUTPUT = ROOT / "build" / "validation" / "runtime-functions"
OPERATIONS = ("broadcast", "gather", "scatter", "reduce", "allreduce", "allgather")
ALGORITHM = "reference"
# Fitted and left-out p and sizes. The probe's sizes grow by factors of eight.
FLAT = {
    "clic": (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96),
    "t3e": (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64),
}
GRIDS = {"clic": (16, 32, 96), "t3e": (16, 32, 48, 64)}
SIZES = ("80:524288", "320:65536", "1280:131072")
MANY, MOST_BYTES_OF_MANY = 32, 131072  # every rank of an allgather needs p b bytes
LEFT_OUT = {"clic": (20, 40, 72, 90), "t3e": (20, 36, 40, 60)}
LEFT_OUT_FLAT = {"clic": (7, 10, 14, 28, 56, 80), "t3e": (7, 10, 14, 28, 44, 56)}
CLOSE = 0.05
LEFT_OUT_SIZES = ("200:400000", "50000:50000")


def samples(platform: str, members: int, grids: str, sizes: str) -> Path:
    """The samples of one simulated run of the probe on `members` ranks; runs it if they are missing."""
    file = OUTPUT / platform / f"{members}-{grids}-{sizes.replace(':', '-')}.jsonl"
    if file.exists() and read_samples(file).complete:
        return file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    words = ["collective", "--collectives", ",".join(OPERATIONS), "--algorithm", ALGORITHM]
    words += ["--members", str(members), "--grids", grids, "--sizes", sizes, "--rounds", "1"]
    words += ["--on", "simulated", "--platform", platform]
    arguments = probe_arguments(words, file, network=platform, warm_ups=0)
    job = Job(native_program("stretto-probe", "simgrid"), arguments, members)
    outcome = run_simulated(job, find_platform(platform))
    if outcome.status != "done":
        raise RunError(f"{file.name}: {outcome.status}: {outcome.stderr_tail}")
    return file


def calls(platform: str, members: Iterable[int], grids: str, sizes: Sequence[str]) -> list[Call]:
    """The calls of runs with each p and range of sizes, whose upper end is reduced for many ranks."""
    files = [
        samples(platform, p, grids, cut if p > MANY else span)
        for p in members
        for span in sizes
        for cut in [span_below(span, MOST_BYTES_OF_MANY)]
    ]
    return [call for file in files for call in calls_of(cases_of(read_samples(file).rows), DEFAULT_SEED)]


def span_below(span: str, most_bytes: int) -> str:
    """MIN:MAX with MAX limited to this many bytes."""
    low, _, high = span.partition(":")
    return f"{low}:{min(int(high), most_bytes)}"


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
            return float(piece.fit.predict_s(Points.flat([members], [size_bytes], [1.0]))[0])
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
    """The costs of the model's choices, and the gains of every operation."""
    rows = []
    for operation in (*OPERATIONS, "all"):
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
        train = calls(platform, FLAT[platform], "flat", SIZES) + calls(
            platform, GRIDS[platform], "all", SIZES
        )
        test = calls(platform, LEFT_OUT[platform], "all", LEFT_OUT_SIZES)
        flat = [*LEFT_OUT[platform], *LEFT_OUT_FLAT[platform]]
        test += calls(platform, flat, "flat", LEFT_OUT_SIZES)
        torus = find_platform(platform).torus
        fitted = fit_functions(train, DEFAULT_SEED, torus)
        profile = Profile((), collectives=fitted, couplings=fit_couplings(train, fitted, torus), torus=torus)
        functions = Functions.of(profile, ALGORITHM)
        yield deviations(
            functions, train, test, f"{platform}, {len(train)} calls fitted, {len(test)} left out"
        )
        result = costs(functions, test)
        yield choices(result, platform)
        within = exactly(float(np.mean([c.over_best <= CLOSE for c in result])))
        what = f"{platform}: share of choices within {CLOSE:.0%} of the best grid"
        yield Checks(platform, [Check(what, "all grids, simulated", within, None)])
