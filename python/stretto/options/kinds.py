# SPDX-License-Identifier: BSD-3-Clause
"""Kinds of values: each parses a text, checks the limits, and formats the value again.

A kind raises UserError with the error and its correction; the reader of an option adds the option's name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from stretto.data.sizes import (
    format_bandwidth,
    format_duration,
    format_size,
    parse_bandwidth,
    parse_duration,
    parse_size,
    parse_size_range,
)
from stretto.errors import UserError

T = TypeVar("T")
LARGEST_COUNT = 2**31 - 1
_RATE = re.compile(r"([0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,2})?)\s*([kMGT]?)", re.ASCII)
_FACTORS = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


class Kind(Generic[T]):
    """A kind of value."""

    metavar = "TEXT"

    def parse(self, text: str) -> T:
        """The value. Raises UserError where the text is malformed or beyond the limits."""
        raise NotImplementedError

    def text(self, value: T) -> str:
        """The value as a user would write it."""
        return str(value)

    def native(self, name: str, value: T | None) -> dict[str, Any]:
        """The members of a request file, for an option whose member is `name`."""
        return {name: value}


@dataclass(frozen=True)
class Text(Kind[str]):
    """Any text; the code that uses it checks it."""

    metavar: str = "TEXT"

    def parse(self, text: str) -> str:
        return text


@dataclass(frozen=True)
class Word(Kind[str]):
    """A name that a line of a script holds: without blanks and control characters."""

    metavar: str = "NAME"

    def parse(self, text: str) -> str:
        if not text.isprintable() or " " in text or not text:
            raise UserError("give a name without blanks and control characters")
        return text


@dataclass(frozen=True)
class PathKind(Kind[Path]):
    """A file or a directory. `./-x`, which a path shortens to what looks like an option, becomes absolute, so
    that no other program takes it for one.
    """

    metavar: str = "FILE"

    def parse(self, text: str) -> Path:
        if not text:
            raise UserError("is empty; name a file or directory")
        path = Path(text)
        return path.absolute() if str(path).startswith("-") else path


@dataclass(frozen=True)
class Switch(Kind[bool]):
    """A flag without a value."""

    def parse(self, text: str) -> bool:
        return bool(text)


@dataclass(frozen=True)
class OneOf(Kind[str]):
    """One of a fixed set of names."""

    known: tuple[str, ...]
    metavar: str = "NAME"

    def parse(self, text: str) -> str:
        if text not in self.known:
            raise UserError(f"unknown '{text}'; choose from {', '.join(self.known)}")
        return text


@dataclass(frozen=True)
class Whole(Kind[int]):
    """A whole number from `low` to `high`; `correction` replaces the default one in the message."""

    low: int = 0
    high: int = LARGEST_COUNT
    correction: str = ""
    metavar: str = "N"

    def parse(self, text: str) -> int:
        value = _whole(text)
        if value is None or not self.low <= value <= self.high:
            within = (
                f"from {self.low} on" if self.high >= LARGEST_COUNT else f"from {self.low} to {self.high}"
            )
            raise UserError(self.correction or f"give a whole number {within}")
        return value


@dataclass(frozen=True)
class Number(Kind[float]):
    """A number from `low` (or `above` it) to `high` (or `below` that)."""

    low: float = 0.0
    high: float = math.inf
    above: bool = False
    below: bool = False
    correction: str = ""
    metavar: str = "F"

    def parse(self, text: str) -> float:
        value = _number(text)
        if not within(value, self.low, self.high, self.above, self.below):
            raise UserError(self.correction or f"give a number {_limits(self.low, self.high, self.above)}")
        return value

    def text(self, value: float) -> str:
        return f"{value:g}"


@dataclass(frozen=True)
class Seconds(Kind[float]):
    """Seconds above 0, with or without a unit: `20`, `20s`, `500ms`."""

    low: float = 0.0
    high: float = math.inf
    metavar: str = "S"

    def parse(self, text: str) -> float:
        value = _quantity(parse_duration, text)
        if not within(value, self.low, self.high, above=self.low == 0.0):
            limits = "above 0" if self.low == 0.0 else f"from {self.low:g} to {self.high:g}"
            raise UserError(f"give seconds {limits}")
        return value

    def text(self, value: float) -> str:
        return f"{value:g}"


@dataclass(frozen=True)
class Duration(Kind[float]):
    """A time with its unit: `4us`."""

    example: str = "4us"
    metavar: str = "TIME"

    def parse(self, text: str) -> float:
        return _with_unit(text, parse_duration, self.example)

    def text(self, value: float) -> str:
        return format_duration(value)


@dataclass(frozen=True)
class Bandwidth(Kind[float]):
    """Bytes per second above 0, with the unit: `945MB/s`, `500mbit`."""

    example: str = "945MB/s"
    metavar: str = "RATE"

    def parse(self, text: str) -> float:
        value = _with_unit(text, parse_bandwidth, self.example)
        if value <= 0:
            raise UserError(f"give a bandwidth above zero, such as {self.example}")
        return value

    def text(self, value: float) -> str:
        return format_bandwidth(value)


@dataclass(frozen=True)
class FlopsRate(Kind[float]):
    """Flops per second: `2e9`, `1.5G`."""

    metavar: str = "F"

    def parse(self, text: str) -> float:
        match = _RATE.fullmatch(text.strip())
        rate = float(match[1]) * _FACTORS[match[2]] if match else 0.0
        if not within(rate, 0.0, math.inf, above=True):
            raise UserError(f"'{text}' is no rate; write flops a second, such as 2e9 or 1.5G")
        return rate


@dataclass(frozen=True)
class Size(Kind[int]):
    """A number of bytes: `8`, `64KiB`, `1MiB`."""

    low: int = 0
    high: int = 2**62
    metavar: str = "SIZE"

    def parse(self, text: str) -> int:
        size = parse_size(text)
        if not self.low <= size <= self.high:
            raise UserError(f"give a size from {self.low} to {format_size(self.high)}")
        return size

    def text(self, value: int) -> str:
        return format_size(value)


@dataclass(frozen=True)
class SizeRange(Kind[tuple[int, int]]):
    """A range `MIN:MAX` in bytes."""

    low: int = 1
    high: int = 2**62
    metavar: str = "MIN:MAX"

    def parse(self, text: str) -> tuple[int, int]:
        if ":" not in text:
            raise UserError("write MIN:MAX, such as 8:1MiB")
        sizes = parse_size_range(text)
        if sizes[0] < self.low or sizes[1] > self.high:
            raise UserError(
                f"the first must be at least {self.low}, the second at most {format_size(self.high)}"
            )
        return sizes

    def text(self, value: tuple[int, int]) -> str:
        return ":".join(map(format_size, value))


@dataclass(frozen=True)
class ListOf(Kind[tuple[T, ...]]):
    """A comma-separated list of values of one kind, without duplicates and in the list's order."""

    of: Kind[T]
    correction: str = ""

    @property
    def metavar(self) -> str:  # type: ignore[override]
        return f"{self.of.metavar},..."

    def parse(self, text: str) -> tuple[T, ...]:
        try:
            values = [self.of.parse(part.strip()) for part in text.split(",")]
        except UserError as error:
            raise UserError(self.correction or str(error)) from None
        return tuple(dict.fromkeys(values))

    def text(self, value: tuple[T, ...]) -> str:
        return ",".join(map(self.of.text, value))


def names(known: Iterable[str], metavar: str = "NAME") -> ListOf[str]:
    """A list of names from a fixed set."""
    return ListOf(OneOf(tuple(known), metavar))


def within(value: float, low: float, high: float, above: bool = False, below: bool = False) -> bool:
    """Whether `value` is finite and in the interval; `above` and `below` exclude the ends."""
    if not math.isfinite(value):
        return False
    return (value > low if above else value >= low) and (value < high if below else value <= high)


def _limits(low: float, high: float, above: bool) -> str:
    if high == math.inf:
        return f"above {low:g}" if above else f"from {low:g} on"
    return f"above {low:g} and at most {high:g}" if above else f"from {low:g} to {high:g}"


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 19 else None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _quantity(parse: Callable[[str], float], text: str) -> float:
    try:
        return parse(text)
    except UserError:
        return math.nan


def _with_unit(text: str, parse: Callable[[str], float], example: str) -> float:
    """The result of `parse`; refuses a number other than 0 without a unit."""
    value = parse(text)
    if value != 0 and math.isfinite(_number(text)):
        raise UserError(f"give a unit, such as {text.strip()}{example.lstrip('0123456789.')}")
    return value
