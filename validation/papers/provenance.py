# SPDX-License-Identifier: BSD-3-Clause
"""Where the parameters come from that the papers do not publish (`provenance.json`).

The value and source of a platform's figure stand in `platforms/NAME.json`. This file adds what is plausible,
and the claims that a value was chosen by.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from stretto.launch.platforms import find_platform

_FILE = Path(__file__).with_name("provenance.json")
_PUBLISHED = ("paper", "vendor", "measurement")


@dataclass(frozen=True)
class Parameter:
    """A number that computations need.

    Attributes:
        name: `MACHINE.FIGURE`, or a name of its own.
        value: The believed value, in the unit that the name ends with.
        source: Its source, `estimated: ...` or `calibrated: ...`.
        low: The smallest plausible value.
        high: The largest one.
        why: Why the range is plausible.
        chosen_by: The claims that the value was chosen by, `PAPER/FIGURE/KEY`.
    """

    name: str
    value: float
    source: str
    low: float
    high: float
    why: str
    chosen_by: tuple[str, ...]

    def steps(self, count: int) -> list[float]:
        """Values over the range, in equal ratios, or in equal distances where it begins at zero."""
        shares = [place / (count - 1) for place in range(count)]
        if self.low <= 0:
            return [self.low + share * (self.high - self.low) for share in shares]
        return [self.low * (self.high / self.low) ** share for share in shares]


@cache
def parameters() -> Mapping[str, Parameter]:
    """All of them by name, in the order of the file."""
    document = json.loads(_FILE.read_text(encoding="utf-8"))
    return {name: _parameter(name, **members) for name, members in document["parameters"].items()}


def parameter(name: str) -> Parameter:
    """One of them."""
    return parameters()[name]


def _parameter(
    name: str,
    *,
    range: tuple[float, float],
    why: str,
    value: float | None = None,
    source: str = "",
    chosen_by: tuple[str, ...] = (),
) -> Parameter:
    if value is None:
        machine, _, figure = name.partition(".")
        one = find_platform(machine).figures[figure]
        kind = {"estimate": "estimated", "calibration": "calibrated"}.get(one.kind, one.kind)
        value, source = one.value, f"{kind}: {one.source}"
    return Parameter(name, value, source, *range, why, tuple(chosen_by))


def chosen_by(claim: str) -> list[str]:
    """The parameters whose values were chosen by a claim."""
    return [one.name for one in parameters().values() if claim in one.chosen_by]


def needs_range(machine: str) -> set[str]:
    """The figures of a machine that are neither published nor measured."""
    figures = find_platform(machine).figures
    return {f"{machine}.{name}" for name, one in figures.items() if one.kind not in _PUBLISHED}
