# SPDX-License-Identifier: BSD-3-Clause
"""The sizes of the NAS classes, equal to those of `src/kernel/nas/classes.cpp`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class FtSize:
    """Points along each axis; an iteration has one forward and one inverse transform."""

    nx: int
    ny: int
    nz: int
    iterations: int


@dataclass(frozen=True)
class MgSize:
    """Points along each axis, and the number of V-cycles."""

    points: int
    iterations: int


@dataclass(frozen=True)
class CgSize:
    """Order of the matrix, nonzeros of each generating vector, and steps of inverse iteration."""

    rows: int
    nonzeros: int
    iterations: int


FT_SIZES: Mapping[str, FtSize] = {
    "S": FtSize(64, 64, 64, 6),
    "W": FtSize(128, 128, 32, 6),
    "A": FtSize(256, 256, 128, 6),
    "B": FtSize(512, 256, 256, 20),
    "C": FtSize(512, 512, 512, 20),
    "D": FtSize(2048, 1024, 1024, 25),
}
MG_SIZES: Mapping[str, MgSize] = {
    "S": MgSize(32, 4),
    "W": MgSize(128, 4),
    "A": MgSize(256, 4),
    "B": MgSize(256, 20),
    "C": MgSize(512, 20),
    "D": MgSize(1024, 50),
}
CG_SIZES: Mapping[str, CgSize] = {
    "S": CgSize(1400, 7, 15),
    "W": CgSize(7000, 8, 15),
    "A": CgSize(14000, 11, 15),
    "B": CgSize(75000, 13, 75),
    "C": CgSize(150000, 15, 75),
    "D": CgSize(1500000, 21, 100),
}
