# SPDX-License-Identifier: BSD-3-Clause
"""Options of the commands that start ranks: substrate, number of ranks, MPI and time limit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

from stretto.errors import UserError
from stretto.options.choices import SUBSTRATES
from stretto.options.common import Words
from stretto.options.declare import Request, declared, option
from stretto.options.kinds import OneOf, PathKind, Seconds, Text, Whole

WHERE = "Where it runs"
where = partial(option, panel=WHERE)
LAUNCHED_ON = ("local", "emulated")
LIBRARIES = ("trace", "collectives", "progress")

_RANKS = Whole(1, correction="give at least 1, as a whole number of --ranks")
HOSTS = where("--hosts", Whole(), "Emulated: how many hosts, 2 to 4.", on=("emulated",))
RATE = where("--rate", Text("RATE"), "Emulated: what a link carries.", on=("emulated",))
_PROGRAM = where(
    "--program", Text("WORD"), "The word of COMMAND that is the program.", default="by the launcher's options"
)
_MPI = where("--mpi", Text("NAME|PATH"), "mpich, openmpi, an mpiexec or its prefix.")


@dataclass(frozen=True, kw_only=True)
class LayoutOptions(Request):
    """The layout of ranks on nodes. Without these options the batch system's job decides."""

    hostfile: Annotated[
        Path | None,
        where(
            "--hostfile",
            PathKind("FILE"),
            "Nodes, one name a line.",
            default="those of the batch job",
            on=("local",),
        ),
    ] = None
    ranks_per_node: Annotated[
        int | None,
        where(
            "--ranks-per-node",
            Whole(1, correction="give at least 1", metavar="K"),
            "Ranks on a node.",
            default="as few as there are nodes",
        ),
    ] = None
    launcher: Annotated[
        str | None,
        where(
            "--launcher",
            Text("TEMPLATE"),
            "Launch line, such as 'mpiexec -n {ranks} -ppn {ppn} {command}'.",
            on=("local",),
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class SubstrateRequest(LayoutOptions):
    """A number of ranks on a substrate."""

    ranks: Annotated[int, where("-n", "--ranks", _RANKS, "How many ranks.")] = 2
    on: Annotated[
        str, where("--on", OneOf(tuple(SUBSTRATES)), "local, emulated or simulated.", native="on")
    ] = "local"
    hosts: Annotated[int, HOSTS] = 2
    rate: Annotated[str, RATE] = "500mbit"
    platform: Annotated[
        str | None,
        where(
            "--platform",
            Text("NAME|FILE"),
            "Simulated: a platform of `stretto list`, or its file.",
            on=("simulated",),
        ),
    ] = None
    timeout: Annotated[float | None, where("--timeout", Seconds(), "End the run after so many seconds.")] = (
        None
    )
    mpi: Annotated[str | None, _MPI] = None

    @property
    def wants_all_nodes(self) -> bool:
        """Whether without -n every node gets a rank, and not two of them."""
        return False


@dataclass(frozen=True, kw_only=True)
class ApplicationRequest(LayoutOptions):
    """An MPI program: COMMAND starts its own ranks (`mpiexec ...`), or stretto does, with -n or --on."""

    command: Words
    ranks: Annotated[
        int | None,
        where(
            "-n",
            "--ranks",
            _RANKS,
            "Ranks to start COMMAND on, which is then the program alone.",
            default="those of COMMAND's mpiexec",
        ),
    ] = None
    on: Annotated[
        str, where("--on", OneOf(LAUNCHED_ON), "local; or emulated: one rank a host without -n.")
    ] = "local"
    hosts: Annotated[int, HOSTS] = 2
    rate: Annotated[str, RATE] = "500mbit"
    timeout: Annotated[float | None, where("--timeout", Seconds(), "End a run after so many seconds.")] = None
    mpi: Annotated[str | None, _MPI] = None
    program: Annotated[str | None, _PROGRAM] = None

    @property
    def launched_ranks(self) -> int | None:
        """The ranks that stretto starts; None where COMMAND starts its own."""
        if self.ranks is None and self.on == "emulated":
            return self.hosts
        return self.ranks

    def check(self) -> None:
        """Raises UserError where options contradict each other."""
        if self.on == "emulated" and self.ranks_per_node is not None:
            raise UserError(
                "--ranks-per-node: ranks of a program are divided evenly among --hosts; leave it out"
            )
        if self.ranks is None:
            for one in declared(LayoutOptions):
                if self.gave(one.field):
                    raise UserError(f"{one.option.name}: is for ranks that stretto starts; add -n RANKS")
