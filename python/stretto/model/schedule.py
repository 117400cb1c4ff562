# SPDX-License-Identifier: BSD-3-Clause
"""The schedules of the probes FT and SPMV as dependency graphs: what a rank does, and what waits for what.

All ranks do the same, shifted: rank m starts its k-th transfer with rank m + hop. So one rank's steps say the
whole graph: what reaches m over `hop` is what m itself starts over `hop`, seen from the other end.
Times are in `stretto.model.graph`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from stretto.errors import UserError

Operation = Literal["put", "get", "send"]

_ELEMENT_BYTES = 16  # a complex double


@dataclass(frozen=True)
class Compute:
    """`parts` of the schedule's computation of `Schedule.parts`, accounted to `segment`."""

    parts: float
    segment: str


@dataclass(frozen=True)
class Start:
    """Starts transfer `message`, to the rank `hop` further on; a get comes from there."""

    message: int
    hop: int
    size_bytes: int
    operation: Operation
    segment: str


@dataclass(frozen=True)
class Finish:
    """Waits until transfer `message` of one's own is complete: a get's data is here, a put's there.

    Of a `send`, until the message that came the same way (from `hop` back) is here, too.
    """

    message: int


@dataclass(frozen=True)
class Await:
    """Waits for the signal of the transfer that reaches this rank as `message` leaves it (scatter)."""

    message: int


Step = Compute | Start | Finish | Await


@dataclass(frozen=True)
class Schedule:
    """The steps of a rank, in program order, followed by a barrier. `parts`: computation is so many parts."""

    name: str
    ranks: int
    parts: int
    steps: tuple[Step, ...]

    @cached_property
    def messages(self) -> int:
        """Messages that a rank starts."""
        return sum(isinstance(step, Start) for step in self.steps)

    @cached_property
    def largest_bytes(self) -> int:
        """Of its largest message."""
        return max((step.size_bytes for step in self.steps if isinstance(step, Start)), default=0)


def ft_chunks(schedule: str, ranks: int, rows: int, row_bytes: int, chunks: int | None = None) -> int:
    """X: into how many pieces a schedule cuts a rank's rows, with the pieces for itself.

    Raises:
        UserError: The schedule is unknown, or pieces of equal size do not come out.
    """
    if ranks < 2:
        raise UserError(f"--ranks: {ranks} exchange nothing; give 2 or more")
    if rows % ranks:
        raise UserError(f"--rows: {rows} do not divide among {ranks} ranks; give a multiple of {ranks}")
    named = {"exchange": ranks, "slabs": chunks or ranks, "pencils": rows, "chunks": chunks or 0}
    if schedule not in named:
        raise UserError(f"--schedules: unknown '{schedule}'; choose from exchange, slabs, pencils, chunks=X")
    pieces = named[schedule]
    elements = rows * row_bytes // _ELEMENT_BYTES
    if pieces < ranks or pieces % ranks or elements % pieces:
        raise UserError(
            f"chunks={pieces}: X must be a multiple of the {ranks} ranks, and divide the "
            f"{elements} elements of a rank"
        )
    return pieces


def ft_schedule(
    schedule: str,
    ranks: int,
    rows: int,
    row_bytes: int,
    chunks: int | None = None,
    operation: Operation = "put",
) -> Schedule:
    """Algorithms 3 to 5, and the continuum between 4 and 5 (section 5.1).

    Args:
        schedule: `exchange`, `slabs`, `pencils`, or `chunks` with the number of `chunks`.
        ranks: P.
        rows: N, a rank's rows; each is one part of the computation.
        row_bytes: 16 R.
        chunks: X; also of slabs plane by plane. A piece leaves when the rows that it touches are computed.
        operation: `put`, or `send` where both sides take part.

    Raises:
        UserError: As `ft_chunks`.
    """
    pieces = ft_chunks(schedule, ranks, rows, row_bytes, chunks)
    size_bytes = rows * row_bytes // pieces
    name = f"chunks={pieces}" if schedule == "chunks" else schedule
    bulk = schedule == "exchange"
    steps = tuple(_ft_steps(ranks, rows, row_bytes, size_bytes, operation, bulk))
    return Schedule(name, ranks, rows, steps)


def _ft_steps(
    ranks: int, rows: int, row_bytes: int, size_bytes: int, operation: Operation, bulk: bool
) -> Iterator[Step]:
    if bulk:
        yield Compute(rows, "work")
    message = computed = 0  # rows of each block so far: all blocks are equally far after a round
    for turn in range(rows // ranks * row_bytes // size_bytes):
        needed = -(-(turn + 1) * size_bytes // row_bytes)
        for hop in range(1, ranks + 1):  # Algorithms 3-5, lines 5-6: p = (t + myid) mod P; oneself last
            if not bulk and needed > computed:
                yield Compute(needed - computed, "work")
            if hop < ranks:
                yield Start(message, hop, size_bytes, operation, "init")
                message += 1
        computed = needed
    for done in range(message):
        yield Finish(done)


def spmv_schedule(
    schedule: str, ranks: int, block_bytes: int, prefetch: int = 1, two_sided: bool = False
) -> Schedule:
    """Algorithms 6 to 8: `bulk`, `gather`, `scatter`; the computation is P parts, the diagonal block first.

    Args:
        schedule: Which of them; `scatter` starts signalling puts.
        ranks: P.
        block_bytes: Of a rank's piece of the source vector.
        prefetch: The paper's eta: 0 and 1 are the same run, P - 1 starts everything at once. `bulk` has none.
        two_sided: Everything by sends, where both sides take part.

    Raises:
        UserError: The schedule is unknown, or the prefetch depth is beyond P - 1.
    """
    if ranks < 2:
        raise UserError(f"--ranks: {ranks} exchange nothing; give 2 or more")
    if schedule not in ("bulk", "gather", "scatter"):
        raise UserError(f"--schedules: unknown '{schedule}'; choose from bulk, gather, scatter")
    if schedule != "bulk" and not 0 <= prefetch <= ranks - 1:
        raise UserError(f"--prefetch: {prefetch} is not within 0 to P - 1 = {ranks - 1}")
    operation: Operation = "send" if two_sided else "put" if schedule == "scatter" else "get"
    if schedule == "bulk":
        return Schedule(schedule, ranks, ranks, tuple(_bulk_steps(ranks, block_bytes, operation)))
    name = f"{schedule},prefetch={prefetch}"
    steps = tuple(_pipeline_steps(schedule == "scatter", ranks, block_bytes, prefetch, operation))
    return Schedule(name, ranks, ranks, steps)


def _bulk_steps(ranks: int, block_bytes: int, operation: Operation) -> Iterator[Step]:
    for hop in range(1, ranks):
        yield Start(hop - 1, _hop(hop, ranks, operation), block_bytes, operation, "prefetch_init")
    for message in range(ranks - 1):
        yield Finish(message)
    for turn in range(ranks):
        yield Compute(1, "remote_work" if turn else "local_work")


def _pipeline_steps(
    scatter: bool, ranks: int, block_bytes: int, prefetch: int, operation: Operation
) -> Iterator[Step]:
    """Algorithms 7 and 8: data comes from one rank further on each turn, by gets or by others' puts."""

    def start(message: int, segment: str) -> Start:
        return Start(message, _hop(message + 1, ranks, operation), block_bytes, operation, segment)

    count = max(prefetch - 1, 0)  # lines 4-8 run i from 1 to eta - 1
    for message in range(count):
        yield start(message, "prefetch_init")
    for turn in range(ranks):
        if count < ranks - 1:
            yield start(count, "pipeline_init")
            count += 1
        if turn > 0:
            yield Await(turn - 1) if scatter else Finish(turn - 1)
        yield Compute(1, "remote_work" if turn else "local_work")


def _hop(turn: int, ranks: int, operation: Operation) -> int:
    """A get in turn t asks the rank t further on; what is pushed goes t back, and so comes from there."""
    return turn if operation == "get" else ranks - turn
