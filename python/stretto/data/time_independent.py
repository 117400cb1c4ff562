# SPDX-License-Identifier: BSD-3-Clause
"""Converts time-independent traces of SimGrid (`smpirun -trace-ti`) to traces of stretto's format.

Such a trace has the ranks' actions, one a line, in one file or in a file per rank that an index names.
Computation is in flops, and calls have no times: in the trace that is made they take none. Collectives and
messages are of the world, as SimGrid's own replay has them.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from stretto.data.foreign_calls import (
    COLLECTIVE,
    RECEIVE,
    SEND,
    Comm,
    ForeignCall,
    ForeignRank,
    Transfer,
    foreign_ranks,
)
from stretto.data.time_independent_actions import COLLECTIVES, TYPE_BYTES, ActionWords, UnknownSizeError
from stretto.data.trace_records import NO_PEER

_HEAD_BYTES = 4096
_MAX_RANKS = 1 << 20
_MAX_SHOWN = 200
_UNKNOWN_RANK = -333
"""What SimGrid writes for MPI_PROC_NULL, and for a source that the receive does not name."""
_WITHOUT_EFFECT = ("comm_size", "comm_dup", "comm_split", "location")
_BEGIN, _END = "init", "finalize"


_MESSAGES: Mapping[str, tuple[str, int, bool]] = {
    "send": ("MPI_Send", SEND, True),
    "ssend": ("MPI_Ssend", SEND, True),
    "isend": ("MPI_Isend", SEND, False),
    "issend": ("MPI_Issend", SEND, False),
    "recv": ("MPI_Recv", RECEIVE, True),
    "irecv": ("MPI_Irecv", RECEIVE, False),
}
"""The call, what it does, and whether it blocks."""
_NAMES = {
    *COLLECTIVES,
    *_MESSAGES,
    *_WITHOUT_EFFECT,
    _BEGIN,
    _END,
    "compute",
    "sleep",
    "test",
    "wait",
    "waitall",
}


class _Rank:
    """One rank: its time so far, and its open requests."""

    def __init__(self, written: ForeignRank, world: Comm, flops_rate: float) -> None:
        self.written, self.world, self.flops_rate = written, world, flops_rate
        self.number, self.left_out = written.number, written.left_out
        self.time_s = 0.0
        self.ended = False
        self._default_bytes = 1
        self._open: dict[tuple[int, int, int], deque[int]] = defaultdict(deque)  # by source, target and tag

    def take(self, name: str, words: Sequence[str]) -> None:
        """One action. Raises ValueError or IndexError where its words are wrong."""
        action = ActionWords(words, self._default_bytes)
        if self.ended:
            raise ValueError(f"an action behind {_END}")
        if name == _BEGIN:
            self._default_bytes = TYPE_BYTES[0] if words else 1
            self._call(ForeignCall("MPI_Init", self._now()))
        elif name == _END:
            self._call(ForeignCall("MPI_Finalize", self._now()))
            self.ended = True
        elif name == "compute":
            self.time_s += action.number(0) / self.flops_rate
        elif name == "sleep":
            self.time_s += action.number(0)
        elif name in _MESSAGES:
            self._message(name, action)
        elif name in COLLECTIVES:
            self._collective(name, action)
        elif name == "wait":
            self._wait(action)
        elif name == "waitall":
            self._waitall()
        elif name == "test":
            self._call(ForeignCall("MPI_Test", self._now()))
        elif name not in _WITHOUT_EFFECT:
            self.left_out[name] += 1

    def open_requests(self) -> int:
        return sum(len(one) for one in self._open.values())

    def _now(self) -> int:
        return round(self.time_s * 1e9)

    def _call(self, call: ForeignCall) -> None:
        self.written.add(0, call, call.begin_ns)

    def _message(self, name: str, action: ActionWords) -> None:
        call_name, what, blocks = _MESSAGES[name]
        call = ForeignCall(call_name, self._now())
        peer, tag = action.rank(0), action.rank(1)
        size_bytes = self._size(name, action)
        if 0 <= peer < len(self.world.members) and tag >= 0:
            transfer = Transfer(what, self.world, peer, tag, size_bytes)
            if blocks:
                call.done.append(transfer)
            else:
                request = self.written.new_request()
                call.started.append((request, transfer))
                source, target = (self.number, peer) if what == SEND else (peer, self.number)
                self._open[source, target, tag].append(request)
        elif peer == _UNKNOWN_RANK and what == RECEIVE:
            self.left_out[f"{name} without a source"] += 1
        elif peer != _UNKNOWN_RANK:
            raise ValueError(f"a message with rank {peer} of {len(self.world.members)}, tag {tag}")
        self._call(call)

    def _collective(self, name: str, action: ActionWords) -> None:
        call_name, read = COLLECTIVES[name]
        ranks = len(self.world.members)
        try:
            sent, received, root, flops = read(action, ranks)
        except UnknownSizeError:
            sent, received, root, flops = 0, 0, None, 0.0
            self.left_out[f"{name} of a derived datatype"] += 1
        if root is not None and not 0 <= root < ranks:
            raise ValueError(f"root {root} of {ranks} ranks")
        call = ForeignCall(call_name, self._now())
        call.done.append(
            Transfer(COLLECTIVE, self.world, NO_PEER if root is None else root, 0, sent, received)
        )
        self._call(call)
        self.time_s += flops / self.flops_rate

    def _size(self, name: str, action: ActionWords) -> int:
        """The bytes of a message; of a derived datatype the number of elements, and that is counted."""
        elements = action.number(2)
        try:
            return int(elements * action.type_bytes(3))
        except UnknownSizeError:
            self.left_out[f"{name} of a derived datatype"] += 1
            return int(elements)

    def _wait(self, action: ActionWords) -> None:
        call = ForeignCall("MPI_Wait", self._now())
        waiting = self._open.get((action.rank(0), action.rank(1), action.rank(2)))
        if waiting:
            call.completed.append(waiting.popleft())
        self._call(call)

    def _waitall(self) -> None:
        call = ForeignCall("MPI_Waitall", self._now())
        call.completed += sorted(request for one in self._open.values() for request in one)
        self._open.clear()
        self._call(call)


def is_time_independent(source: Path) -> bool:
    """Whether a path is such a trace: a file of actions, an index of them, or a directory of them."""
    if source.is_dir():
        return any(_has_actions(file) for file in source.glob("*.txt"))
    line = _first_line(source)
    return _is_action(line) or (_is_name(line) and source.suffix == ".txt")


def convert_time_independent(source: Path, directory: Path, flops_rate: float) -> Counter[str]:
    """Writes a trace of `source` to `directory`; counts what the trace leaves out.

    Raises:
        ValueError: The source has what is no action, or ends too early; the message names the place.
    """
    files = _files(source)
    ranks = len(files) if len(files) > 1 else _count_ranks(files[0])
    world = Comm(0, tuple(range(ranks)))
    left_out: Counter[str] = Counter()
    with foreign_ranks(directory, range(ranks), source.name, "SimGrid", left_out) as written:
        made = [_Rank(written[rank], world, flops_rate) for rank in range(ranks)]
        for file in files:
            _read(file, made)
        for one in made:
            if not one.ended:
                raise ValueError(f"the actions of rank {one.number} end without {_END}: they are cut off")
            if count := one.open_requests():
                left_out["request without a wait"] += count
    return left_out


def _read(file: Path, ranks: Sequence[_Rank]) -> None:
    for number, (rank, name, words) in _actions(file):
        if rank >= len(ranks):
            raise ValueError(f"{file}:{number}: rank {rank} of {len(ranks)}")
        try:
            ranks[rank].take(name, words)
        except IndexError:
            raise ValueError(f"{file}:{number}: {name} with too few numbers: it is cut off") from None
        except ValueError as error:
            raise ValueError(f"{file}:{number}: {error}") from None


def _actions(file: Path) -> Iterator[tuple[int, tuple[int, str, Sequence[str]]]]:
    """The actions of a file: the line's number; rank, lower-case name and words."""
    with file.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if not (words[0].isascii() and words[0].isdigit() and len(words[0]) <= len(str(_MAX_RANKS))):
                raise ValueError(f"{file}:{number}: begins with no rank")
            if len(words) < 2:
                raise ValueError(f"{file}:{number}: has no action: it is cut off")
            yield number, (int(words[0]), words[1].lower(), words[2:])


def _count_ranks(file: Path) -> int:
    """The number of ranks of a file with the actions of all."""
    found = {rank for _, (rank, _, _) in _actions(file)}
    if not found:
        raise ValueError(f"{file}: has no action")
    ranks = max(found) + 1
    if len(found) != ranks:
        missing = next(rank for rank in range(ranks) if rank not in found)
        raise ValueError(f"{file}: has no action of rank {missing}")
    return ranks


def _files(source: Path) -> list[Path]:
    """The files of actions. Names of an index are relative to its directory, or to the current one."""
    if source.is_dir():
        return [file for file in sorted(source.glob("*.txt")) if _has_actions(file)]
    if not _is_name(_first_line(source)):
        return [source]
    names = source.read_text(encoding="utf-8", errors="replace").split("\n")
    return [_named(source, name.strip()) for name in names if name.strip()]


def _named(index: Path, name: str) -> Path:
    for file in (index.parent / name, Path(name)):
        try:
            if file.is_file():
                return file
        except OSError:  # such as a name that is too long
            break
    raise ValueError(f"{index}: names {name[:_MAX_SHOWN]}, which is not there")


def _first_line(file: Path) -> str:
    """The first line with text; empty where there is none."""
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD_BYTES).decode("utf-8", errors="replace")
    except OSError:
        return ""
    lines = (line.strip() for line in head.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


def _has_actions(file: Path) -> bool:
    return _is_action(_first_line(file))


def _is_action(line: str) -> bool:
    words = line.split()
    return len(words) > 1 and words[0].isdigit() and words[1].lower() in _NAMES


def _is_name(line: str) -> bool:
    return line.endswith(".txt") and len(line.split()) == 1
