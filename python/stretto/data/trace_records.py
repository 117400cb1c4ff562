# SPDX-License-Identifier: BSD-3-Clause
"""What a trace consists of: records, the definitions to which they refer by number, the header of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

RECORD = np.dtype(
    [
        ("begin_and_call", "<u8"),
        ("duration_and_site", "<u8"),
        ("bytes_and_context", "<u8"),
        ("peer", "<i4"),
        ("tag", "<i4"),
        ("request", "<u4"),
        ("count", "<u4"),
        ("extra", "<u8"),
    ]
)
DEFINITION, COMPLETION, RECEIVE_HALF, STARTED, PRODUCED, CONSUMED, REGION = 1, 2, 3, 4, 5, 6, 7
FIRST_CALL = 16
SPECIAL: Mapping[int, str] = {
    COMPLETION: "completion",
    RECEIVE_HALF: "receive_half",
    STARTED: "started",
    PRODUCED: "produced",
    CONSUMED: "consumed",
    REGION: "region",
}
SAYS_SOURCE = 1
"""In a completion's `count`: source, tag and bytes are those of the message that arrived."""
CANCELLED = 2
"""The value of a completion's `count` for a cancelled operation."""
BY_SYMBOL, BY_ALLOCATION, ON_A_STACK = 1, 2, 3
"""How a variable is known."""
ANY_PEER, NO_PEER, NO_CONTEXT = -1, -2, 0xFFFF
Records = NDArray[Any]


@dataclass(frozen=True)
class TraceHeader:
    """The header of a rank's file. `calls` are (name, kind), from call 16 on; `cores` the host's, or 0.

    `limit_bytes` is that of all ranks' files, if there was one; `kept_ns` from when to when records were kept
    of a run that had more.
    """

    rank: int
    ranks: int
    epoch_ns: int
    clock_offset_ns: int
    clock_error_ns: int
    host: str
    family: str
    library: str
    command: tuple[str, ...]
    created_utc: str
    calls: tuple[tuple[str, str], ...]
    cores: int = 0
    limit_bytes: int | None = None
    kept_ns: tuple[int, int] | None = None


@dataclass(frozen=True)
class CoreWait:
    """For how long a rank's first thread waited for a core, of what time; 0 of 0: it is not known."""

    waited_s: float
    of_s: float


@dataclass(frozen=True)
class CutBlock:
    """A block that a file ends within: its records, as far as its header is there, and its begin."""

    records: int
    from_s: float | None


@dataclass(frozen=True)
class Site:
    """The return address of a call, relative to its program or library file."""

    module: str
    address: int


@dataclass(frozen=True)
class TraceContext:
    """A communicator or, with `window`, a window, and its members as ranks of the world."""

    key: int
    rank: int
    members: tuple[int, ...]
    remote: tuple[int, ...]
    window: bool


@dataclass(frozen=True)
class Variable:
    """What a message's data belongs to: an address in a module, of the variable or of what allocates it.

    `known` is BY_SYMBOL, BY_ALLOCATION or ON_A_STACK.
    """

    known: int
    module: str
    address: int


@dataclass(frozen=True)
class PeerBytes:
    """The bytes that a collective with counts exchanges, as (rank of the communicator, bytes)."""

    sent: tuple[tuple[int, int], ...]
    received: tuple[tuple[int, int], ...]


@dataclass
class Definitions:
    """The definitions to which records refer by number; more are added as blocks are read."""

    modules: dict[int, str] = field(default_factory=dict)
    build_ids: dict[int, str] = field(default_factory=dict)  # of modules that have one, in hexadecimal digits
    sites: dict[int, Site] = field(default_factory=dict)
    contexts: dict[int, TraceContext] = field(default_factory=dict)
    callers: dict[int, tuple[Site, ...]] = field(
        default_factory=dict
    )  # of a site's first call, the nearest first
    variables: dict[int, Variable] = field(default_factory=dict)
    peer_bytes: dict[int, PeerBytes] = field(default_factory=dict)
    groups: dict[int, tuple[tuple[int, int, int], ...]] = field(default_factory=dict)
    """Runs of ranks: the first, the distance, the number."""


@dataclass(frozen=True)
class Block:
    """Records of one thread in order, without definitions.

    `offset` is the position of the block's first record in the file; `kept` selects those in `records`.
    """

    thread: int
    records: Records
    offset: int
    kept: NDArray[np.bool_]


@dataclass(slots=True)
class Event:
    """One record with named members; times are in seconds since the start of the trace.

    The class is not frozen, because creating frozen objects is slow and traces have many records.
    """

    name: str
    kind: str
    begin_s: float
    duration_s: float
    site: int
    size_bytes: int
    context: int
    peer: int
    tag: int
    request: int
    count: int
    extra: int


def call_numbers(records: Records) -> NDArray[np.uint64]:
    """The call number of each record; numbers below `FIRST_CALL` are other records."""
    numbers: NDArray[np.uint64] = records["begin_and_call"] >> np.uint64(48)
    return numbers
