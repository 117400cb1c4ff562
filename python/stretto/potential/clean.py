# SPDX-License-Identifier: BSD-3-Clause
"""Durations of a clean run for a trace whose program was slowed down by being watched.

Both runs make the same calls. What lies between two calls of the watched run, such as when data was produced,
comes to lie between the same two calls of the clean one, at the same fraction of the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stretto.data.trace import CONSUMED, FIRST_CALL, PRODUCED, RECORD, Block, Records, TraceFile
from stretto.errors import RunError, UserError

_MASK = np.uint64((1 << 48) - 1)
_HIGH = np.uint64(48)
_SAME = ("bytes_and_context", "peer", "tag")
_POLLS = ("test", "testall", "testany", "waitsome", "iprobe", "parrived")
"""Kinds of calls that found nothing when their count is 0: how often that is asked is no program's own."""


@dataclass(frozen=True)
class _Calls:
    """The calls of a thread that both runs must have, and when they began and ended (ns)."""

    records: Records
    begins: NDArray[np.float64]
    ends: NDArray[np.float64]


def take_durations(watched: Sequence[TraceFile], clean: Sequence[TraceFile]) -> None:
    """Rewrites the files of `watched`: calls and what lies between them take as long as in `clean`.

    Raises:
        UserError: the runs have not made the same calls; nothing is rewritten then.
        RunError: a file cannot be written.
    """
    if len(watched) != len(clean):
        raise UserError(
            f"--clean {clean[0].path.parent}: is of {len(clean)} ranks, and this run of {len(watched)}; "
            "record the same run"
        )
    moved = [(file.path, _with_durations(file, other)) for file, other in zip(watched, clean)]
    for path, data in moved:
        _write(path, data)


def _with_durations(file: TraceFile, clean: TraceFile) -> bytes:
    blocks = list(file.blocks())
    others = list(clean.blocks())
    data = bytearray(file.path.read_bytes())
    for thread in sorted({block.thread for block in blocks} | {block.thread for block in others}):
        own = [block for block in blocks if block.thread == thread]
        mine = _calls(file, own)
        theirs = _calls(clean, [block for block in others if block.thread == thread])
        _check_same(file, mine, clean, theirs)
        knots = np.column_stack((mine.begins, mine.ends)).ravel()
        times = np.column_stack((theirs.begins, theirs.ends)).ravel()
        for block in own:
            _move(data, block, np.maximum.accumulate(knots), np.maximum.accumulate(times))
    return bytes(data)


def _calls(file: TraceFile, blocks: Sequence[Block]) -> _Calls:
    records = np.concatenate([block.records for block in blocks]) if blocks else np.empty(0, RECORD)
    numbers = (records["begin_and_call"] >> _HIGH).astype(np.int64)
    kinds = [kind for _, kind in file.header.calls]
    polls = np.array([False] * FIRST_CALL + [kind in _POLLS for kind in kinds])
    records = records[(numbers >= FIRST_CALL) & ~(polls[numbers] & (records["count"] == 0))]
    begins = (records["begin_and_call"] & _MASK).astype(np.float64)
    return _Calls(records, begins, begins + (records["duration_and_site"] & _MASK).astype(np.float64))


def _check_same(file: TraceFile, mine: _Calls, clean: TraceFile, theirs: _Calls) -> None:
    shared = min(len(mine.records), len(theirs.records))
    one, other = mine.records[:shared], theirs.records[:shared]
    names = [
        np.array([""] * FIRST_CALL + [name for name, _ in trace.header.calls]) for trace in (file, clean)
    ]
    differ = names[0][one["begin_and_call"] >> _HIGH] != names[1][other["begin_and_call"] >> _HIGH]
    for member in _SAME:
        differ |= one[member] != other[member]
    first = int(np.argmax(differ)) if differ.any() else shared
    if first == len(mine.records) == len(theirs.records):
        return
    there, here = _said(clean, theirs, first), _said(file, mine, first)
    raise UserError(
        f"--clean {clean.path}: call {first + 1} is {there}, and {here} in {file.path}; "
        "record the same run of the same program"
    )


def _said(file: TraceFile, calls: _Calls, index: int) -> str:
    if index >= len(calls.records):
        return "none"
    event = file.event(calls.records[index].tolist())
    return f"{event.name} of {event.size_bytes} bytes with {event.peer}, tag {event.tag}"


def _move(data: bytearray, block: Block, knots: NDArray[np.float64], times: NDArray[np.float64]) -> None:
    """Gives the records of a block in a file's bytes their times in the clean run."""
    room = np.frombuffer(data, RECORD, len(block.kept), block.offset)
    which = np.flatnonzero(block.kept)
    records = room[which]
    calls = records["begin_and_call"] >> _HIGH

    def clean_ns(ns: NDArray[np.float64]) -> NDArray[np.uint64]:
        behind = np.maximum(ns - knots[-1], 0.0)  # after the last call time goes on as it did
        moved_ns: NDArray[np.uint64] = np.rint(np.interp(ns, knots, times) + behind).astype(np.uint64)
        return moved_ns

    begins = (records["begin_and_call"] & _MASK).astype(np.float64)
    ends = clean_ns(begins + (records["duration_and_site"] & _MASK).astype(np.float64))
    about_data = (calls == PRODUCED) | (calls == CONSUMED)
    never = about_data & (begins == 0)
    moved = np.where(never, np.uint64(0), clean_ns(begins))
    durations = np.where(about_data, np.uint64(0), ends - np.minimum(ends, moved))
    records["begin_and_call"] = moved | calls << _HIGH
    records["duration_and_site"] = durations | records["duration_and_site"] >> _HIGH << _HIGH
    other_ends = np.where(never, np.uint64(0), clean_ns(records["extra"].astype(np.float64)))
    records["extra"] = np.where(about_data, other_ends, records["extra"])
    room[which] = records


def _write(path: Path, data: bytes) -> None:
    try:
        temporary = path.with_suffix(".moved")
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror})") from None
