# SPDX-License-Identifier: BSD-3-Clause
"""The beginning of a trace of all ranks: calls in lanes and the messages between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from stretto.data.program import Place


@dataclass(frozen=True)
class Lane:
    """A thread of a rank with its calls in order, one column for each of their members.

    Attributes:
        begin: Nanoseconds since the beginning of the timeline.
        length: Nanoseconds.
        call: Numbers in `Timeline.calls`.
        place: Numbers in `Timeline.places`.
    """

    rank: int
    thread: int
    begin: Sequence[int] = ()
    length: Sequence[int] = ()
    call: Sequence[int] = ()
    place: Sequence[int] = ()
    peer: Sequence[int] = ()
    bytes: Sequence[int] = ()


class Message(NamedTuple):
    """A message with the lanes of both ends. Times are in nanoseconds since the beginning of the timeline."""

    from_lane: int
    to_lane: int
    sent: int
    received: int
    size_bytes: int
    tag: int
    produced: Sequence[int] = ()
    consumed: Sequence[int] = ()


@dataclass(frozen=True)
class Timeline:
    """The events of a trace before its end; `whole` says whether these are all.

    Attributes:
        begin: Nanoseconds on the trace's clock.
        calls: The names and kinds of calls.
        places: The places of calls.
        length: Nanoseconds.
    """

    lanes: tuple[Lane, ...]
    messages: tuple[Message, ...]
    calls: tuple[tuple[str, str], ...]
    places: tuple[Place, ...]
    begin: int
    length: int
    whole: bool


def timeline_in(answer: Mapping[str, Any]) -> Timeline:
    """The timeline in an answer of stretto-analyse with the part `timeline`."""
    found = answer["timeline"]
    return Timeline(
        tuple(Lane(**lane) for lane in found["lanes"]),
        tuple(map(Message._make, found["messages"])),
        tuple((name, kind) for name, kind in found["calls"]),
        tuple((module, address) for module, address in found["places"]),
        found["begin_ns"],
        found["length_ns"],
        found["whole"],
    )
