# SPDX-License-Identifier: BSD-3-Clause
"""t(p, b) of an operation from a profile's runtime functions: which of them holds, and what it says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from stretto.data.collectives import Coupling, RuntimeFunction
from stretto.data.collectives import Part as SumPart
from stretto.data.profile import Profile
from stretto.model.collective.flows import Machine
from stretto.model.collective.meeting import beyond_s, machine_of
from stretto.model.collective.programs import ALONE, Part, Placement, parts_of
from stretto.model.collective.terms import Site, coupling_s, sum_of_terms_s


@dataclass(frozen=True)
class Prediction:
    """A predicted time, or why there is none.

    Attributes:
        time_s: Seconds; None where there is no prediction.
        deviation: Half of the relative 95 % interval.
        reason: Why `time_s` is None.
    """

    time_s: float | None
    deviation: float = 0.0
    reason: str | None = None

    @property
    def known(self) -> bool:
        return self.time_s is not None

    @property
    def low_s(self) -> float | None:
        return None if self.time_s is None else self.time_s * (1 - self.deviation)

    @property
    def high_s(self) -> float | None:
        return None if self.time_s is None else self.time_s * (1 + self.deviation)


def added(parts: Sequence[Prediction]) -> Prediction:
    """One after the other. The deviation is the mean weighted by time: phases of one machine err alike.

    Unknown where one of the parts is, for its reason.
    """
    missing = next((part for part in parts if part.time_s is None), None)
    if missing is not None:
        return missing
    times = [part.time_s or 0.0 for part in parts]
    total_s = sum(times)
    if total_s == 0:
        return Prediction(0.0)
    spread_s = sum(time_s * part.deviation for time_s, part in zip(times, parts, strict=True))
    return Prediction(total_s, spread_s / total_s)


def in_a_row(parts: Sequence[Prediction], beyond_s: float) -> Prediction:
    """One after the other, and what they take beyond that; at least what the longest of them takes."""
    total = added(parts)
    if total.time_s is None:
        return total
    longest_s = max((part.time_s or 0.0 for part in parts), default=0.0)
    return Prediction(max(total.time_s + beyond_s, longest_s), total.deviation)


@dataclass(frozen=True)
class Functions:
    """The runtime functions of a profile for one algorithm (`library`, `reference`).

    Of those that fit operation, phase, p and b the first in the profile holds; one that names the phase goes
    before one that does not (docs/formats.md).
    """

    entries: tuple[RuntimeFunction, ...]
    algorithm: str = "library"
    couplings: tuple[Coupling, ...] = ()
    torus: tuple[int, ...] = ()

    @staticmethod
    def of(profile: Profile, algorithm: str = "library") -> "Functions":
        """All that a profile knows of collectives."""
        return Functions(profile.collectives, algorithm, profile.couplings, profile.torus)

    def operations(self) -> tuple[str, ...]:
        """The operations that have a function, in the profile's order."""
        mine = (e.operation for e in self.entries if e.algorithm == self.algorithm and _is_time(e))
        return tuple(dict.fromkeys(mine))

    def predict(
        self,
        operation: str,
        members: int,
        size_bytes: int,
        phase: str | None = None,
        placement: Placement = ALONE,
    ) -> Prediction:
        """How long one call takes.

        Args:
            operation: Such as `broadcast`.
            members: p.
            size_bytes: b, as docs/formats.md says it for the operation.
            phase: `leader` or `concurrent`, for a phase of a two-phase call; None for a flat one.
            placement: Which ranks those are, and of how many groups at once.

        Returns:
            Without a time where no function holds, or where it gives zero or less: such a function is wrong
            there, however well it fits elsewhere.
        """
        if members == 1:
            return Prediction(0.0)
        found = self._holding(operation, members, size_bytes, phase)
        where = f"{operation} of {size_bytes} bytes among {members}"
        if found is None:
            return Prediction(None, reason=f"no runtime function for {where}")
        if found.terms is not None:
            site = Site(operation, members, placement, self.torus)
            time_s = sum_of_terms_s(found.terms, site, size_bytes)
            if time_s <= 0:
                return Prediction(None, reason=f"the runtime function gives {time_s:.3g} s for {where}")
            return Prediction(time_s, found.deviation or 0.0)
        sizes = {"b": size_bytes, "p b": members * size_bytes}
        addends = found.sum_of or ()
        total = in_a_row(
            [self._part(one.operation, members, sizes[one.of_b], phase, placement) for one in addends],
            self.beyond_s([_parts(one, members, placement) for one in addends], size_bytes),
        )
        return (
            total if found.deviation is None or not total.known else Prediction(total.time_s, found.deviation)
        )

    @cached_property
    def machine(self) -> Machine | None:
        """What a message takes, where the functions are of algorithms whose messages are known."""
        mine = [entry for entry in self.entries if entry.algorithm == self.algorithm]
        return machine_of(mine, self.torus)

    def beyond_s(self, operations: Sequence[Sequence[Part]], size_bytes: int) -> float:
        """What operations take beyond their sum when they follow each other (`meeting.beyond_s`)."""
        if self.machine is None or not all(operations):
            return 0.0
        return beyond_s(self.machine, operations, size_bytes)

    def phases_overlap(self, operation: str, members: int, size_bytes: int) -> float | None:
        """Which fraction of the shorter phase hides when the message is cut; None: it is never cut."""
        return next(
            (e.phases_overlap for e in self._fitting(operation, members, size_bytes) if not _is_time(e)), None
        )

    def coupling_s(self, operation: str, rows: int, columns: int, size_bytes: int) -> float:
        """What a call on p1 x p2 takes beyond the sum of its phases, in seconds; may be negative."""
        for one in self.couplings:
            mine = one.operation == operation and one.algorithm == self.algorithm
            if mine and one.holds(rows * columns, size_bytes):
                return coupling_s(one.terms, rows, columns, size_bytes)
        return 0.0

    def _part(
        self, operation: str, members: int, size_bytes: int, phase: str | None, placement: Placement
    ) -> Prediction:
        """Of a sum. A part that is a sum itself is refused, so that no two operations can name each other."""
        found = self._holding(operation, members, size_bytes, phase)
        if found is not None and found.terms is None:
            return Prediction(None, reason=f"the runtime function of {operation} is a sum within a sum")
        return self.predict(operation, members, size_bytes, phase, placement)

    def _holding(
        self, operation: str, members: int, size_bytes: int, phase: str | None
    ) -> RuntimeFunction | None:
        fitting = [e for e in self._fitting(operation, members, size_bytes) if _is_time(e)]
        named = [e for e in fitting if phase is not None and e.phase == phase]
        return next(iter([*named, *(e for e in fitting if e.phase is None)]), None)

    def _fitting(self, operation: str, members: int, size_bytes: int) -> Iterator[RuntimeFunction]:
        for entry in self.entries:
            mine = entry.operation == operation and entry.algorithm == self.algorithm
            if mine and entry.holds(members, size_bytes):
                yield entry


def _is_time(entry: RuntimeFunction) -> bool:
    return entry.phases_overlap is None


def _parts(addend: SumPart, members: int, placement: Placement) -> list[Part]:
    """The messages of one summand, in units of b."""
    return parts_of(addend.operation, members, placement, members if addend.of_b == "p b" else 1)
