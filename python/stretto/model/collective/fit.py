# SPDX-License-Identifier: BSD-3-Clause
"""Fits the runtime functions of a profile to measured calls: groups the calls, and fits sums and phases.

The modules `forms` and `pieces` find forms and breaks. docs/decisions/runtime-functions.md gives the reasons.
"""

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from stretto.data.collectives import (
    OPERATIONS,
    PHASES,
    REMOTE,
    SAME_NODE,
    RuntimeFunction,
    Summand,
    Term,
)
from stretto.data.figures import Figure
from stretto.model.collective.forms import FORMS_OF, intervals, offered
from stretto.model.collective.functions import Functions, GroupCall, call_times
from stretto.model.collective.measured import Call, points_of, same_node
from stretto.model.collective.pieces import Piece, fit_pieces
from stretto.model.collective.points import Floats, Points, joined, relative_deviation
from stretto.model.collective.two_phase import GridCall, TwoPhase, two_phase_times

# Table 1: LAM's allreduce and allgather are two operations, one after the other.
SUMS: Mapping[str, tuple[Summand, ...]] = {
    "allreduce": (Summand("reduce", "b"), Summand("broadcast", "b")),
    "allgather": (Summand("gather", "b"), Summand("broadcast", "p b")),
}
# A function of its own replaces a sum only if its deviation is lower by this factor and by this difference.
_BETTER, _NOTHING = 0.8, 0.005
# A phase gets its own function where the flat call's function deviates by more than this.
_LARGEST_DEVIATION = 0.02
_CONFIDENCE = 0.95


def fit_functions(calls: Sequence[Call], torus: tuple[int, ...] = ()) -> tuple[RuntimeFunction, ...]:
    """The runtime functions of all measured calls; of several that apply to a call, the first counts.

    Args:
        calls: Measured calls of one machine.
        torus: The widths of the network, with rank i at node i; empty for a switch.
    """
    result: list[RuntimeFunction] = []
    for algorithm in dict.fromkeys(call.algorithm for call in calls):
        selected = [call for call in calls if call.algorithm == algorithm]
        whole = [call for call in selected if call.segments == 1 and call.phase_members > 1]
        known: list[RuntimeFunction] = []
        for locality, group in _by_locality(whole):
            fitted = _of_operations(group, algorithm, torus)
            known += [dataclasses.replace(one, locality=locality) for one in fitted]
        segmented = [call for call in selected if call.segments > 1]
        ranks_per_node = max((call.ranks_per_node for call in segmented), default=0)
        functions = Functions(tuple(known), algorithm, torus=torus, ranks_per_node=ranks_per_node or None)
        result += [*known, *_overlaps(segmented, functions)]
    return tuple(result)


def _by_locality(calls: Sequence[Call]) -> Iterator[tuple[str | None, Sequence[Call]]]:
    """The calls of groups on one node, and those of other groups; all together where there is only one kind.

    Calls of reference algorithms stay together: their messages are known, so that their forms hold anywhere.
    """
    local = same_node(calls)
    if local.all() or not local.any() or calls[0].algorithm == "reference":
        yield None, calls
        return
    yield SAME_NODE, [call for call, same in zip(calls, local, strict=True) if same]
    yield REMOTE, [call for call, same in zip(calls, local, strict=True) if not same]


def _of_operations(calls: Sequence[Call], algorithm: str, torus: tuple[int, ...]) -> list[RuntimeFunction]:
    """The functions of unsegmented calls of one algorithm and locality."""
    known: list[RuntimeFunction] = []
    for operation in OPERATIONS:  # sums come after their parts
        selected = [call for call in calls if call.operation == operation]
        points = points_of(selected, torus)
        measured = [
            points.where(np.array([_is_of(call, phase) for call in selected], dtype=bool))
            for phase in (None, *PHASES)
        ]
        known = _with_operation(known, operation, algorithm, measured)
    return known


def _is_of(call: Call, phase: str | None) -> bool:
    """Whether the call is of this phase; for phase None, whether it is flat."""
    return call.phase == phase and (phase is not None or call.grid is None)


def _with_operation(
    known: list[RuntimeFunction], operation: str, algorithm: str, measured: Sequence[Points]
) -> list[RuntimeFunction]:
    """`known` and the functions of one more operation: for flat calls, and for phases that differ from them.

    A phase with the times of a flat call is pooled with the flat calls, because it has other p and b.
    `measured` has the points of flat calls and of each phase.
    """
    flat = measured[0]
    phases = dict(zip(PHASES, measured[1:], strict=True))
    if not len(flat):
        return [*known, *_phases_alone(operation, algorithm, phases)]
    forms = offered(FORMS_OF[operation], flat)
    own = _functions(operation, algorithm, None, fit_pieces(flat, forms))
    first = _own_or_sum(known, own, operation, algorithm, flat)
    separate: list[RuntimeFunction] = []
    similar = [flat]
    for phase, points in phases.items():
        pieces = _phase_pieces(first, operation, algorithm, points)
        if pieces:
            separate += _functions(operation, algorithm, phase, pieces)
        elif len(points):
            similar.append(points)
    if len(similar) == 1:
        return [*first, *separate]
    pooled = joined(similar)
    own = _functions(operation, algorithm, None, fit_pieces(pooled, forms))
    return [*_own_or_sum(known, own, operation, algorithm, pooled), *separate]


def _phases_alone(operation: str, algorithm: str, phases: Mapping[str, Points]) -> Iterator[RuntimeFunction]:
    """The functions of phases where no flat call was measured, for instance of groups on one node."""
    for phase, points in phases.items():
        if len(points):
            pieces = fit_pieces(points, offered(FORMS_OF[operation], points))
            yield from _functions(operation, algorithm, phase, pieces)


def _phase_pieces(
    entries: Sequence[RuntimeFunction], operation: str, algorithm: str, points: Points
) -> list[Piece]:
    """Separate pieces for a phase, if they deviate less than `entries`, the functions of flat calls."""
    within = _mean_within(entries, operation, algorithm, points) if len(points) else 0.0
    if within <= _LARGEST_DEVIATION:
        return []
    pieces = fit_pieces(points, offered(FORMS_OF[operation], points))
    left_out = np.concatenate([piece.fit.left_out for piece in pieces])
    return pieces if float(np.mean(np.abs(left_out))) < within else []


def _mean_within(entries: Sequence[RuntimeFunction], operation: str, algorithm: str, points: Points) -> float:
    """The mean deviation where functions of flat calls apply; infinite where none applies."""
    off = deviations(entries, operation, algorithm, None, points)
    within = off[np.isfinite(off)]
    return float(np.mean(np.abs(within))) if len(within) else math.inf


def _own_or_sum(
    known: list[RuntimeFunction], own: list[RuntimeFunction], operation: str, algorithm: str, points: Points
) -> list[RuntimeFunction]:
    """`known` with the operation's own functions, or with the sum of table 1 where that is as good.

    A part may apply beyond its measured sizes: an allgather broadcasts p b bytes. This extrapolation is
    allowed, because the sum is compared with measurements.
    """
    parts = SUMS.get(operation)
    if parts is None:
        return [*known, *own]
    members = (int(points.members.min()), int(points.members.max()))
    sizes = (int(points.size_bytes.min()), int(points.size_bytes.max()))
    total = RuntimeFunction(operation, *members, *sizes, algorithm=algorithm, sum_of=parts)
    reaching = known
    for part in parts:
        if part.of_b == "p b":
            reaching = _reaching(reaching, part.operation, int(points.root_bytes.max()))
    off = deviations((*reaching, total), operation, algorithm, None, points)
    mean = float(np.mean(np.abs(off)))
    own_mean = float(np.mean(np.abs(deviations(own, operation, algorithm, None, points))))
    if own_mean < min(_BETTER * mean, mean - _NOTHING) or not np.isfinite(mean):
        return [*known, *own]
    return [*reaching, _with_deviation(total, off)]


def _reaching(known: Sequence[RuntimeFunction], operation: str, size_bytes: int) -> list[RuntimeFunction]:
    """The same functions, with those of the operation's largest sizes extended up to `size_bytes`."""
    selected = [entry for entry in known if entry.operation == operation and entry.phase is None]
    last = max((entry.size_max_bytes for entry in selected), default=0)
    return [
        dataclasses.replace(
            entry, size_max_bytes=size_bytes, source=f"{entry.source}; measured up to {last} bytes"
        )
        if entry in selected and entry.size_max_bytes == last < size_bytes
        else entry
        for entry in known
    ]


def deviations(
    entries: Sequence[RuntimeFunction], operation: str, algorithm: str, phase: str | None, points: Points
) -> Floats:
    """Relative deviations of predictions from `points`, shape (n,); infinite where there is no prediction."""
    columns = (points.members, points.size_bytes, points.stride, points.groups)
    calls = [
        GroupCall(operation, p, b, phase, stride, groups)
        for p, b, stride, groups in zip(*(column.astype(int).tolist() for column in columns), strict=True)
    ]
    functions = Functions(tuple(entries), algorithm, torus=points.torus)
    predicted = [prediction.time_s for prediction in call_times(functions, calls)]
    times_s = np.array([np.inf if time_s is None else time_s for time_s in predicted])
    return relative_deviation(times_s, points.time_s)


def _functions(
    operation: str, algorithm: str, phase: str | None, pieces: Sequence[Piece]
) -> list[RuntimeFunction]:
    return [_function(operation, algorithm, phase, piece) for piece in pieces]


def _function(operation: str, algorithm: str, phase: str | None, piece: Piece) -> RuntimeFunction:
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
        terms=_terms(piece),
        source=piece.fit.form,
    )
    return _with_deviation(function, piece.fit.left_out)


def _terms(piece: Piece) -> tuple[Term, ...]:
    """The terms with coefficients above zero."""
    fit, count = piece.fit, len(piece.points)
    return tuple(
        Term(of_p, of_b, Figure(float(value), low, high, count))
        for (of_p, of_b), value, (low, high) in zip(
            fit.terms, fit.coefficients, intervals(fit, piece.points), strict=True
        )
        if value > 0
    )


def _with_deviation(function: RuntimeFunction, off: Floats) -> RuntimeFunction:
    """Adds the half width of the 95 % interval of the relative deviations `off`."""
    spread = min(1.0, float(np.quantile(np.abs(off), _CONFIDENCE)))
    return dataclasses.replace(function, deviation=spread)


def _overlaps(calls: Sequence[Call], functions: Functions) -> Iterator[RuntimeFunction]:
    """For each operation, the share of the shorter phase that segmenting hides: the median over the calls.

    `calls` are segmented; `functions` predict their phases.
    """
    groups: dict[str, list[tuple[Call, GridCall]]] = {}
    for call in calls:
        if call.quantity == "total" and call.grid is not None:
            without_overlap = GridCall(call.operation, call.grid, call.size_bytes, call.segments)
            groups.setdefault(call.operation, []).append((call, without_overlap))
    for operation, selected in groups.items():
        predicted = two_phase_times(functions, [one for _, one in selected])
        each = [
            _hidden_share(call, separate) for (call, _), separate in zip(selected, predicted, strict=True)
        ]
        shares = [share for share in each if share is not None]
        overlap = min(1.0, float(np.median(shares))) if shares else 0.0
        if overlap > 0:
            members, sizes = [call.members for call, _ in selected], [call.size_bytes for call, _ in selected]
            bounds = (min(members), max(members), min(sizes), max(sizes))
            yield RuntimeFunction(operation, *bounds, algorithm=functions.algorithm, phases_overlap=overlap)


def _hidden_share(call: Call, separate: TwoPhase) -> float | None:
    """The share of the shorter phase that a call hides; None where it is not known.

    With s segments, phases t1 and t2 of a segment, and the measured time t, the share is
    (s (t1 + t2) - t) / ((s - 1) min(t1, t2)). It is below 0 where segmenting costs more than it hides.
    """
    if separate.total.time_s is None:
        return None
    shorter_s = min(separate.leader.time_s or 0.0, separate.concurrent.time_s or 0.0)
    hidden_s = separate.total.time_s - call.time_s
    return hidden_s / ((call.segments - 1) * shorter_s) if shorter_s > 0 else None
