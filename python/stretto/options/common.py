# SPDX-License-Identifier: BSD-3-Clause
"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from stretto.data.collectives import ALGORITHMS
from stretto.data.pairs import FEWEST_PAIRS, MAX_PAIRS, PAIRS_CORRECTION
from stretto.options.declare import Option, argument, option, switch
from stretto.options.kinds import FlopsRate, OneOf, PathKind, Text, Whole

MAX_RANKS = 1 << 20
PROFILE_NAME = PathKind("FILE|NAME")

ALGORITHM_HELP = "library: the MPI's own; reference: linear and binomial."
MACHINE_HELP = "The machine: a profile.json, or `clic`, `t3e`."

JsonSwitch: TypeAlias = Annotated[bool, switch("--json", "Print one JSON document, and nothing else.")]
Machine: TypeAlias = Annotated[Path, option("--profile", PROFILE_NAME, MACHINE_HELP)]
Ranks: TypeAlias = Annotated[
    int | None,
    option("-n", "--ranks", Whole(2, MAX_RANKS), "How many ranks.", default="the profile's"),
]
Rate: TypeAlias = Annotated[
    float | None, option("--flops-rate", FlopsRate(), "Compute rate of a rank: 2e9, 1.5G flops/s.")
]
Algorithm: TypeAlias = Annotated[
    str,
    option("--algorithm", OneOf(ALGORITHMS), ALGORITHM_HELP),
]
TraceDirectory: TypeAlias = Annotated[
    Path, argument("DIR", PathKind(), "What `stretto trace` wrote, or a trace of another tool.")
]
MpiName: TypeAlias = Annotated[
    str | None, option("--mpi", Text("NAME|PATH"), "mpich, openmpi, an mpiexec or its prefix.")
]
Words: TypeAlias = Annotated[
    tuple[str, ...], argument("-- COMMAND...", Text(), "What to run.", repeatable=True, keeps_duplicates=True)
]


def pairs(text: str) -> Option:
    """How many pairs of runs a command makes; `text` says which."""
    return option("--runs", Whole(FEWEST_PAIRS, MAX_PAIRS, correction=PAIRS_CORRECTION), text)
