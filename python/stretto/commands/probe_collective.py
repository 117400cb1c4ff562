# SPDX-License-Identifier: BSD-3-Clause
"""The options of `stretto probe` that are for the probe `collective`, checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stretto.commands.choices import choose
from stretto.data.collectives import ALGORITHMS, OPERATIONS
from stretto.errors import UserError

_GRID = re.compile(r"flat|all|[1-9]\d{0,8}x[1-9]\d{0,8}")


@dataclass(frozen=True)
class CollectiveOptions:
    """As texts of a command line; None where an option was not given."""

    collectives: str | None = None
    algorithm: str | None = None
    members: str | None = None
    grids: str | None = None
    segments: str | None = None
    root: int | None = None

    def arguments(self, probes: Sequence[str]) -> list[str]:
        """The native program's arguments.

        Raises:
            UserError: one of them is wrong, or `collective` is not among the probes.
        """
        given = [name for name, value in vars(self).items() if value is not None]
        if given and "collective" not in probes:
            raise UserError(f"--{given[0]} is for the probe collective, which is not asked for")
        arguments = []
        for option, text, known in (
            ("--collectives", self.collectives, OPERATIONS),
            ("--algorithm", self.algorithm, ALGORITHMS),
        ):
            if text is not None:
                arguments += [option, ",".join(choose(option, text, known))]
        for option, text, low in (("--members", self.members, 2), ("--segments", self.segments, 1)):
            if text is not None:
                arguments += [option, ",".join(_counts(option, text, low))]
        if self.grids is not None:
            arguments += ["--grids", ",".join(_grids(self.grids))]
        if self.root is not None:
            if self.root < 0:
                raise UserError(f"--root {self.root}: give a rank from 0 on")
            arguments += ["--root", str(self.root)]
        return arguments


def _counts(option: str, text: str, low: int) -> list[str]:
    parts = list(dict.fromkeys(part.strip() for part in text.split(",")))
    for part in parts:
        if not re.fullmatch(r"\d{1,9}", part) or int(part) < low:
            raise UserError(f"{option} {text}: write whole numbers from {low} on, such as 4,8,16")
    return parts


def _grids(text: str) -> list[str]:
    parts = list(dict.fromkeys(part.strip() for part in text.split(",")))
    for part in parts:
        if not _GRID.fullmatch(part):
            raise UserError(f"--grids: '{part}' is none of flat, all, P1xP2 (such as 4x24)")
    return parts
