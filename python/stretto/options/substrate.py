# SPDX-License-Identifier: BSD-3-Clause
"""Options of the commands that start ranks: substrate, number of ranks, MPI and time limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from stretto.options.choices import SUBSTRATES
from stretto.options.declare import Request, option
from stretto.options.kinds import OneOf, Seconds, Text, Whole

WHERE = "Where it runs"


@dataclass(frozen=True, kw_only=True)
class SubstrateRequest(Request):
    """A number of ranks on a substrate."""

    ranks: Annotated[
        int,
        option(
            "-n",
            "--ranks",
            Whole(1, correction="give at least 1, as a whole number of --ranks"),
            "How many ranks.",
            panel=WHERE,
        ),
    ] = 2
    on: Annotated[
        str,
        option("--on", OneOf(tuple(SUBSTRATES)), "local, emulated or simulated.", native="on", panel=WHERE),
    ] = "local"
    hosts: Annotated[
        int,
        option("--hosts", Whole(), "Emulated: how many hosts, 2 to 4.", on=("emulated",), panel=WHERE),
    ] = 2
    rate: Annotated[
        str, option("--rate", Text("RATE"), "Emulated: what a link carries.", on=("emulated",), panel=WHERE)
    ] = "500mbit"
    platform: Annotated[
        str | None,
        option(
            "--platform",
            Text("NAME|FILE"),
            "Simulated: a platform of `stretto list`, or its file.",
            on=("simulated",),
            panel=WHERE,
        ),
    ] = None
    timeout: Annotated[
        float | None, option("--timeout", Seconds(), "End the run after so many seconds.", panel=WHERE)
    ] = None
    mpi: Annotated[
        str | None,
        option("--mpi", Text("NAME|PATH"), "mpich, openmpi, an mpiexec or its prefix.", panel=WHERE),
    ] = None
