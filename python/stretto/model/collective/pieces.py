# SPDX-License-Identifier: BSD-3-Clause
"""Finds the breaks between forms in p, in b and in p b, as in table 4.

Points are split in two, recursively, wherever that fits them significantly better. Reads no files.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from stretto.model.collective.forms import (
    FORMS,
    Fit,
    best_form,
    fit_terms,
    squared_deviation,
)
from stretto.model.collective.points import Points, Terms
from stretto.model.statistics import SHORTEST_S

_DEEPEST = 4
_FEWEST_POINTS = 6
# Distinct p and b required on each side of a break. Forms are linear in b but not in p. One size suffices
# above a break in b, because times are assumed to grow with b.
_FEWEST_MEMBERS, _FEWEST_SIZES = 3, 2
_MAX_CUTS = 24  # candidate breaks per axis
MIN_DEVIATION = 0.005
"""Smaller deviations justify neither a break nor a coupling."""
_PLACES = 65  # candidate sizes between two measured sizes
_SAME = 0.03  # mean distance at which two functions meet, as the logarithm of their ratio


@dataclass(frozen=True)
class Bounds:
    """The range of a piece, both ends included; `root_bytes` bounds p b, None without a break there."""

    members: tuple[int, int]
    size_bytes: tuple[int, int]
    root_bytes: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True)
class Piece:
    """A form with its coefficients, its points, and its range."""

    bounds: Bounds
    fit: Fit
    points: Points


@dataclass(frozen=True)
class _Cut:
    axis: str
    below: float  # the largest value of the lower side
    above: float  # the smallest of the upper side
    score: float

    @property
    def middle(self) -> int:
        """The last whole value of the lower side: the geometric mean."""
        return min(int(math.sqrt(self.below * self.above)), int(self.above) - 1)


def fit_pieces(points: Points, forms: Mapping[str, Terms] = FORMS) -> list[Piece]:
    """The fewest pieces that fit the points.

    Args:
        points: At least one, all times above zero.
        forms: The candidate forms of every piece, by name.
    """
    members = (int(points.members.min()), int(points.members.max()))
    sizes = (int(points.size_bytes.min()), int(points.size_bytes.max()))
    return list(_grown(points, Bounds(members, sizes), forms, _DEEPEST))


def _grown(points: Points, bounds: Bounds, forms: Mapping[str, Terms], depth: int) -> Iterator[Piece]:
    cut = _best_cut(points, forms) if depth > 0 else None
    if cut is None:
        yield Piece(bounds, best_form(points, forms), points)
        return
    low = _axis(points, cut.axis) <= cut.below
    lower, upper = points.where(low), points.where(~low)
    last = _last_size_below(cut, lower, upper, forms) if cut.axis == "size_bytes" else cut.middle
    below, above = _split(bounds, cut.axis, last)
    yield from _grown(lower, below, forms, depth - 1)
    yield from _grown(upper, above, forms, depth - 1)


def _last_size_below(cut: _Cut, lower: Points, upper: Points, forms: Mapping[str, Terms]) -> int:
    """The last size of the lower side, between two measured sizes.

    It is the size where the functions of both sides cross, if they do. Otherwise, the break is a step between
    protocols, which change at powers of two. Without a power of two, it is the geometric mean.
    """
    both = upper.where(np.isin(upper.members, lower.members))
    fits = [_closest(side, forms) for side in (lower, upper)]
    if len(both):
        sizes = np.geomspace(cut.below, cut.above, _PLACES)
        compared = both.at_sizes(sizes)
        times = [
            np.maximum(compared.design(terms) @ fit_terms(terms, side), SHORTEST_S)
            for terms, side in zip(fits, (lower, upper), strict=True)
        ]
        separate = np.abs(np.log(times[0] / times[1])).reshape(-1, _PLACES).mean(axis=0)
        if separate.min() < _SAME:
            return min(int(sizes[separate.argmin()]), int(cut.above) - 1)
    power = 2 ** int(math.log2(cut.above))
    return power - 1 if power > cut.below else cut.middle


def _axis(points: Points, axis: str) -> npt.NDArray[np.float64]:
    if axis == "members":
        return points.members
    return points.size_bytes if axis == "size_bytes" else points.root_bytes


def _closest(points: Points, forms: Mapping[str, Terms]) -> Terms:
    return min(forms.values(), key=lambda terms: squared_deviation(terms, points))


def _split(bounds: Bounds, axis: str, last: int) -> tuple[Bounds, Bounds]:
    if axis == "members":
        low, high = bounds.members
        return replace(bounds, members=(low, last)), replace(bounds, members=(last + 1, high))
    if axis == "size_bytes":
        low, high = bounds.size_bytes
        return replace(bounds, size_bytes=(low, last)), replace(bounds, size_bytes=(last + 1, high))
    first, end = bounds.root_bytes
    return replace(bounds, root_bytes=(first, last)), replace(bounds, root_bytes=(last + 1, end))


def _best_cut(points: Points, forms: Mapping[str, Terms]) -> _Cut | None:
    """The cut with the least Bayesian information criterion; None where no cut improves it."""
    whole = _score(points, points.noise(), forms)
    result = [cut for axis in ("members", "size_bytes", "root_bytes") for cut in _cuts(points, axis, forms)]
    best = min(result, key=lambda cut: cut.score, default=None)
    price = 2 * math.log(len(points)) if len(points) > 1 else 0.0
    return best if best is not None and best.score + price < whole else None


def _cuts(points: Points, axis: str, forms: Mapping[str, Terms]) -> Iterator[_Cut]:
    values = _axis(points, axis)
    distinct = np.unique(values)
    noise = points.noise()
    if len(distinct) < 2:
        return
    members = _FEWEST_MEMBERS
    if axis == "size_bytes":  # of few p all, since nothing is said about others
        members = min(members, len(np.unique(points.members)))
    for place in np.unique(np.linspace(0, len(distinct) - 2, _MAX_CUTS).astype(int)):
        lower = values <= distinct[place]
        sides = below, above = points.where(lower), points.where(~lower)
        fewest_above = 1 if axis == "size_bytes" else _FEWEST_SIZES
        if _is_enough(below, _FEWEST_SIZES, members) and _is_enough(above, fewest_above, members):
            score = sum(_score(side, noise, forms) for side in sides)
            yield _Cut(axis, float(distinct[place]), float(distinct[place + 1]), score)


def _is_enough(points: Points, fewest_sizes: int, fewest_members: int) -> bool:
    members, sizes = len(np.unique(points.members)), len(np.unique(points.size_bytes))
    enough = len(points) >= min(_FEWEST_POINTS, 2 * _FEWEST_MEMBERS * fewest_sizes // 2)
    return enough and members >= fewest_members and sizes >= fewest_sizes


def _score(points: Points, noise: float, forms: Mapping[str, Terms]) -> float:
    """The least criterion of all forms: n ln(mean square) + k ln n.

    The mean square includes the noise of the measurement, which more pieces cannot reduce.
    """
    n = len(points)
    return min(
        n * math.log(squared_deviation(terms, points) + noise + MIN_DEVIATION**2) + len(terms) * math.log(n)
        for terms in forms.values()
    )
