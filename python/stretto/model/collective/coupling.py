# SPDX-License-Identifier: BSD-3-Clause
"""Coupling of the two phases of a call: its time beyond their sum, as terms over p1, p2 and b.

The paper adds the phases. Where sends return early, a leader's row and column messages share its link, so
the call takes longer. Where columns start before all leaders have their data, phases overlap, so it takes
less.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from stretto.data.collectives import OF_B, Coupling, CouplingTerm, RuntimeFunction
from stretto.data.figures import Figure
from stretto.data.groups import grouped
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import Call
from stretto.model.collective.pieces import MIN_DEVIATION
from stretto.model.collective.points import Floats, Points
from stretto.model.collective.two_phase import GridCall, two_phase_times

_Term = tuple[str, str, str]

_FACTORS = ("1", "ceil-log2-p", "p-1")
_CANDIDATES: tuple[_Term, ...] = tuple(itertools.product(_FACTORS, _FACTORS, OF_B))
_MAX_TERMS = 4
_FEWEST = 6


@dataclass(frozen=True)
class _Pairs:
    """Two-phase calls with measurements of each phase alone; every array has shape (n,).

    Attributes:
        rows: Points of p1 and b.
        columns: Points of p2 and b, with the times of the whole calls.
        coupling_s: The time of the whole call, minus its phases, minus the known part of the difference.
    """

    rows: Points
    columns: Points
    coupling_s: Floats

    def __len__(self) -> int:
        return len(self.coupling_s)

    @property
    def size_bytes(self) -> Floats:
        return self.columns.size_bytes

    @property
    def total_s(self) -> Floats:
        return self.columns.time_s

    def where(self, chosen: npt.NDArray[np.bool_]) -> "_Pairs":
        return replace(
            self,
            rows=self.rows.where(chosen),
            columns=self.columns.where(chosen),
            coupling_s=self.coupling_s[chosen],
        )


def fit_couplings(
    calls: Sequence[Call], functions: Sequence[RuntimeFunction] = (), torus: tuple[int, ...] = ()
) -> tuple[Coupling, ...]:
    """Couplings of every operation and algorithm: one per range of sizes in which the sum deviates.

    Args:
        calls: Measured calls of one machine.
        functions: Runtime functions of these calls; effects between phases that they model are not refitted.
        torus: The widths of the network.
    """
    return tuple(
        one
        for key, selected in grouped(calls, lambda call: (call.operation, call.algorithm)).items()
        for one in _couplings(*key, selected, _functions(functions, key[1], torus, selected))
    )


def _functions(
    functions: Sequence[RuntimeFunction], algorithm: str, torus: tuple[int, ...], calls: Sequence[Call]
) -> Functions:
    counts = {call.ranks_per_node or None for call in calls}
    return Functions(
        tuple(functions), algorithm, torus=torus, ranks_per_node=counts.pop() if len(counts) == 1 else None
    )


def _couplings(
    operation: str, algorithm: str, calls: Sequence[Call], functions: Functions
) -> Iterator[Coupling]:
    cases = _whole_cases(calls)
    if len(cases) < _FEWEST:
        return
    pairs = _pairs(cases, functions)
    members = (pairs.rows.members * pairs.columns.members).astype(int)
    for low, high, part in _ranges(pairs):
        terms, coefficients = _fitted(part)
        if terms:
            result = tuple(
                CouplingTerm(*term, Figure(float(value), n=len(part)))
                for term, value in zip(terms, coefficients, strict=True)
            )
            yield Coupling(operation, int(members.min()), int(members.max()), low, high, result, algorithm)


def _whole_cases(calls: Sequence[Call]) -> list[dict[str, Call]]:
    """Cases with measurements of the whole call and of both phases, by quantity."""
    cases: dict[tuple[int, str, int], dict[str, Call]] = {}
    for call in calls:
        if call.grid is not None and call.segments == 1:
            cases.setdefault((call.members, str(call.grid), call.size_bytes), {})[call.quantity] = call
    return [case for case in cases.values() if {"total", "leader", "concurrent"} <= set(case)]


def _pairs(cases: Sequence[dict[str, Call]], functions: Functions) -> _Pairs:
    whole = [case["total"] for case in cases]
    grids = [call.grid for call in whole if call.grid is not None]
    sizes = [call.size_bytes for call in whole]
    total_s = [call.time_s for call in whole]
    questions = [
        GridCall(call.operation, grid, call.size_bytes) for call, grid in zip(whole, grids, strict=True)
    ]
    known_s = [result.coupling_s for result in two_phase_times(functions, questions)]
    phases_s = [case["leader"].time_s + case["concurrent"].time_s for case in cases]
    return _Pairs(
        Points.flat([grid.rows for grid in grids], sizes, total_s),
        Points.flat([grid.columns for grid in grids], sizes, total_s),
        np.array(total_s) - np.array(phases_s) - np.array(known_s),
    )


def _ranges(pairs: _Pairs) -> Iterator[tuple[int, int, _Pairs]]:
    """All sizes as one range, or two ranges where that fits much better; bounds included."""
    sizes = np.unique(pairs.size_bytes)
    low, high = int(sizes[0]), int(sizes[-1])
    best, place = _score(pairs), 0
    for index in range(1, len(sizes)):
        below = pairs.size_bytes < sizes[index]
        if min(below.sum(), (~below).sum()) >= _FEWEST:
            score = _score(pairs.where(below)) + _score(pairs.where(~below)) + 2 * math.log(len(pairs))
            if score < best:
                best, place = score, index
    if place == 0:
        yield low, high, pairs
        return
    power = 2 ** int(math.log2(sizes[place]))
    last = power - 1 if power > sizes[place - 1] else int(sizes[place]) - 1
    below = pairs.size_bytes < sizes[place]
    yield low, last, pairs.where(below)
    yield last + 1, high, pairs.where(~below)


def _score(pairs: _Pairs) -> float:
    terms, coefficients = _fitted(pairs)
    return _criterion(pairs, terms, coefficients)


def _criterion(pairs: _Pairs, terms: Sequence[_Term], coefficients: Floats) -> float:
    """Bayesian information criterion of the residuals, relative to the whole call."""
    left = (pairs.coupling_s - _design(pairs, terms) @ coefficients) / pairs.total_s
    squared = float(np.mean(left**2)) + MIN_DEVIATION**2
    return len(pairs) * math.log(squared) + len(terms) * math.log(len(pairs))


def _design(pairs: _Pairs, terms: Sequence[_Term]) -> Floats:
    columns = [
        pairs.rows.design(((p1, "1"),))[:, 0] * pairs.columns.design(((p2, b),))[:, 0] for p1, p2, b in terms
    ]
    return np.stack(columns, axis=1) if columns else np.empty((len(pairs), 0))


def _fitted(pairs: _Pairs) -> tuple[tuple[_Term, ...], Floats]:
    """Forward selection of terms while the criterion improves; signed, relative least squares."""
    terms: tuple[_Term, ...] = ()
    coefficients: Floats = np.empty(0)
    best = _criterion(pairs, terms, coefficients)
    while len(terms) < _MAX_TERMS:
        tried = [(*terms, term) for term in _CANDIDATES if term not in terms]
        fits = [_min_squares(pairs, one) for one in tried]
        scores = [_criterion(pairs, one, fit) for one, fit in zip(tried, fits, strict=True)]
        place = int(np.argmin(scores))
        if scores[place] >= best - math.log(len(pairs)):
            break
        terms, coefficients, best = tried[place], fits[place], scores[place]
    return terms, coefficients


def _min_squares(pairs: _Pairs, terms: Sequence[_Term]) -> Floats:
    matrix = _design(pairs, terms) / pairs.total_s[:, None]
    scale = np.abs(matrix).max(axis=0)
    result: Floats = np.linalg.lstsq(matrix / scale, pairs.coupling_s / pairs.total_s, rcond=None)[0] / scale
    return result
