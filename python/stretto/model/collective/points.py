# SPDX-License-Identifier: BSD-3-Clause
"""Data for fitting a runtime function: measured times over p and b, and the factors of its terms."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stretto.model.collective.two_phase import Grid
from stretto.native.model import query_model

Floats = npt.NDArray[np.float64]
Terms = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CallPlace:
    """The place of a measured call: all ranks, or the groups of one phase on a grid.

    Attributes:
        operation: Such as `broadcast`.
        members: p of the whole call.
        size_bytes: b of the whole call.
        grid: None for a flat call.
        phase: `leader` or `concurrent`; None for the whole call.
        has_known_messages: Whether it uses a reference algorithm.
        ranks_per_node: The consecutive ranks that share a node; 0: not known.
    """

    operation: str
    members: int
    size_bytes: int
    grid: Grid | None = None
    phase: str | None = None
    has_known_messages: bool = False
    ranks_per_node: int = 0


@dataclass(frozen=True)
class Points:
    """Measured calls of one operation, one row per point.

    Attributes:
        members: p of the call, or of the groups of its phase, shape (n,).
        size_bytes: b of the call or groups, shape (n,).
        stride: The distance between members of a group, shape (n,).
        groups: The number of simultaneous groups, shape (n,).
        same_node: Whether all members of a group are on one node, shape (n,).
        factors: The factors of terms other than b, by name, shape (n,) each; NaN where a factor depends on
            unknown messages.
        time_s: Smoothed medians over the rounds, shape (n,).
        variance: Of these medians, relative to their squares, shape (n,); 0: not known.
        ratios: Each round over its point's median, shape (n, most rounds); NaN where a point has fewer.
        torus: The widths of the network; empty for a switch.
    """

    members: Floats
    size_bytes: Floats
    stride: Floats
    groups: Floats
    same_node: npt.NDArray[np.bool_]
    factors: Mapping[str, Floats]
    time_s: Floats
    variance: Floats
    ratios: Floats
    torus: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.time_s)

    @staticmethod
    def at(
        places: Sequence[CallPlace], time_s: Floats, variance: Floats, torus: tuple[int, ...] = ()
    ) -> "Points":
        """Measured times at places; the network model evaluates the factors."""
        questions = [
            {
                "operation": one.operation,
                "members": one.members,
                "size_bytes": one.size_bytes,
                "grid": None if one.grid is None else str(one.grid),
                "phase": one.phase,
                "messages": one.has_known_messages,
                "ranks_per_node": one.ranks_per_node,
            }
            for one in places
        ]
        answer = query_model([{"kind": "collective-factors", "torus": torus or None, "calls": questions}])[0]
        factors = {name: _floats(values) for name, values in answer["factors"].items()}
        return Points(
            members=_floats(answer["members"]),
            size_bytes=_floats(answer["size_bytes"]),
            stride=_floats(answer["stride"]),
            groups=_floats(answer["groups"]),
            same_node=np.array(answer["same_node"], dtype=bool),
            factors=factors,
            time_s=time_s,
            variance=variance,
            ratios=np.empty((len(time_s), 0)),
            torus=torus,
        )

    @staticmethod
    def flat(
        members: Iterable[float],
        size_bytes: Iterable[float],
        time_s: Iterable[float],
        variance: Floats | None = None,
    ) -> "Points":
        """Flat calls with unknown messages; without noise where no variance is given."""
        t = np.array(list(time_s), dtype=float)
        pairs = zip(members, size_bytes, strict=True)
        places = [CallPlace("broadcast", int(p), int(b)) for p, b in pairs]
        return Points.at(places, t, np.zeros(len(t)) if variance is None else variance)

    def where(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> "Points":
        """Some of the points, by a mask or by their indices."""
        return Points(
            members=self.members[chosen],
            size_bytes=self.size_bytes[chosen],
            stride=self.stride[chosen],
            groups=self.groups[chosen],
            same_node=self.same_node[chosen],
            factors={name: values[chosen] for name, values in self.factors.items()},
            time_s=self.time_s[chosen],
            variance=self.variance[chosen],
            ratios=self.ratios[chosen],
            torus=self.torus,
        )

    def at_sizes(self, sizes: Floats) -> "Points":
        """Each p once with each of `sizes`, shape (m,), for evaluating a function; the times are 1."""
        rows = np.repeat(np.unique(self.members, return_index=True)[1], len(sizes))
        times = np.ones(len(rows))
        return dataclasses.replace(
            self.where(rows),
            size_bytes=np.tile(sizes, len(rows) // len(sizes)),
            time_s=times,
            variance=np.zeros(len(rows)),
            ratios=np.empty((len(rows), 0)),
        )

    def design(self, terms: Terms) -> Floats:
        """The value of every term (of_p, of_b) at every point, without its coefficient; shape (n, terms)."""
        columns = [self.factors[of_p] * (self.size_bytes if of_b == "b" else 1.0) for of_p, of_b in terms]
        return np.stack(columns, axis=1)

    @property
    def know_messages(self) -> bool:
        """Whether the factors that depend on messages are known at all points."""
        return len(self) > 0 and not bool(np.isnan(self.factors["overheads"]).any())

    @property
    def root_bytes(self) -> Floats:
        """The bytes at the root of a gather."""
        product: Floats = self.members * self.size_bytes
        return product

    def noise(self) -> float:
        """The relative variance of the medians, averaged over the points."""
        return float(np.mean(self.variance)) if len(self) else 0.0


def _floats(values: Sequence[float | None]) -> Floats:
    """The values as an array, with NaN for null."""
    return np.array(values, dtype=float)


def padded(rows: Sequence[Floats]) -> Floats:
    """Rows of different lengths as one array, filled with NaN; shape (rows, longest)."""
    result = np.full((len(rows), max((len(row) for row in rows), default=0)), np.nan)
    for place, row in enumerate(rows):
        result[place, : len(row)] = row
    return result


def joined(parts: Sequence[Points]) -> Points:
    """The points of several groups as one."""
    return Points(
        members=np.concatenate([part.members for part in parts]),
        size_bytes=np.concatenate([part.size_bytes for part in parts]),
        stride=np.concatenate([part.stride for part in parts]),
        groups=np.concatenate([part.groups for part in parts]),
        same_node=np.concatenate([part.same_node for part in parts]),
        factors={name: np.concatenate([part.factors[name] for part in parts]) for name in parts[0].factors},
        time_s=np.concatenate([part.time_s for part in parts]),
        variance=np.concatenate([part.variance for part in parts]),
        ratios=padded([row for part in parts for row in part.ratios]),
        torus=parts[0].torus,
    )


def relative_deviation(predicted_s: Floats, measured_s: Floats) -> Floats:
    """(predicted - measured) / measured, a fraction."""
    result: Floats = predicted_s / measured_s - 1
    return result
