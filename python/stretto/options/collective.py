# SPDX-License-Identifier: BSD-3-Clause
"""Options of the probes collective and nbc: operations, numbers of ranks, and grids."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from stretto.data.collectives import ALGORITHMS, OPERATIONS
from stretto.errors import UserError
from stretto.options.common import ALGORITHM_HELP
from stretto.options.declare import Request, option
from stretto.options.kinds import Kind, ListOf, Whole, names

_PANEL = "Probe collective"
_GRID = re.compile(r"flat|all|[1-9]\d{0,8}x[1-9]\d{0,8}", re.ASCII)
_LARGEST = 10**9 - 1
_collective = partial(option, probes=("collective",), panel=_PANEL)
_also_nonblocking = partial(option, probes=("collective", "nbc"), panel=_PANEL)


@dataclass(frozen=True)
class Grid(Kind[str]):
    """A grid: `flat`, `all`, or P1xP2."""

    metavar: str = "G"

    def parse(self, text: str) -> str:
        if not _GRID.fullmatch(text):
            raise UserError(f"'{text}' is none of flat, all, P1xP2 (such as 4x24)")
        return text


@dataclass(frozen=True, kw_only=True)
class CollectiveOptions(Request):
    """Options of the probe collective.

    Empty `members` means powers of two and all ranks; empty `grids` means flat, and all grids of all ranks;
    empty `collectives` means those of the two-phase paper. The probe nbc uses `collectives` and `members`.
    """

    collectives: Annotated[
        tuple[str, ...],
        _also_nonblocking(
            "--collective",
            names(OPERATIONS, "C"),
            "Operations.",
            default="those of the paper; nbc: five that are often overlapped",
            native="collectives",
        ),
    ] = ()
    algorithm: Annotated[
        tuple[str, ...],
        _collective(
            "--algorithm",
            names(ALGORITHMS, "A"),
            ALGORITHM_HELP,
            native="algorithms",
        ),
    ] = ("library",)
    members: Annotated[
        tuple[int, ...],
        _also_nonblocking(
            "--members",
            ListOf(Whole(2, _LARGEST, "write whole numbers from 2 on, such as 4,8,16", "P")),
            "Among how many of the ranks.",
            default="a series up to all; nbc: all",
            native="members",
        ),
    ] = ()
    grids: Annotated[
        tuple[str, ...], _collective("--grid", ListOf(Grid()), "flat, all, P1xP2.", native="grids")
    ] = ()
    segments: Annotated[
        tuple[int, ...],
        _collective(
            "--segments",
            ListOf(Whole(1, _LARGEST, "write whole numbers from 1 on, such as 4,8,16", "S")),
            "Segments between the phases.",
            native="segments",
        ),
    ] = (1,)
    root: Annotated[
        int,
        _collective(
            "--root", Whole(0, correction="give a rank from 0 on"), "The root's rank.", native="root"
        ),
    ] = 0
