# SPDX-License-Identifier: BSD-3-Clause
"""Traces with the patterns of the overlap-potential slides, and their replay with and without overlap.

Durations and the times of data accesses are exact. They come from the slides; what the slides leave open is
stated at each pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.harness.trace_writer import TraceRecord, TraceWriter
from stretto.data.trace_records import COMPLETION, CONSUMED, PRODUCED
from stretto.native.replay import run_replay
from stretto.potential.data_work import PARTS

OVERLAPPED = "producer-consumer"
TRACED = "traced"
_LINES, _FACE_BYTES = 20, 20 * 6 * 8
_SWEEP_STAGES, _STEPS = 100, 50
SWEEP_HALF_NS = 5_000
"""Half a stage of Sweep3D: 10 us a stage give the slides' 1.20, 1.39 and 1.79 at 1, 2 and 4 us."""


@dataclass(frozen=True)
class Message:
    """One message of a phase of computation.

    Attributes:
        peer: The rank that it goes to.
        tags: Of the message, and of the one that arrives from the peer.
        size_bytes: Of both.
        produced_ns: Before the send, the times at which its parts are stored.
        consumed_ns: After the wait, the times at which the parts of the received one are loaded.
    """

    peer: int
    tags: tuple[int, int]
    size_bytes: int
    produced_ns: Sequence[int]
    consumed_ns: Sequence[int]


@dataclass(frozen=True)
class Phase:
    """Computation, and then messages, for all of which the rank waits."""

    work_ns: int
    messages: tuple[Message, ...]


def write_trace(path: Path, rank: int, ranks: int, phases: Sequence[Phase]) -> None:
    """The trace of one rank. Times of data accesses relate to the end of the phase's computation."""
    with TraceWriter(path, rank, ranks, {"command": ["slides"]}) as writer:
        writer.communicator(0, 0, 1, range(ranks))
        number = {
            name: writer.call(f"MPI_{name}", kind)
            for name, kind in (
                ("Init", "plain"),
                ("Irecv", "irecv"),
                ("Isend", "isend"),
                ("Waitall", "waitall"),
            )
        }

        def add(call: int, begin_ns: int, **members: int) -> None:
            writer.add(0, TraceRecord(call, begin_ns, context=0, **members))

        add(number["Init"], 0)
        at_ns, request = 0, 0
        for phase in phases:
            at_ns += phase.work_ns
            requests = []
            for one in phase.messages:
                request += 2
                requests.append(request)
                face = {"peer": one.peer, "size_bytes": one.size_bytes}
                add(number["Irecv"], at_ns, tag=one.tags[1], request=request - 1, **face)
                add(number["Isend"], at_ns, tag=one.tags[0], request=request, **face)
                for part, before_ns in enumerate(one.produced_ns):
                    add(PRODUCED, at_ns - before_ns, request=request, count=part, tag=PARTS)
            add(number["Waitall"], at_ns, count=2 * len(requests))
            for one, sent in zip(phase.messages, requests, strict=True):
                for each in (sent - 1, sent):
                    add(COMPLETION, at_ns, request=each)
                for part, after_ns in enumerate(one.consumed_ns):
                    add(CONSUMED, at_ns + after_ns + 1, request=sent - 1, count=part, tag=PARTS)
        add(writer.call("MPI_Finalize", "plain"), at_ns)


def sweep_phases(rank: int, half_ns: int = SWEEP_HALF_NS) -> Iterator[Phase]:
    """Sweep3D on 2 x 2 ranks: phiib crosses the columns after the first half of a stage, phijb the rows after
    the other. phiib is produced and consumed line by line, phijb within one line.
    """
    row, column = divmod(rank, 2)
    faces = ((2 * row + 1 - column, column, True), (2 * (1 - row) + column, row, False))
    line_ns = half_ns // _LINES
    for half in range(2 * _SWEEP_STAGES):
        peer, direction, evenly = faces[half % 2]
        span_ns = half_ns if evenly else line_ns
        produced = [span_ns - span_ns * (part + 1) // PARTS for part in range(PARTS)]
        consumed = [span_ns * part // PARTS for part in range(PARTS)]
        tags = (2 * (half % 2) + direction, 2 * (half % 2) + 1 - direction)
        yield Phase(half_ns, (Message(peer, tags, _FACE_BYTES, produced, consumed),))


def halo_phases(rank: int, size_bytes: int, potential_ns: int, work_ns: int) -> Iterator[Phase]:
    """Two ranks that exchange one message a step, with half of the potential at either side.

    The message is complete half of its potential before the send, and needed half of it after the wait.
    """
    half_ns = potential_ns // 2
    produced, consumed = [half_ns] * PARTS, [half_ns] * PARTS
    for _ in range(_STEPS):
        yield Phase(work_ns, (Message(1 - rank, (rank, 1 - rank), size_bytes, produced, consumed),))


def replayed_s(directory: Path, networks: Sequence[str], level: str) -> list[float]:
    """The time of the trace on each network (`L=..,G=..`)."""
    words = [f"--loggp={one}" for one in networks]
    document = run_replay([str(directory), *words, f"--level={level}"])
    replays = document["replays"] if len(networks) > 1 else [document]
    return [float(one["makespan_s"]) for one in replays]
