# SPDX-License-Identifier: BSD-3-Clause
"""The statements of one block of a source, by what they do: all that the rules need, without a parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stretto.patch.conditionals import Directives

Origin = tuple[str, str]
"""Where memory comes from: `("own", name)`, a variable to which there is no pointer, `("array", name)`, any
other variable, `("allocated", place)`, `("parameter", name)`, `("unknown", what)`. A name is unique in its
source.
"""


def is_fresh(origin: Origin) -> bool:
    """Whether memory is what an expression of a function allocates; of `restrict` only the name is known."""
    return origin[0] == "allocated" and origin[1].isdigit()


@dataclass(frozen=True)
class Memory:
    """What an expression names: a variable, or what is behind a pointer.

    Attributes:
        text: For people.
        variable: The unique name of its variable; empty: of none.
        origins: All that it may be part of.
        part: Whether it may begin behind the begin of that.
        apart: Unique names of variables that never point to the same memory at the same time.
    """

    text: str
    variable: str
    origins: frozenset[Origin]
    part: bool = False
    apart: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Access:
    """A load, or a store, of a statement.

    Attributes:
        in_condition: What it loads decides on a branch.
        may_be_unseen: A trace without it proves nothing: a branch that was not taken may lead to it, or a
            library carries it out.
    """

    memory: Memory
    stores: bool
    line: int
    in_condition: bool = False
    may_be_unseen: bool = False


@dataclass(frozen=True)
class Hurdle:
    """What no statement moves across, in words that follow `line N: `."""

    line: int
    text: str


@dataclass(frozen=True)
class Effects:
    """What a statement does.

    Attributes:
        accesses: Loads and stores, also those of the functions that it calls.
        hurdles: What forbids to move anything across it.
        declares: Unique names of the variables that exist from it on.
        calls: Names of the functions of the source that it calls, also indirectly.
        takes_time: Whether it has a loop, or calls anything. What a trace sees of others is a busy machine.
    """

    accesses: tuple[Access, ...] = ()
    hurdles: tuple[Hurdle, ...] = ()
    declares: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    takes_time: bool = True


Role = Literal["start", "wait", "other"]


@dataclass(frozen=True)
class Buffer:
    """The data of a message in flight: MPI reads it (`is_sent`), or writes it."""

    memory: Memory
    is_sent: bool


@dataclass(frozen=True)
class Statement:
    """A statement of a block, at its lines of the source.

    Attributes:
        role: Whether it starts messages, or waits for them, as a call of its own.
        call: The MPI function of such a statement.
        uses: Its own variables: none of them may change, or be used where MPI stores to it.
        requests: Of `uses` those that MPI stores to: requests and statuses.
        buffers: The data of the messages that it starts or completes.
        unfit: Why it cannot be moved itself; empty: it can.
        begins_line: Whether nothing stands before it in its first line, not even the end of a comment.
    """

    first: int
    last: int
    effects: Effects
    role: Role = "other"
    call: str = ""
    uses: tuple[Memory, ...] = ()
    requests: tuple[Memory, ...] = ()
    buffers: tuple[Buffer, ...] = ()
    unfit: str = ""
    begins_line: bool = True


@dataclass(frozen=True)
class Block:
    """The statements between two braces, in order. `first`, `last`: the lines of the braces."""

    function: str
    statements: tuple[Statement, ...]
    first: int
    last: int
    owns_last_line: bool
    directives: Directives = field(default_factory=Directives)
