# SPDX-License-Identifier: BSD-3-Clause
"""Fits the forms of table 1 by non-negative least squares of relative residuals, and selects one.

A form is fitted to all the points that it is given; `pieces` divides them into ranges.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stretto.data.collectives import OPERATIONS
from stretto.model.collective.points import Points, Terms, relative_deviation
from stretto.model.statistics import median, t_quantile

Floats = npt.NDArray[np.float64]

_BYTES = ("1", "b")
_STARTUP = ("1", "1")
# The forms of table 1. The start-up may grow with p as the rest of the form does. `tree` is a gather or
# scatter along a binomial tree: it has the stages of the tree and the bytes of a linear form. In an `eager
# tree`, a node sends to all its children at once.
FORMS: Mapping[str, Terms] = {
    "linear": (_BYTES, ("p-1", "b")),
    "staged": (_BYTES, ("ceil-log2-p", "b")),
    "linear, start-up": (_BYTES, ("p-1", "b"), _STARTUP, ("p-1", "1")),
    "staged, start-up": (_BYTES, ("ceil-log2-p", "b"), _STARTUP, ("ceil-log2-p", "1")),
    "tree": (_BYTES, ("p-1", "b"), _STARTUP, ("ceil-log2-p", "1")),
    "eager tree": (_BYTES, ("tree-sends", "b"), _STARTUP, ("ceil-log2-p", "1")),
}
# The start-up of operations with known messages: overheads and stages.
_KNOWN_STARTUP: Terms = (_STARTUP, ("overheads", "1"), ("ceil-log2-p", "1"))
# Where an eager message takes less time on the wire than an overhead, the next one never waits for it. Each
# stage then has the bytes of one message. Longer messages are serialised on the links that they share.
FORMS_OF_MESSAGES: Mapping[str, Terms] = {
    "eager messages": (("ceil-log2-p", "b"), ("overheads", "b"), ("links-eager", "b"), *_KNOWN_STARTUP),
    "serialised messages": (_BYTES, ("links-in-turn", "b"), *_KNOWN_STARTUP),
}
# Candidate forms by operation; an allgather may be a gather and a broadcast of the result (table 1).
_GATHER_BROADCAST: Terms = (
    _STARTUP,
    ("p-1", "1"),
    ("ceil-log2-p", "1"),
    ("p-1", "b"),
    ("p-ceil-log2-p", "b"),
)
FORMS_OF: Mapping[str, Mapping[str, Terms]] = {
    operation: {**FORMS, "gather and broadcast": _GATHER_BROADCAST} if operation == "allgather" else FORMS
    for operation in OPERATIONS
}
# A form with more coefficients must beat a simpler one's deviation by both this factor and this difference.
_BETTER = 0.9
_NOTHING = 0.002
_NOISE = 3  # standard errors, within which a point deviates from a form that fits


@dataclass(frozen=True)
class Fit:
    """A form fitted to points.

    Attributes:
        form: Its name.
        terms: Its terms (of_p, of_b).
        coefficients: Seconds, or seconds per byte, shape (terms,).
        left_out: The relative deviation of each point from a fit without it, shape (n,).
    """

    form: str
    terms: Terms
    coefficients: Floats
    left_out: Floats

    @property
    def mean_deviation(self) -> float:
        return float(np.mean(np.abs(self.left_out)))


def non_negative(matrix: Floats, time_s: Floats) -> Floats:
    """The non-negative coefficients with the least squares of relative residuals, shape (terms,).

    Args:
        matrix: Values of the terms, shape (n, terms).
        time_s: The measured times, shape (n,); all above zero.
    """
    from scipy.optimize import nnls  # imported on use, because the import is slow

    rows = matrix / time_s[:, None]
    scale = np.maximum(rows.max(axis=0), np.finfo(float).tiny)
    result, _ = nnls(rows / scale, np.ones(len(time_s)), maxiter=100 * matrix.shape[1])
    coefficients: Floats = result / scale
    return coefficients


def offered(forms: Mapping[str, Terms], points: Points) -> Mapping[str, Terms]:
    """`forms`, or FORMS_OF_MESSAGES where the messages of the points are known.

    Other forms may fit a few consecutive ranks as well, but do not predict concurrent groups.
    """
    return FORMS_OF_MESSAGES if points.know_messages else forms


def fit_terms(terms: Terms, points: Points) -> Floats:
    """Coefficients of `terms`, shape (terms,)."""
    return non_negative(points.design(terms), points.time_s)


def squared_deviation(terms: Terms, points: Points) -> float:
    """The mean square of the relative residuals of the fit to all points."""
    matrix = points.design(terms)
    residuals = relative_deviation(matrix @ non_negative(matrix, points.time_s), points.time_s)
    return float(np.mean(residuals**2))


def left_out_deviations(terms: Terms, points: Points) -> Floats:
    """The relative deviation of every point from a fit without all points of its p; shape (n,).

    All points of a p are left out together, because forms differ in p. Where there are at most two p, all
    points of a size are left out together.
    """
    matrix = points.design(terms)
    groups = points.members if len(np.unique(points.members)) > 2 else points.size_bytes
    result = np.empty(len(points))
    for value in np.unique(groups):
        out = groups == value
        used = ~out if not out.all() else out
        coefficients = non_negative(matrix[used], points.time_s[used])
        result[out] = relative_deviation(matrix[out] @ coefficients, points.time_s[out])
    return result


def best_form(points: Points, forms: Mapping[str, Terms] = FORMS) -> Fit:
    """The form with the least deviation of left-out points, or a simpler one that is nearly as good."""
    fits = [fit_form(name, terms, points) for name, terms in sorted(forms.items(), key=_terms_of)]
    best = fits[0]
    for fit in fits[1:]:
        enough = min(best.mean_deviation * _BETTER, best.mean_deviation - _NOTHING)
        same_size = len(fit.terms) == len(best.terms) and fit.mean_deviation < best.mean_deviation
        if fit.mean_deviation < enough or same_size:
            best = fit
    return best


def _terms_of(item: tuple[str, Terms]) -> int:
    return len(item[1])


def fit_form(name: str, terms: Terms, points: Points) -> Fit:
    """Fits one form, without a check of its quality."""
    coefficients = fit_terms(terms, points)
    level = _level_of_rounds(points.design(terms) @ coefficients, points)
    return Fit(name, terms, level * coefficients, left_out_deviations(terms, points))


def _level_of_rounds(fitted_s: Floats, points: Points) -> float:
    """The smoothed median of all rounds of all points over their fitted times.

    Noise that is skewed, or comes in bursts, moves the medians of few rounds in one direction, and a fit to
    many of them with it. A point that deviates by more than noise shows the form's misfit: its rounds count
    next to its own median.
    """
    deviation = points.time_s / np.maximum(fitted_s, np.finfo(float).tiny)
    is_noise = (deviation - 1) ** 2 <= _NOISE**2 * points.variance
    rounds = points.ratios * np.where(is_noise, deviation, 1.0)[:, None]
    known = rounds[np.isfinite(rounds)]
    return float(median(known)) if len(known) else 1.0


def intervals(fit: Fit, points: Points) -> Sequence[tuple[float, float] | tuple[None, None]]:
    """The 95 % interval of each coefficient: Student's, from the residuals of least squares.

    The residuals have the noise of the measurement and the misfit of the form. They are not those of the fit
    itself: it has the level of all rounds, whose distance from least squares would count as noise. There is
    no interval where the points are no more than the coefficients above zero, and of a coefficient that is
    zero.
    """
    used = np.flatnonzero(fit.coefficients > 0)
    spare = len(points) - len(used)
    result: list[tuple[float, float] | tuple[None, None]] = [(None, None)] * len(fit.terms)
    if spare < 1 or not len(used):
        return result
    rows = points.design(fit.terms)[:, used] / points.time_s[:, None]
    values = fit.coefficients[used]
    scaled = rows * values  # coefficients differ by orders of magnitude
    inverse = np.linalg.pinv(scaled, 1e-12)
    residuals = 1 - scaled @ inverse.sum(axis=1)
    relative = np.linalg.norm(inverse, axis=1) * np.sqrt(residuals @ residuals / spare)
    for place, value, half in zip(used, values, t_quantile(spare) * relative, strict=True):
        result[place] = (max(0.0, float(value * (1 - half))), float(value * (1 + half)))
    return result
