# SPDX-License-Identifier: BSD-3-Clause
"""What the commands that start ranks have in common: where, how many, under which MPI, for how long."""

from __future__ import annotations

from typing import Annotated

import typer

RanksOption = Annotated[int, typer.Option("-n", "--ranks", help="How many ranks.")]
OnOption = Annotated[str, typer.Option("--on", help="local, emulated or simulated.")]
HostsOption = Annotated[
    int | None, typer.Option("--hosts", help="Emulated: how many hosts, 2 to 4.  [default: 2]")
]
RateOption = Annotated[
    str | None, typer.Option("--rate", help="Emulated: what a link carries.  [default: 500mbit]")
]
PlatformOption = Annotated[
    str | None, typer.Option("--platform", help="Simulated: a platform's name or file.")
]
TimeoutOption = Annotated[
    float | None, typer.Option("--timeout", metavar="S", help="End the run after so many seconds.")
]
MpiOption = Annotated[
    str | None, typer.Option("--mpi", help="mpich, openmpi, or the path of an mpiexec or prefix.")
]
