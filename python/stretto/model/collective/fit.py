# SPDX-License-Identifier: BSD-3-Clause
"""Measured calls to the runtime functions of a profile: pieces, intervals, sums of operations, phases."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from stretto.data.collectives import OPERATIONS, Part, RuntimeFunction, Term
from stretto.data.figures import Figure
from stretto.model.collective.forms import coefficient_replicates, intervals
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import REPLICATES, Call, points_of
from stretto.model.collective.pieces import Piece, fit_pieces
from stretto.model.collective.points import Floats, Points, relative_deviation
from stretto.model.collective.two_phase import CUT, segmented

# Table 1: LAM's allreduce and allgather are two operations, one after the other.
SUMS: Mapping[str, tuple[Part, ...]] = {
    "allreduce": (Part("reduce", "b"), Part("broadcast", "b")),
    "allgather": (Part("gather", "b"), Part("broadcast", "p b")),
}
# A sum is taken unless a function of its own is better than it by this much of its deviation, and of 1.
_BETTER, _NOTHING = 0.8, 0.005
# A phase gets a function of its own where the flat call's is off by more than this, and its own halves that.
_OFF = 0.02
_HALF = 0.5
_CERTAIN = 0.95


def fit_functions(calls: Sequence[Call], seed: int) -> tuple[RuntimeFunction, ...]:
    """The runtime functions of everything that was measured, in the order in which the first that fits holds.

    Args:
        calls: Of one machine.
        seed: Of the bootstrap; equal calls and seeds give equal functions.
    """
    found: list[RuntimeFunction] = []
    for algorithm in dict.fromkeys(call.algorithm for call in calls):
        mine = [call for call in calls if call.algorithm == algorithm and call.segments == 1]
        flat: list[RuntimeFunction] = []
        for index, operation in enumerate(OPERATIONS):  # sums come after their parts
            chosen = [c for c in mine if c.operation == operation and c.grid is None and c.members > 1]
            if chosen:
                flat += _flat(operation, algorithm, points_of(chosen), flat, seed + index)
        phased = [*flat, *_phases(mine, flat, algorithm, seed)]
        cut = [call for call in calls if call.algorithm == algorithm and call.segments > 1]
        found += [*phased, *_overlaps(cut, Functions(tuple(phased), algorithm))]
    return tuple(found)


def _overlaps(calls: Sequence[Call], functions: Functions) -> Iterator[RuntimeFunction]:
    """How much of the shorter phase hides when a message is cut: the median of what was measured cut."""
    for operation in CUT:
        mine = [c for c in calls if c.operation == operation and c.quantity == "total" and c.grid is not None]
        shares = [share for call in mine if (share := _hidden_share(call, functions)) is not None]
        overlap = min(1.0, float(np.median(shares))) if shares else 0.0
        if overlap > 0:
            members, sizes = [c.members for c in mine], [c.size_bytes for c in mine]
            bounds = (min(members), max(members), min(sizes), max(sizes))
            yield RuntimeFunction(operation, *bounds, algorithm=functions.algorithm, phases_overlap=overlap)


def _hidden_share(call: Call, functions: Functions) -> float | None:
    """(s (t1 + t2) - t) / ((s - 1) min(t1, t2)), which is below 0 where cutting costs more than it hides."""
    assert call.grid is not None
    apart = segmented(functions, call.operation, call.grid, call.size_bytes, call.segments, 0.0)
    if apart.total.time_s is None:
        return None
    shorter_s = min(apart.leader.time_s or 0.0, apart.concurrent.time_s or 0.0)
    return (apart.total.time_s - call.time_s) / ((call.segments - 1) * shorter_s) if shorter_s > 0 else None


def _flat(
    operation: str, algorithm: str, points: Points, known: Sequence[RuntimeFunction], seed: int
) -> list[RuntimeFunction]:
    """The operation's own pieces, or the sum of table 1 where that is as good."""
    pieces = fit_pieces(points)
    parts = SUMS.get(operation)
    if parts is not None:
        members = (int(points.members.min()), int(points.members.max()))
        sizes = (int(points.size_bytes.min()), int(points.size_bytes.max()))
        total = RuntimeFunction(operation, *members, *sizes, algorithm=algorithm, sum_of=parts)
        off = deviations((*known, total), operation, algorithm, None, points)
        mean = float(np.mean(np.abs(off)))
        if not _left_out_mean(pieces) < min(_BETTER * mean, mean - _NOTHING):
            return [_with_deviation(total, off)]
    return [_function(operation, algorithm, None, piece, seed + i) for i, piece in enumerate(pieces)]


def _phases(
    calls: Sequence[Call], flat: Sequence[RuntimeFunction], algorithm: str, seed: int
) -> Iterator[RuntimeFunction]:
    """Functions of phases whose groups disturb each other, or sit otherwise than a flat call's processes."""
    for index, operation in enumerate(OPERATIONS):
        for phase in ("leader", "concurrent"):
            mine = [c for c in calls if c.operation == operation and c.phase == phase and c.phase_members > 1]
            if not mine:
                continue
            points = points_of(mine)
            off = deviations(flat, operation, algorithm, phase, points)
            mean = float(np.mean(np.abs(off)))
            if mean <= _OFF:
                continue
            pieces = fit_pieces(points)
            if _left_out_mean(pieces) < _HALF * mean:
                for number, piece in enumerate(pieces):
                    yield _function(operation, algorithm, phase, piece, seed + 100 * index + number)


def deviations(
    entries: Sequence[RuntimeFunction], operation: str, algorithm: str, phase: str | None, points: Points
) -> Floats:
    """Relative deviations of predictions from `points`, shape (n,); infinite where there is no prediction."""
    functions = Functions(tuple(entries), algorithm)
    predicted = [
        functions.predict(operation, int(p), int(b), phase).time_s
        for p, b in zip(points.members, points.size_bytes, strict=True)
    ]
    times_s = np.array([np.inf if time_s is None else time_s for time_s in predicted])
    return relative_deviation(times_s, points.time_s)


def _left_out_mean(pieces: Sequence[Piece]) -> float:
    return float(np.mean(np.abs(np.concatenate([piece.fit.left_out for piece in pieces]))))


def _function(operation: str, algorithm: str, phase: str | None, piece: Piece, seed: int) -> RuntimeFunction:
    bounds = piece.bounds
    function = RuntimeFunction(
        operation=operation,
        members_min=bounds.members[0],
        members_max=bounds.members[1],
        size_min_bytes=bounds.size_bytes[0],
        size_max_bytes=bounds.size_bytes[1],
        algorithm=algorithm,
        phase=phase,
        root_min_bytes=bounds.root_bytes[0],
        root_max_bytes=bounds.root_bytes[1],
        terms=_terms(piece, seed),
        source=piece.fit.form,
    )
    return _with_deviation(function, piece.fit.left_out)


def _terms(piece: Piece, seed: int) -> tuple[Term, ...]:
    """The terms whose coefficient is not zero, with intervals over resampled points and rounds."""
    fit = piece.fit
    replicates = coefficient_replicates(fit.terms, piece.points, seed, REPLICATES)
    return tuple(
        Term(of_p, of_b, Figure(float(value), low, high, len(piece.points)))
        for (of_p, of_b), value, (low, high) in zip(
            fit.terms, fit.coefficients, intervals(replicates), strict=True
        )
        if value > 0
    )


def _with_deviation(function: RuntimeFunction, off: Floats) -> RuntimeFunction:
    """With the half of a 95 % interval that the deviations of left-out points make."""
    spread = min(1.0, float(np.quantile(np.abs(off), _CERTAIN)))
    return dataclasses.replace(function, deviation=spread)
