# SPDX-License-Identifier: BSD-3-Clause
"""Replaces the durations in a trace of a watched (instrumented) run by those of a clean run.

Both runs make the same calls. A record between two calls of the watched run, such as the production of
data, moves between the same two calls of the clean run, at the same fraction of the interval. The traces
are read thread by thread and block by block; only the last calls are kept in memory.
"""

from __future__ import annotations

import mmap
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stretto.data.trace import TraceFile
from stretto.data.trace_records import (
    ANY_PEER,
    CONSUMED,
    FIRST_CALL,
    NO_PEER,
    PRODUCED,
    RECORD,
    REGION,
    Block,
    Event,
    Records,
    call_numbers,
)
from stretto.errors import RunError, UserError

_MASK = np.uint64((1 << 48) - 1)
_HIGH = np.uint64(48)
_SAME = ("bytes_and_context", "peer", "tag")
_NOBODY = {ANY_PEER: "anybody", NO_PEER: "nobody"}
_POLLS = ("test", "testall", "testany", "waitsome", "iprobe", "improbe", "parrived", "synchronise")
"""Kinds of calls that found nothing when their count is 0 (of the last, MPI_Win_test): how often that is
asked is no program's own."""
_MAX_SITES = 1 << 16
_MAX_CALLS = 1 << 19
"""Calls of a thread that are remembered. Older data counts as being as old as the first of them."""


@dataclass(frozen=True)
class _Calls:
    """Calls of a thread that both runs must have in common, with their begins and ends (ns)."""

    records: Records
    begins: NDArray[np.float64]
    ends: NDArray[np.float64]


def take_durations(watched: Sequence[TraceFile], clean: Sequence[TraceFile]) -> None:
    """Rewrites the files of `watched`: calls and the intervals between them take as long as in `clean`.

    Raises:
        UserError: the runs have not made the same calls; no file is rewritten.
        RunError: a file cannot be written.
    """
    if len(watched) != len(clean):
        raise UserError(
            f"--clean {clean[0].path.parent}: is of {len(clean)} ranks, and this run of {len(watched)}; "
            "record the same run"
        )
    with ExitStack() as made:
        moved = []
        for file, other in zip(watched, clean):
            moved.append(file.path.with_suffix(".moved"))
            made.callback(moved[-1].unlink, missing_ok=True)
            try:
                _with_durations(file, other, moved[-1])
            except OSError as error:
                raise RunError(f"{moved[-1]}: cannot be written ({error.strerror})") from None
        for file, temporary in zip(watched, moved):
            temporary.replace(file.path)


def _with_durations(file: TraceFile, clean: TraceFile, target: Path) -> None:
    """Copies `file` to `target`, with the times of `clean`."""
    threads = sorted({block.thread for one in (file, clean) for block in one.blocks()})
    # Where blocks lie among plain records, they lie in the copy.
    with file.written("--plain") as plain, target.open("wb") as copy:
        shutil.copyfileobj(plain, copy)
    with target.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as data:
        for thread in threads:
            _Thread(file, clean, thread, data).move()
        TraceFile(target).heads.copy_core_wait(clean.heads, data)


class _CallTimes:
    """Begins and ends of the last calls of a thread, interleaved and in ascending order."""

    def __init__(self) -> None:
        self._buffer = np.empty(8 * _MAX_CALLS)
        self._end = 0

    @property
    def known(self) -> NDArray[np.float64]:
        return self._buffer[: self._end]

    def extend(self, calls: _Calls, count: int) -> None:
        """Appends the first `count` of these calls; drops the oldest calls where the buffer is full."""
        new = np.column_stack((calls.begins[:count], calls.ends[:count])).ravel()[-4 * _MAX_CALLS :]
        if self._end + len(new) > len(self._buffer):
            kept = self.known[-2 * _MAX_CALLS :].copy()
            self._buffer[: len(kept)] = kept
            self._end = len(kept)
        at, self._end = self._end, self._end + len(new)
        self._buffer[at : self._end] = new
        since = max(at - 1, 0)
        np.maximum.accumulate(self._buffer[since : self._end], out=self._buffer[since : self._end])


class _AroundSites:
    """Computation around the calls of each call site: until the calls after them, and before them.

    Work before a send may lie before other calls, too, so that all computation from the site's first call to
    its last one counts; of a site with one call, all computation until then.
    """

    def __init__(self) -> None:
        self.after_ns = np.zeros(_MAX_SITES)
        self._first_ns = np.full(_MAX_SITES, np.nan)
        self._last_ns = np.zeros(_MAX_SITES)
        self._computed_ns = 0.0
        self._last: tuple[int, float] | None = None

    @property
    def before_ns(self) -> NDArray[np.float64]:
        """Of each site; 0: it has no calls."""
        since = np.nan_to_num(self._first_ns)
        return np.where(self._last_ns > since, self._last_ns - since, self._last_ns)

    def extend(self, calls: _Calls, count: int) -> None:
        """Adds the first `count` of these calls."""
        sites = (calls.records["duration_and_site"][:count] >> _HIGH).astype(np.int64)
        if not count:
            return
        begins, ends = calls.begins[:count], calls.ends[:count]
        to_first = max(begins[0] - self._last[1], 0.0) if self._last is not None else 0.0
        if self._last is not None:
            self.after_ns[self._last[0]] += to_first
        between = np.maximum(begins[1:] - ends[:-1], 0.0)
        self.after_ns += np.bincount(sites[:-1], between, _MAX_SITES)
        computed = self._computed_ns + to_first + np.concatenate(([0.0], np.cumsum(between)))
        found, first = np.unique(sites, return_index=True)
        is_new = np.isnan(self._first_ns[found])
        self._first_ns[found[is_new]] = computed[first[is_new]]
        self._last_ns[sites] = computed  # of several calls of a site, the last
        self._computed_ns = float(computed[-1])
        self._last = int(sites[-1]), float(ends[-1])


class _Thread:
    """One thread in both runs, which are read side by side."""

    def __init__(self, file: TraceFile, clean: TraceFile, thread: int, data: mmap.mmap) -> None:
        self.file, self.clean, self.thread, self.data = file, clean, thread, data
        self.theirs = _calls(clean, thread)
        self.left: _Calls | None = None  # calls of the clean run that are not compared yet
        self.compared = 0
        self.knots, self.times = _CallTimes(), _CallTimes()
        self.around = (_AroundSites(), _AroundSites())

    def move(self) -> None:
        """Moves each block after reading the next one, because records may follow a block's last call."""
        before: Block | None = None
        for block in _blocks(self.file, self.thread):
            self._compare(_calls_of(self.file, block))
            if before is not None:
                self._move(before)
            before = block
        rest = self._next()
        if rest is not None and len(rest.records):
            self._refuse(None, rest, 0)
        if before is not None:
            self._move(before)

    def _compare(self, calls: _Calls) -> None:
        """Compares these calls with as many of the clean run; stores the times of both."""
        done = 0
        while done < len(calls.records):
            theirs = self._next()
            if theirs is None:
                self._refuse(calls, None, done)
                return
            count = min(len(calls.records) - done, len(theirs.records))
            differ = _differ(
                self.file, calls.records[done : done + count], self.clean, theirs.records[:count]
            )
            if differ.any():
                first = int(np.argmax(differ))
                self.compared += first
                self._refuse(_from(calls, done), _from(theirs, 0), first)
            self.knots.extend(_from(calls, done), count)
            self.times.extend(theirs, count)
            for around, compared in zip(self.around, (_from(calls, done), theirs)):
                around.extend(compared, count)
            self.left = _from(theirs, count)
            self.compared += count
            done += count

    def _next(self) -> _Calls | None:
        """The clean run's next calls; None at its end."""
        while self.left is None or not len(self.left.records):
            self.left = next(self.theirs, None)
            if self.left is None:
                return None
        return self.left

    def _refuse(self, calls: _Calls | None, theirs: _Calls | None, index: int) -> None:
        there, here = _event(self.clean, theirs, index), _event(self.file, calls, index)
        number, rank = self.compared + 1, self.clean.header.rank
        of_thread = f", thread {self.thread}" if self.thread else ""
        raise UserError(
            f"--clean {self.clean.path}: call {number} of rank {rank}{of_thread} is {_description(there)}, "
            f"and {_description(here)} in {self.file.path}: {_difference(there, here)}; "
            "record the same run of the same program"
        )

    def _move(self, block: Block) -> None:
        _move(self.data, block, self.knots.known, self.times.known, self.around)
        # Without this, the written pages would count as memory of the process.
        begin = block.offset - block.offset % mmap.PAGESIZE
        end = block.offset + len(block.kept) * RECORD.itemsize
        self.data.madvise(mmap.MADV_DONTNEED, begin, end - begin)


def _blocks(file: TraceFile, thread: int) -> Iterator[Block]:
    return (block for block in file.blocks() if block.thread == thread)


def _calls(file: TraceFile, thread: int) -> Iterator[_Calls]:
    return (_calls_of(file, block) for block in _blocks(file, thread))


def _calls_of(file: TraceFile, block: Block) -> _Calls:
    records = block.records
    numbers = call_numbers(records).astype(np.int64)
    kinds = [kind for _, kind in file.header.calls]
    polls = np.array([False] * FIRST_CALL + [kind in _POLLS for kind in kinds])
    records = records[(numbers >= FIRST_CALL) & ~(polls[numbers] & (records["count"] == 0))]
    begins = (records["begin_and_call"] & _MASK).astype(np.float64)
    return _Calls(records, begins, begins + (records["duration_and_site"] & _MASK).astype(np.float64))


def _from(calls: _Calls, index: int) -> _Calls:
    return _Calls(calls.records[index:], calls.begins[index:], calls.ends[index:])


def _differ(file: TraceFile, one: Records, clean: TraceFile, other: Records) -> NDArray[np.bool_]:
    names = [
        np.array([""] * FIRST_CALL + [name for name, _ in trace.header.calls]) for trace in (file, clean)
    ]
    differ: NDArray[np.bool_] = names[0][call_numbers(one)] != names[1][call_numbers(other)]
    for member in _SAME:
        differ |= one[member] != other[member]
    return differ


def _event(file: TraceFile, calls: _Calls | None, index: int) -> Event | None:
    return None if calls is None else file.event(calls.records[index].tolist())


def _description(event: Event | None) -> str:
    if event is None:
        return "none"
    text = f"{event.name} of {event.size_bytes} bytes"
    if event.peer != NO_PEER:
        text += f" with {_NOBODY.get(event.peer, event.peer)}, tag {event.tag}"
    return text


def _difference(there: Event | None, here: Event | None) -> str:
    """The difference between the clean run's call and the other one."""
    if there is None or here is None:
        return f"the clean run makes {'fewer' if there is None else 'more'} calls"
    members = (
        ("call", there.name, here.name),
        ("number of bytes", there.size_bytes, here.size_bytes),
        ("rank to talk to", there.peer, here.peer),
        ("tag", there.tag, here.tag),
        ("communicator", there.context, here.context),
    )
    return f"another {next(what for what, one, other in members if one != other)}"


def _move(
    data: mmap.mmap,
    block: Block,
    knots: NDArray[np.float64],
    times: NDArray[np.float64],
    around: tuple[_AroundSites, _AroundSites],
) -> None:
    """Sets the records of a block, in a file's bytes, to their times in the clean run.

    Work after a call site takes as much longer or shorter as the time after its calls, and work before its
    sends as the computation from one send to the next.
    """
    all_records = np.frombuffer(data, RECORD, len(block.kept), block.offset)
    which = np.flatnonzero(block.kept)
    records = all_records[which]
    calls = call_numbers(records)

    def clean_ns(ns: NDArray[np.float64]) -> NDArray[np.uint64]:
        behind = np.maximum(ns - knots[-1], 0.0)  # after the last call the intervals stay unchanged
        moved_ns: NDArray[np.uint64] = np.rint(np.interp(ns, knots, times) + behind).astype(np.uint64)
        return moved_ns

    begins = (records["begin_and_call"] & _MASK).astype(np.float64)
    lengths = (records["duration_and_site"] & _MASK).astype(np.float64)
    sites = records["duration_and_site"] >> _HIGH
    ends = clean_ns(begins + lengths)
    about_data = (calls == PRODUCED) | (calls == CONSUMED)
    never = about_data & (begins == 0)
    moved = np.where(never, np.uint64(0), clean_ns(begins))
    durations = ends - np.minimum(ends, moved)
    # Of data, a time in another order of the work takes the place of a duration; 0: there is none.
    durations = np.where(about_data, np.where(lengths > 0, clean_ns(lengths), np.uint64(0)), durations)
    regions = calls == REGION
    at = sites.astype(np.int64)
    before_sends = records["count"] == 1
    watched_ns, clean_run_ns = (np.where(before_sends, one.before_ns[at], one.after_ns[at]) for one in around)
    scale = np.where(watched_ns > 0, clean_run_ns / np.where(watched_ns > 0, watched_ns, 1.0), 1.0)
    durations = np.where(regions, np.rint(lengths * scale).astype(np.uint64), durations)
    sizes = records["bytes_and_context"] & _MASK
    scaled = np.rint(sizes * scale).astype(np.uint64)
    records["bytes_and_context"] += np.where(regions, scaled, sizes) - sizes
    records["begin_and_call"] = np.where(regions, np.uint64(0), moved) | calls << _HIGH
    records["duration_and_site"] = durations | sites << _HIGH
    other_ends = np.where(never, np.uint64(0), clean_ns(records["extra"].astype(np.float64)))
    records["extra"] = np.where(about_data, other_ends, records["extra"])
    all_records[which] = records
