# SPDX-License-Identifier: BSD-3-Clause
"""Runtime functions of collective operations as typed data, and their members in a profile.

`stretto.model.collective` evaluates them for a given p and b.
"""

import math
from dataclasses import dataclass

from stretto.data.fields import LARGEST_INTEGER, Members, Place, shown
from stretto.data.figures import Figure, figure_member

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


@dataclass(frozen=True)
class Term:
    """One summand: `coefficient` (s, or s/B where `of_b` is `b`; may be negative) times of_p times of_b."""

    of_p: str
    of_b: str
    coefficient: Figure


@dataclass(frozen=True)
class Summand:
    """Another operation's function in a sum, taken at `b` or at `p b` bytes."""

    operation: str
    of_b: str


@dataclass(frozen=True)
class RuntimeFunction:
    """The time of one call over a range of p and b (Kühnemann, Rauber, Rünger, tables 1 to 5).

    Exactly one of `terms`, `sum_of` and `phases_overlap` is set. Sizes are in bytes, all bounds inclusive;
    `root_*` bound p b. `deviation` is half of the relative 95 % interval of a prediction. With a `locality`
    it holds only for groups on one node (`same-node`), or only for others (`remote`).
    """

    operation: str
    members_min: int
    members_max: int
    size_min_bytes: int
    size_max_bytes: int
    algorithm: str = "library"
    phase: str | None = None
    root_min_bytes: int | None = None
    root_max_bytes: int | None = None
    terms: tuple[Term, ...] | None = None
    sum_of: tuple[Summand, ...] | None = None
    phases_overlap: float | None = None
    deviation: float | None = None
    source: str | None = None
    locality: str | None = None

    def holds(self, members: int, size_bytes: int) -> bool:
        """Whether p = `members` and b = `size_bytes` are within the bounds."""
        root_bytes = members * size_bytes
        return (
            self.members_min <= members <= self.members_max
            and self.size_min_bytes <= size_bytes <= self.size_max_bytes
            and (self.root_min_bytes is None or self.root_min_bytes <= root_bytes)
            and (self.root_max_bytes is None or root_bytes <= self.root_max_bytes)
        )


@dataclass(frozen=True)
class CouplingTerm:
    """One summand: `coefficient` (s, or s/B; may be negative) times of_p1 of p1, of_p2 of p2, and of_b."""

    of_p1: str
    of_p2: str
    of_b: str
    coefficient: Figure


@dataclass(frozen=True)
class Coupling:
    """The time of a two-phase call minus its phases, over a range of p = p1 p2 and of b."""

    operation: str
    members_min: int
    members_max: int
    size_min_bytes: int
    size_max_bytes: int
    terms: tuple[CouplingTerm, ...]
    algorithm: str = "library"

    def holds(self, members: int, size_bytes: int) -> bool:
        """Whether p = `members` and b = `size_bytes` are within the bounds."""
        return (
            self.members_min <= members <= self.members_max
            and self.size_min_bytes <= size_bytes <= self.size_max_bytes
        )


def coupling(entry: Members) -> Coupling:
    """A member of a profile's `couplings`. UserError names a wrong member."""
    members_min = entry.integer("members_min", 1, MAX_MEMBERS)
    smallest = entry.integer("size_min_bytes", 0)
    return Coupling(
        operation=entry.text("operation", allowed=OPERATIONS),
        members_min=members_min,
        members_max=entry.integer("members_max", members_min, MAX_MEMBERS),
        size_min_bytes=smallest,
        size_max_bytes=entry.integer("size_max_bytes", smallest, LARGEST_INTEGER),
        terms=tuple(_coupling_term(term) for term in entry.objects("terms")),
        algorithm=entry.text("algorithm", "library", allowed=ALGORITHMS),
    )


def _coupling_term(term: Members) -> CouplingTerm:
    factors = (term.text("of_p1", allowed=OF_P), term.text("of_p2", allowed=OF_P))
    return CouplingTerm(*factors, term.text("of_b", allowed=OF_B), _coefficient(term))


def is_torus(widths: tuple[object, ...]) -> bool:
    """Whether these are valid widths of a torus."""
    numbers = [width for width in widths if type(width) is int and width > 0]
    return 0 < len(numbers) == len(widths) <= _MAX_DIMENSIONS and math.prod(numbers) <= _MAX_NODES


def torus(top: Members) -> tuple[int, ...]:
    """A profile's `torus`, the widths of its network; () without one."""
    if not top.has("torus"):
        return ()
    given = top.members.get("torus")
    widths = tuple(given) if isinstance(given, list) else ()
    if not is_torus(widths):
        raise top.place.member("torus").error(f"is {shown(given)}; {TORUS_WANTED}")
    return widths


def runtime_function(entry: Members) -> RuntimeFunction:
    """A member of a profile's `collectives`. UserError names a wrong member."""
    kinds = [name for name in KINDS if entry.has(name)]
    if len(kinds) != 1:
        result = " and ".join(kinds) or "nothing"
        raise entry.place.error(f"has {result}; give exactly one of {', '.join(KINDS)}")
    members_min = entry.integer("members_min", 1, MAX_MEMBERS)
    smallest = entry.integer("size_min_bytes", 0)
    root_min = entry.integer("root_min_bytes", 0) if entry.has("root_min_bytes") else None
    return RuntimeFunction(
        operation=entry.text("operation", allowed=OPERATIONS),
        members_min=members_min,
        members_max=entry.integer("members_max", members_min, MAX_MEMBERS),
        size_min_bytes=smallest,
        size_max_bytes=entry.integer("size_max_bytes", smallest, LARGEST_INTEGER),
        algorithm=entry.text("algorithm", "library", allowed=ALGORITHMS),
        phase=entry.text("phase", allowed=PHASES) if entry.has("phase") else None,
        root_min_bytes=root_min,
        root_max_bytes=entry.integer("root_max_bytes", root_min or 0)
        if entry.has("root_max_bytes")
        else None,
        terms=_terms(entry) if entry.has("terms") else None,
        sum_of=_parts(entry) if entry.has("sum_of") else None,
        phases_overlap=entry.number("phases_overlap", 0, 1) if entry.has("phases_overlap") else None,
        deviation=entry.number("deviation", 0, 1) if entry.has("deviation") else None,
        source=entry.text("source") if entry.has("source") else None,
        locality=entry.text("locality", allowed=(SAME_NODE, REMOTE)) if entry.has("locality") else None,
    )


def _terms(entry: Members) -> tuple[Term, ...]:
    result = tuple(_term(term) for term in entry.objects("terms"))
    known = (
        entry.members.get("algorithm") == "reference" and entry.members.get("operation") in _KNOWN_MESSAGES
    )
    for place, term in enumerate(result):
        if term.of_p in OF_MESSAGES and not known:
            raise entry.place.member(f"terms[{place}].of_p").error(
                f"is {term.of_p}, which depends on messages; only the reference algorithms of "
                f"{', '.join(_KNOWN_MESSAGES)} are known to send those"
            )
    if not result:
        raise entry.place.member("terms").error("is empty; a function needs at least one term")
    return result


def _term(term: Members) -> Term:
    return Term(
        term.text("of_p", allowed=(*OF_P, *OF_MESSAGES)), term.text("of_b", allowed=OF_B), _coefficient(term)
    )


def _coefficient(term: Members) -> Figure:
    """The coefficient in seconds, or in seconds per byte, depending on the term's `of_b`."""
    largest = _LARGEST[term.text("of_b", allowed=OF_B)]
    result = figure_member(term, "coefficient", -largest, largest)
    if result.value is None:
        raise term.place.member("coefficient").error("is unresolved; a function needs a number there")
    return result


def _parts(entry: Members) -> tuple[Summand, ...]:
    parts = tuple(
        Summand(part.text("operation", allowed=OPERATIONS), part.text("of_b", "b", allowed=SIZES_OF_PARTS))
        for part in entry.objects("sum_of")
    )
    place = entry.place.member("sum_of")
    if not parts:
        raise place.error("is empty; name the operations that make it up")
    own = entry.members.get("operation")
    _refuse_itself([part.operation for part in parts], own, place)
    return parts


def _refuse_itself(parts: list[str], own: object, place: Place) -> None:
    """Refuses a sum whose parts are sums, because such parts could be cyclic. Parts have terms (table 1)."""
    if own in parts:
        raise place.error(f"names {shown(own)} as a part of itself; name the operations that make it up")
