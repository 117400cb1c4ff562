# SPDX-License-Identifier: BSD-3-Clause
"""Reads a JSON object as a dataclass, whose annotations declare its members: type, limits and defaults.

A member is absent that the object lacks or has as null. It then has the field's default, or what `Absent`
says; a list is empty. A class with a method `check(place)` refuses what no annotation can say.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from stretto.data.fields import LARGEST_INTEGER, Members
from stretto.data.figures import Figure, figure_member

Entry = TypeVar("Entry")
OfMembers = Callable[[Mapping[str, Any]], Any]
"""A value that depends on the members before it."""


@dataclass(frozen=True)
class Within:
    """The limits of a number, of each number of a list, or of a figure's value."""

    low: float | OfMembers = 0
    high: float | OfMembers = LARGEST_INTEGER


def member(name: str) -> OfMembers:
    """A limit or a value that is an earlier member; 0 where that is absent."""
    return lambda read: read[name] or 0


@dataclass(frozen=True)
class OneOf:
    """The texts that are allowed; a newer version of a file may have others."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Absent:
    """What an absent member is read as, where the class itself has no default."""

    value: object | OfMembers


@dataclass(frozen=True)
class ReadWith:
    """The function that reads the member out of the whole object."""

    function: Callable[[Members], Any]


def read_as(kind: type[Entry], entry: Members, newer: bool = False) -> Entry:
    """The object as a `kind`. `newer`: of a newer minor version of its file.

    Raises:
        UserError: names the first wrong member.
    """
    hashable: Any = kind
    read: dict[str, Any] = {}
    for one in _members_of(hashable):
        read[one.name] = one.of(entry, read, newer)
    result = kind(**read)
    if check := getattr(result, "check", None):
        check(entry.place)
    return result


@dataclass(frozen=True)
class _Member:
    """A field as its annotation declares it; `item` is the type of a tuple's items."""

    name: str
    kind: Any
    item: Any
    optional: bool
    within: Within
    one_of: OneOf
    absent: Absent | None
    read_with: ReadWith | None

    def of(self, entry: Members, read: Mapping[str, Any], newer: bool) -> Any:
        """The member's value; `read` has those before it."""
        if self.read_with is not None:
            return self.read_with.function(entry)
        if self.absent is not None and self._is_absent(entry):
            return _resolved(self.absent.value, read)
        if self.item is None:
            return self._one(entry, self._limits(read), newer)
        if self.item is str:
            return entry.texts(self.name)
        if self.item is float:
            return entry.numbers(self.name, *self._limits(read))
        return tuple(read_as(self.item, one, newer) for one in entry.objects(self.name))

    def _one(self, entry: Members, limits: tuple[Any, Any], newer: bool) -> Any:
        if self.kind is str:
            return entry.text(self.name, allowed=() if newer else self.one_of.texts)
        if self.kind is int:
            return entry.integer(self.name, *limits)
        if self.kind is float:
            return entry.number(self.name, *limits)
        if self.kind is Figure:
            return figure_member(entry, self.name, *limits)
        return read_as(self.kind, entry.object(self.name), newer)

    def _limits(self, read: Mapping[str, Any]) -> tuple[Any, Any]:
        return _resolved(self.within.low, read), _resolved(self.within.high, read)

    def _is_absent(self, entry: Members) -> bool:
        """An optional object without members is absent, too."""
        value = entry.members.get(self.name)
        return value is None or (self.optional and value == {})


def _resolved(value: object, read: Mapping[str, Any]) -> Any:
    return value(read) if callable(value) else value


@lru_cache
def _members_of(kind: Any) -> tuple[_Member, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_member(one, hints[one.name]) for one in dataclasses.fields(kind))


def _member(declared: dataclasses.Field[Any], hint: Any) -> _Member:
    optional = NoneType in get_args(hint)
    if optional:
        (hint,) = (one for one in get_args(hint) if one is not NoneType)
    kind, *said = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    notes = {type(one): one for one in said}
    default = None if declared.default is dataclasses.MISSING else Absent(declared.default)
    return _Member(
        name=declared.name,
        kind=kind,
        item=get_args(kind)[0] if get_origin(kind) is tuple else None,
        optional=optional,
        within=notes.get(Within, Within()),
        one_of=notes.get(OneOf, OneOf(())),
        absent=notes.get(Absent, default),
        read_with=notes.get(ReadWith),
    )
