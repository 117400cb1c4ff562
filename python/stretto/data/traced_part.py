# SPDX-License-Identifier: BSD-3-Clause
"""Which part of its run a trace has: all, the end under a limit of size, or what was recorded until records
were lost, a rank died, or a file was cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from stretto.data.sizes import format_size
from stretto.data.trace import TraceFile

_NAMED_RANKS = 4
"""More of them are counted."""


@dataclass(frozen=True)
class KeptPart:
    """The end of a run, and the limit of all its files."""

    kept_s: float
    run_s: float
    limit_bytes: int

    @property
    def fact(self) -> str:
        """How much was kept."""
        limit = format_size(self.limit_bytes)
        return f"The last {self.kept_s:.3g} of {self.run_s:.4g} s were kept (limit {limit})"

    def __str__(self) -> str:
        return f"{self.fact}: all figures are of that part of the run"


@dataclass(frozen=True)
class LostRecords:
    """Records that no file had space for; `from_s`: the first of them is of a later time of the run."""

    records: int
    ranks: tuple[int, ...]
    from_s: float

    def __str__(self) -> str:
        return (
            f"{self.records} records of {named_ranks(self.ranks)} were lost after {self.from_s:.3g} s, as "
            "the disk of the trace was full or a file may not be larger: figures lack them; record again on "
            "a larger disk, or keep the end of the run with `stretto trace --limit`"
        )


@dataclass(frozen=True)
class CutFiles:
    """Files that end within a block, which is left out with all that followed it.

    Attributes:
        records: How many those blocks have, with definitions where records are not packed.
        ranks: Whose files they are.
        from_s: When the first of these blocks begins, in seconds of the run; None: that is cut off, too.
    """

    records: int
    ranks: tuple[int, ...]
    from_s: float | None

    def __str__(self) -> str:
        files = "file" if len(self.ranks) == 1 else "files"
        are = "is" if len(self.ranks) == 1 else "are"
        since = "" if self.from_s is None else f" from {self.from_s:.3g} s of the run on"
        return (
            f"The {files} of {named_ranks(self.ranks)} {are} cut off within a block: about {self.records} "
            f"records{since} are missing, and all that followed; copy the trace again from where it was "
            "recorded"
        )


@dataclass(frozen=True)
class TracedPart:
    """What a trace has of its run; without members: everything. `died` says where ranks ended it early."""

    kept: KeptPart | None = None
    lost: LostRecords | None = None
    died: str = ""
    cut: CutFiles | None = None

    def sentences(self) -> list[str]:
        """What precedes all figures of the trace."""
        texts = [str(one) for one in (self.cut, self.lost, self.kept) if one]
        if self.died:
            texts.append(
                f"Without MPI_Finalize: {self.died}; all figures are of what was recorded until then"
            )
        return texts

    def document(self) -> dict[str, Any]:
        """The members `kept`, `lost`, `died` and `cut` of documents."""
        return {
            "kept": self.kept and asdict(self.kept),
            "lost": self.lost and asdict(self.lost),
            "died": self.died or None,
            "cut": self.cut and asdict(self.cut),
        }


def part_of(traces: Sequence[TraceFile]) -> TracedPart:
    """What the traces of all ranks have of their run."""
    return TracedPart(_kept(traces), _lost(traces), where_ranks_died(traces), _cut(traces))


def where_ranks_died(traces: Iterable[TraceFile]) -> str:
    """The ranks that did not finish, by where they were: `rank 2 outside of MPI, rank 0, 1 in MPI_Recv`.

    A rank outside of MPI, or in MPI_Abort, has ended the run and stands first; the launcher has ended the
    others. Empty where all ranks finished. A file that is cut off does not say where its rank ended.
    """
    where: dict[str, list[int]] = {}
    for one in traces:
        if not one.complete and one.heads.cut is None:
            place = f"in {one.died_in}" if one.died_in else "outside of MPI"
            where.setdefault(place, []).append(one.header.rank)
    first = ("outside of MPI", "in MPI_Abort")
    return ", ".join(
        f"{named_ranks(where[place])} {place}"
        for place in sorted(where, key=lambda place: (place not in first, where[place]))
    )


def named_ranks(ranks: Sequence[int]) -> str:
    """`rank 0, 3`; of many the first ones and the number of the others."""
    named = ", ".join(map(str, ranks[:_NAMED_RANKS]))
    more = len(ranks) - _NAMED_RANKS
    return f"rank {named} and {more} more" if more > 0 else f"rank {named}"


def _kept(traces: Sequence[TraceFile]) -> KeptPart | None:
    kept = traces[0].header.kept_ns if traces else None
    if kept is None:
        return None
    from_ns, end_ns = kept
    return KeptPart(1e-9 * (end_ns - from_ns), 1e-9 * end_ns, traces[0].header.limit_bytes or 0)


def _lost(traces: Iterable[TraceFile]) -> LostRecords | None:
    losing = [one for one in traces if one.lost]
    if not losing:
        return None
    ranks = tuple(one.header.rank for one in losing)
    return LostRecords(sum(one.lost for one in losing), ranks, min(one.heads.last_begin_s for one in losing))


def _cut(traces: Iterable[TraceFile]) -> CutFiles | None:
    found = {one.header.rank: cut for one in traces if (cut := one.heads.cut)}
    if not found:
        return None
    begins_s = [cut.from_s for cut in found.values() if cut.from_s is not None]
    return CutFiles(sum(cut.records for cut in found.values()), tuple(found), min(begins_s, default=None))
