# SPDX-License-Identifier: BSD-3-Clause
"""Paraver traces as files: header and communicators of `.prv`, the names in `.pcf`, records in chunks.

Records are numbers between colons, one record a line: 1 states, 2 events, 3 communications. Chunks of lines
become arrays, because a trace has many records that stretto does not need.
"""

from __future__ import annotations

import gzip
import re
import warnings
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

POINT_TO_POINT, COLLECTIVE_CALL, OTHER, ONE_SIDED, INPUT_OUTPUT = range(50000001, 50000006)
"""Types of the events that begin and end calls of MPI; their value names the call, 0 ends it."""
CALLS = (POINT_TO_POINT, COLLECTIVE_CALL, OTHER, ONE_SIDED, INPUT_OUTPUT)
SENT, RECEIVED, IS_ROOT, COMMUNICATOR = range(50100001, 50100005)
"""Types of the events of a collective, at its begin."""
CALLER, CALLER_LINE = 70000001, 80000001
"""Types of the events of a call's site, at its begin."""
_READ_TYPES = np.array([*CALLS, SENT, RECEIVED, IS_ROOT, COMMUNICATOR, CALLER, CALLER_LINE])
_CHUNK_BYTES = 4 << 20
_MAX_HEADER_BYTES = 64 << 20
_NS = {None: 1000, "_us": 1000, "_ns": 1, "_ms": 1_000_000, "_s": 1_000_000_000}
_HEADER = re.compile(r"#Paraver \([^)]*\):(\d{1,18})(_\w+)?:\d+(?:\([\d,]*\))?:(\d{1,9}):(.*)", re.ASCII)
_APPLICATION = re.compile(r"(\d{1,9})\(([\d:,]*)\)", re.ASCII)
_EVENT_FIELDS, _COMMUNICATION_FIELDS = 6, 15


@dataclass(frozen=True)
class ParaverHeader:
    """What precedes the records. Applications count from 1, tasks and members of communicators from 0."""

    ns: int  # in a unit of time
    tasks: tuple[int, ...]  # of each application
    members: dict[tuple[int, int], tuple[int, ...]] = field(
        default_factory=dict
    )  # by application and communicator


@dataclass(frozen=True)
class Chunk:
    """Some records."""

    events: NDArray[np.int64]  # rows of application, task, thread, time, type, value
    messages: NDArray[np.int64]  # rows of all fields


@dataclass(frozen=True)
class ParaverNames:
    """The names of values by the types of events."""

    values: dict[int, dict[int, str]]
    places: dict[tuple[int, int], str] = field(default_factory=dict)  # call sites that were asked for

    def call(self, kind: int, value: int) -> str:
        """The name of a call; empty where there is none."""
        return self.values.get(kind, {}).get(value, "")

    def place(self, function: int, line: int) -> str:
        """A call site; empty where it is not known."""
        if (function, line) not in self.places:
            self.places[function, line] = self._place(function, line) if function else ""
        return self.places[function, line]

    def _place(self, function: int, line: int) -> str:
        name = self.values.get(CALLER, {}).get(function, "")
        full = re.search(r"\[(.+)\]", name)  # a long name stands behind its abbreviation
        found = re.match(r"(\d+) \(([^,)]+)", self.values.get(CALLER_LINE, {}).get(line, ""))
        where = f" {found[2]}:{found[1]}" if found and found[1] != "0" else ""
        return f"{full[1] if full else name}{where}" if name else ""


def read_names(trace: Path) -> ParaverNames:
    """The names in the `.pcf` file next to a trace.

    Raises:
        ValueError: There is no such file, or it names no calls of MPI.
    """
    stem = trace.with_suffix("") if trace.suffix == ".gz" else trace
    file = stem.with_suffix(".pcf")
    if not file.is_file():
        raise ValueError(f"{file.name}, which names its MPI calls, is not next to it")
    values: dict[int, dict[int, str]] = {}
    block: list[int] = []
    section = ""
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split(None, 2 if section == "EVENT_TYPE" else 1)
        if not words:
            continue
        if words[0].isidentifier():
            block = block if words[0] == "VALUES" else []
            section = words[0]
        elif section == "EVENT_TYPE" and len(words) > 1 and words[1].isdecimal() and len(words[1]) < 19:
            block.append(int(words[1]))
        elif section == "VALUES" and len(words) > 1 and words[0].isdecimal() and len(words[0]) < 19:
            for kind in block:
                values.setdefault(kind, {})[int(words[0])] = words[1].strip()
    return ParaverNames(values)


def _open(trace: Path) -> IO[bytes]:
    return gzip.open(trace) if trace.suffix == ".gz" else trace.open("rb")  # type: ignore[return-value]


def read_header(trace: Path) -> ParaverHeader:
    """The header and the communicators.

    Raises:
        ValueError: The file does not begin with a header of Paraver.
    """
    with closing(_open(trace)) as file:
        match = _HEADER.fullmatch(file.readline(_MAX_HEADER_BYTES).decode("utf-8", "replace").rstrip())
        if match is None or match[2] not in _NS:
            raise ValueError("its first line is no header of Paraver")
        applications = [(int(one[1]), one[2].count(":")) for one in _APPLICATION.finditer(match[4])]
        tasks = tuple(count for count, described in applications if count == described)
        if len(tasks) != int(match[3]):
            raise ValueError(f"its header says {match[3]} applications and describes {len(tasks)}")
        header = ParaverHeader(_NS[match[2]], tasks)
        for line in file:
            if line.startswith(b"c:"):
                application, number, _, *members = _numbers(line, 2)
                header.members[application, number] = tuple(one - 1 for one in members)
            elif line[:2] in (b"1:", b"2:", b"3:"):
                break
    return header


def _numbers(line: bytes, first: int) -> list[int]:
    try:
        numbers = [int(one) for one in line[first:].split(b":")]
    except ValueError:
        numbers = []
    if len(numbers) < 4:
        raise ValueError(f"'{line[:60].decode('utf-8', 'replace').rstrip()}' is no communicator")
    return numbers


def read_chunks(trace: Path) -> Iterator[Chunk]:
    """The records of MPI calls and messages.

    Raises:
        ValueError: A record is malformed, or the file ends within one.
    """
    rest = b""
    with closing(_open(trace)) as file:
        while data := file.read(_CHUNK_BYTES):
            lines = (rest + data).split(b"\n")
            rest = lines.pop()
            yield _chunk(lines)
    if rest:
        raise ValueError(f"it ends within a record, '{_shown(rest)}': it is cut off")


def _chunk(lines: list[bytes]) -> Chunk:
    # A call's site stands in the line of its begin. So lines without calls or collectives are not needed.
    events = [one for one in lines if one.startswith(b"2:") and (b":5000000" in one or b":5010000" in one)]
    messages = [one for one in lines if one.startswith(b"3:")]
    sizes = np.array([one.count(b":") + 1 for one in events], dtype=np.int64)
    for line, size in zip(events, sizes):
        if size < _EVENT_FIELDS + 2 or size % 2:
            raise ValueError(f"'{_shown(line)}' is no event")
    for line in messages:
        if line.count(b":") + 1 != _COMMUNICATION_FIELDS:
            raise ValueError(f"'{_shown(line)}' is no communication")
    table = _parsed(messages).reshape(-1, _COMMUNICATION_FIELDS)
    return Chunk(_events(_parsed(events), sizes), table)


def _parsed(lines: list[bytes]) -> NDArray[np.int64]:
    """All numbers of the lines."""
    text = b":".join(lines)
    if not text:
        return np.zeros(0, dtype=np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            numbers = np.fromstring(text.decode("ascii"), dtype=np.int64, sep=":")
        except (DeprecationWarning, ValueError):
            numbers = np.zeros(0, dtype=np.int64)
    if len(numbers) != text.count(b":") + 1:
        wrong = next((one for one in lines if not re.fullmatch(rb"-?\d+(:-?\d+)*", one)), b"")
        raise ValueError(f"'{_shown(wrong)}' is no record")
    return numbers


def _events(numbers: NDArray[np.int64], sizes: NDArray[Any]) -> NDArray[np.int64]:
    """A row for each event of a type that is read."""
    firsts = np.cumsum(sizes) - sizes
    pairs = (sizes - _EVENT_FIELDS) // 2
    lines = np.repeat(np.arange(len(sizes)), pairs)
    within = np.arange(len(lines)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    at = firsts[lines] + _EVENT_FIELDS + 2 * within
    kept = np.isin(numbers[at], _READ_TYPES)
    at, of_line = at[kept], firsts[lines[kept]]
    columns = [numbers[of_line + 2 + one] for one in range(4)]
    return np.column_stack([*columns, numbers[at], numbers[at + 1]])


def _shown(line: bytes) -> str:
    return line[:60].decode("utf-8", "replace").strip()
