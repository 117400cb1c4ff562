# SPDX-License-Identifier: BSD-3-Clause
"""Reads typed members of JSON objects. Errors name the place and the correction. Reads no files."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from stretto.errors import UserError

LARGEST_INTEGER = 2**62
LONGEST_TIME_S = 1e9
_LONGEST_SHOWN = 40


@dataclass(frozen=True)
class Place:
    """The location of a value in a file."""

    file: Path
    line: int | None = None
    path: str = ""

    def member(self, name: str) -> "Place":
        return Place(self.file, self.line, f"{self.path}.{name}" if self.path else name)

    def item(self, index: int) -> "Place":
        return Place(self.file, self.line, f"{self.path}[{index}]")

    def error(self, what: str) -> UserError:
        """An error `FILE:LINE: MEMBER WHAT` on one line; `what` has the fault and the correction."""
        line = "" if self.line is None else f":{self.line}"
        member = f" {self.path}" if self.path else ""
        return UserError(_one_line(f"{self.file}{line}:{member} {what}"))

    def check_sizes(self, sizes: Sequence[int], instead: str) -> None:
        """Refuses a list that is empty, with what to give instead, or whose items' sizes do not ascend."""
        if not sizes:
            raise self.error(f"is missing or empty; {instead}")
        for index, (below, above) in enumerate(pairwise(sizes), 1):
            if above <= below:
                raise self.item(index).error("is not above the size before it; order them by size")


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shown(value: object) -> str:
    """A JSON value for an error message: short, and its outermost level only."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST_INTEGER:
        return "a huge number"
    text = json.dumps(value)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


@dataclass(frozen=True)
class Members:
    """The members of one JSON object. `null` counts as absent; getters raise UserError on a wrong one."""

    members: Mapping[str, Any]
    place: Place

    @staticmethod
    def of(value: object, place: Place) -> "Members":
        if not isinstance(value, dict):
            raise place.error(f"is {shown(value)}, not an object; correct it")
        return Members(value, place)

    def has(self, name: str) -> bool:
        return self.members.get(name) is not None

    def text(self, name: str, default: str | None = None, allowed: Sequence[str] = ()) -> str:
        value = self.members.get(name, default)
        value = default if value is None else value
        if not isinstance(value, str):
            raise self.place.member(name).error(f"is {_absent_or(value)}, not a text; correct it")
        if allowed and value not in allowed:
            raise self.place.member(name).error(
                f"is {shown(value)}, not one of {', '.join(allowed)}; correct it"
            )
        if not value.isprintable():
            raise self.place.member(name).error("holds a character that cannot be printed; correct it")
        return value

    def number(self, name: str, low: float, high: float, default: float | None = None) -> float:
        value = self.members.get(name)
        value = default if value is None else value
        return number(value, low, high, self.place.member(name))

    def integer(self, name: str, low: int, high: int = LARGEST_INTEGER, default: int | None = None) -> int:
        value = self.members.get(name)
        value = default if value is None else value
        if type(value) is not int:
            raise self.place.member(name).error(f"is {_absent_or(value)}, not a whole number; correct it")
        if not low <= value <= high:
            raise self.place.member(name).error(f"is {shown(value)}, not within {low} to {high}; correct it")
        return value

    def object(self, name: str) -> "Members":
        """The object of a member; empty where it is absent."""
        value = self.members.get(name)
        return Members.of({} if value is None else value, self.place.member(name))

    def items(self, name: str) -> Iterator[tuple[Any, Place]]:
        """The items of a member's list, each with its place; none where it is absent."""
        value = self.members.get(name)
        place = self.place.member(name)
        if value is None:
            return
        if not isinstance(value, list):
            raise place.error(f"is {shown(value)}, not a list; correct it")
        for index, item in enumerate(value):
            yield item, place.item(index)

    def objects(self, name: str) -> Iterator["Members"]:
        return (Members.of(item, place) for item, place in self.items(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of a member's list; they may contain control characters."""
        result = []
        for item, place in self.items(name):
            if not isinstance(item, str):
                raise place.error(f"is {shown(item)}, not a text; correct it")
            result.append(item)
        return tuple(result)

    def numbers(self, name: str, low: float, high: float) -> tuple[float, ...]:
        return tuple(number(item, low, high, place) for item, place in self.items(name))


def number(value: object, low: float, high: float, place: Place) -> float:
    """A finite JSON number within `low` to `high`; UserError on anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise place.error(f"is {_absent_or(value)}, not a number; correct it")
    if not low <= value <= high:  # false for NaN as well; huge integers compare exactly
        raise place.error(f"is {shown(value)}, not within {low:g} to {high:g}; correct it")
    return float(value)


def _absent_or(value: object) -> str:
    return "missing" if value is None else shown(value)
