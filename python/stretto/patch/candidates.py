# SPDX-License-Identifier: BSD-3-Clause
"""The call sites of a trace at which a local change may gain, with what the trace has seen of their data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.binaries.symbols import Frame
from stretto.data.program import Place
from stretto.data.trace_accesses import ByPlace, MessageAccesses
from stretto.patch.messages import MESSAGES
from stretto.patch.moves import LocalKind
from stretto.patch.statements import Statement
from stretto.potential.regions import WorkSite


@dataclass(frozen=True)
class Candidate:
    """A call site.

    Attributes:
        kind: The change that may gain there.
        place: The return address of the calls.
        frame: Where it stands in the source; None: there is no debug information.
        work: The work after the arrivals, or before the sends.
        accesses: How many messages were first accessed, or last stored to, at each place of the code.
    """

    kind: LocalKind
    place: Place
    frame: Frame | None
    work: WorkSite
    accesses: Mapping[Place, int]

    @property
    def where(self) -> str:
        """The place for people."""
        if self.frame is None:
            return f"{Path(self.place[0]).name}+0x{self.place[1]:x}"
        return f"{self.frame.function} {Path(self.frame.path).name}:{self.frame.line}"

    @property
    def messages(self) -> int:
        """How many messages the trace has followed."""
        return sum(self.accesses.values())


def candidates_of(
    arrivals: Mapping[Place, WorkSite],
    sends: Mapping[Place, WorkSite],
    accesses: MessageAccesses,
    frames: Mapping[Place, Sequence[Frame]],
) -> list[Candidate]:
    """Waits at which data arrives, and starts of sends, in descending order of their uncovered cost."""
    found = []
    sides: tuple[tuple[LocalKind, Mapping[Place, WorkSite], ByPlace], ...] = (
        ("wait later", arrivals, accesses.first),
        ("start earlier", sends, accesses.last),
    )
    for kind, sites, by_site in sides:
        role = "wait" if kind == "wait later" else "start"
        for place, work in sites.items():
            message = MESSAGES.get(work.call)
            if message is not None and message.role == role:
                where = frames.get(place, ())
                found.append(
                    Candidate(kind, place, where[0] if where else None, work, by_site.get(place, {}))
                )
    return sorted(found, key=lambda one: (-one.work.uncovered_s, one.where))


@dataclass(frozen=True)
class TraceEvidence:
    """What a trace has seen at the candidates of one source."""

    path: str
    kind: LocalKind
    candidates: Sequence[Candidate]
    frames: Mapping[Place, Sequence[Frame]]

    def at(self, statement: Statement) -> list[Candidate]:
        """The candidates whose calls are a statement; several where the compiler has copied it."""
        return [
            one
            for one in self.candidates
            if one.kind == self.kind
            and one.frame is not None
            and one.frame.path == self.path
            and statement.first <= one.frame.line <= statement.last
        ]

    def followed(self, moved: Sequence[Statement]) -> bool:
        """See `Evidence`. Of statements that only receive, or only wait for sends, nothing is known."""
        return all(
            any(one.messages for one in self.at(statement)) for statement in moved if _is_followed(statement)
        )

    def seen_in(self, moved: Sequence[Statement], other: Statement) -> int:
        """See `Evidence`."""
        return sum(
            count
            for statement in moved
            for one in self.at(statement)
            for place, count in one.accesses.items()
            if self.is_within(place, other)
        )

    def promised_s(self, moved: Sequence[Statement], crossed: Sequence[Statement], knows_cost: bool) -> float:
        """At most so much is gained: the work that the messages come to overlap, and no more than what of
        their cost nothing covers, where that is known. Statements without a loop or a call gain nothing.
        """
        found = 0.0
        for one in (one for statement in moved for one in self.at(statement)):
            work_s = sum(
                region.independent_s
                for place, region in one.work.regions.items()
                if any(over.effects.takes_time and self.is_within(place, over) for over in crossed)
            )
            found += min(one.work.uncovered_s, work_s) if knows_cost else work_s
        return found

    def is_within(self, place: Place, statement: Statement) -> bool:
        """Whether a place of the code is in a statement, or in a function that it calls."""
        return any(
            (one.path == self.path and statement.first <= one.line <= statement.last)
            or one.function in statement.effects.calls
            for one in self.frames.get(place, ())
        )


def _is_followed(statement: Statement) -> bool:
    return any(buffer.is_sent == (statement.role == "start") for buffer in statement.buffers)
