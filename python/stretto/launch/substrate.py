# SPDX-License-Identifier: BSD-3-Clause
"""The substrate of a run: where its ranks run (local, emulated or simulated)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import UserError
from stretto.launch.cluster import EmulatedNetwork
from stretto.launch.cores import usable_cores
from stretto.launch.emulated import run_emulated
from stretto.launch.job import Job, OnTick, Outcome
from stretto.launch.layout import HERE, Layout, default_ranks, spans_nodes
from stretto.launch.local import launch_here, run_local
from stretto.launch.mpi import find_mpi
from stretto.launch.mpiexec import Launch
from stretto.launch.platforms import Platform, find_platform
from stretto.launch.selftest import SelfTest
from stretto.launch.simulated import run_simulated
from stretto.native.programs import library_path, native_program
from stretto.options.substrate import SubstrateRequest


@dataclass(frozen=True)
class Substrate:
    """A number of ranks, and where they run: `network` when emulated, `platform` when simulated.

    Attributes:
        mpi: The MPI's name or path; None: the first MPI that is found.
        timeout_s: A run that takes longer is ended; None: no limit.
        layout: The nodes of a local run, and the ranks per node of a local or simulated one.
    """

    ranks: int
    mpi: str | None = None
    timeout_s: float | None = None
    network: EmulatedNetwork | None = None
    platform: Platform | None = None
    layout: Layout = HERE

    @staticmethod
    def of(request: SubstrateRequest) -> Substrate:
        """The substrate of a request.

        Raises:
            UserError: there is no such platform or network, or it is too small for the ranks.
        """
        network, platform = None, None
        if request.on == "emulated":
            network = EmulatedNetwork(request.hosts, request.rate, request.ranks_per_node or 1)
        if request.on == "simulated":
            if request.platform is None:
                raise UserError(
                    "--on simulated needs --platform NAME or FILE; `stretto list` shows the names"
                )
            platform = find_platform(request.platform)
        layout = Layout.of(request)
        ranks = request.ranks
        if network is not None:
            fills = request.wants_all_nodes or request.ranks_per_node is not None
            if not request.gave("ranks") and fills:
                ranks = network.hosts * network.ranks_per_host
            network.check_ranks(ranks)
        if request.on == "local" and not request.gave("ranks"):
            ranks = default_ranks(layout, ranks, request.wants_all_nodes)
        return Substrate(ranks, request.mpi, request.timeout, network, platform, layout)

    @property
    def network_name(self) -> str:
        """The network's name in the header of samples."""
        if self.network is not None:
            return str(self.network)
        return self.platform.name if self.platform is not None else ""

    def warn(self) -> None:
        """Prints a warning on stderr where ranks share cores.

        Raises:
            UserError: there is no such MPI.
        """
        cores = len(usable_cores())
        if self.platform is not None or self.ranks <= cores or spans_nodes(self.layout):
            return
        follows = "what they wait for each other is in every time"
        if self.network is not None and find_mpi(self.mpi).family == "openmpi":
            follows = "they sleep while they wait, so that a message takes up to 0.2 ms longer"
        print(
            f"stretto: warning: {self.ranks} ranks share {cores} core{'s' if cores > 1 else ''}: "
            f"{follows}; -n {cores} has a core for each",
            file=sys.stderr,
        )

    def launch(self, program: str, arguments: Sequence[str]) -> Launch:
        """The launch line of a native program in a local run, which is not started.

        Raises:
            UserError: as for `run`.
        """
        mpi = find_mpi(self.mpi)
        path = native_program(program, mpi.family, mpi.mpiexec)
        env = library_path(path, mpi.mpiexec)
        return launch_here(mpi, Job(path, tuple(arguments), self.ranks, env), self.layout)

    def run(
        self,
        program: str,
        arguments: Sequence[str],
        on_tick: OnTick | None = None,
        on_self_test: Callable[[SelfTest], None] | None = None,
    ) -> Outcome:
        """Runs a native program to its end.

        Raises:
            UserError: there is no such MPI, no program built for it, no permission to make namespaces, ...
            RunError: the substrate failed its self-test.
        """

        def job(path: Path, env: Mapping[str, str] | None = None) -> Job:
            return Job(path, tuple(arguments), self.ranks, env or {}, self.timeout_s)

        if self.platform is not None:
            simulated = job(native_program(program, "simgrid"))
            return run_simulated(simulated, self.platform, on_tick, self.layout.ranks_per_node)
        mpi = find_mpi(self.mpi)
        path = native_program(program, mpi.family, mpi.mpiexec)
        started = job(path, library_path(path, mpi.mpiexec))
        if self.network is None:
            return run_local(mpi, started, on_tick, self.layout)
        return run_emulated(mpi, started, self.network, on_tick, on_self_test)
