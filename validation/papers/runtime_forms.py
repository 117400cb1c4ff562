# SPDX-License-Identifier: BSD-3-Clause
"""The runtime functions of tables 1 and 4 of the two-phase paper, with the paper's own forms and fit.

Coefficients come from least squares of flat calls, and may be negative. A two-phase call is the sum of its
phases. stretto's own functions have other forms (`stretto.model.collective`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.model.collective.measured import Call
from stretto.model.collective.two_phase import Grid

LINEAR_UP_TO = 4
"""Processors up to which LAM's broadcast and reduce are linear (table 2)."""
_FORMULA_1_BYTES = 8_448_000
"""Table 4: bytes at the root up to which a gather on the T3E has formula 1."""

Term = Callable[[float, float], float]


def _start(p: float, b: float) -> float:
    return 1.0


def _bytes(p: float, b: float) -> float:
    return b


def _linear(p: float, b: float) -> float:
    return p * b


def _log(p: float, b: float) -> float:
    return math.log2(p) * b


def _stages(p: float, b: float) -> float:
    return math.floor(math.log2(p - 1)) * b


@dataclass(frozen=True)
class Form:
    """A row of tables 1, 2 and 4: its terms, with the coefficients `names`, and where it applies."""

    operation: str
    names: tuple[str, ...]
    terms: tuple[Term, ...]
    least: int = 2
    most: int = 1 << 20
    root_bytes: float = math.inf

    def applies(self, p: float, b: float) -> bool:
        return self.least <= p <= self.most and p * b <= self.root_bytes


_TAU, _ROOTED = ("tau", "t_c"), ("tau_1", "tau", "t_c")
CLIC = (
    Form("broadcast", _TAU, (_bytes, _linear), most=LINEAR_UP_TO),
    Form("broadcast", _TAU, (_bytes, _log), least=LINEAR_UP_TO + 1),
    Form("reduce", _TAU, (_bytes, _linear), most=LINEAR_UP_TO),
    Form("reduce", _TAU, (_bytes, _stages), least=LINEAR_UP_TO + 1),
    Form("gather", _ROOTED, (_start, _bytes, _linear)),
    Form("scatter", _ROOTED, (_start, _bytes, _linear)),
)
T3E = (
    Form("gather", _TAU, (_bytes, _linear), root_bytes=_FORMULA_1_BYTES),
    Form("scatter", _TAU, (_bytes, _linear)),
)
OF = {"clic": CLIC, "t3e": T3E}


@dataclass(frozen=True)
class RuntimeFunctions:
    """Forms with coefficients: seconds, and seconds per byte."""

    fitted: Mapping[Form, Sequence[float]]

    def coefficient(self, operation: str, name: str, p: int = 2) -> float:
        """A coefficient of the form of an operation on p processors."""
        form = self._form(operation, p, 1.0)
        return math.nan if form is None else self.fitted[form][form.names.index(name)]

    def time_s(self, operation: str, p: int, b: float) -> float:
        """t(p, b); NaN where no form applies. One processor has nothing to do."""
        if p == 1:
            return 0.0
        if operation == "allreduce":
            return self.time_s("reduce", p, b) + self.time_s("broadcast", p, b)
        if operation == "allgather":
            return self.time_s("gather", p, b) + self.time_s("broadcast", p, p * b)
        form = self._form(operation, p, b)
        if form is None:
            return math.nan
        return sum(c * term(p, b) for c, term in zip(self.fitted[form], form.terms, strict=True))

    def phase_s(self, operation: str, phase: str, grid: Grid, b: float) -> float:
        """A phase on a grid: leader groups have p2 members, concurrent groups p1 (section 2)."""
        p1, p2 = grid.rows, grid.columns
        if phase == "leader":
            return self.time_s(operation, p2, p1 * b if operation in ("gather", "scatter") else b)
        return self.time_s(operation, p1, p2 * b if operation == "allgather" else b)

    def call_s(self, operation: str, p: int, grid: Grid | None, b: float) -> float:
        """A flat call, or the sum of two phases."""
        if grid is None:
            return self.time_s(operation, p, b)
        return sum(self.phase_s(operation, phase, grid, b) for phase in ("leader", "concurrent"))

    def predicted_s(self, call: Call) -> float:
        """The time of a measured quantity."""
        if call.grid is not None and call.phase is not None:
            return self.phase_s(call.operation, call.phase, call.grid, call.size_bytes)
        return self.call_s(call.operation, call.members, call.grid, call.size_bytes)

    def _form(self, operation: str, p: float, b: float) -> Form | None:
        mine = (one for one in self.fitted if one.operation == operation and one.applies(p, b))
        return next(mine, None)


def fitted(forms: Sequence[Form], calls: Sequence[Call]) -> RuntimeFunctions:
    """The forms fitted to flat calls, by least squares of the times themselves as in section 3."""
    result = {}
    for form in forms:
        mine = [
            one
            for one in calls
            if one.operation == form.operation
            and one.grid is None
            and form.applies(one.members, one.size_bytes)
        ]
        matrix = np.array([[term(one.members, one.size_bytes) for term in form.terms] for one in mine])
        found, *_ = np.linalg.lstsq(matrix, np.array([one.time_s for one in mine]), rcond=None)
        result[form] = tuple(float(one) for one in found)
    return RuntimeFunctions(result)
