# SPDX-License-Identifier: BSD-3-Clause
"""t(p, b) of an operation from a profile's runtime functions, as the network model evaluates them."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stretto.data.collectives import Coupling, CouplingTerm, RuntimeFunction, Term
from stretto.data.measured_collectives import MeasuredCall
from stretto.data.profile import Profile
from stretto.native.model import Answer, query_model


@dataclass(frozen=True)
class Prediction:
    """A predicted time, or the reason for its absence.

    Attributes:
        time_s: Seconds; None where there is no prediction.
        deviation: Half the width of the 95 % interval, as a fraction of `time_s`.
        reason: Why `time_s` is None.
        measured: Whether the time is one of measured calls, not of a function.
    """

    time_s: float | None
    deviation: float = 0.0
    reason: str | None = None
    measured: bool = False

    @staticmethod
    def of(answer: Answer) -> "Prediction":
        """The prediction in an answer of `stretto-model`."""
        return Prediction(
            answer["time_s"], answer["deviation"], answer.get("reason"), answer.get("measured", False)
        )

    @property
    def known(self) -> bool:
        return self.time_s is not None

    @property
    def low_s(self) -> float | None:
        return None if self.time_s is None else self.time_s * (1 - self.deviation)

    @property
    def high_s(self) -> float | None:
        return None if self.time_s is None else self.time_s * (1 + self.deviation)


@dataclass(frozen=True)
class GroupCall:
    """Simultaneous calls of one operation in groups of ranks.

    Attributes:
        operation: Such as `broadcast`.
        members: p, the ranks of a group.
        size_bytes: b, as docs/formats.md defines it for the operation.
        phase: `leader` or `concurrent`, for a phase of a two-phase call; None for a flat one.
        stride: The distance in ranks between members of a group.
        groups: The number of groups.
    """

    operation: str
    members: int
    size_bytes: int
    phase: str | None = None
    stride: int = 1
    groups: int = 1


@dataclass(frozen=True)
class Functions:
    """The runtime functions of a profile for one algorithm (`library`, `reference`).

    The first function in the profile that matches operation, phase, p and b applies. A function that names
    the phase takes precedence over one that does not (docs/formats.md).

    Attributes:
        entries: The functions of all algorithms, in the profile's order.
        couplings: Times to add to the sums of phases.
        measured: Times of whole calls, which replace predictions that deviate more.
        torus: The widths of the network; empty for a switch.
        ranks_per_node: The consecutive ranks that share a node; None where this is not known.
    """

    entries: tuple[RuntimeFunction, ...]
    algorithm: str = "library"
    couplings: tuple[Coupling, ...] = ()
    torus: tuple[int, ...] = ()
    ranks_per_node: int | None = None
    measured: tuple[MeasuredCall, ...] = ()

    @staticmethod
    def of(profile: Profile, algorithm: str = "library") -> "Functions":
        """The runtime functions of a profile, for one algorithm."""
        machine = profile.machine
        return Functions(
            profile.collectives,
            algorithm,
            profile.couplings,
            profile.torus,
            machine.ranks_per_node,
            profile.measured_collectives,
        )

    def operations(self) -> tuple[str, ...]:
        """The operations that have a function, in the profile's order."""
        selected = (
            entry
            for entry in self.entries
            if entry.algorithm == self.algorithm and entry.phases_overlap is None
        )
        return tuple(dict.fromkeys(entry.operation for entry in selected))

    def query(self, kind: str, **members: object) -> Answer:
        """The answer of `stretto-model` to a request of this kind about these functions."""
        profile: dict[str, object] = {
            "collectives": [_members(entry) for entry in self.entries],
            "couplings": [_members(entry) for entry in self.couplings],
            "measured_collectives": [dataclasses.asdict(entry) for entry in self.measured],
        }
        if self.torus:
            profile["torus"] = self.torus
        if self.ranks_per_node is not None:
            profile["machine"] = {"ranks_per_node": self.ranks_per_node}
        return query_model([{"kind": kind, "functions": profile, "algorithm": self.algorithm, **members}])[0]


def call_times(functions: Functions, calls: Sequence[GroupCall]) -> list[Prediction]:
    """The predicted times of the calls.

    Returns:
        One prediction per call, without a time where no function applies or where it gives zero or less.
    """
    if not calls:
        return []
    answer = functions.query("collective-calls", calls=[dataclasses.asdict(call) for call in calls])
    return [Prediction.of(time) for time in answer["times"]]


def _members(entry: RuntimeFunction | Coupling) -> dict[str, Any]:
    """The members of a profile's entry that the evaluation needs."""
    members: dict[str, Any] = {
        name: value
        for name, value in vars(entry).items()
        if value is not None and name not in ("terms", "sum_of", "source")
    }
    if entry.terms is not None:
        members["terms"] = [_term_members(term) for term in entry.terms]
    if isinstance(entry, RuntimeFunction) and entry.sum_of is not None:
        members["sum_of"] = [dataclasses.asdict(part) for part in entry.sum_of]
    return members


def _term_members(term: Term | CouplingTerm) -> Mapping[str, object]:
    return {**vars(term), "coefficient": term.coefficient.value or 0.0}
