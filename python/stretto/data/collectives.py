# SPDX-License-Identifier: BSD-3-Clause
"""Runtime functions of collective operations as typed data, and their members in a profile.

`stretto.model.collective` evaluates them for a given p and b.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from stretto.data.fields import Members, Place, shown
from stretto.data.figures import Figure
from stretto.data.typed import Absent, OneOf, Within, member

OPERATIONS = (
    "broadcast",
    "gather",
    "scatter",
    "reduce",
    "allreduce",
    "allgather",
    "reduce-scatter",
    "alltoall",
)
ALGORITHMS = ("library", "reference")
PHASES = ("leader", "concurrent")
SAME_NODE, REMOTE = "same-node", "remote"
OF_P = (
    "1",
    "p",
    "p-1",
    "log2-p",
    "ceil-log2-p",
    "floor-log2-(p-1)",
    "p-log2-p",
    "p-ceil-log2-p",
    "tree-sends",
)
# Factors that depend on the messages of an algorithm. These are known for the reference algorithms of
# operations with a root.
OF_MESSAGES = ("overheads", "links-eager", "links-in-turn")
_KNOWN_MESSAGES = ("broadcast", "gather", "scatter", "reduce")
OF_B = ("1", "b")
SIZES_OF_PARTS = ("b", "p b")
KINDS = ("terms", "sum_of", "phases_overlap")

# A larger coefficient is a mistake of units, such as µs for seconds.
_LARGEST = {"1": 1e3, "b": 1.0}
MAX_MEMBERS = 2**31 - 1
_MAX_DIMENSIONS, _MAX_NODES = 6, 2**20
TORUS_WANTED = f"give 1 to {_MAX_DIMENSIONS} widths, of {_MAX_NODES} nodes at most"


def _largest(term: Mapping[str, Any]) -> float:
    """The limit of a coefficient in seconds, or in seconds per byte, depending on the term's `of_b`."""
    return _LARGEST[term["of_b"]]


Collective = Annotated[str, OneOf(OPERATIONS)]
Algorithm = Annotated[str, OneOf(ALGORITHMS)]
Ranks = Annotated[int, Within(1, MAX_MEMBERS)]
MaxRanks = Annotated[int, Within(member("members_min"), MAX_MEMBERS)]
MaxSize = Annotated[int, Within(member("size_min_bytes"))]
OfP = Annotated[str, OneOf(OF_P)]
OfB = Annotated[str, OneOf(OF_B)]
Coefficient = Annotated[Figure, Within(lambda term: -_largest(term), _largest)]
Share = Annotated[float, Within(0, 1)]


@dataclass(frozen=True)
class Term:
    """One summand: `coefficient` (s, or s/B where `of_b` is `b`; may be negative) times of_p times of_b."""

    of_p: Annotated[str, OneOf((*OF_P, *OF_MESSAGES))]
    of_b: OfB
    coefficient: Coefficient

    def check(self, place: Place) -> None:
        _refuse_unresolved(self.coefficient, place)


@dataclass(frozen=True)
class Summand:
    """Another operation's function in a sum, taken at `b` or at `p b` bytes."""

    operation: Collective
    of_b: Annotated[str, OneOf(SIZES_OF_PARTS), Absent("b")]


@dataclass(frozen=True)
class RuntimeFunction:
    """The time of one call over a range of p and b (Kühnemann, Rauber, Rünger, tables 1 to 5).

    Exactly one of `terms`, `sum_of` and `phases_overlap` is set. Sizes are in bytes, all bounds inclusive;
    `root_*` bound p b. `deviation` is half of the relative 95 % interval of a prediction. With a `locality`
    it holds only for groups on one node (`same-node`), or only for others (`remote`).
    """

    operation: Collective
    members_min: Ranks
    members_max: MaxRanks
    size_min_bytes: int
    size_max_bytes: MaxSize
    algorithm: Algorithm = "library"
    phase: Annotated[str, OneOf(PHASES)] | None = None
    root_min_bytes: int | None = None
    root_max_bytes: Annotated[int, Within(member("root_min_bytes"))] | None = None
    terms: tuple[Term, ...] | None = None
    sum_of: tuple[Summand, ...] | None = None
    phases_overlap: Share | None = None
    deviation: Share | None = None
    source: str | None = None
    locality: Annotated[str, OneOf((SAME_NODE, REMOTE))] | None = None

    def holds(self, members: int, size_bytes: int) -> bool:
        """Whether p = `members` and b = `size_bytes` are within the bounds."""
        root_bytes = members * size_bytes
        return (
            self.members_min <= members <= self.members_max
            and self.size_min_bytes <= size_bytes <= self.size_max_bytes
            and (self.root_min_bytes is None or self.root_min_bytes <= root_bytes)
            and (self.root_max_bytes is None or root_bytes <= self.root_max_bytes)
        )

    def check(self, place: Place) -> None:
        """Refuses a function of several kinds or none, and sums and terms without a meaning."""
        kinds = [name for name in KINDS if getattr(self, name) is not None]
        if len(kinds) != 1:
            result = " and ".join(kinds) or "nothing"
            raise place.error(f"has {result}; give exactly one of {', '.join(KINDS)}")
        if self.terms is not None:
            self._check_terms(self.terms, place.member("terms"))
        if self.sum_of is not None:
            self._check_parts(self.sum_of, place.member("sum_of"))

    def _check_terms(self, terms: tuple[Term, ...], place: Place) -> None:
        known = self.algorithm == "reference" and self.operation in _KNOWN_MESSAGES
        for index, term in enumerate(terms):
            if term.of_p in OF_MESSAGES and not known:
                factor = place.item(index).member("of_p")
                raise factor.error(
                    f"is {term.of_p}, which depends on messages; only the reference algorithms of "
                    f"{', '.join(_KNOWN_MESSAGES)} are known to send those"
                )
        if not terms:
            raise place.error("is empty; a function needs at least one term")

    def _check_parts(self, parts: tuple[Summand, ...], place: Place) -> None:
        """Refuses a sum that has itself as a part, because it would be cyclic. Parts have terms (table 1)."""
        if not parts:
            raise place.error("is empty; name the operations that make it up")
        if any(part.operation == self.operation for part in parts):
            raise place.error(
                f"names {shown(self.operation)} as a part of itself; name the operations that make it up"
            )


@dataclass(frozen=True)
class CouplingTerm:
    """One summand: `coefficient` (s, or s/B; may be negative) times of_p1 of p1, of_p2 of p2, and of_b."""

    of_p1: OfP
    of_p2: OfP
    of_b: OfB
    coefficient: Coefficient

    def check(self, place: Place) -> None:
        _refuse_unresolved(self.coefficient, place)


@dataclass(frozen=True)
class Coupling:
    """The time of a two-phase call minus its phases, over a range of p = p1 p2 and of b."""

    operation: Collective
    members_min: Ranks
    members_max: MaxRanks
    size_min_bytes: int
    size_max_bytes: MaxSize
    terms: tuple[CouplingTerm, ...]
    algorithm: Algorithm = "library"

    def holds(self, members: int, size_bytes: int) -> bool:
        """Whether p = `members` and b = `size_bytes` are within the bounds."""
        return (
            self.members_min <= members <= self.members_max
            and self.size_min_bytes <= size_bytes <= self.size_max_bytes
        )


def _refuse_unresolved(coefficient: Figure, place: Place) -> None:
    if coefficient.value is None:
        raise place.member("coefficient").error("is unresolved; a function needs a number there")


def is_torus(widths: tuple[object, ...]) -> bool:
    """Whether these are valid widths of a torus."""
    numbers = [width for width in widths if type(width) is int and width > 0]
    return 0 < len(numbers) == len(widths) <= _MAX_DIMENSIONS and math.prod(numbers) <= _MAX_NODES


def read_torus(top: Members) -> tuple[int, ...]:
    """A profile's `torus`, the widths of its network; () without one."""
    if not top.has("torus"):
        return ()
    given = top.members.get("torus")
    widths = tuple(given) if isinstance(given, list) else ()
    if not is_torus(widths):
        raise top.place.member("torus").error(f"is {shown(given)}; {TORUS_WANTED}")
    return widths
