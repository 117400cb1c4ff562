# SPDX-License-Identifier: BSD-3-Clause
"""Options of the probes collective and nbc: operations, numbers of ranks, and grids."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from stretto.data.collectives import ALGORITHMS, OPERATIONS
from stretto.errors import UserError
from stretto.options.declare import Request, option
from stretto.options.kinds import Kind, ListOf, Whole, names

_PANEL = "Probe collective"
_ONLY = ("collective",)
_ALSO_NONBLOCKING = ("collective", "nbc")
_GRID = re.compile(r"flat|all|[1-9]\d{0,8}x[1-9]\d{0,8}", re.ASCII)
_LARGEST = 10**9 - 1


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
        option(
            "--collective",
            names(OPERATIONS, "C"),
            "Operations.",
            default="those of the paper; nbc: five that are often overlapped",
            probes=_ALSO_NONBLOCKING,
            native="collectives",
            panel=_PANEL,
        ),
    ] = ()
    algorithm: Annotated[
        tuple[str, ...],
        option(
            "--algorithm",
            names(ALGORITHMS, "A"),
            "library: the MPI's own; reference: linear and binomial.",
            probes=_ONLY,
            native="algorithms",
            panel=_PANEL,
        ),
    ] = ("library",)
    members: Annotated[
        tuple[int, ...],
        option(
            "--members",
            ListOf(Whole(2, _LARGEST, "write whole numbers from 2 on, such as 4,8,16", "P")),
            "Among how many of the ranks.",
            default="a series up to all; nbc: all",
            probes=_ALSO_NONBLOCKING,
            native="members",
            panel=_PANEL,
        ),
    ] = ()
    grids: Annotated[
        tuple[str, ...],
        option("--grid", ListOf(Grid()), "flat, all, P1xP2.", probes=_ONLY, native="grids", panel=_PANEL),
    ] = ()
    segments: Annotated[
        tuple[int, ...],
        option(
            "--segments",
            ListOf(Whole(1, _LARGEST, "write whole numbers from 1 on, such as 4,8,16", "S")),
            "Segments between the phases.",
            probes=_ONLY,
            native="segments",
            panel=_PANEL,
        ),
    ] = (1,)
    root: Annotated[
        int,
        option(
            "--root",
            Whole(0, correction="give a rank from 0 on"),
            "The root's rank.",
            probes=_ONLY,
            native="root",
            panel=_PANEL,
        ),
    ] = 0
