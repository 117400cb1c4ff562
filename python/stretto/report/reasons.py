# SPDX-License-Identifier: BSD-3-Clause
"""The reasons for missing figures and bounds, each once with its rows."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stretto.data.results import ResultRow

_NUMBER = re.compile(r"-?\d[\d.]*(?:e[+-]?\d+)?")


@dataclass(frozen=True)
class Reason:
    """Why figures are missing, or are only bounds.

    Attributes:
        kind: `unresolved`, `upper bound` or `lower bound`.
        text: The reason. Reasons that differ only in their numbers are one: the text is the first figure's.
        holds_for: What the figures are of.
        alike: Whether the figures' reasons differ in their numbers.
    """

    kind: str
    text: str
    holds_for: tuple[str, ...]
    alike: bool

    def sentence(self) -> str:
        """`unresolved: T_w of ... is too short (8), likewise 64, 512`."""
        first, *others = self.holds_for
        if not self.alike or not others:
            return f"{self.kind}: {self.text} ({', '.join(self.holds_for)})"
        return f"{self.kind}: {self.text} ({first}), likewise {', '.join(others)}"


def reasons_of(rows: Iterable[ResultRow], name: Callable[[ResultRow], str]) -> list[Reason]:
    """The reasons of `rows` in their order; `name` says of a row what its figure is of, such as its size."""
    result: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in rows:
        if row.reason and (row.value is None or row.bound):
            kind = "unresolved" if row.value is None else f"{row.bound} bound"
            result.setdefault((kind, _NUMBER.sub("#", row.reason)), []).append((row.reason, name(row)))
    return [
        Reason(kind, members[0][0], tuple(dict.fromkeys(of for _, of in members)), len(dict(members)) > 1)
        for (kind, _), members in result.items()
    ]
