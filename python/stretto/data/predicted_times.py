# SPDX-License-Identifier: BSD-3-Clause
"""Predicted and measured times out of the JSON documents that commands print with `--json`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stretto.data.fields import LONGEST_TIME_S, Members, Place
from stretto.data.files import read_json_object
from stretto.errors import UserError

_LABELS = ("level", "progress_model", "schedule", "transport", "chunks", "prefetch")
_MEASURED = "name what `stretto trace` wrote, or a document of run, gain or whatif --json"


@dataclass(frozen=True)
class NamedTime:
    """A time with what it is of, seconds."""

    name: str
    time_s: float


def read_predictions(path: Path) -> tuple[NamedTime, ...]:
    """The times that `whatif`, `replay` or `gain` predicts, from their JSON document.

    Raises:
        UserError: The file is no such document; names the member.
    """
    top = _document(path)
    found = tuple(_predictions(top))
    if not found:
        raise UserError(f"{path}: has no predicted time; name a document of whatif, replay or gain --json")
    return found


def _predictions(top: Members) -> Iterator[NamedTime]:
    if top.has("makespan_s"):
        yield NamedTime("replay", _time(top, "makespan_s"))
    elif top.has("plain_s") and top.has("predicted"):
        saved = top.number("predicted", -1e6, 1)
        yield NamedTime(top.text("library", "gain"), _time(top, "plain_s") * (1 - saved))
    else:
        for row in top.objects("rows"):
            if row.has("time_s"):
                yield NamedTime(_label(row), _time(row, "time_s"))


def _label(row: Members) -> str:
    """What a row is of; its network, where it says nothing else."""
    words = [str(row.members[name]) for name in _LABELS if row.has(name)]
    if row.has("latency_s") and row.has("bandwidth_bytes_per_s"):
        latency_s, bandwidth = row.members["latency_s"], row.members["bandwidth_bytes_per_s"]
        words.append(f"{latency_s:.3g} s, {bandwidth:.3g} B/s")
    return ", ".join(words) or "time"


def read_measured(path: Path) -> NamedTime:
    """The time that `run` or `gain` measured, or that of the trace in a `whatif`, from their JSON document.

    Raises:
        UserError: The file is no such document; names the member.
    """
    top = _document(path)
    for member, name in (("gained_s", "gained"), ("time_s", top.text("kernel", "run"))):
        if top.has(member):
            return NamedTime(name, _time(top, member))
    trace = top.object("trace")
    if trace.has("span_s"):
        return NamedTime("traced", _time(trace, "span_s"))
    raise UserError(f"{path}: has no measured time; {_MEASURED}")


def _document(path: Path) -> Members:
    return Members(read_json_object(path), Place(path))


def _time(members: Members, name: str) -> float:
    return members.number(name, 0, LONGEST_TIME_S)
